//! A search, in rounds: so others get their turn between them, and a page that has one thread alone
//! can listen.

use super::engine_cache::Owner;
use crate::engine::{Analysis, Effort, Engine, Stop, Task};
use crate::record::{AnyBoard, AnyCell, Side};
use std::time::Duration;

/// A search that is to be done.
pub struct Job {
    /// Whose engine searches.
    pub owner: Owner,
    /// What, for the player to move.
    pub position: AnyBoard,
    /// How long. Time counts while a thread is at it, not while it waits.
    pub effort: Effort,
    /// The most threads that it may have.
    pub threads: usize,
    /// Whether anybody still wants to know.
    pub stop: Stop,
    /// Takes all that is found out.
    pub listener: NewsListener,
    /// What earlier rounds have used.
    pub used: Used,
    /// What earlier rounds have found to follow some moves.
    pub lines: Vec<Vec<AnyCell>>,
}

/// For how many moves what follows them is reported, and how far.
const LINES: usize = 12;
const LINE: usize = 10;

/// How many simulations a round has at most if they are counted: those of all weaker levels.
const ROUND_SIMULATIONS: u64 = 500;

/// Takes what a job finds out.
pub type NewsListener = Box<dyn FnMut(News) + Send>;

/// What a job finds out.
pub enum News<'a> {
    /// The analysis so far, and the lines that begin with some moves.
    SoFar(&'a Analysis, &'a [Vec<AnyCell>]),
    /// The last analysis, in the same way.
    Final(&'a Analysis, &'a [Vec<AnyCell>]),
    /// The engine has failed; what helps to find out why.
    Failure(&'a str),
}

/// What was used of a job's effort.
#[derive(Clone, Copy, Debug, Default)]
pub struct Used {
    time: Duration,
    simulations: u64,
}

impl Used {
    /// Adds what was used before to an analysis.
    fn added_to(self, analysis: &Analysis) -> Analysis {
        let mut sum = analysis.clone();
        sum.time += self.time;
        sum.simulations += self.simulations;
        sum
    }
}

/// Whether there is more to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The last analysis has been reported.
    Finished,
    /// Another round is to follow.
    Unfinished,
}

impl Job {
    /// The side of the board.
    pub fn side(&self) -> Side {
        Side::of_board(&self.position)
    }

    /// Searches for at most `limit` on the given number of `threads` and reports what was found.
    ///
    /// # Panics
    /// If the engine does.
    pub fn round(&mut self, engine: &mut Engine, limit: Duration, threads: usize) -> State {
        let task = Task {
            effort: self.next_effort(limit),
            stop: self.stop.clone(),
            threads,
        };
        let (used, listener, lines) = (self.used, &mut self.listener, &self.lines);
        let analysis = engine.think(&self.position, &task, &mut |analysis| {
            listener(News::SoFar(&used.added_to(analysis), lines));
        });
        let analysis = analysis.expect("orders about games that are over are refused");
        self.lines = engine.lines(LINES, LINE);
        let total = used.added_to(&analysis);
        self.used = Used {
            time: total.time,
            simulations: total.simulations,
        };
        // The search runs nothing when it knows the result, or when one move is left.
        let nothing_left = analysis.proof.is_some() || analysis.simulations == 0;
        if self.stop.is_set() || nothing_left || self.is_spent() {
            (self.listener)(News::Final(&total, &self.lines));
            return State::Finished;
        }
        (self.listener)(News::SoFar(&total, &self.lines));
        State::Unfinished
    }

    /// What is to be done in the next round.
    fn next_effort(&self, limit: Duration) -> Effort {
        match self.effort {
            Effort::Time(all) => Effort::Time(all.saturating_sub(self.used.time).min(limit)),
            Effort::Simulations(all) => {
                let left = all.saturating_sub(self.used.simulations);
                Effort::Simulations(left.min(ROUND_SIMULATIONS))
            }
        }
    }

    fn is_spent(&self) -> bool {
        match self.effort {
            Effort::Time(limit) => self.used.time >= limit,
            Effort::Simulations(limit) => self.used.simulations >= limit,
        }
    }
}
