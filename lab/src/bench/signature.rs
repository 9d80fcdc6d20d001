//! A checksum of everything that a search did: equal behaviour gives equal numbers, and different
//! behaviour almost certainly gives different ones.

use hex_common::fnv;
use hexbot::cell::Cell;
use hexbot::node::Node;
use hexbot::search::SearchResult;

/// The hash [`fnv`] of the numbers of search results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature(u64);

impl Signature {
    /// The signature without any search.
    pub const fn new() -> Self {
        Signature(fnv::OFFSET_BASIS)
    }

    /// Adds bytes.
    pub fn add_bytes(&mut self, bytes: &[u8]) {
        self.0 = fnv::extended(self.0, bytes);
    }

    /// Adds a number, as eight bytes, the lowest first.
    pub fn add(&mut self, number: u64) {
        self.add_bytes(&number.to_le_bytes());
    }

    /// Adds the result of a search, and its root's statistics of every cell.
    pub(crate) fn add_search<const N: usize>(
        &mut self,
        result: &SearchResult<N>,
        root: Option<&Node<N>>,
    ) {
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
            // Visits are whole numbers stored as floats. The bits of a value show every rounding.
            self.add(root.edge_visits(cell) as u64);
            self.add(u64::from(root.edge_value(cell).to_bits()));
            self.add(u64::from(root.prior(cell).map_or(0, f32::to_bits)));
        }
    }

    /// The signature as a short number: both halves of the hash combined.
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
