//! The key of a position in a table.

use crate::cell::Color;
use crate::cell_set::CellSet;

/// The stones and the player to move, without any rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PositionKey<const N: usize> {
    /// The stones of each colour, in the order of [`Color::index`].
    pub stones: [CellSet<N>; 2],
    /// The player to move.
    pub to_move: Color,
}

impl<const N: usize> PositionKey<N> {
    /// The cells without a stone.
    pub fn empty_cells(&self) -> CellSet<N> {
        CellSet::FULL - self.stones[0] - self.stones[1]
    }

    /// Returns true if further moves can lead from these stones to those of `later`.
    pub fn may_become(&self, later: &Self) -> bool {
        let mut missing = self.stones.iter().zip(&later.stones);
        missing.all(|(&ours, &theirs)| (ours - theirs).is_empty())
    }
}
