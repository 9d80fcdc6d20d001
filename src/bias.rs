//! What the network is wrong by in positions that look alike around the last move: subtree value bias
//! correction, as in KataGo (Wu, *KataGo methods*, in the documents of its repository).
//!
//! Once a node has been visited, its moves tell how far the network's value of its position was off. A fight is read as
//! wrongly in the next position with the same stones around the same last move, so the mean of what
//! such positions were off by is taken, in part, from the network's value there, new nodes included.

use crate::board::Board;
use crate::cell::{Cell, Color};
use std::collections::HashMap;

/// What positions have in common that are taken to be judged alike: the last move and the stones near it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pattern<const N: usize> {
    to_move: Color,
    last: Cell<N>,
    /// The stones of each colour within two rows and columns, see [`crate::cell_set::CellSet::around`].
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

/// By how much positions turned out better for their movers than the network had said, in sum. Whole
/// numbers, so that neither order nor rounding matters when parts are taken out again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorSum {
    /// Of surprise times weight, in units of [`ErrorSum::UNIT`].
    sum: i64,
    /// The weights, in the same units; never negative.
    weight: i64,
}

impl ErrorSum {
    const UNIT: f32 = 1.0 / 65536.0;

    /// A `error`, −1 to 1, that is to count `weight`, 0 to 10⁹.
    #[inline(always)]
    pub fn new(error: f32, weight: f32) -> Self {
        ErrorSum {
            sum: (error * weight / Self::UNIT) as i64,
            weight: (weight / Self::UNIT) as i64,
        }
    }

    /// The mean; 0 if nothing was seen.
    #[inline(always)]
    pub fn mean(&self) -> f32 {
        self.sum as f32 / self.weight.max(1) as f32
    }
}

/// The surprises of all nodes of a tree together, by their patterns.
pub struct BiasTable<const N: usize> {
    buckets: HashMap<Pattern<N>, ErrorSum>,
    share: f32,
}

impl<const N: usize> BiasTable<N> {
    /// Nothing is known yet; `share`, 0 to 1, of what will be is taken for true.
    pub fn new(share: f32) -> Self {
        BiasTable {
            buckets: HashMap::new(),
            share,
        }
    }

    /// Puts what a node with this pattern tells `new` in place of what it has told `old`. By how much its
    /// pattern is taken to be worth more than the network says, by all nodes that have it.
    #[inline(always)]
    pub fn update_bucket(&mut self, pattern: Pattern<N>, old: ErrorSum, new: ErrorSum) -> f32 {
        let all = self.buckets.entry(pattern).or_default();
        all.sum += new.sum - old.sum;
        all.weight += new.weight - old.weight;
        self.share * all.mean()
    }

    /// Takes back what a node has told.
    pub fn leave_bucket(&mut self, pattern: Pattern<N>, contribution: ErrorSum) {
        self.update_bucket(pattern, contribution, ErrorSum::default());
        if self.buckets.get(&pattern) == Some(&ErrorSum::default()) {
            self.buckets.remove(&pattern);
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.clear();
    }
}
