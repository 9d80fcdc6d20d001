//! An evaluator whose answers and whose pace the tests choose, and a clock that shows it.

use crate::common::rng;
use hexbot::board::Board;
use hexbot::bridges::Bridges;
use hexbot::budget::Clock;
use hexbot::cell::{Cell, Color};
use hexbot::evaluation::{Evaluation, Evaluator, MoveStats};
use hexbot::grid::Grid;
use hexbot::params::BridgeUse;
use hexbot::playout::PlayoutEvaluator;
use std::cell::Cell as Shared;
use std::rc::Rc;
use std::time::Duration;

/// A slow evaluator that prefers one cell wherever it is empty. After `degrade` it runs playouts.
pub struct Impostor {
    favourite: Cell<7>,
    /// The chance of the player who has played the favourite.
    wins: f32,
    /// What an evaluation takes on the clock below.
    takes: Duration,
    pub clock: FakeClock,
    pub asked: Rc<Shared<u32>>,
    degraded: bool,
    playouts: PlayoutEvaluator,
}

#[derive(Clone, Default)]
pub struct FakeClock(Rc<Shared<Duration>>);

impl FakeClock {
    pub fn advance(&self, time: Duration) {
        self.0.set(self.0.get() + time);
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Duration {
        self.0.get()
    }
}

impl Evaluator<7> for Impostor {
    fn evaluate(&mut self, board: &Board<7>, bridges: &Bridges<7>) -> Evaluation<7> {
        if self.degraded {
            self.clock.advance(Duration::from_micros(4));
            return self.playouts.evaluate(board, bridges);
        }
        self.asked.set(self.asked.get() + 1);
        self.clock.advance(self.takes);
        let empty = board.empty_cells();
        let mut priors = Grid::filled(0.0);
        for cell in empty.iter() {
            priors[cell] = 0.1 / empty.len() as f32;
        }
        let red_wins = match board.at(self.favourite) {
            None => {
                priors[self.favourite] += 0.9;
                0.5
            }
            Some(Color::Red) => self.wins,
            Some(Color::Blue) => 1.0 - self.wins,
        };
        let move_stats = MoveStats::Priors(priors);
        Evaluation {
            red_wins,
            move_stats,
        }
    }

    fn is_costly(&self) -> bool {
        !self.degraded
    }

    fn degrade(&mut self) {
        self.degraded = true;
    }
}

pub fn impostor(wins: f32, takes: Duration) -> Impostor {
    Impostor {
        favourite: "b1".parse().expect("a cell"),
        wins,
        takes,
        clock: FakeClock::default(),
        asked: Rc::default(),
        degraded: false,
        playouts: PlayoutEvaluator::new(BridgeUse::Seen, rng(1)),
    }
}
