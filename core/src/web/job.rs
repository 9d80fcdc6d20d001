//! Something to think about, in rounds: so others get their turn between them, and a page that has
//! one thread alone can listen.

use super::minds::Owner;
use crate::engine::{Analysis, Effort, Engine, Stop, Task};
use crate::record::{AnyBoard, AnyCell, Side};
use std::time::Duration;

/// Something to think about.
pub struct Job {
    /// Whose engine is to think.
    pub owner: Owner,
    /// About what, for the player to move.
    pub position: AnyBoard,
    /// How long. Time counts while a thread is at it, not while it waits.
    pub effort: Effort,
    /// The most threads that it may have.
    pub threads: usize,
    /// Whether anybody still wants to know.
    pub stop: Stop,
    /// Is told all that is found out.
    pub listener: NewsListener,
    /// What earlier rounds have used.
    pub used: Used,
    /// What earlier rounds have found to follow some moves.
    pub lines: Vec<Vec<AnyCell>>,
}

/// For how many moves what follows them is told, and how far.
const LINES: usize = 12;
const LINE: usize = 10;

/// Takes what a job finds out.
pub type NewsListener = Box<dyn FnMut(News) + Send>;

/// What a job finds out.
pub enum News<'a> {
    /// What is thought so far, and the lines that begin with some moves.
    SoFar(&'a Analysis, &'a [Vec<AnyCell>]),
    /// The last thought, in the same way.
    Final(&'a Analysis, &'a [Vec<AnyCell>]),
    /// The engine has failed; what it said is on standard error.
    Failure,
}

/// What was used of a job's effort.
#[derive(Clone, Copy, Debug, Default)]
pub struct Used {
    time: Duration,
    simulations: u64,
}

impl Used {
    /// Adds what was used before to a thought.
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
    /// Everybody has been told the last thought.
    Finished,
    /// Another round is to follow.
    Unfinished,
}

impl Job {
    /// The side of the board.
    pub fn side(&self) -> Side {
        Side::of_board(&self.position)
    }

    /// Thinks for at most `limit` on so many `threads` and tells what was found out.
    pub fn round(&mut self, mind: &mut Engine, limit: Duration, threads: usize) -> State {
        let task = Task {
            effort: self.next_effort(limit),
            stop: self.stop.clone(),
            threads,
        };
        let (used, listener, lines) = (self.used, &mut self.listener, &self.lines);
        let analysis = mind.think(&self.position, &task, &mut |analysis| {
            listener(News::SoFar(&used.added_to(analysis), lines));
        });
        let Some(analysis) = analysis else {
            listener(News::Failure);
            return State::Finished;
        };
        self.lines = mind.lines(LINES, LINE);
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

    /// What is to be done in the next round. Numbers of simulations are small, so they are run in
    /// one.
    fn next_effort(&self, limit: Duration) -> Effort {
        match self.effort {
            Effort::Time(all) => Effort::Time(all.saturating_sub(self.used.time).min(limit)),
            simulations => simulations,
        }
    }

    fn is_spent(&self) -> bool {
        match self.effort {
            Effort::Time(limit) => self.used.time >= limit,
            Effort::Simulations(limit) => self.used.simulations >= limit,
        }
    }
}
