//! Games against the built-in bot at the judge's limits. In the first games the bot is swapped, and
//! may swap.

use super::list::Mark;
use super::{processes, CheckRun};
use crate::bout;
use crate::journal::Journal;
use crate::judge::{self, Judged, Seat};
use crate::noise::NoiseWatch;
use crate::player::{ArenaPlayer, Decision, Failure, FaultKind, GameStopped, Limits, TimedAnswer};
use crate::spec::PlayerSpec;
use hex_common::progress::Progress;
use hex_common::system::ProcessId;
use hex_common::workers::at_the_same_time;
use hex_core::record::{Game, Move, Side};
use hexbot::cell::Color;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::time::Duration;

/// The memory that the judge gives a bot, in bytes.
const MEMORY: u64 = 768 << 20;

/// The referee's limits for the built-in bot. It keeps the judge's limits as well as this machine
/// allows; if it lost a game on time, that would show nothing about the bot.
const PATIENT: Limits = Limits {
    first: Duration::from_secs(60),
    turn: Duration::from_secs(60),
};

/// How often a game is tried if a stall of the machine decides it.
const TRIES: u32 = 3;

/// How many faults of a colour are shown.
const SHOWN: usize = 3;

/// If the slowest answer left less than this share of its limit, the time gets a note.
const THIN: f64 = 0.1;

/// A first move that Blue should swap.
const STRONG_OPENING: &str = "f6";

/// A first move that Blue should not swap.
const WEAK_OPENING: &str = "a1";

/// The first action of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstAction {
    /// Its own choice.
    Free,
    /// A swap, as Blue.
    Swaps,
    /// This cell, as Red.
    Opens(&'static str),
}

/// A game with its measurements.
struct Played {
    number: u64,
    color: Color,
    judged: Judged,
    times: Vec<Duration>,
    memory: Option<u64>,
}

impl Played {
    /// The bot's fault, if it lost by one.
    fn fault(&self) -> Option<String> {
        let is_own = self.judged.winner() != self.color;
        let fault = self.judged.fault.as_ref().filter(|_| is_own)?;
        let turn = self.judged.game.turns().len() + 1;
        Some(format!("game {}, move {turn}: {fault}", self.number + 1))
    }
}

/// Plays the games and adds the results to the list.
///
/// # Errors
/// If the check was interrupted, or the output is closed.
pub fn try_games(run: &mut CheckRun, games: u64) -> anyhow::Result<()> {
    if games == 0 {
        return Ok(());
    }
    let mut played = match play_all(run, games) {
        Ok(played) => played,
        Err(why) => return run.stopped(why),
    };
    played.sort_by_key(|game| game.number);
    swapped(run, &played)?;
    takes_over(run, &played)?;
    for color in Color::ALL {
        results(run, &played, color)?;
    }
    times(run, &played)?;
    memory(run, &played)
}

/// Plays the games on several threads.
fn play_all(run: &CheckRun, games: u64) -> Result<Vec<Played>, GameStopped> {
    let (watch, next) = (NoiseWatch::start()?, AtomicU64::new(0));
    let progress = Mutex::new(Progress::new("games", games, 0));
    let work = |()| {
        let mut played = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= games {
                return Ok(played);
            }
            played.push(play_fairly(run, number, &watch)?);
            let mut progress = progress.lock().expect("no panics");
            progress.one_more(format!("game {}", number + 1));
        }
    };
    let workers = vec![(); run.threads.min(games as usize)];
    let (played, ()) = at_the_same_time(workers, work, || {})?;
    watch.finish();
    progress.lock().expect("no panics").finish();
    let played: Result<Vec<Vec<Played>>, GameStopped> = played.into_iter().collect();
    Ok(played?.into_iter().flatten().collect())
}

/// Plays a game, and again if an answer was late because the machine stalled.
fn play_fairly(run: &CheckRun, number: u64, watch: &NoiseWatch) -> Result<Played, GameStopped> {
    for _ in 1..TRIES {
        let played = play(run, number)?;
        let late = played.judged.late;
        if late.is_none_or(|late| watch.stall_beside(late).is_none()) {
            return Ok(played);
        }
    }
    play(run, number)
}

fn play(run: &CheckRun, number: u64) -> Result<Played, GameStopped> {
    // The bot is Red in games with even numbers. The opponent's first action is fixed in three.
    let color = Color::ALL[(number % 2) as usize];
    let first_action = match number {
        0 => FirstAction::Swaps,
        1 => FirstAction::Opens(STRONG_OPENING),
        3 => FirstAction::Opens(WEAK_OPENING),
        _ => FirstAction::Free,
    };
    let seed = format!("builtin:seed={}", number + 1);
    let opponent = PlayerSpec::parse(&seed, Limits::CODINGAME).expect("it is one");
    let game = Game::new(Side::CODINGAME);
    let journal = Journal::default();
    let (side, stop) = (game.side(), run.stop().clone());
    let other = opponent.start(side, stop, &journal);
    let other = match other {
        Ok(other) => other,
        Err(Failure::Stopped(why)) => return Err(why),
        Err(Failure::Fault(fault)) => unreachable!("our bot plays on this board: {fault}"),
    };
    let mut other = OpponentWithFirstAction {
        first_action,
        player: other,
    };
    let (judged, times, memory) = match run.start() {
        Err(failure) => (bout::not_started(game, color, failure)?, Vec::new(), None),
        Ok(player) => {
            let mut bot = Watched {
                player,
                times: Vec::new(),
                memory: None,
            };
            let seat = |player, limits| Seat { player, limits };
            let own = seat(&mut bot as &mut dyn ArenaPlayer, run.spec.limits);
            let other = seat(&mut other, PATIENT);
            let mut seats = match color {
                Color::Red => [own, other],
                Color::Blue => [other, own],
            };
            let judged = judge::play(game, &mut seats)?;
            (judged, bot.times, bot.memory)
        }
    };
    Ok(Played {
        number,
        color,
        judged,
        times,
        memory,
    })
}

/// The opponent with its first action.
struct OpponentWithFirstAction {
    first_action: FirstAction,
    player: Box<dyn ArenaPlayer>,
}

impl ArenaPlayer for OpponentWithFirstAction {
    fn answer(&mut self, game: &Game, limit: Duration) -> Result<TimedAnswer, Failure> {
        let given = match self.first_action {
            FirstAction::Swaps if game.may_swap() => Some("swap-pieces"),
            FirstAction::Opens(cell) if game.turns().is_empty() => Some(cell),
            _ => None,
        };
        let Some(given) = given else {
            return self.player.answer(game, limit);
        };
        let action = Move::parse(given, game.side()).expect("it is a move");
        Ok(TimedAnswer {
            decision: Decision::Play(action),
            time: Duration::ZERO,
            message: String::new(),
        })
    }
}

/// The bot, with measurements of its times and its memory.
struct Watched {
    player: super::SlowedPlayer,
    times: Vec<Duration>,
    memory: Option<u64>,
}

impl ArenaPlayer for Watched {
    fn answer(&mut self, game: &Game, limit: Duration) -> Result<TimedAnswer, Failure> {
        let answer = self.player.answer(game, limit);
        self.times.extend(answer.iter().map(|answer| answer.time));
        let process = self.player.process();
        self.memory = self.memory.max(process.and_then(processes::peak_memory));
        answer
    }

    fn process(&mut self) -> Option<ProcessId> {
        self.player.process()
    }
}

/// Checks that the bot continues after a swap of its stone.
fn swapped(run: &mut CheckRun, played: &[Played]) -> anyhow::Result<()> {
    let game = &played[0];
    let turns = game.judged.game.turns().len();
    let name = "is swapped, as Red";
    let fault = game.fault().filter(|_| turns <= 3);
    let (mark, found) = match fault {
        Some(fault) => (Mark::Bad, fault),
        None if turns > 2 => {
            let answer = game.judged.game.turns()[2].action;
            (Mark::Good, format!("goes on with {answer}"))
        }
        None => (Mark::Note, "the game ended before".to_owned()),
    };
    Ok(run.list.add(mark, name, &found)?)
}

/// Checks whether the bot swaps as it should.
fn takes_over(run: &mut CheckRun, played: &[Played]) -> anyhow::Result<()> {
    for (number, opening, should) in [(1, STRONG_OPENING, true), (3, WEAK_OPENING, false)] {
        let Some(game) = played.get(number) else {
            continue;
        };
        let turns = game.judged.game.turns();
        let verb = if should { "swaps" } else { "leaves" };
        let name = format!("{verb} {opening}, as Blue");
        let swaps = turns.get(1).map(|turn| turn.action == Move::SwapPieces);
        let (mark, found) = match (swaps, game.fault().filter(|_| turns.len() <= 3)) {
            (_, Some(fault)) => (Mark::Bad, fault),
            (None, None) => (Mark::Note, "the game ended before".to_owned()),
            (Some(swaps), None) if swaps == should => (Mark::Good, "yes".to_owned()),
            (Some(false), None) => {
                let why = "no swap: opponents may open with the strongest move";
                (Mark::Note, why.to_owned())
            }
            (Some(true), None) => {
                let why = "takes over a bad stone: opponents win by a weak first move";
                (Mark::Note, why.to_owned())
            }
        };
        run.list.add(mark, &name, &found)?;
    }
    Ok(())
}

/// The results of the games of one colour.
fn results(run: &mut CheckRun, played: &[Played], color: Color) -> anyhow::Result<()> {
    let games = played.iter().filter(|game| game.color == color);
    let all = games.clone().count();
    if all == 0 {
        return Ok(());
    }
    let won = games.clone().filter(|game| game.judged.winner() == color);
    let mut found = format!("won {} of {all} against the built-in bot", won.count());
    let faults: Vec<String> = games.filter_map(Played::fault).collect();
    for fault in faults.iter().take(SHOWN) {
        found += &format!("\n{fault}");
    }
    if faults.len() > SHOWN {
        found += &format!("\nand {} more games lost by faults", faults.len() - SHOWN);
    }
    let mark = if faults.is_empty() {
        Mark::Good
    } else {
        Mark::Bad
    };
    let name = format!(
        "games as {}",
        if color == Color::Red { "Red" } else { "Blue" }
    );
    Ok(run.list.add(mark, &name, &found)?)
}

/// The slowest answers, and the time left to their limits.
fn times(run: &mut CheckRun, played: &[Played]) -> anyhow::Result<()> {
    let limits = run.spec.limits;
    let first = played.iter().filter_map(|game| game.times.first()).max();
    let later = played
        .iter()
        .flat_map(|game| game.times.iter().skip(1))
        .max();
    let is_late = |game: &Played| {
        let fault = game
            .judged
            .fault
            .as_ref()
            .filter(|_| game.fault().is_some());
        let kinds = [FaultKind::Timeout, FaultKind::Silence];
        fault.is_some_and(|fault| kinds.contains(&fault.kind))
    };
    let late = played.iter().filter(|game| is_late(game)).count();
    for (name, slowest, limit) in [
        ("slowest first answer", first, limits.first),
        ("slowest later answer", later, limits.turn),
    ] {
        let Some(&slowest) = slowest else {
            continue;
        };
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let (took, allowed) = (ms(slowest), ms(limit));
        let left = allowed - took;
        let times = format!("{took:.1} of {allowed:.0} ms");
        let (mark, found) = if left < 0.0 {
            (Mark::Bad, format!("{times}: late by {:.1} ms", -left))
        } else if left < THIN * allowed {
            let why = "judges are slower than most machines, and sometimes stall";
            (Mark::Note, format!("{times}, {left:.1} ms left: {why}"))
        } else {
            (Mark::Good, format!("{times}, {left:.1} ms left"))
        };
        run.list.add(mark, name, &found)?;
    }
    if late > 0 {
        let found = format!("{late} games lost by late answers or silence");
        run.list.add(Mark::Bad, "answers in time", &found)?;
    }
    Ok(())
}

fn memory(run: &mut CheckRun, played: &[Played]) -> anyhow::Result<()> {
    let most = played.iter().filter_map(|game| game.memory).max();
    let (mark, found) = match most {
        None => (Mark::Note, "this system does not report it".to_owned()),
        Some(most) => {
            let mark = if most < MEMORY { Mark::Good } else { Mark::Bad };
            (
                mark,
                format!("{} of {} MB", most.div_ceil(1 << 20), MEMORY >> 20),
            )
        }
    };
    Ok(run.list.add(mark, "memory", &found)?)
}
