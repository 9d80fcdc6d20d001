//! One game of a bot against itself, with the time of every answer and the stalls during it.

use super::staller::{self, within, Span, SpanThread, Stalls};
use super::waiting;
use crate::journal::Journal;
use crate::judge::{self, Seat};
use crate::noise::{self, LateAnswer, NoiseWatch, Stall};
use crate::openings::Openings;
use crate::player::{ArenaPlayer, Failure, FaultKind, GameStopped, TimedAnswer};
use crate::process::StopFlag;
use crate::programs::Programs;
use crate::scoresheet::{milliseconds, ColorName, Fixture, GameLine};
use crate::spec::PlayerSpec;
use hex_common::system::MachineError;
use hex_core::record::Game;
use hexbot::cell::Color;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// The settings of all games of a run.
pub(crate) struct Setting {
    /// The bot and its time limits.
    pub(crate) bot: PlayerSpec,
    /// The files of its program.
    pub(crate) programs: Programs,
    /// The openings.
    pub(crate) openings: Openings,
    /// How often and how long bots are stopped.
    pub(crate) stalls: Stalls,
}

/// A game of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SoakGame {
    /// The game as in a match; player 0 plays Red, player 1 Blue, both are the bot.
    pub(crate) line: GameLine,
    /// The answers in their order.
    pub(crate) answers: Vec<AnswerLine>,
}

/// A turn of a bot, with or without an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AnswerLine {
    /// The bot's colour.
    pub(crate) color: ColorName,
    /// The time limit, in milliseconds.
    pub(crate) limit_ms: f64,
    /// How long the answer took, or how long we waited for it, in milliseconds.
    pub(crate) ms: f64,
    /// The part of that in which the bot was stopped, in milliseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) injected_ms: f64,
    /// The total lateness of wake-ups in that time on the worst core, in milliseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) machine_ms: f64,
    /// The part of that in which the bot waited for a processor, in milliseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) waited_ms: f64,
    /// The cause if the answer was late; `None` if it was in time, or missing for another reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) blame: Option<Blame>,
}

fn is_zero(ms: &f64) -> bool {
    *ms == 0.0
}

/// The cause of a late answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Blame {
    /// The answer would have been in time without the stalls of the test.
    Injected,
    /// The answer would have been in time without those, the machine's stalls and the waits for a
    /// processor.
    Machine,
    /// The bot itself.
    Bot,
}

impl Blame {
    /// All of them, in the order of reports.
    pub(crate) const ALL: [Blame; 3] = [Blame::Injected, Blame::Machine, Blame::Bot];

    /// The cause of a late answer; `None` if the answer was in time. `hindrances` are those of this
    /// bot, `stalls` those of the machine.
    pub fn of(answer: LateAnswer, hindrances: &Hindrances, stalls: &[Stall]) -> Option<Blame> {
        let took = answer.over - answer.asked;
        let injected = unforeseen(&hindrances.stopped, answer);
        let waited = unforeseen(&hindrances.waited, answer);
        let own = took.saturating_sub(injected);
        let without = LateAnswer {
            limit: answer.limit + injected,
            ..answer
        };
        let is_machines = || {
            own.saturating_sub(waited) <= answer.limit
                || noise::stall_beside(stalls, without).is_some()
        };
        if took <= answer.limit {
            None
        } else if own <= answer.limit {
            Some(Blame::Injected)
        } else if is_machines() {
            Some(Blame::Machine)
        } else {
            Some(Blame::Bot)
        }
    }

    /// The cause in words.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Blame::Injected => "the stalls put on the bot",
            Blame::Machine => "the machine",
            Blame::Bot => "the bot",
        }
    }
}

/// When a bot could not run.
#[derive(Clone, Debug, Default)]
pub struct Hindrances {
    /// The stalls of the test.
    pub stopped: Vec<Span>,
    /// Its waits for a processor.
    pub waited: Vec<Span>,
}

/// The time at the beginning and at the end of an answer in which a bot cannot make up for a
/// hindrance: it has not yet read its clock, or it is about to answer. The bot notices hindrances
/// between these times on its clock.
const OUT_OF_SIGHT: Duration = Duration::from_millis(20);

/// The total time of the spans within an answer that the bot could not make up for.
fn unforeseen(spans: &[Span], answer: LateAnswer) -> Duration {
    let begun = answer.asked + OUT_OF_SIGHT;
    let last = answer.asked + answer.limit.saturating_sub(OUT_OF_SIGHT);
    let is_seen = |span: &&Span| span.begun > begun && span.ended < last;
    let unseen: Vec<Span> = spans
        .iter()
        .filter(|span| !is_seen(span))
        .copied()
        .collect();
    within(&unseen, answer.asked, answer.over)
}

/// A turn of a bot, with its time.
struct TimedTurn {
    color: Color,
    span: LateAnswer,
    /// True if an answer came or was waited for in vain, false after another fault.
    counts: bool,
}

/// Passes turns on and notes how long the answers take.
struct Recorder<'a> {
    player: &'a mut dyn ArenaPlayer,
    asked: &'a std::cell::RefCell<Vec<TimedTurn>>,
}

impl ArenaPlayer for Recorder<'_> {
    fn answer(&mut self, game: &Game, limit: Duration) -> Result<TimedAnswer, Failure> {
        let asked = Instant::now();
        let answer = self.player.answer(game, limit);
        let over = match &answer {
            Ok(answer) => asked + answer.time,
            Err(_) => Instant::now(),
        };
        let is_silence = |failure: &Failure| matches!(failure, Failure::Fault(fault) if fault.kind == FaultKind::Silence);
        self.asked.borrow_mut().push(TimedTurn {
            color: game.to_move(),
            span: LateAnswer { asked, over, limit },
            counts: answer.as_ref().map_or_else(is_silence, |_| true),
        });
        answer
    }
}

/// Plays game `id` of the run, with both bots stopped now and then.
///
/// # Errors
/// If the game was stopped.
pub(crate) fn play(
    setting: &Setting,
    id: u64,
    stop: &StopFlag,
    watch: &NoiseWatch,
) -> Result<SoakGame, GameStopped> {
    let fixture = Fixture {
        id,
        round: id,
        red: 0,
        blue: 1,
    };
    let game = setting.openings.game(id);
    let mut players = Vec::new();
    for color in Color::ALL {
        match setting
            .bot
            .start(game.side(), stop.clone(), &Journal::default())
        {
            Ok(player) => players.push(player),
            Err(failure) => {
                let judged = judge::not_started(game, color, failure)?;
                return Ok(SoakGame {
                    line: GameLine::new(fixture, setting.openings.seed(), &judged),
                    answers: Vec::new(),
                });
            }
        }
    }
    let companions = players.iter_mut().enumerate().map(|(number, player)| {
        let Some(process) = player.process() else {
            return Ok(None);
        };
        let number = 2 * id + number as u64;
        let staller = staller::start(setting.stalls, number, process)?;
        Ok(Some([staller, waiting::watch(process)?]))
    });
    let companions = companions.collect::<Result<Vec<_>, MachineError>>()?;
    let asked = std::cell::RefCell::new(Vec::new());
    let judged = referee(&mut players, game, setting, &asked);
    // Before the bots end: their process numbers could be given to other processes.
    let hindrances: Vec<Hindrances> = companions.into_iter().map(finish).collect();
    let judged = judged?;
    let asked = asked.into_inner();
    let begun = asked
        .first()
        .map_or_else(Instant::now, |first| first.span.asked);
    let stalls = watch.stalls_since(begun);
    let answers = asked.iter().filter(|asked| asked.counts);
    Ok(SoakGame {
        line: GameLine::new(fixture, setting.openings.seed(), &judged),
        answers: answers
            .map(|asked| answer_line(asked, &hindrances[asked.color.index()], &stalls))
            .collect(),
    })
}

fn finish(companions: Option<[SpanThread; 2]>) -> Hindrances {
    // If the staller has panicked, a stopped process does not stay: its keeper kills it.
    let spans = |thread: SpanThread| thread.finish().unwrap_or_default();
    let [stopped, waited] = companions.map_or_else(Default::default, |both| both.map(spans));
    Hindrances { stopped, waited }
}

/// Continues the game and notes how long each answer takes.
fn referee(
    players: &mut [Box<dyn ArenaPlayer>],
    game: Game,
    setting: &Setting,
    asked: &std::cell::RefCell<Vec<TimedTurn>>,
) -> Result<judge::Judged, GameStopped> {
    let mut recorders: Vec<Recorder> = players
        .iter_mut()
        .map(|player| Recorder {
            player: player.as_mut(),
            asked,
        })
        .collect();
    let [red, blue] = &mut recorders[..] else {
        unreachable!("there are two colours")
    };
    let mut seats = [red as &mut dyn ArenaPlayer, blue].map(|player| Seat {
        player,
        limits: setting.bot.limits,
    });
    judge::play(game, &mut seats)
}

fn answer_line(asked: &TimedTurn, hindrances: &Hindrances, stalls: &[Stall]) -> AnswerLine {
    let LateAnswer {
        asked: from,
        over: to,
        limit,
    } = asked.span;
    AnswerLine {
        color: asked.color.into(),
        limit_ms: milliseconds(limit),
        ms: milliseconds(to - from),
        injected_ms: milliseconds(within(&hindrances.stopped, from, to)),
        machine_ms: milliseconds(noise::lateness_between(stalls, from, to)),
        waited_ms: milliseconds(within(&hindrances.waited, from, to)),
        blame: Blame::of(asked.span, hindrances, stalls),
    }
}
