//! Our own bot as a player in this process, with its knobs as settings: what `HEXBOT_…` variables and a
//! changed constant do to the program, without building it twice. It thinks for as long as the referee
//! allows; the knobs `first-ms` and `turn-ms` make it keep other limits than the referee's.

use super::player::{Answer, Decision, Failure, Fault, FaultKind, Limits, Player};
use crate::engine::{player, Stop, StoppableClock};
use crate::options;
use crate::record::{Game, Side};
use crate::weights_file;
use hexbot::budget::Clock;
use hexbot::network::Network;
use hexbot::params::{BridgeUse, Params, Selection, TreeReuse};
use hexbot::settings::Settings;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

/// Time kept in hand, in milliseconds: less than the longest limit.
const MARGINS: RangeInclusive<u64> = 0..=86_400_000;
/// Nodes of a tree: its memory is reserved at once, some 3 kB for each on 11×11.
const NODES: RangeInclusive<usize> = 2..=1_000_000;
/// Weights of terms; what they weigh is of the order of 1.
const WEIGHTS: RangeInclusive<f64> = 0.0..=1000.0;
/// Temperatures of priors: colder than this one move has them all, hotter all moves have the same.
const TEMPERATURES: RangeInclusive<f64> = 0.01..=100.0;
/// Visits of a move before it gets a node.
const VISITS: RangeInclusive<f64> = 1.0..=1_000_000.0;

/// The bot's settings, and the limits it keeps where they are not the referee's.
#[derive(Clone, Debug, Default)]
pub struct Knobs {
    settings: Settings,
    first: Option<Duration>,
    turn: Option<Duration>,
}

impl Knobs {
    /// Reads `simulations=20000,seed=3,exploration=0.5`; empty for none.
    ///
    /// # Errors
    /// If a knob is unknown or its value makes no sense.
    pub fn parse(text: &str) -> Result<Knobs, String> {
        let mut knobs = Knobs::default();
        for knob in text
            .split(',')
            .map(str::trim)
            .filter(|knob| !knob.is_empty())
        {
            let (name, value) = knob.split_once('=').unwrap_or((knob, ""));
            knobs.set(name.trim(), value.trim())?;
        }
        Ok(knobs)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let milliseconds = || whole(name, value, options::MILLISECONDS).map(Duration::from_millis);
        match name {
            "seed" => self.settings.seed = Some(whole(name, value, options::SEEDS)?),
            "simulations" => {
                self.settings.simulations = Some(whole(name, value, options::SIMULATIONS)?)
            }
            "first-ms" => self.first = Some(milliseconds()?),
            "turn-ms" => self.turn = Some(milliseconds()?),
            "weights" => self.settings.network = Some(network(value)?),
            _ => tune(&mut self.settings.params, name, value)?,
        }
        Ok(())
    }

    /// The settings of a bot that the referee gives these limits.
    pub fn settings(&self, limits: Limits) -> Settings {
        Settings {
            first_limit: self.first.unwrap_or(limits.first),
            turn_limit: self.turn.unwrap_or(limits.turn),
            ..self.settings.clone()
        }
    }
}

/// The network in a file.
fn network(file: &str) -> Result<Arc<Network>, String> {
    weights_file::read(Path::new(file)).map_err(|error| format!("{error:#}"))
}

/// Sets one tunable of the search.
fn tune(params: &mut Params, name: &str, value: &str) -> Result<(), String> {
    match name {
        "preset" => *params = preset(value)?,
        "selection" => {
            let kinds = [("amaf", Selection::Amaf), ("uct", Selection::Uct)];
            params.selection = choice(name, value, kinds)?;
        }
        "bridges" => {
            let kinds = [("seen", BridgeUse::Seen), ("ignored", BridgeUse::Ignored)];
            params.bridge_use = choice(name, value, kinds)?;
        }
        "tree" => {
            let kinds = [("kept", TreeReuse::Kept), ("dropped", TreeReuse::Dropped)];
            params.tree = choice(name, value, kinds)?;
        }
        "margin-ms" => {
            params.margin = Duration::from_millis(whole(name, value, MARGINS)?);
        }
        "max-nodes" => params.max_nodes = whole(name, value, NODES)?,
        "amaf-bias" => params.amaf_bias = real(name, value, WEIGHTS)?,
        "exploration" => params.c_puct = real(name, value, WEIGHTS)?,
        "prior-temperature" => params.policy_temperature = real(name, value, TEMPERATURES)?,
        "first-play-urgency" => params.first_play_urgency = real(name, value, options::SHARE)?,
        "unseen-reduction" => params.fpu_reduction = real(name, value, options::SHARE)?,
        "bias-correction" => params.bias_correction = real(name, value, options::SHARE)?,
        "caution" => params.lcb_z = real(name, value, WEIGHTS)?,
        "expand-at-visit" => params.expand_at_visit = real(name, value, VISITS)?,
        _ => {
            return Err(format!(
                "{name:?} is no knob; there are seed, simulations, first-ms, turn-ms, weights, preset, selection, \
                 bridges, tree, margin-ms, max-nodes, amaf-bias, exploration, prior-temperature, \
                 first-play-urgency, unseen-reduction, bias-correction, caution and expand-at-visit"
            ))
        }
    }
    Ok(())
}

fn choice<T: Copy>(name: &str, value: &str, kinds: [(&str, T); 2]) -> Result<T, String> {
    let [(first, _), (second, _)] = kinds;
    let found = kinds.iter().find(|(word, _)| *word == value);
    found
        .map(|(_, kind)| *kind)
        .ok_or_else(|| format!("{name}={value}: choose {first} or {second}"))
}

/// A named set of tunables; knobs after it change single ones.
fn preset(name: &str) -> Result<Params, String> {
    match name {
        "default" => Ok(Params::default()),
        "playouts-only" => Ok(Params::playouts_only()),
        "plain-uct" => Ok(Params::plain_uct()),
        _ => Err(format!(
            "preset={name} is unknown; there are default, playouts-only and plain-uct"
        )),
    }
}

fn whole<T>(name: &str, value: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display + Clone,
{
    options::whole(range)(value).map_err(|why| format!("{name}={why}"))
}

fn real(name: &str, value: &str, range: RangeInclusive<f64>) -> Result<f32, String> {
    let number = options::real(range)(value).map_err(|why| format!("{name}={why}"))?;
    Ok(number as f32)
}

/// Our bot with these knobs for one game on a board of `side`.
///
/// # Errors
/// If it does not play on boards of this side.
pub fn start(side: Side, knobs: &Knobs, limits: Limits) -> Result<Box<dyn Player>, Failure> {
    let bot = player::player(side, knobs.settings(limits));
    let bot = bot.map_err(|why| Fault::new(FaultKind::Crash, why.to_string()))?;
    Ok(Box::new(Builtin(bot)))
}

struct Builtin(Box<dyn player::Player>);

impl Player for Builtin {
    fn answer(&mut self, game: &Game, _limit: Duration) -> Result<Answer, Failure> {
        let clock = StoppableClock::start(&Stop::never());
        let arrival = clock.now();
        let (position, to_move) = (game.position(), game.to_move());
        let reply = self.0.reply(position, to_move, &[], &clock, arrival);
        let time = clock.now().saturating_sub(arrival);
        let Some(reply) = reply else {
            let fault = Fault::new(FaultKind::Silence, "our bot found no move");
            return Err(fault.into());
        };
        Ok(Answer {
            decision: Decision::Play(reply.action),
            time,
            message: reply.summary,
        })
    }
}
