//! Nodes evaluated by playouts: the choice among moves by all-moves-as-first statistics.
//!
//! Every move of a playout counts as if it had been the first one (AMAF). So a move has m, the
//! visits of the node whose playouts gave the cell to the mover, and a, the share of those that the
//! mover won. With the move's own visits n and value q,
//!
//! ```text
//! β     = m / (m + n + b·n·m)                            b = Params::amaf_bias
//! score = (1 - β)·q + β·a
//! ```
//!
//! β is the schedule of Gelly and Silver (*Monte-Carlo tree search and rapid action value
//! estimation in computer Go*, 2011, with b = 4·bias²): AMAF dominates while visits are few, and
//! its weight falls with each visit. A move without any statistics has the value
//! `Params::first_play_urgency`.

use crate::evaluation::Amaf;
use crate::grid::Grid;
use crate::node::edges::{EdgeStats, PRUNED};
use crate::params::{Params, FPU_VISITS};

impl<const N: usize> Amaf<N> {
    /// The score of each move, see the head of this file. O(N²).
    #[inline(always)]
    pub(super) fn scores(&self, edges: &EdgeStats<N>, params: &Params) -> Grid<f32, N> {
        let urgency = FPU_VISITS * params.first_play_urgency;
        let mut scores: Grid<f32, N> = Grid::filled(0.0);
        let moves = scores.values_mut().iter_mut();
        let moves = moves.zip(edges.visits.values()).zip(edges.value.values());
        let moves = moves.zip(self.owned.values()).zip(self.won.values());
        for (((((score, &n), &q), &owned), &won), &prior) in moves.zip(edges.prior.values()) {
            let m = owned + FPU_VISITS;
            // β·(a − q) with one division instead of two: β = m / sum and a = (won + urgency) / m.
            let sum = m + n + params.amaf_bias * n * m;
            let known = q + (won + urgency - m * q) / sum;
            *score = if prior == PRUNED { PRUNED } else { known };
        }
        scores
    }
}
