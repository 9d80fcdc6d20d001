//! Sets of the cells that a solver plays on, as bits of one word.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

/// A set of cells by their numbers, below [`Set::CAPACITY`]. `|` is union, `&` intersection, `-`
/// difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Set(u128);

impl Set {
    /// How many cells a set can contain.
    pub(crate) const CAPACITY: usize = u128::BITS as usize;

    /// No cell.
    pub(crate) const EMPTY: Set = Set(0);

    /// One cell.
    pub(crate) fn of(cell: usize) -> Set {
        Set(1 << cell)
    }

    /// The first `count` cells.
    pub(crate) fn first(count: usize) -> Set {
        Set(u128::MAX
            .checked_shr((Set::CAPACITY - count) as u32)
            .unwrap_or(0))
    }

    /// Returns true if the cell is in the set.
    pub(crate) fn contains(self, cell: usize) -> bool {
        self.0 >> cell & 1 != 0
    }

    /// Returns true if no cell is in the set.
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many cells.
    pub(crate) fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns true if there are two cells or more.
    pub(crate) fn has_two(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The set of the first cell; empty if the set is.
    fn lowest(self) -> Set {
        Set(self.0 & self.0.wrapping_neg())
    }

    /// The first two cells; `None` if and only if the set has fewer.
    pub(crate) fn pair(self) -> Option<Set> {
        let first = self.lowest();
        let pair = first | (self - first).lowest();
        pair.has_two().then_some(pair)
    }

    /// The numbers of the cells, lowest first.
    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let cell = (bits != 0).then_some(bits.trailing_zeros() as usize);
            bits &= bits.wrapping_sub(1);
            cell
        })
    }
}

impl BitOr for Set {
    type Output = Set;

    fn bitor(self, other: Set) -> Set {
        Set(self.0 | other.0)
    }
}

impl BitAnd for Set {
    type Output = Set;

    fn bitand(self, other: Set) -> Set {
        Set(self.0 & other.0)
    }
}

impl Sub for Set {
    type Output = Set;

    fn sub(self, other: Set) -> Set {
        Set(self.0 & !other.0)
    }
}

impl BitOrAssign for Set {
    fn bitor_assign(&mut self, other: Set) {
        self.0 |= other.0;
    }
}

impl BitAndAssign for Set {
    fn bitand_assign(&mut self, other: Set) {
        self.0 &= other.0;
    }
}

impl SubAssign for Set {
    fn sub_assign(&mut self, other: Set) {
        self.0 &= !other.0;
    }
}
