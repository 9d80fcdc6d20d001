//! A search in rounds. Between rounds other searches get their turn, and a page with a single
//! thread reads its messages.

use super::engine_cache::{Owner, TabId};
use super::messages::{token, AnalysisView, Purpose, ServerMessage, Subject};
use crate::engine::{Analysis, Effort, Engine, Stop, Task};
use crate::record::{AnyBoard, AnyCell, Move, Side};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

/// A search that was ordered.
#[derive(Debug)]
pub struct SearchRequest {
    /// The order's number.
    pub id: u64,
    /// The position to search, how long, and why.
    pub subject: Subject,
    /// The most threads.
    pub threads: usize,
}

/// A search at work.
pub struct Job {
    /// The owner of the engine.
    pub owner: Owner,
    /// The position to search.
    pub position: AnyBoard,
    /// The time or simulations of all rounds together. Waiting time does not count.
    pub effort: Effort,
    /// The most threads.
    pub threads: usize,
    /// The signal to stop.
    pub stop: Stop,
    /// Receives all results.
    pub listener: NewsListener,
    /// The time and simulations of earlier rounds.
    pub used: Used,
    /// The lines of play that the last round found.
    pub lines: Vec<Vec<AnyCell>>,
}

/// How many lines of play are reported.
const LINES: usize = 12;

/// How many moves of each line are reported.
const LINE_LENGTH: usize = 10;

/// The most simulations of a round if the effort is in simulations. Every level below the strongest
/// fits into one round.
const ROUND_SIMULATIONS: u64 = 500;

/// Receives the results of a job.
pub type NewsListener = Box<dyn FnMut(News) + Send>;

/// A result of a job.
pub enum News<'a> {
    /// The analysis so far, and lines of play.
    SoFar(&'a Analysis, &'a [Vec<AnyCell>]),
    /// The last analysis, and lines of play.
    Final(&'a Analysis, &'a [Vec<AnyCell>]),
    /// The engine has failed. Contains advice on how to find out why.
    Failure(&'a str),
}

/// The time and simulations that a job has used.
#[derive(Clone, Copy, Debug, Default)]
pub struct Used {
    time: Duration,
    simulations: u64,
}

impl Used {
    /// The analysis with the time and simulations of earlier rounds added.
    fn added_to(self, analysis: &Analysis) -> Analysis {
        let mut sum = analysis.clone();
        sum.time += self.time;
        sum.simulations += self.simulations;
        sum
    }
}

/// Whether a job continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The last analysis has been reported.
    Finished,
    /// Another round follows.
    Unfinished,
}

impl Job {
    /// The job of a search for `tab`. The moves of weak levels are drawn from `seed`. All replies
    /// go to `send`.
    pub fn new(
        tab: TabId,
        search: SearchRequest,
        seed: u64,
        stop: Stop,
        mut send: impl FnMut(ServerMessage) + Send + 'static,
    ) -> Job {
        let SearchRequest {
            id,
            subject,
            threads,
        } = search;
        let to_move = subject.game.to_move();
        let position = subject.game.position().clone();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut choose = move |analysis: &Analysis| match subject.purpose {
            Purpose::Analysis | Purpose::Pondering => None,
            Purpose::Move(level) => {
                let point = level.handicap().choose(analysis, &mut rng);
                Some(token(Move::Place(point)))
            }
        };
        let reports = subject.purpose != Purpose::Pondering;
        let listener = move |news: News| {
            send(match news {
                News::SoFar(..) if !reports => return,
                News::Final(..) if !reports => ServerMessage::Done {
                    id,
                    analysis: None,
                    answer: None,
                },
                News::SoFar(analysis, lines) => ServerMessage::Analysis {
                    id,
                    analysis: AnalysisView::of(analysis, lines, to_move),
                },
                News::Final(analysis, lines) => ServerMessage::Done {
                    id,
                    analysis: Some(AnalysisView::of(analysis, lines, to_move)),
                    answer: choose(analysis),
                },
                News::Failure(advice) => ServerMessage::Problem {
                    id: Some(id),
                    error: format!("the engine has failed; {advice}"),
                },
            });
        };
        Job {
            owner: Owner::new(tab, to_move, subject.purpose),
            position,
            effort: subject.effort,
            threads,
            stop,
            listener: Box::new(listener),
            used: Used::default(),
            lines: Vec::new(),
        }
    }

    /// The side of the board.
    pub fn side(&self) -> Side {
        Side::of_board(&self.position)
    }

    /// Searches for at most `limit` on the given number of `threads` and reports what was found.
    ///
    /// # Panics
    /// If the engine panics.
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
        self.lines = engine.lines(LINES, LINE_LENGTH);
        let total = used.added_to(&analysis);
        self.used = Used {
            time: total.time,
            simulations: total.simulations,
        };
        // The search runs no simulations when the result is known, or when one move is left.
        let nothing_left = analysis.proof.is_some() || analysis.simulations == 0;
        if self.stop.is_set() || nothing_left || self.is_spent() {
            (self.listener)(News::Final(&total, &self.lines));
            return State::Finished;
        }
        (self.listener)(News::SoFar(&total, &self.lines));
        State::Unfinished
    }

    /// The effort of the next round.
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
