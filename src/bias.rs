//! Subtree value bias correction, as in KataGo (Wu, *KataGo methods*, in the documents of its
//! repository): the network's value of a position is corrected by its mean error in positions that
//! look alike around the last move.
//!
//! Once the moves of a node have been visited, their values tell the error of the network's value
//! of its position. The network is likely to misread a fight in the same way in the next position
//! with the same stones around the same last move. So nodes with the same [`Pattern`] share a
//! bucket, each contributes its error, and a share of the mean error is added to the network's
//! value in all of them, new nodes included.

use crate::board::Board;
use crate::cell::{Cell, Color};
use std::collections::HashMap;

/// What the positions of a bucket have in common: the last move, the stones near it, and who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pattern<const N: usize> {
    to_move: Color,
    last: Cell<N>,
    /// The stones of each colour within two rows and columns, see
    /// [`crate::cell_set::CellSet::around`].
    near: [u32; 2],
}

impl<const N: usize> Pattern<N> {
    /// The pattern of `board`, in which `last` was the last move.
    #[inline(always)]
    pub fn new(board: &Board<N>, last: Cell<N>) -> Self {
        Pattern {
            to_move: board.to_move(),
            last,
            near: board.position().stones.map(|stones| stones.around(last)),
        }
    }
}

/// A weighted sum of errors: by how much positions turned out better for their movers than the
/// network's values. Whole numbers, so that neither order nor rounding matters when a contribution
/// is taken out again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorSum {
    /// The sum of error times weight, in units of [`ErrorSum::UNIT`].
    sum: i64,
    /// The sum of the weights, in the same units; never negative.
    weight: i64,
}

impl ErrorSum {
    const UNIT: f32 = 1.0 / 65536.0;

    /// An `error`, −1 to 1, that counts `weight`, 0 to 10⁹.
    #[inline(always)]
    pub fn new(error: f32, weight: f32) -> Self {
        ErrorSum {
            sum: (error * weight / Self::UNIT) as i64,
            weight: (weight / Self::UNIT) as i64,
        }
    }

    /// The mean error, −1 to 1; 0 without any.
    #[inline(always)]
    pub fn mean(&self) -> f32 {
        self.sum as f32 / self.weight.max(1) as f32
    }
}

/// The buckets of a tree: the errors of its nodes, summed up by their patterns.
pub struct BiasTable<const N: usize> {
    buckets: HashMap<Pattern<N>, ErrorSum>,
    share: f32,
}

impl<const N: usize> BiasTable<N> {
    /// A table without buckets; `share`, 0 to 1, of a mean error will be believed, see
    /// [`crate::params::Params::bias_correction`].
    pub fn new(share: f32) -> Self {
        BiasTable {
            buckets: HashMap::new(),
            share,
        }
    }

    /// Replaces the contribution `old` of a node with this pattern by `new`, and returns what is to
    /// be added to the network's value in all positions that have the pattern, −1 to 1.
    #[inline(always)]
    pub fn update_bucket(&mut self, pattern: Pattern<N>, old: ErrorSum, new: ErrorSum) -> f32 {
        let all = self.buckets.entry(pattern).or_default();
        all.sum += new.sum - old.sum;
        all.weight += new.weight - old.weight;
        self.share * all.mean()
    }

    /// Takes a node's contribution out of its bucket, and frees an empty bucket.
    pub fn leave_bucket(&mut self, pattern: Pattern<N>, contribution: ErrorSum) {
        self.update_bucket(pattern, contribution, ErrorSum::default());
        if self.buckets.get(&pattern) == Some(&ErrorSum::default()) {
            self.buckets.remove(&pattern);
        }
    }
}
