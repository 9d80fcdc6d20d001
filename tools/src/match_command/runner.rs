//! Plays the games of a schedule on several threads, each game in fresh processes.

use super::log::GameLine;
use super::schedule::{Fixture, Schedule};
use crate::arena::judge::{self, Interrupted, Judged, Seat};
use crate::arena::openings::Openings;
use crate::arena::player::{Failure, Fault};
use crate::arena::process::StopFlag;
use crate::arena::spec::PlayerSpec;
use crate::record::{Ending, Game, Outcome};
use hexbot::cell::Color;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// What a match plays.
pub struct Match {
    /// The players, in the order of the schedule's numbers.
    pub players: Vec<PlayerSpec>,
    /// Who plays whom.
    pub schedule: Schedule,
    /// How games begin.
    pub openings: Openings,
}

/// A finished game, for the log and for its record.
pub struct Finished {
    /// The log's line.
    pub line: GameLine,
    /// The moves and the outcome.
    pub game: Game,
}

/// What the receiver of finished games wants next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// More games.
    GoOn,
    /// No new games; those in flight are finished.
    Finish,
}

/// Plays all games whose numbers are not in `done` on `threads` threads and hands each to `receive`
/// on this thread. Setting `stop` abandons the games in flight.
///
/// # Errors
/// What `receive` returns; the games in flight are then abandoned.
pub fn run<E>(
    plan: &Match,
    done: &HashSet<u64>,
    threads: usize,
    stop: &StopFlag,
    mut receive: impl FnMut(Finished) -> Result<Next, E>,
) -> Result<(), E> {
    let next_id = AtomicU64::new(0);
    let finish = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(|| work(plan, done, &next_id, &finish, stop, sender));
        }
        drop(sender);
        let mut result = Ok(());
        for finished in receiver {
            match receive(finished) {
                Ok(Next::GoOn) => {}
                Ok(Next::Finish) => finish.store(true, Ordering::Relaxed),
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    result = result.and(Err(error));
                }
            }
        }
        result
    })
}

/// One thread's share of the games.
fn work(
    plan: &Match,
    done: &HashSet<u64>,
    next_id: &AtomicU64,
    finish: &AtomicBool,
    stop: &StopFlag,
    sender: mpsc::Sender<Finished>,
) {
    while !finish.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
        let id = next_id.fetch_add(1, Ordering::Relaxed);
        if id >= plan.schedule.games() {
            return;
        }
        if done.contains(&id) {
            continue;
        }
        let fixture = plan.schedule.fixture(id);
        let Ok(judged) = play(plan, fixture, stop) else {
            return;
        };
        if sender.send(finished(fixture, judged)).is_err() {
            return;
        }
    }
}

/// Plays one game; a player that cannot be started has lost it.
fn play(plan: &Match, fixture: Fixture, stop: &StopFlag) -> Result<Judged, Interrupted> {
    let specs = [&plan.players[fixture.red], &plan.players[fixture.blue]];
    let mut game = plan.openings.game(fixture.round);
    game.players = specs.map(|spec| spec.name.clone());
    let red = specs[0].start(game.side(), stop.clone());
    let blue = specs[1].start(game.side(), stop.clone());
    match (red, blue) {
        (Ok(mut red), Ok(mut blue)) => {
            let mut seats = [
                Seat {
                    player: red.as_mut(),
                    limits: specs[0].limits,
                },
                Seat {
                    player: blue.as_mut(),
                    limits: specs[1].limits,
                },
            ];
            judge::play(game, &mut seats)
        }
        (Err(failure), _) => not_started(game, Color::Red, failure),
        (_, Err(failure)) => not_started(game, Color::Blue, failure),
    }
}

fn not_started(mut game: Game, color: Color, failure: Failure) -> Result<Judged, Interrupted> {
    let fault: Fault = match failure {
        Failure::Interrupted => return Err(Interrupted),
        Failure::Fault(fault) => fault,
    };
    game.end(Outcome {
        winner: color.opponent(),
        ending: Ending::Forfeit,
    });
    Ok(Judged {
        times: vec![None; game.turns().len()],
        game,
        fault: Some(fault),
    })
}

fn finished(fixture: Fixture, judged: Judged) -> Finished {
    let Judged { game, times, fault } = judged;
    let outcome = game.outcome().expect("a judged game is decided");
    let reason = match &fault {
        Some(fault) => fault.kind.to_string(),
        None if outcome.ending == Ending::Resignation => "resignation".to_string(),
        None => "connection".to_string(),
    };
    let milliseconds = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
    let line = GameLine {
        id: fixture.id,
        round: fixture.round,
        red: fixture.red,
        blue: fixture.blue,
        winner: outcome.winner.into(),
        reason,
        opening: times.iter().take_while(|time| time.is_none()).count(),
        moves: game.turns().iter().map(|t| t.action.to_string()).collect(),
        times_ms: times.iter().map(|time| time.map(milliseconds)).collect(),
        fault,
    };
    Finished { line, game }
}
