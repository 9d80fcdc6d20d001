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

use crate::cell::{Cell, Color};
use crate::evaluation::{Amaf, Evaluation, MoveStats};
use crate::grid::Grid;
use crate::node::edges::{EdgeStats, PRUNED};
use crate::params::{Params, Selection, FPU_VISITS};
use crate::position_key::PositionKey;

/// The sums of playouts through a node; `None` before the first. Boxed, because nodes evaluated by
/// the network do not need the memory.
#[derive(Default)]
pub struct PlayoutStatistics<const N: usize>(Option<Box<Amaf<N>>>);

impl<const N: usize> PlayoutStatistics<N> {
    /// Adds an evaluation's playouts for the node's `mover`, if it has any.
    #[inline(always)]
    pub fn add(&mut self, evaluation: &Evaluation<N>, mover: Color) {
        if let MoveStats::Amaf(amaf) = &evaluation.move_stats {
            let own = self.0.get_or_insert_with(|| Amaf::NOTHING.into());
            own.add(&amaf[mover.index()]);
        }
    }

    /// The score of each move. O(N²).
    #[inline(always)]
    pub fn scores(&self, edges: &EdgeStats<N>, params: &Params) -> Grid<f32, N> {
        match params.selection {
            Selection::Amaf => {
                let amaf = self.0.as_deref();
                amaf.unwrap_or(&Amaf::NOTHING).scores(edges, params)
            }
            Selection::Uct => edges.uct_scores(params),
        }
    }
}

impl<const N: usize> Amaf<N> {
    /// The score of each move, see the head of this file. O(N²).
    #[inline(always)]
    fn scores(&self, edges: &EdgeStats<N>, params: &Params) -> Grid<f32, N> {
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

/// The statistics of a node in a bot without a network; [`crate::node::puct::NetworkStatistics`]
/// has the same functions. Those about values that the network corrects do nothing.
#[derive(Default)]
pub struct PlayoutsAlone<const N: usize>(PlayoutStatistics<N>);

/// What all nodes of a tree share: nothing.
pub struct NothingShared<const N: usize>;

#[allow(missing_docs)]
impl<const N: usize> NothingShared<N> {
    pub fn new(_: &Params) -> Self {
        NothingShared
    }
}

#[allow(missing_docs)]
impl<const N: usize> PlayoutsAlone<N> {
    #[inline(always)]
    pub fn set(&mut self, evaluation: &Evaluation<N>, mover: Color, _: &mut EdgeStats<N>) {
        self.0.add(evaluation, mover);
    }

    #[inline(always)]
    pub fn add(&mut self, evaluation: &Evaluation<N>, mover: Color) {
        self.0.add(evaluation, mover);
    }

    #[inline(always)]
    pub fn scores(&self, edges: &EdgeStats<N>, params: &Params) -> Grid<f32, N> {
        self.0.scores(edges, params)
    }

    pub fn standing(&self, edges: &EdgeStats<N>, cell: Cell<N>, _: f32, _: &Params) -> (f32, f32) {
        (edges.visits[cell], edges.value[cell])
    }

    pub fn has_lasting_value(&self) -> bool {
        false
    }

    pub fn join(&mut self, _: &PositionKey<N>, _: Cell<N>) {}

    pub fn correct(&mut self, _: &EdgeStats<N>, _: &mut NothingShared<N>) -> Option<f32> {
        None
    }

    pub fn leave(&mut self, _: &mut NothingShared<N>) {}
}
