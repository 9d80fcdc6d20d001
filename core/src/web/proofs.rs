//! Chooses the positions to prove, and limits the search.

use crate::record::{AnyBoard, Game};
use crate::solver::{Appraisal, Solver, SolverQuestion};
use std::ops::ControlFlow;

/// Positions with more empty cells are not tried, because few of them are decided within
/// [`MAX_POSITIONS`].
const MAX_EMPTY: usize = 100;

/// The most positions to search for one proof. One takes about a millisecond on a large board.
const MAX_POSITIONS: u64 = 5_000;

/// A position that is worth trying.
#[derive(Clone, Debug)]
pub struct ProofQuestion {
    position: AnyBoard,
}

impl ProofQuestion {
    /// The game's position; `None` if a swap is possible, or too many cells are empty.
    pub fn of(game: &Game) -> Option<ProofQuestion> {
        let position = game.position();
        let empty = position.empty_cells().len();
        let swap_matters = game.may_swap() || empty == position.side().pow(2);
        (empty <= MAX_EMPTY && !swap_matters).then(|| ProofQuestion {
            position: position.clone(),
        })
    }

    /// Searches until the limit is reached or `stopped` returns true. `None` if more cells are
    /// empty than the solver can handle.
    pub fn appraise(&self, stopped: impl Fn() -> bool + Send + 'static) -> Option<Appraisal> {
        let watch = move |searched| {
            if searched >= MAX_POSITIONS || stopped() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let mut solver = Solver::new(&self.position, u64::MAX).ok()?;
        solver = solver.watched(Box::new(watch));
        Some(solver.appraise(&self.position, SolverQuestion::AllMoves))
    }
}
