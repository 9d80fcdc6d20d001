//! Games at the judge's limits. One is long, because its opponent does not want to win: a bot that
//! fails late or takes more memory each turn shows it there. The others are against the built-in
//! bot. In the first of these the bot is swapped, and may swap.

use super::list::Mark;
use super::{probe, processes, CheckRun, Slowed};
use crate::journal::Journal;
use crate::judge::{self, Judged, Seat};
use crate::noise::NoiseWatch;
use crate::player::{ArenaPlayer, Decision, Failure, Fault, GameStopped, Limits, TimedAnswer};
use crate::probe_report;
use crate::process::StopFlag;
use crate::runner::{self, GameSchedule, Next};
use crate::spec::{PlayerSpec, PATIENT};
use hex_common::progress::Progress;
use hex_common::system::ProcessId;
use hex_core::record::{counted, Game, Move, Side};
use hexbot::cell::Color;
use hexbot::shortest_path::heuristic_move;
use std::time::Duration;

/// The memory that the judge gives a bot, in bytes.
const MEMORY: u64 = 768 << 20;

/// How often a game is tried if a stall of the machine decides it.
const TRIES: u32 = 3;

/// The number of the long game.
const LONG: u64 = u64::MAX;

/// The player behind the opponent in the long game: just good enough to keep bots from winning.
const DAWDLER: &str = "builtin:simulations=50,seed=1";

/// The most answers of a player: half the cells.
const MOST_ANSWERS: usize = Side::CODINGAME.get().pow(2).div_ceil(2);

/// The fewest answers that show whether the memory grows.
const ENOUGH_ANSWERS: usize = 8;

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
    /// The peak after each answer, in bytes; empty if the system does not report it.
    memory: Vec<u64>,
    /// The bot's standard error.
    errors: Vec<u8>,
}

impl Played {
    /// The bot's fault, if it lost by one.
    fn fault(&self) -> Option<&Fault> {
        let is_own = self.judged.winner() != self.color;
        self.judged.fault.as_ref().filter(|_| is_own)
    }

    /// The number of the move that the bot was to make last, from 1.
    fn last_move(&self) -> usize {
        self.judged.game.turns().len() + 1
    }
}

/// Plays the games and adds the results to the list.
///
/// # Errors
/// If the check was interrupted, or the output is closed.
pub(crate) fn try_games(run: &mut CheckRun, games: u64) -> anyhow::Result<()> {
    let mut played = play_all(run, games)?;
    if played.len() as u64 <= games {
        return run.stopped(GameStopped::Interrupted);
    }
    played.sort_by_key(|game| game.number);
    if let Some(long) = played.last() {
        long_game(run, long)?;
    }
    swapped(run, &played)?;
    takes_over(run, &played)?;
    for color in Color::ALL {
        results(run, &played, color)?;
    }
    times(run, &played)?;
    memory(run, &played)?;
    probe_report(run, &played)
}

/// Plays the games on several threads, the long one first.
fn play_all(run: &CheckRun, games: u64) -> anyhow::Result<Vec<Played>> {
    let watch = NoiseWatch::start()?;
    let schedule = WatchedCheck { run, watch };
    let (mut progress, mut played) = (Progress::new("games", games + 1, 0), Vec::new());
    let numbers = [LONG].into_iter().chain(0..games);
    let ended = runner::run(&schedule, numbers, run.threads, run.stop(), |game| {
        let shown = game.number.wrapping_add(1);
        played.push(game);
        progress.one_more(format!("game {shown}"));
        Ok(Next::GoOn)
    });
    schedule.watch.finish();
    progress.finish();
    ended.map(|()| played)
}

/// The games of a check, with a watch for stalls of the machine.
struct WatchedCheck<'a> {
    run: &'a CheckRun<'a>,
    watch: NoiseWatch,
}

impl GameSchedule for WatchedCheck<'_> {
    type Played = Played;

    /// Plays a game, and again if an answer was late because the machine stalled.
    fn play(&self, id: u64, _stop: &StopFlag) -> Result<Played, GameStopped> {
        for _ in 1..TRIES {
            let played = play(self.run, id)?;
            let late = played.judged.late;
            if late.is_none_or(|late| self.watch.stall_beside(late).is_none()) {
                return Ok(played);
            }
        }
        play(self.run, id)
    }
}

fn play(run: &CheckRun, number: u64) -> Result<Played, GameStopped> {
    // The bot is Red in games with even numbers and in the long one. The opponent's first action is
    // fixed in three.
    let color = match number {
        LONG => Color::Red,
        number => Color::ALL[(number % 2) as usize],
    };
    let first_action = match number {
        0 => FirstAction::Swaps,
        1 => FirstAction::Opens(STRONG_OPENING),
        3 => FirstAction::Opens(WEAK_OPENING),
        _ => FirstAction::Free,
    };
    let game = Game::new(Side::CODINGAME);
    let mut other = OpponentWithFirstAction {
        first_action,
        player: opponent(run, number)?,
    };
    let journal = Journal::default();
    let (judged, times, memory) = match run.start(&journal) {
        Err(failure) => (
            judge::not_started(game, color, failure)?,
            Vec::new(),
            Vec::new(),
        ),
        Ok(player) => {
            let mut bot = Watched {
                player,
                times: Vec::new(),
                memory: Vec::new(),
            };
            let seat = |player, limits| Seat { player, limits };
            let own = seat(&mut bot as &mut dyn ArenaPlayer, run.spec.limits);
            // If the built-in bot lost on time, that would show nothing about the bot.
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
        errors: journal.errors(),
    })
}

/// The opponent in a game.
fn opponent(run: &CheckRun, number: u64) -> Result<Box<dyn ArenaPlayer>, GameStopped> {
    let text = match number {
        LONG => DAWDLER.to_owned(),
        number => format!("builtin:seed={}", number + 1),
    };
    let opponent = PlayerSpec::parse(&text, Limits::CODINGAME).expect("it is one");
    let (stop, journal) = (run.stop().clone(), Journal::default());
    let player = opponent.start(Side::CODINGAME, stop, &journal);
    let player = match player {
        Ok(player) => player,
        Err(Failure::Stopped(why)) => return Err(why),
        Err(Failure::Fault(fault)) => unreachable!("our bot plays on this board: {fault}"),
    };
    Ok(match number {
        LONG => Box::new(Dawdler(player)),
        _ => player,
    })
}

/// An opponent that makes a game long: it keeps the bot from winning, and does not win if it can
/// help it.
struct Dawdler(Box<dyn ArenaPlayer>);

impl ArenaPlayer for Dawdler {
    fn answer(&mut self, game: &Game, limit: Duration) -> Result<TimedAnswer, Failure> {
        let best = self.0.answer(game, limit)?;
        let wins = |action: Move| {
            let mut after = game.clone();
            after.play(action).is_ok() && after.outcome().is_some()
        };
        if !matches!(best.decision, Decision::Play(action) if wins(action)) {
            return Ok(best);
        }
        let position = game.position();
        let bots_turn = position.with_to_move(game.to_move().opponent());
        let block = heuristic_move(&bots_turn);
        let others = block.into_iter().chain(position.empty_cells().iter());
        let other = others.map(Move::Place).find(|&action| !wins(action));
        Ok(other.map_or(best, at_once))
    }
}

/// An answer without a thought.
fn at_once(action: Move) -> TimedAnswer {
    TimedAnswer {
        decision: Decision::Play(action),
        time: Duration::ZERO,
        message: String::new(),
    }
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
        Ok(at_once(action))
    }
}

/// The bot, with measurements of its times and its memory.
struct Watched {
    player: Slowed<Box<dyn ArenaPlayer>>,
    times: Vec<Duration>,
    memory: Vec<u64>,
}

impl ArenaPlayer for Watched {
    fn answer(&mut self, game: &Game, limit: Duration) -> Result<TimedAnswer, Failure> {
        let answer = self.player.running.answer(game, limit);
        self.times.extend(answer.iter().map(|answer| answer.time));
        let process = self.player.running.process();
        self.memory.extend(process.and_then(processes::peak_memory));
        answer
    }

    fn process(&mut self) -> Option<ProcessId> {
        self.player.running.process()
    }
}

/// Checks that the bot answers to the end of a long game.
fn long_game(run: &mut CheckRun, game: &Played) -> anyhow::Result<()> {
    let (mark, found) = match game.fault() {
        Some(fault) => {
            let named = run.named(fault)?;
            (Mark::Bad, format!("move {}: {named}", game.last_move()))
        }
        None => {
            let moves = game.judged.game.turns().len();
            (Mark::Good, counted(moves, "move"))
        }
    };
    Ok(run.list.add(mark, "a long game", &found)?)
}

/// Checks that the bot continues after a swap of its stone.
fn swapped(run: &mut CheckRun, played: &[Played]) -> anyhow::Result<()> {
    let Some(game) = played.iter().find(|game| game.number == 0) else {
        return Ok(());
    };
    let turns = game.judged.game.turns();
    let (mark, found) = match (game.fault().filter(|_| turns.len() <= 3), turns.get(2)) {
        (Some(fault), _) => (Mark::Bad, run.named(fault)?),
        (None, Some(turn)) => (Mark::Good, format!("goes on with {}", turn.action)),
        (None, None) => (Mark::Note, "the game ended before".to_owned()),
    };
    Ok(run.list.add(mark, "is swapped, as Red", &found)?)
}

/// Checks whether the bot swaps as it should.
fn takes_over(run: &mut CheckRun, played: &[Played]) -> anyhow::Result<()> {
    for (number, opening, should) in [(1, STRONG_OPENING, true), (3, WEAK_OPENING, false)] {
        let Some(game) = played.iter().find(|game| game.number == number) else {
            continue;
        };
        let turns = game.judged.game.turns();
        let verb = if should { "swaps" } else { "leaves" };
        let name = format!("{verb} {opening}, as Blue");
        let swaps = turns.get(1).map(|turn| turn.action == Move::SwapPieces);
        let (mark, found) = match (swaps, game.fault().filter(|_| turns.len() <= 3)) {
            (_, Some(fault)) => (Mark::Bad, run.named(fault)?),
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

/// The results of the games against the built-in bot of one colour.
fn results(run: &mut CheckRun, played: &[Played], color: Color) -> anyhow::Result<()> {
    let games = played.iter();
    let games = games.filter(|game| game.color == color && game.number != LONG);
    let all = games.clone().count();
    if all == 0 {
        return Ok(());
    }
    let won = games.clone().filter(|game| game.judged.winner() == color);
    let mut found = format!("won {} of {all} against the built-in bot", won.count());
    let faults: Vec<(&Played, &Fault)> = games
        .filter_map(|game| Some((game, game.fault()?)))
        .collect();
    let mut mark = Mark::Good;
    if !faults.is_empty() {
        mark = Mark::Bad;
        found += &format!("; {} lost by faults", faults.len());
        let mut is_named = false;
        for (game, fault) in faults {
            if !run.list.is_known(fault) {
                let (number, last) = (game.number + 1, game.last_move());
                let named = run.named(fault)?;
                let sign = if is_named { "\n" } else { ": " };
                found += &format!("{sign}game {number}, move {last}: {named}");
                is_named = true;
            }
        }
        if !is_named {
            found += ", as above";
        }
    }
    let name = format!("games as {}", probe::name(color));
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
    Ok(())
}

/// The peak of the memory, and whether it would be too much at the end of the longest game.
fn memory(run: &mut CheckRun, played: &[Played]) -> anyhow::Result<()> {
    let most = played.iter().flat_map(|game| &game.memory).max();
    let Some(&most) = most else {
        let found = "this system does not report it";
        return Ok(run.list.add(Mark::Note, "memory", found)?);
    };
    let grown = played.iter().max_by_key(|game| game.memory.len());
    let growth = grown.map_or(0, |game| growth(&game.memory));
    let mb = |bytes: u64| bytes.div_ceil(1 << 20);
    let mut found = format!("{} of {} MB", mb(most), mb(MEMORY));
    let at_end = grown.map_or(0, |game| {
        let left = MOST_ANSWERS - game.memory.len().min(MOST_ANSWERS);
        game.memory.last().copied().unwrap_or(0) + growth * left as u64
    });
    if at_end > MEMORY && growth > 0 {
        found += &format!(
            ", and {} MB more each turn: free what a turn has used, a game has up to \
             {MOST_ANSWERS}",
            mb(growth)
        );
    }
    let mark = match most {
        most if most >= MEMORY => Mark::Bad,
        _ if at_end > MEMORY => Mark::Note,
        _ => Mark::Good,
    };
    Ok(run.list.add(mark, "memory", &found)?)
}

/// The facts about this machine, if the bot is the upload that reports them.
fn probe_report(run: &mut CheckRun, played: &[Played]) -> anyhow::Result<()> {
    let errors = played.last().map_or(&[][..], |game| &game.errors);
    let (facts, unreadable) = probe_report::of_stderr(errors);
    for fact in facts {
        let mark = if fact.is_bad { Mark::Note } else { Mark::Good };
        let found = match &*fact.meaning {
            "" => fact.value,
            meaning => format!("{}: {meaning}", fact.value),
        };
        let name = format!("probe: {}", fact.name);
        run.list.add(mark, &name, &found)?;
    }
    for error in unreadable {
        run.list.add(Mark::Note, "probe", &error.to_string())?;
    }
    Ok(())
}

/// How much the memory grows with each answer of the second half of a game, in bytes.
fn growth(memory: &[u64]) -> u64 {
    if memory.len() < ENOUGH_ANSWERS {
        return 0;
    }
    let late = &memory[memory.len() / 2..];
    (late[late.len() - 1] - late[0].min(late[late.len() - 1])) / (late.len() as u64 - 1)
}
