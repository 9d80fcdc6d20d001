//! The knowledge of a solver about single positions.

use super::board::SolverBoard;
use super::set::Set;
use hexbot::cell::Color;

/// The winner of a position, and the cells that the win needs.
#[derive(Clone, Copy, Debug)]
pub struct Solution {
    pub winner: Color,
    pub carrier: Set,
}

/// A position that is not decided yet.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    /// The cells outside which every move loses.
    pub region: Set,
    /// The cells in which the opponent wins against moves outside the region.
    pub carrier: Set,
    /// The work left.
    pub effort: ProofNumbers,
}

/// How many positions, at the least, have still to be decided.
#[derive(Clone, Copy, Debug)]
pub struct ProofNumbers {
    /// To show that the mover wins.
    pub win: u32,
    /// To show that the mover loses.
    pub lose: u32,
}

/// The knowledge about a position.
#[derive(Clone, Copy, Debug)]
pub enum Known {
    Decided(Solution),
    Open(Open),
}

impl Solution {
    /// The carrier before the move that led to `board`: with the captured cells that were filled in
    /// after it.
    pub fn before(&self, board: &SolverBoard) -> Set {
        self.carrier | board.captured(self.winner)
    }
}

impl Open {
    /// Takes in a threat: the opponent wins in the cells of `carrier` unless the mover plays there.
    pub fn refute(&mut self, carrier: Set) {
        self.region &= carrier;
        self.carrier |= carrier;
    }

    /// Takes in those threats of the opponent that shrink the region. The others would only enlarge
    /// the carrier.
    pub fn refute_all(&mut self, threats: impl IntoIterator<Item = Set>) {
        for threat in threats {
            if !(self.region - threat).is_empty() {
                self.refute(threat);
            }
        }
    }
}

impl ProofNumbers {
    /// Limits that no search reaches.
    pub const UNBOUNDED: ProofNumbers = ProofNumbers {
        win: u32::MAX,
        lose: u32::MAX,
    };
}
