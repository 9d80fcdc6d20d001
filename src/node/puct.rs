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
use crate::cell::{Cell, Color};
use crate::evaluation::{Evaluation, MoveStats};
use crate::grid::Grid;
use crate::node::amaf::PlayoutStatistics;
use crate::node::edges::{EdgeStats, PRUNED};
use crate::params::{Params, LCB_MIN_VARIANCE, LCB_MIN_VISIT_SHARE};
use crate::position_key::PositionKey;

/// The statistics of a node in a bot with a network, which playouts may replace.
#[derive(Default)]
pub struct NetworkStatistics<const N: usize> {
    /// Those of playouts, as long as the network has not evaluated the position.
    playouts: PlayoutStatistics<N>,
    /// The mover's win probability according to the network.
    raw_value: Option<f32>,
    /// The node's bucket of [`crate::bias`], and its contribution to the bucket's error.
    bucket: Option<Pattern<N>>,
    contribution: ErrorSum,
}

impl<const N: usize> NetworkStatistics<N> {
    /// Sets an evaluation of the node's own position, and the priors of its `edges`.
    #[inline(always)]
    pub fn set(&mut self, evaluation: &Evaluation<N>, mover: Color, edges: &mut EdgeStats<N>) {
        self.add(evaluation, mover);
        if let MoveStats::Priors(priors) = &evaluation.move_stats {
            self.raw_value = Some(evaluation.wins(mover));
            edges.set_priors(priors);
        }
    }

    /// Adds an evaluation of a position at or after the node's, whose player to move is `mover`.
    #[inline(always)]
    pub fn add(&mut self, evaluation: &Evaluation<N>, mover: Color) {
        if !self.has_lasting_value() {
            self.playouts.add(evaluation, mover);
        }
    }

    /// The score of each move, see the head of this file. O(N²).
    #[inline(always)]
    pub fn scores(&self, edges: &EdgeStats<N>, params: &Params) -> Grid<f32, N> {
        let Some(raw_value) = self.raw_value else {
            return self.playouts.scores(edges, params);
        };
        let unseen = (raw_value - params.fpu_reduction).max(0.0);
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

    /// Returns true if the network has evaluated the position: another evaluation would give
    /// nothing new.
    #[inline(always)]
    pub fn has_lasting_value(&self) -> bool {
        self.raw_value.is_some()
    }

    /// Puts a node that the network has evaluated into the bias bucket of its `position`,
    /// in which `last` was the last move.
    #[inline(always)]
    pub fn join(&mut self, position: &PositionKey<N>, last: Cell<N>) {
        if self.has_lasting_value() {
            self.bucket = Some(Pattern::new(position, last));
        }
    }

    /// Replaces the node's contribution to its bucket by its present error. Returns the network's
    /// value corrected by the bucket's mean error, 0 to 1; `None` without a bucket.
    #[inline(always)]
    pub fn correct(&mut self, edges: &EdgeStats<N>, table: &mut BiasTable<N>) -> Option<f32> {
        let (bucket, raw_value) = (self.bucket?, self.raw_value?);
        // How much better the edges are than the raw value, weighted by the visits to the power
        // 3/4. Two square roots compute it, because they round equally on every machine.
        let n = edges.total_visits();
        let mean = edges.total_value as f32 / n.max(1.0);
        let now = ErrorSum::new(mean - raw_value, (n * n.sqrt()).sqrt());
        let bias = table.update_bucket(bucket, self.contribution, now);
        self.contribution = now;
        Some((raw_value + bias).clamp(0.0, 1.0))
    }

    /// Removes the node's contribution from its bucket.
    pub fn leave(&mut self, table: &mut BiasTable<N>) {
        if let Some(bucket) = self.bucket.take() {
            table.leave_bucket(bucket, self.contribution);
        }
    }

    /// The key by which visited moves are compared when one is played, and a tie-break: by visits
    /// or, after an evaluation by the network, by the lower confidence bound. The bound is the
    /// value less `Params::lcb_z` standard errors, as if evaluations were games won or lost. So a
    /// good move that was found late can overtake one with more visits. Moves with few visits,
    /// compared with `most_visits`, come last.
    pub fn standing(
        &self,
        edges: &EdgeStats<N>,
        cell: Cell<N>,
        most_visits: f32,
        params: &Params,
    ) -> (f32, f32) {
        let (n, q) = (edges.visits[cell], edges.value[cell]);
        if !self.has_lasting_value() {
            return (n, q);
        }
        if n < LCB_MIN_VISIT_SHARE * most_visits {
            return (f32::NEG_INFINITY, n);
        }
        let variance = q * (1.0 - q) + LCB_MIN_VARIANCE;
        (q - params.lcb_z * (variance / n.max(1.0)).sqrt(), n)
    }
}
