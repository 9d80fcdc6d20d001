//! The knowledge of a solver about single positions.

use super::board::SolverBoard;
use super::set::Set;
use hexbot::cell::Color;

/// The winner of a position, and the cells that the win needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solution {
    pub(crate) winner: Color,
    pub(crate) carrier: Set,
}

/// A position that is not decided yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    /// The cells outside which every move loses.
    pub(crate) region: Set,
    /// The cells in which the opponent wins against moves outside the region.
    pub(crate) carrier: Set,
    /// The work left.
    pub(crate) effort: ProofNumbers,
}

/// How many positions, at the least, have still to be decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProofNumbers {
    /// To show that the mover wins.
    pub(crate) win: u32,
    /// To show that the mover loses.
    pub(crate) lose: u32,
}

/// The knowledge about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Known {
    Decided(Solution),
    Open(Open),
}

impl Solution {
    /// The carrier before the move that led to `board`: with the captured cells that were filled in
    /// after it.
    pub(crate) fn before(&self, board: &SolverBoard) -> Set {
        self.carrier | board.captured(self.winner)
    }
}

impl Open {
    /// Takes in a threat: the opponent wins in the cells of `carrier` unless the mover plays there.
    pub(crate) fn refute(&mut self, carrier: Set) {
        self.region &= carrier;
        self.carrier |= carrier;
    }

    /// Takes in those threats of the opponent that shrink the region. The others would only enlarge
    /// the carrier.
    pub(crate) fn refute_all(&mut self, threats: impl IntoIterator<Item = Set>) {
        for threat in threats {
            if !(self.region - threat).is_empty() {
                self.refute(threat);
            }
        }
    }
}

impl ProofNumbers {
    /// Limits that no search reaches.
    pub(crate) const UNBOUNDED: ProofNumbers = ProofNumbers {
        win: u32::MAX,
        lose: u32::MAX,
    };
}
