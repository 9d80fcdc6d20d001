//! Games against the built-in bot at the judge's limits. The first three bring about both swaps.

use super::list::Mark;
use super::{processes, Bench};
use crate::bout;
use crate::journal::Journal;
use crate::judge::{self, GameStopped, Judged, Seat};
use crate::noise::NoiseWatch;
use crate::player::{ArenaPlayer, Decision, Failure, FaultKind, Limits, TimedAnswer};
use crate::spec::PlayerSpec;
use hex_common::progress::Progress;
use hex_common::system::ProcessId;
use hex_core::record::{Game, Move, Side};
use hexbot::cell::Color;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{mpsc, Mutex};
use std::thread;
use std::time::Duration;

/// The memory that the judge gives a bot, in bytes.
const MEMORY: u64 = 768 << 20;

/// What the built-in bot is judged by, which keeps the judge's limits as well as this machine lets
/// it: a game that it loses on time says nothing of the bot.
const PATIENT: Limits = Limits {
    first: Duration::from_secs(60),
    turn: Duration::from_secs(60),
};

/// How often a game is played again that the machine has spoilt.
const TRIES: u32 = 3;

/// Faults that are shown of a colour.
const SHOWN: usize = 3;

/// Less time than this share of the limit left by the slowest answer is worth a note.
const THIN: f64 = 0.1;

/// A first move that whoever gets the chance should take over, and one that nobody should.
const STRONG_OPENING: &str = "f6";
const WEAK_OPENING: &str = "a1";

/// What the opponent does first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beginning {
    /// What it likes.
    Free,
    /// As Blue, it swaps.
    Swaps,
    /// As Red, it opens there.
    Opens(&'static str),
}

/// What happened in a game.
struct Played {
    number: u64,
    color: Color,
    judged: Judged,
    times: Vec<Duration>,
    memory: Option<u64>,
}

impl Played {
    /// What the bot did wrong.
    fn fault(&self) -> Option<String> {
        let is_own = self.judged.winner() != self.color;
        let fault = self.judged.fault.as_ref().filter(|_| is_own)?;
        let turn = self.judged.game.turns().len() + 1;
        Some(format!("game {}, move {turn}: {fault}", self.number + 1))
    }
}

/// Plays the games and adds what they have shown to the list.
///
/// # Errors
/// If the check was interrupted, or nothing can be printed.
pub fn try_games(bench: &mut Bench, games: u64) -> anyhow::Result<()> {
    if games == 0 {
        return Ok(());
    }
    let Ok(mut played) = play_all(bench, games) else {
        return bench.interrupted();
    };
    played.sort_by_key(|game| game.number);
    swapped(bench, &played)?;
    takes_over(bench, &played)?;
    for color in Color::ALL {
        results(bench, &played, color)?;
    }
    times(bench, &played)?;
    memory(bench, &played)
}

/// The games, on several threads.
fn play_all(bench: &Bench, games: u64) -> Result<Vec<Played>, GameStopped> {
    let (watch, next) = (NoiseWatch::start(), AtomicU64::new(0));
    let progress = Mutex::new(Progress::new("games", games, 0));
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..bench.threads.min(games as usize) {
            let (sender, next, watch, progress) = (sender.clone(), &next, &watch, &progress);
            scope.spawn(move || loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= games {
                    return;
                }
                let game = play_fairly(bench, number, watch);
                let is_stopped = game.is_err();
                let _ = sender.send(game);
                if is_stopped {
                    return;
                }
                let mut progress = progress.lock().expect("no panics");
                progress.one_more(format!("game {}", number + 1));
            });
        }
    });
    drop(sender);
    watch.finish();
    progress.lock().expect("no panics").finish();
    receiver.iter().collect()
}

/// A game, played again if an answer was late because the machine stood still.
fn play_fairly(bench: &Bench, number: u64, watch: &NoiseWatch) -> Result<Played, GameStopped> {
    for _ in 1..TRIES {
        let played = play(bench, number)?;
        let late = played.judged.late;
        if late.is_none_or(|late| watch.stall_beside(late).is_none()) {
            return Ok(played);
        }
    }
    play(bench, number)
}

fn play(bench: &Bench, number: u64) -> Result<Played, GameStopped> {
    // Even ones as Red: the bot is swapped in the first, and opened against in two.
    let color = Color::ALL[(number % 2) as usize];
    let beginning = match number {
        0 => Beginning::Swaps,
        1 => Beginning::Opens(STRONG_OPENING),
        3 => Beginning::Opens(WEAK_OPENING),
        _ => Beginning::Free,
    };
    let seed = format!("builtin:seed={}", number + 1);
    let opponent = PlayerSpec::parse(&seed, Limits::CODINGAME).expect("it is one");
    let game = Game::new(Side::CODINGAME);
    let journal = Journal::default();
    let (side, stop) = (game.side(), bench.stop().clone());
    let other = opponent.start(side, stop, &journal);
    let other = other.map_err(|_| GameStopped)?;
    let mut other = Beginner {
        beginning,
        player: other,
    };
    let (judged, times, memory) = match bench.start() {
        Err(failure) => (bout::not_started(game, color, failure)?, Vec::new(), None),
        Ok(player) => {
            let mut bot = Watched {
                player,
                times: Vec::new(),
                memory: None,
            };
            let seat = |player, limits| Seat { player, limits };
            let own = seat(&mut bot as &mut dyn ArenaPlayer, bench.spec.limits);
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

/// The opponent with its beginning.
struct Beginner {
    beginning: Beginning,
    player: Box<dyn ArenaPlayer>,
}

impl ArenaPlayer for Beginner {
    fn answer(&mut self, game: &Game, limit: Duration) -> Result<TimedAnswer, Failure> {
        let given = match self.beginning {
            Beginning::Swaps if game.may_swap() => Some("swap-pieces"),
            Beginning::Opens(cell) if game.turns().is_empty() => Some(cell),
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

/// The bot, with its times and its memory.
struct Watched {
    player: super::Held,
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

/// Whether the bot goes on after its stone was taken over.
fn swapped(bench: &mut Bench, played: &[Played]) -> anyhow::Result<()> {
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
    Ok(bench.list.add(mark, name, &found)?)
}

/// What the bot does where it may swap.
fn takes_over(bench: &mut Bench, played: &[Played]) -> anyhow::Result<()> {
    for (number, opening, should) in [(1, STRONG_OPENING, true), (3, WEAK_OPENING, false)] {
        let Some(game) = played.get(number) else {
            continue;
        };
        let turns = game.judged.game.turns();
        let name = match should {
            true => format!("swaps {opening}, as Blue"),
            false => format!("leaves {opening}, as Blue"),
        };
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
        bench.list.add(mark, &name, &found)?;
    }
    Ok(())
}

/// How the games of one colour ended.
fn results(bench: &mut Bench, played: &[Played], color: Color) -> anyhow::Result<()> {
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
    Ok(bench.list.add(mark, &name, &found)?)
}

/// The slowest answers, and how much of the limits they leave.
fn times(bench: &mut Bench, played: &[Played]) -> anyhow::Result<()> {
    let limits = bench.spec.limits;
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
        let (mark, found) = match () {
            () if left < 0.0 => (Mark::Bad, format!("{times}: late by {:.1} ms", -left)),
            () if left < THIN * allowed => {
                let why = "judges are slower than most machines, and stand still now and then";
                (Mark::Note, format!("{times}, {left:.1} ms in hand: {why}"))
            }
            () => (Mark::Good, format!("{times}, {left:.1} ms in hand")),
        };
        bench.list.add(mark, name, &found)?;
    }
    if late > 0 {
        let found = format!("{late} games lost by late answers or silence");
        bench.list.add(Mark::Bad, "answers in time", &found)?;
    }
    Ok(())
}

fn memory(bench: &mut Bench, played: &[Played]) -> anyhow::Result<()> {
    let most = played.iter().filter_map(|game| game.memory).max();
    let (mark, found) = match most {
        None => (Mark::Note, "this system does not say it".to_owned()),
        Some(most) => {
            let mark = if most < MEMORY { Mark::Good } else { Mark::Bad };
            (
                mark,
                format!("{} of {} MB", most.div_ceil(1 << 20), MEMORY >> 20),
            )
        }
    };
    Ok(bench.list.add(mark, "memory", &found)?)
}
