//! A number that stands for everything a search did: equal behaviour gives equal numbers, and any
//! difference in it gives, almost surely, another one. It is a checksum, not a secret.

use hex_common::fnv;
use hexbot::cell::Cell;
use hexbot::node::Node;
use hexbot::search::SearchResult;

/// The hash [`fnv`], fed with the integers that searches leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature(u64);

impl Signature {
    /// The signature of nothing.
    pub const fn new() -> Self {
        Signature(fnv::OFFSET_BASIS)
    }

    /// Takes bytes in.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        self.0 = fnv::extended(self.0, bytes);
    }

    /// Takes a number in, as eight bytes, the lowest first.
    pub fn add(&mut self, number: u64) {
        self.add_bytes(&number.to_le_bytes());
    }

    /// Takes in what a search found, and what its root learnt of every cell.
    pub fn add_search<const N: usize>(&mut self, result: &SearchResult<N>, root: Option<&Node<N>>) {
        self.add(result.simulations);
        result
            .principal_variation
            .iter()
            .for_each(|cell| self.add(cell.index() as u64));
        let proof = result.proof;
        self.add(proof.map_or(0, |proof| 1 + proof.winner.index() as u64));
        self.add(proof.map_or(0, |proof| u64::from(proof.plies)));
        let Some(root) = root else { return };
        for cell in Cell::all() {
            // Visits are whole numbers kept as floats; a value's bits tell every rounding.
            self.add(root.edge_visits(cell) as u64);
            self.add(u64::from(root.edge_value(cell).to_bits()));
            self.add(u64::from(root.prior(cell).map_or(0, f32::to_bits)));
        }
    }

    /// The signature as a number that is easily copied: both halves of the hash folded into one.
    pub fn number(self) -> u32 {
        (self.0 >> 32) as u32 ^ self.0 as u32
    }

    /// The whole hash.
    pub fn hash(self) -> u64 {
        self.0
    }
}

impl Default for Signature {
    fn default() -> Self {
        Self::new()
    }
}
