//! Plays the games of a schedule on several threads, each game in new processes.

use super::schedule::Schedule;
use crate::bout;
use crate::journal::Journal;
use crate::judge::Judged;
use crate::noise::NoiseWatch;
use crate::openings::Openings;
use crate::player::GameStopped;
use crate::process::StopFlag;
use crate::programs::Programs;
use crate::scoresheet::{Fixture, GameLine};
use crate::spec::PlayerSpec;
use anyhow::Result;
use hex_common::stats::sprt::Sprt;
use hex_common::system::MachineError;
use hex_common::workers::at_the_same_time;
use hex_core::record::Game;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

/// The plan of a match.
pub struct Match {
    /// The players, in the order of the schedule's numbers.
    pub players: Vec<PlayerSpec>,
    /// The files of their programs.
    pub programs: Programs,
    /// The pairings and the order of games.
    pub schedule: Schedule,
    /// The numbers of the games to play on this machine.
    pub games: Range<u64>,
    /// The openings.
    pub openings: Openings,
    /// The test that ends the match, which then has only one pairing.
    pub sprt: Option<Sprt>,
}

impl Match {
    /// How many games to play on this machine.
    pub fn games_here(&self) -> u64 {
        self.games.end - self.games.start
    }
}

/// A finished game, for the log and for its record.
pub struct Finished {
    /// The log's line.
    pub line: GameLine,
    /// The moves and the outcome.
    pub game: Game,
    /// The logs of Red and Blue.
    pub journals: [Journal; 2],
}

/// The receiver's decision after a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// More games.
    GoOn,
    /// No new games; the games in progress are finished.
    Finish,
}

/// Plays all games of `plan.games` whose numbers are not in `done`, on `threads` threads. Passes
/// each game to `receive` on the calling thread. Setting `stop` abandons the games in progress. A
/// forbidden change of a program sets it too.
///
/// # Errors
/// What `receive` returns, or if the machine refuses what a game needs. The games in progress are
/// then abandoned.
pub fn run(
    plan: &Match,
    done: &HashSet<u64>,
    threads: usize,
    stop: &StopFlag,
    watch: &NoiseWatch,
    mut receive: impl FnMut(Finished) -> Result<Next>,
) -> Result<()> {
    let next_id = AtomicU64::new(plan.games.start);
    let finish = AtomicBool::new(false);
    let (sender, receiver) = mpsc::channel();
    let work = |sender| {
        let worked = work(plan, done, &next_id, &finish, (stop, watch), sender);
        stop.fetch_or(worked.is_err(), Ordering::Relaxed);
        worked
    };
    let receive_all = || {
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
    };
    let (worked, received) = at_the_same_time(vec![sender; threads], work, receive_all)?;
    received?;
    Ok(worked.into_iter().collect::<Result<(), MachineError>>()?)
}

/// One thread's share of the games.
///
/// # Errors
/// If the machine refuses what a game needs.
fn work(
    plan: &Match,
    done: &HashSet<u64>,
    next_id: &AtomicU64,
    finish: &AtomicBool,
    (stop, watch): (&StopFlag, &NoiseWatch),
    sender: mpsc::Sender<Finished>,
) -> Result<(), MachineError> {
    while !finish.load(Ordering::Relaxed) && !stop.load(Ordering::Relaxed) {
        let id = next_id.fetch_add(1, Ordering::Relaxed);
        if id >= plan.games.end {
            break;
        }
        if done.contains(&id) {
            continue;
        }
        let fixture = plan.schedule.fixture(id);
        let meeting = [fixture.red, fixture.blue];
        let is_allowed = || plan.programs.allow(meeting);
        if !is_allowed()? {
            stop.store(true, Ordering::Relaxed);
            break;
        }
        let journals = Default::default();
        let judged = match play(plan, fixture, stop, &journals) {
            Ok(judged) => judged,
            Err(stopped) => return stopped.of_thread(),
        };
        // A program that was replaced meanwhile may have played a part of the game.
        if !is_allowed()? {
            stop.store(true, Ordering::Relaxed);
            break;
        }
        let line = line(plan, fixture, &judged, watch);
        let game = judged.game;
        let finished = Finished {
            line,
            game,
            journals,
        };
        if sender.send(finished).is_err() {
            break;
        }
    }
    Ok(())
}

/// Plays one game of the schedule.
fn play(
    plan: &Match,
    fixture: Fixture,
    stop: &StopFlag,
    journals: &[Journal; 2],
) -> Result<Judged, GameStopped> {
    let specs = [&plan.players[fixture.red], &plan.players[fixture.blue]];
    bout::play(specs, plan.openings.game(fixture.round), stop, journals)
}

fn line(plan: &Match, fixture: Fixture, judged: &Judged, watch: &NoiseWatch) -> GameLine {
    let stall = judged.late.and_then(|late| watch.stall_beside(late));
    GameLine::new(fixture, plan.openings.seed(), judged).stalled(stall)
}
