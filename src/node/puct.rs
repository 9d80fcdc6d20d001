//! Nodes evaluated by the network: its value of the position, and the choice among moves by its
//! priors.
//!
//! With the prior p of each move, its visits n and value q, and N visits of all moves together,
//!
//! ```text
//! score = q + c·p·√(N + 1) / (1 + n)                     c = Params::c_puct
//! ```
//!
//! This is PUCT (Rosin 2011) as in AlphaGo Zero. For a move without a visit, q is the raw value of
//! the position less `Params::fpu_reduction`.

use crate::bias::{BiasTable, ErrorSum, Pattern};
use crate::cell::Cell;
use crate::grid::Grid;
use crate::node::edges::{EdgeStats, PRUNED};
use crate::params::{Params, LCB_MIN_VARIANCE, LCB_MIN_VISIT_SHARE};

/// The network's evaluation of a node's position, and its correction by the search.
pub struct NetworkEval<const N: usize> {
    /// The mover's win probability according to the network.
    raw_value: f32,
    /// The node's bucket of [`crate::bias`], and its contribution to the bucket's error.
    bucket: Option<Pattern<N>>,
    contribution: ErrorSum,
}

impl<const N: usize> NetworkEval<N> {
    /// The evaluation of a position in which the mover wins with probability `raw_value`, 0 to 1.
    pub fn new(raw_value: f32) -> Self {
        NetworkEval {
            raw_value,
            bucket: None,
            contribution: ErrorSum::default(),
        }
    }

    /// The score of each move, see the head of this file. O(N²).
    #[inline(always)]
    pub fn scores(&self, edges: &EdgeStats<N>, params: &Params) -> Grid<f32, N> {
        let unseen = (self.raw_value - params.fpu_reduction).max(0.0);
        // The 1 is the visit that made the node. Without it all scores would be equal at first.
        let c_puct = params.c_puct * (edges.total_visits() + 1.0).sqrt();
        let mut scores: Grid<f32, N> = Grid::filled(0.0);
        let moves = scores.values_mut().iter_mut().zip(edges.prior.values());
        let moves = moves.zip(edges.visits.values()).zip(edges.value.values());
        for (((score, &prior), &n), &q) in moves {
            let known = if n > 0.0 { q } else { unseen };
            let explored = known + c_puct * prior / (1.0 + n);
            *score = if prior == PRUNED { PRUNED } else { explored };
        }
        scores
    }

    /// Puts the node into the bucket of `pattern`.
    #[inline(always)]
    pub fn join_bucket(&mut self, pattern: Pattern<N>) {
        self.bucket = Some(pattern);
    }

    /// Replaces the node's contribution to its bucket by its present error. Returns the raw value
    /// corrected by the bucket's mean error, 0 to 1; `None` without a bucket.
    #[inline(always)]
    pub fn update_bucket(
        &mut self,
        edges: &EdgeStats<N>,
        bias_table: &mut BiasTable<N>,
    ) -> Option<f32> {
        let now = self.error_sum(edges);
        let bias = bias_table.update_bucket(self.bucket?, self.contribution, now);
        self.contribution = now;
        Some((self.raw_value + bias).clamp(0.0, 1.0))
    }

    /// How much better the edges are than the raw value, weighted by the visits to the power 3/4.
    /// Two square roots compute it, because they round equally on every machine.
    #[inline(always)]
    fn error_sum(&self, edges: &EdgeStats<N>) -> ErrorSum {
        let n = edges.total_visits();
        let mean = edges.total_value as f32 / n.max(1.0);
        ErrorSum::new(mean - self.raw_value, (n * n.sqrt()).sqrt())
    }

    /// Removes the node's contribution from its bucket.
    pub fn leave_bucket(&mut self, bias_table: &mut BiasTable<N>) {
        if let Some(bucket) = self.bucket.take() {
            bias_table.leave_bucket(bucket, self.contribution);
        }
    }
}

/// The lower confidence bound of a visited move, and its visits as a tie-break. The bound is its
/// value less `Params::lcb_z` standard errors, as if evaluations were games won or lost. So a good
/// move that was found late can overtake one with more visits. Moves with few visits, compared with
/// `most_visits`, come last.
pub fn lower_confidence_bound<const N: usize>(
    edges: &EdgeStats<N>,
    cell: Cell<N>,
    most_visits: f32,
    params: &Params,
) -> (f32, f32) {
    let (n, q) = (edges.visits[cell], edges.value[cell]);
    if n < LCB_MIN_VISIT_SHARE * most_visits {
        return (f32::NEG_INFINITY, n);
    }
    let variance = q * (1.0 - q) + LCB_MIN_VARIANCE;
    (q - params.lcb_z * (variance / n.max(1.0)).sqrt(), n)
}
