//! Plays numbered games on several threads, for all commands that play many. A command is a
//! [`GameSchedule`]: it says how a game is played and what happens to its result.

use super::player::GameStopped;
use super::process::StopFlag;
use anyhow::{Error, Result};
use hex_common::interruption::Interruption;
use hex_common::system::{self, MachineError};
use hex_common::workers::at_the_same_time;
use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{mpsc, Mutex};

/// Games that have numbers.
pub trait GameSchedule: Sync {
    /// A finished game.
    type Played: Send;

    /// Returns true if the programs of game `id` are those that the run began with. Called before
    /// and after the game; if it returns false, the game does not count and the run stops.
    ///
    /// # Errors
    /// If the machine refuses to open a file.
    fn allows(&self, _id: u64) -> Result<bool, MachineError> {
        Ok(true)
    }

    /// Plays game `id`.
    ///
    /// # Errors
    /// If the game was stopped.
    fn play(&self, id: u64, stop: &StopFlag) -> Result<Self::Played, GameStopped>;
}

/// The receiver's decision after a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// More games.
    GoOn,
    /// No new games; the games in progress are finished.
    Finish,
}

/// A run that keeps its games in a log, so that it can go on later. It is over, or it stops because
/// of a signal or an error.
pub struct ResumableRun {
    interruption: Interruption,
    unfinished: &'static str,
}

impl ResumableRun {
    /// Begins to watch for signals. `unfinished` is for the user of a run that stops: how to go on.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub fn begin(unfinished: &'static str) -> io::Result<ResumableRun> {
        let interruption = Interruption::watch()?;
        Ok(ResumableRun {
            interruption,
            unfinished,
        })
    }

    /// Lets `play` play the games. A signal sets its flag to stop.
    ///
    /// # Errors
    /// As `play`. If the machine was the reason, the error also says how to go on.
    pub fn play<T>(&self, play: impl FnOnce(&StopFlag) -> Result<T>) -> Result<T> {
        play(self.interruption.flag()).map_err(|error: Error| {
            let by_machine =
                error.is::<MachineError>() || error.chain().any(|cause| cause.is::<io::Error>());
            if by_machine {
                error.context(self.unfinished)
            } else {
                error
            }
        })
    }

    /// Ends the command, after the reports.
    ///
    /// # Errors
    /// If a signal came and not all games are played: how to go on.
    pub fn end(self, is_over: bool) -> Result<()> {
        match self.interruption.error(self.unfinished) {
            Some(interrupted) if !is_over => Err(interrupted.into()),
            _ => Ok(()),
        }
    }
}

/// The numbers in `all` that are not in `done`.
pub fn missing(all: Range<u64>, done: HashSet<u64>) -> impl Iterator<Item = u64> + Send {
    all.filter(move |id| !done.contains(id))
}

/// Plays the games with these numbers in their order, `threads` at a time. Passes each finished
/// game to `receive` on the calling thread. Setting `stop` abandons the games in progress. A
/// forbidden change of a program and every error set it, too.
///
/// # Errors
/// The first error of `receive`, which gets no more games then, or if the machine refuses what a
/// game needs.
pub fn run<S: GameSchedule>(
    schedule: &S,
    numbers: impl Iterator<Item = u64> + Send,
    threads: usize,
    stop: &StopFlag,
    mut receive: impl FnMut(S::Played) -> Result<Next>,
) -> Result<()> {
    let most = numbers.size_hint().1.unwrap_or(threads);
    // `None` when no new games are to begin.
    let numbers = &Mutex::new(Some(numbers));
    let (sender, receiver) = mpsc::channel();
    let play_all = |sender: mpsc::Sender<S::Played>| {
        let next = || numbers.lock().expect("no panics").as_mut()?.next();
        while !stop.load(Ordering::Relaxed) {
            let Some(id) = next() else { break };
            if sender.send(play(schedule, id, stop)?).is_err() {
                break;
            }
        }
        Ok(())
    };
    let work = |sender| {
        let ended = play_all(sender);
        stop.fetch_or(ended.is_err(), Ordering::Relaxed);
        ended.or_else(GameStopped::of_thread)
    };
    let receive_all = move || {
        for played in receiver {
            let next = receive(played);
            stop.fetch_or(next.is_err(), Ordering::Relaxed);
            if next? == Next::Finish {
                *numbers.lock().expect("no panics") = None;
            }
        }
        anyhow::Ok(())
    };
    let ended = at_the_same_time(vec![sender; threads.min(most)], work, receive_all);
    system::reap_all();
    let (worked, received) = ended?;
    received?;
    Ok(worked.into_iter().collect::<Result<(), MachineError>>()?)
}

/// Plays a game between two checks of its programs.
fn play<S: GameSchedule>(schedule: &S, id: u64, stop: &StopFlag) -> Result<S::Played, GameStopped> {
    let check = || match schedule.allows(id)? {
        true => Ok(()),
        false => Err(GameStopped::Interrupted),
    };
    check()?;
    let played = schedule.play(id, stop)?;
    // A program that was replaced meanwhile may have played a part of the game.
    check()?;
    Ok(played)
}
