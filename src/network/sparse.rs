//! The inputs of a convolution that are not 0, for its SIMD code.
//!
//! Activations are never negative, and most of them are 0: in the shipped network seven of eight.
//! Inputs are multiplied in pairs, of which four of five are zeros and add nothing. They are left
//! out without a branch that depends on the inputs: the other pairs of each cell are moved to the
//! front, and the lists of all cells are written one behind the other, each over the unused end of
//! the one before. What works through the list takes two pairs of one cell at a time.

use crate::network::layout::{PAIR, SIMD_CHANNELS, TAPS};

/// Pairs of a cell.
const PAIRS: usize = SIMD_CHANNELS / PAIR;

/// Pairs that are compressed together.
const GROUP: usize = 8;

/// From the weights of a pair to those of the next, in bytes.
const PAIR_STRIDE: usize = TAPS * SIMD_CHANNELS * PAIR;

/// A pair of inputs of which at least one is not 0, or one of zeros that makes the number even.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct InputPair {
    /// The two inputs, a byte each.
    pub inputs: i16,
    /// Where its weights begin, in bytes.
    pub weights: u16,
}

/// The pairs of inputs that are not both 0, and the memory for them.
#[derive(Default)]
pub struct SparseActivations {
    /// Two pairs of a cell each; behind `len` anything.
    pairs: Vec<[InputPair; 2]>,
    /// The padded cells that they belong to.
    cells: Vec<u16>,
    /// How many twos there are.
    len: usize,
}

impl SparseActivations {
    /// Memory for so many padded cells.
    pub fn new(padded_cells: usize) -> Self {
        // One cell more: what is written behind the last pair has room.
        let twos = (padded_cells + 1) * PAIRS / 2;
        SparseActivations {
            pairs: vec![Default::default(); twos],
            cells: vec![0; twos],
            len: 0,
        }
    }

    /// Removes all.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// The twos of pairs, with their padded cells.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = (&[InputPair; 2], usize)> {
        let cells = self.cells[..self.len].iter();
        self.pairs.iter().zip(cells.map(|&cell| cell as usize))
    }

    /// Adds the pairs of a padded cell, given its activations.
    ///
    /// # Safety
    /// There must be room: each padded cell comes once, between one [`Self::clear`] and the next.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn push(&mut self, padded: usize, activations: std::arch::x86_64::__m256i) {
        use std::arch::x86_64::*;
        let halves = [
            _mm256_castsi256_si128(activations),
            _mm256_extracti128_si256::<1>(activations),
        ];
        let [low, high] = halves.map(|half| _mm_cmpeq_epi16(half, _mm_setzero_si128()));
        let mut set = !_mm_movemask_epi8(_mm_packs_epi16(low, high));
        let mut weights = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
        weights = _mm256_mullo_epi32(weights, _mm256_set1_epi32((PAIR_STRIDE << 16) as i32));
        let start = self.pairs.as_mut_ptr().add(self.len).cast::<InputPair>();
        let mut count = 0;
        for inputs in halves {
            let members = _mm_loadl_epi64(MEMBERS[set as u8 as usize].as_ptr().cast());
            let pairs = _mm256_or_si256(_mm256_cvtepu16_epi32(inputs), weights);
            let pairs = _mm256_permutevar8x32_epi32(pairs, _mm256_cvtepu8_epi32(members));
            _mm256_storeu_si256(start.add(count).cast(), pairs);
            count += (set as u8).count_ones() as usize;
            set >>= GROUP;
            let group_stride = _mm256_set1_epi32(((GROUP * PAIR_STRIDE) << 16) as i32);
            weights = _mm256_add_epi32(weights, group_stride);
        }
        *start.add(count) = InputPair::default();
        let cells = self.cells.as_mut_ptr().add(self.len);
        _mm_storeu_si128(cells.cast(), _mm_set1_epi16(padded as i16));
        self.len += count.div_ceil(2);
    }
}

/// For every set of eight pairs, as bits, the indices of its members in ascending order; what comes
/// behind them does not matter.
static MEMBERS: [[u8; GROUP]; 1 << GROUP] = {
    let mut table = [[0; GROUP]; 1 << GROUP];
    let mut set = 0;
    while set < table.len() {
        let (mut left, mut count) = (set, 0);
        while left != 0 {
            table[set][count] = left.trailing_zeros() as u8;
            count += 1;
            left &= left - 1;
        }
        set += 1;
    }
    table
};
