//! Subtree value bias correction, as in KataGo (Wu, *KataGo methods*, in the documents of its
//! repository): the network's value of a position is corrected by its mean error in positions that
//! are equal around the last move.
//!
//! Once the moves of a node have visits, their values show the error of the network's value of its
//! position. The network is likely to make the same error in other positions with the same stones
//! around the same last move. So nodes with the same [`Pattern`] share a bucket, and each
//! contributes its error. A share of the mean error is added to the network's value in all of them,
//! including new nodes.

use crate::cell::{Cell, Color};
use crate::params::Params;
use crate::position_key::PositionKey;
use std::collections::HashMap;

/// The common features of the positions of a bucket: the last move, the stones near it, and the
/// player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pattern<const N: usize> {
    to_move: Color,
    last: Cell<N>,
    /// The stones of each colour within two rows and columns, see
    /// [`crate::cell_set::CellSet::around`].
    near: [u32; 2],
}

impl<const N: usize> Pattern<N> {
    /// The pattern of `position`, in which `last` was the last move.
    #[inline(always)]
    pub fn new(position: &PositionKey<N>, last: Cell<N>) -> Self {
        Pattern {
            to_move: position.to_move,
            last,
            near: position.stones.map(|stones| stones.around(last)),
        }
    }
}

/// A weighted sum of errors: how much better positions were for their movers than the network's
/// values. It has whole numbers, so that removing a contribution restores the sum exactly, in any
/// order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorSum {
    /// The sum of error times weight, in units of [`ErrorSum::UNIT`].
    sum: i64,
    /// The sum of the weights, in the same units; never negative.
    weight: i64,
}

impl ErrorSum {
    const UNIT: f32 = 1.0 / 65536.0;

    /// An `error`, −1 to 1, with a `weight`, 0 to 10⁹.
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

/// The buckets of a tree: the sums of its nodes' errors by pattern.
pub struct BiasTable<const N: usize> {
    buckets: HashMap<Pattern<N>, ErrorSum>,
    share: f32,
}

impl<const N: usize> BiasTable<N> {
    /// A table without buckets. It corrects values by a share of a mean error, see
    /// [`Params::bias_correction`].
    pub fn new(params: &Params) -> Self {
        BiasTable {
            buckets: HashMap::new(),
            share: params.bias_correction,
        }
    }

    /// Replaces the contribution `old` of a node with this pattern by `new`. Returns the
    /// correction, −1 to 1, to add to the network's value in all positions with the pattern.
    #[inline(always)]
    pub fn update_bucket(&mut self, pattern: Pattern<N>, old: ErrorSum, new: ErrorSum) -> f32 {
        let all = self.buckets.entry(pattern).or_default();
        all.sum += new.sum - old.sum;
        all.weight += new.weight - old.weight;
        self.share * all.mean()
    }

    /// Removes a node's contribution from its bucket, and frees the bucket if it is empty.
    pub fn leave_bucket(&mut self, pattern: Pattern<N>, contribution: ErrorSum) {
        self.update_bucket(pattern, contribution, ErrorSum::default());
        if self.buckets.get(&pattern) == Some(&ErrorSum::default()) {
            self.buckets.remove(&pattern);
        }
    }
}
