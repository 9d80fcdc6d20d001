//! Which positions are tried to be proven, and how far.

use crate::record::{AnyBoard, Game};
use crate::solver::{Appraisal, Solver, SolverQuestion};
use std::ops::ControlFlow;

/// Positions with more empty cells are not tried: few of them are decided within [`MAX_POSITIONS`].
const MAX_EMPTY: usize = 100;

/// The most positions that are searched for one question; one takes about a millisecond on a large
/// board.
const MAX_POSITIONS: u64 = 5_000;

/// A position that is worth trying.
#[derive(Clone, Debug)]
pub struct ProofQuestion {
    position: AnyBoard,
}

impl ProofQuestion {
    /// The game's position; `None` if the swap would be a part of it, or it has too many empty
    /// cells.
    pub fn of(game: &Game) -> Option<ProofQuestion> {
        let position = game.position();
        let empty = position.empty_cells().len();
        let swap_matters = game.may_swap() || empty == position.side().pow(2);
        (empty <= MAX_EMPTY && !swap_matters).then(|| ProofQuestion {
            position: position.clone(),
        })
    }

    /// What is found out within the limit, or until it is `stopped`; `None` if the solver cannot
    /// deal with so many cells.
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
