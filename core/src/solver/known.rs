//! What a solver knows of a position.

use super::board::SolverBoard;
use super::set::Set;
use hexbot::cell::Color;

/// Who wins, and in which cells.
#[derive(Clone, Copy, Debug)]
pub struct Solution {
    pub winner: Color,
    pub carrier: Set,
}

/// A position that is not decided at sight.
#[derive(Clone, Copy, Debug)]
pub struct Open {
    /// The cells outside which every move loses.
    pub region: Set,
    /// Where the opponent wins against moves outside.
    pub carrier: Set,
    /// What there is still to do.
    pub effort: ProofNumbers,
}

/// Proof numbers.
#[derive(Clone, Copy, Debug)]
pub struct ProofNumbers {
    /// To show that the mover wins.
    pub win: u32,
    /// To show that the mover loses.
    pub lose: u32,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub enum Known {
    Decided(Solution),
    Open(Open),
}

impl Solution {
    /// The carrier as it was before the move that led to `board`, when cells filled in since were
    /// empty.
    pub fn before(&self, board: &SolverBoard) -> Set {
        self.carrier | board.captured(self.winner)
    }
}

impl Open {
    /// The opponent wins in the cells of `carrier` unless the mover plays there.
    pub fn refute(&mut self, carrier: Set) {
        self.region &= carrier;
        self.carrier |= carrier;
    }

    /// Takes in threats of the opponent, those that shrink the region: others would only widen the
    /// carrier.
    pub fn refute_all(&mut self, threats: impl IntoIterator<Item = Set>) {
        for threat in threats {
            if !(self.region - threat).is_empty() {
                self.refute(threat);
            }
        }
    }
}

impl ProofNumbers {
    /// More than any search gets to.
    pub const UNBOUNDED: ProofNumbers = ProofNumbers {
        win: u32::MAX,
        lose: u32::MAX,
    };
}
