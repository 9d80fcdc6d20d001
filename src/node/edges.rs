//! The moves of a node, as edges of the tree: the visits, the value and the prior of each.

use crate::cell::Cell;
use crate::cell_set::CellSet;
use crate::grid::Grid;
use crate::params::Params;

/// The prior and the score of an occupied cell or a lost move: below all others. Not a tunable.
pub(super) const PRUNED: f32 = -1e30;

/// The moves of a node. Probabilities are the mover's, 0 to 1.
///
/// The prior of a cell is also a flag: `PRUNED` marks an occupied cell or a move that is proven to
/// lose, even if priors are not used.
pub struct EdgeStats<const N: usize> {
    /// A whole number for each move, up to 2^24. Further visits only update the value.
    pub(super) visits: Grid<f32, N>,
    pub(super) value: Grid<f32, N>,
    pub(super) prior: Grid<f32, N>,
    /// The sums of `visits` and of `visits` times `value`; an f32 counts to 2^24.
    pub(super) total_visits: f64,
    pub(super) total_value: f64,
}

impl<const N: usize> EdgeStats<N> {
    /// Edges without visits, with the same prior for each of the `moves`.
    pub fn new(moves: CellSet<N>) -> Self {
        let mut prior = Grid::filled(PRUNED);
        let uniform = 1.0 / moves.len() as f32;
        moves.iter().for_each(|cell| prior[cell] = uniform);
        EdgeStats {
            visits: Grid::filled(0.0),
            value: Grid::filled(0.0),
            prior,
            total_visits: 0.0,
            total_value: 0.0,
        }
    }

    /// The visits of all moves together.
    #[inline(always)]
    pub fn total_visits(&self) -> f32 {
        self.total_visits as f32
    }

    /// Counts a visit of `cell`. The edge's value becomes `value`, or, without one, the mean of its
    /// evaluations, including the latest, `wins`.
    #[inline(always)]
    pub fn add_visit(&mut self, cell: Cell<N>, value: Option<f32>, wins: f32) {
        let (n, q) = (self.visits[cell], self.value[cell]);
        let visits = n + 1.0;
        let value = value.unwrap_or(q + (wins - q) / visits);
        self.total_visits += (visits - n) as f64;
        // The next visit subtracts exactly this product, so rounding errors do not add up.
        self.total_value += (visits * value - n * q) as f64;
        self.visits[cell] = visits;
        self.value[cell] = value;
    }

    /// Sets the priors of all moves that are not pruned.
    #[inline(always)]
    pub fn set_priors(&mut self, priors: &Grid<f32, N>) {
        let priors = self.prior.values_mut().iter_mut().zip(priors.values());
        priors
            .filter(|(prior, _)| **prior != PRUNED)
            .for_each(|(prior, new)| *prior = *new);
    }

    /// Takes `share`, 0 to 1, of each prior and distributes it evenly among `moves`.
    pub fn add_noise(&mut self, moves: CellSet<N>, share: f32) {
        let each = share / moves.len() as f32;
        let unpruned = |prior: &&mut f32| **prior != PRUNED;
        let priors = self.prior.values_mut().iter_mut();
        priors
            .filter(unpruned)
            .for_each(|prior| *prior *= 1.0 - share);
        for cell in moves.iter() {
            if self.prior[cell] != PRUNED {
                self.prior[cell] += each;
            }
        }
    }

    /// Calls `choose` as if each of the moves `lost` had been visited once more and lost.
    /// Afterwards the edges are exactly as before.
    #[inline(always)]
    pub fn with_losses<T>(&mut self, lost: &[Cell<N>], choose: impl FnOnce(&Self) -> T) -> T {
        let (total, mut before) = (self.total_visits, Vec::new());
        for &cell in lost {
            let (n, q) = (self.visits[cell], self.value[cell]);
            before.push((cell, n, q));
            self.visits[cell] = n + 1.0;
            self.value[cell] = q * n / (n + 1.0);
            self.total_visits += 1.0;
        }
        let chosen = choose(self);
        for (cell, n, q) in before.into_iter().rev() {
            (self.visits[cell], self.value[cell]) = (n, q);
        }
        self.total_visits = total;
        chosen
    }

    /// The scores of plain UCT, see [`crate::params::Selection::Uct`].
    pub fn uct_scores(&self, params: &Params) -> Grid<f32, N> {
        let mut scores: Grid<f32, N> = Grid::filled(PRUNED);
        for (index, score) in scores.values_mut().iter_mut().enumerate() {
            let n = self.visits.values()[index];
            if self.prior.values()[index] != PRUNED {
                let bonus = params.c_puct * (self.total_visits().ln() / n).sqrt();
                *score = if n == 0.0 {
                    -PRUNED
                } else {
                    self.value.values()[index] + bonus
                };
            }
        }
        scores
    }
}
