//! The arguments of `hex match`, and the match that they describe.

use super::log::{MatchHeader, PlayerLine};
use super::names;
use super::schedule::{Match, Schedule, ScheduleKind};
use crate::game_options::GameOptions;
use crate::player::Limits;
use crate::programs::{OnProgramChange, Programs};
use crate::spec::{self, PlayerSettings, PlayerSpec};
use anyhow::{bail, Context, Result};
use hex_common::append_log::games;
use hex_common::options;
use hex_common::stats::sprt::Sprt;
use std::collections::HashSet;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

/// Games of each pairing unless --games says otherwise.
const DEFAULT_GAMES: u64 = 100;

/// The most games of a pairing when a test decides how many there are.
const SPRT_GAMES: u64 = 40_000;

/// The range of `--games`.
const GAMES: RangeInclusive<u64> = 2..=1_000_000;

/// The range of a test's error rates. With less a test would hardly ever end; with more it would be
/// meaningless.
const ERROR_RATES: RangeInclusive<f64> = 0.000_001..=0.499;

/// The range of a test's hypotheses, in Elo.
const ELO: RangeInclusive<f64> = -2_000.0..=2_000.0;

/// The end of `--help`.
const EXAMPLES: &str = "\
Examples:
  hex match ./new ./old --sprt 0,10              is the new bot better? stop when it is known
  hex match ./bot 'builtin:simulations=5000 ;; name=small' --games 400 --threads 2 --out results/a
  hex match ./bot 'gtp:mohex --quiet ;; move-ms=1000 ;; param_mohex num_threads 1'
  hex match --players players.toml --schedule gauntlet --games 200

docs/arena.md explains the numbers.";

/// Play bots against each other and measure which is stronger.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The players, two or more
    ///
    /// "COMMAND" speaks CodinGame's protocol, "gtp:COMMAND" speaks GTP, "builtin:KNOB=VALUE,..." is
    /// our bot, "@NAME" is a player of the file given by --players. Settings may follow: "COMMAND
    /// ;; name=NAME ;; first-ms=N ;; turn-ms=N", and lines to send to a GTP engine.
    #[arg(value_name = "PLAYER", required_unless_present = "roster")]
    players: Vec<String>,
    /// A TOML file of players; without PLAYER arguments all of them play
    #[arg(long = "players", value_name = "FILE")]
    roster: Option<PathBuf>,
    /// Games of each pairing, an even number [default: 100, or with --sprt at most 40,000]
    #[arg(long, value_name = "N", value_parser = options::whole(GAMES))]
    games: Option<u64>,
    /// Play only these pairs of games, numbered from 0, TO not included
    ///
    /// So several machines can share a match: games 2N and 2N + 1 are pair N.
    #[arg(long, value_name = "FROM..TO", value_parser = options::span)]
    only_pairs: Option<Range<u64>>,
    /// Games at a time [default: one less than this machine has cores]
    #[arg(long, value_name = "N", default_value_t = options::all_but_one(), hide_default_value = true, value_parser = options::whole(options::THREADS))]
    pub(crate) threads: usize,
    /// The folder for the log and the reports [default: results/A-vs-B]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Continue the match in the folder
    #[arg(long)]
    pub(crate) resume: bool,
    /// Continue although a player's program has changed; the report says so
    #[arg(long)]
    pub(crate) changed_programs: bool,
    /// Keep the transcripts and standard errors of all games, not only of those lost by faults
    #[arg(long)]
    pub(crate) logs: bool,
    /// Continue the match, and first replay the games that a stall of the machine decided
    #[arg(long)]
    pub(crate) replay_stalled: bool,
    /// Append the text of this file to the report, such as the clock noise of other machines
    #[arg(long, value_name = "FILE")]
    note: Option<PathBuf>,
    #[command(flatten)]
    game: GameOptions,
    /// Stop as soon as a test shows whether the first player is ELO0 or ELO1 stronger, "0,10"
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// How often the test may find a difference that does not exist
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = options::real(ERROR_RATES))]
    alpha: f64,
    /// How often the test may miss a difference that exists
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = options::real(ERROR_RATES))]
    beta: f64,
    /// Who plays whom when there are more than two players
    #[arg(long, value_enum, default_value_t = ScheduleKind::RoundRobin)]
    schedule: ScheduleKind,
}

impl Args {
    fn sprt(&self) -> Result<Option<Sprt>> {
        let Some(text) = &self.sprt else {
            return Ok(None);
        };
        let parts = text
            .split_once(',')
            .map(|(a, b)| (a.trim().parse(), b.trim().parse()));
        let Some((Ok(elo0), Ok(elo1))) = parts else {
            bail!("--sprt {text:?}: give two numbers, such as 0,10");
        };
        if ![elo0, elo1].iter().all(|elo| ELO.contains(elo)) {
            let (least, most) = (ELO.start(), ELO.end());
            bail!("--sprt {text:?}: give two numbers from {least} to {most}, such as 0,10");
        }
        if self.players.len() > 2 {
            bail!(
                "--sprt compares two players, there are {}",
                self.players.len()
            );
        }
        let sprt = Sprt::new(elo0, elo1, self.alpha, self.beta).context("--sprt")?;
        Ok(Some(sprt))
    }

    /// The match to play.
    ///
    /// # Errors
    /// If the arguments contradict each other or a file cannot be read.
    pub(crate) fn plan(&self) -> Result<Match> {
        let sprt = self.sprt()?;
        let players = with_distinct_names(self.players(self.game.limits())?);
        let default_games = if sprt.is_some() {
            SPRT_GAMES
        } else {
            DEFAULT_GAMES
        };
        let games = self.games.unwrap_or(default_games);
        if games == 0 || games % 2 == 1 {
            bail!("--games {games}: give an even number above 0, openings are played twice");
        }
        let schedule = Schedule::new(self.schedule, players.len(), games / 2);
        let on_change = if self.changed_programs {
            OnProgramChange::Note
        } else {
            OnProgramChange::End
        };
        Ok(Match {
            games: self.games_here(&schedule)?,
            schedule,
            openings: self.game.openings()?,
            programs: Programs::read(players.iter().map(PlayerSpec::files), on_change),
            players,
            sprt,
        })
    }

    /// The numbers of the games to play on this machine.
    fn games_here(&self, schedule: &Schedule) -> Result<Range<u64>> {
        let pairs = schedule.games() / 2;
        let Some(only) = &self.only_pairs else {
            return Ok(0..schedule.games());
        };
        if only.end > pairs {
            let (from, to) = (only.start, only.end);
            bail!(
                "--only-pairs {from}..{to}: the match has {pairs} pairs, give 0..{pairs} at most"
            );
        }
        Ok(2 * only.start..2 * only.end)
    }

    /// The end of the report.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub(crate) fn note(&self) -> Result<String> {
        let Some(path) = &self.note else {
            return Ok(String::new());
        };
        let text = hex_common::input::read_text(path);
        text.with_context(|| format!("--note {}", path.display()))
    }

    fn players(&self, defaults: Limits) -> Result<Vec<PlayerSpec>> {
        let roster = match &self.roster {
            None => Vec::new(),
            Some(path) => spec::roster(path)?,
        };
        let mut players = Vec::new();
        if self.players.is_empty() {
            for settings in &roster {
                players.push(settings.player(defaults)?);
            }
        }
        for text in &self.players {
            players.push(match text.strip_prefix('@') {
                None => PlayerSpec::parse(text, defaults)?,
                Some(name) => {
                    let is_meant = |player: &&PlayerSettings| player.name.as_deref() == Some(name);
                    match roster.iter().filter(is_meant).collect::<Vec<_>>()[..] {
                        [settings] => settings.player(defaults)?,
                        [] => {
                            bail!("{text}: no player of this name in the file given by --players")
                        }
                        _ => bail!(
                            "{text}: several players of this name in the file given by --players"
                        ),
                    }
                }
            });
        }
        if players.len() < 2 {
            bail!("a match needs two players, there is {}", players.len());
        }
        if self.sprt.is_some() && players.len() > 2 {
            bail!("--sprt compares two players, there are {}", players.len());
        }
        Ok(players)
    }

    /// The first line of the match's log.
    pub(crate) fn header(&self, plan: &Match) -> MatchHeader {
        let line = |(number, player): (usize, &PlayerSpec)| PlayerLine {
            name: player.name.clone(),
            text: player.text.clone(),
            first_ms: player.limits.first.as_millis() as u64,
            turn_ms: player.limits.turn.as_millis() as u64,
            programs: plan.programs.of(number),
        };
        MatchHeader {
            format: games::FORMAT,
            side: self.game.side.get(),
            openings: plan.openings.identity(&self.game.openings),
            seed: self.game.seed,
            players: plan.players.iter().enumerate().map(line).collect(),
            schedule: options::word(&self.schedule),
            sprt: plan.sprt,
            changes: Vec::new(),
        }
    }

    /// The match's folder.
    pub(crate) fn folder(&self, plan: &Match) -> PathBuf {
        let names: Vec<String> = plan.players.iter().map(|p| p.name.clone()).collect();
        let default = || Path::new("results").join(names::file_name(&names));
        self.out.clone().unwrap_or_else(default)
    }
}

/// Appends numbers to names that several players share, so that all names differ.
fn with_distinct_names(mut players: Vec<PlayerSpec>) -> Vec<PlayerSpec> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut shared: HashSet<String> = HashSet::new();
    for player in &players {
        if !taken.insert(player.name.clone()) {
            shared.insert(player.name.clone());
        }
    }
    for player in players.iter_mut().filter(|p| shared.contains(&p.name)) {
        let mut numbered = (1..).map(|number| format!("{}-{number}", player.name));
        let free = numbered.find(|name| !taken.contains(name));
        player.name = free.expect("there are fewer players than numbers");
        taken.insert(player.name.clone());
    }
    players
}
