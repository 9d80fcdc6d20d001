//! The inputs of a convolution that are not 0, for its SIMD code.
//!
//! Activations are never negative, and most of them are 0: in the shipped network six of seven.
//! Inputs are multiplied in pairs, of which four of five are zeros and add nothing. They are left
//! out without a branch that depends on the inputs: the other pairs of each padded cell are moved
//! to the front of its list, and for a row of cells the lists of its im2row (see
//! [`crate::network::layout`]) are written one behind the other, each over the unused end of the
//! one before. The pairs of a cell's patch are a part of that.

use crate::network::layout::{PaddedLayout, IM2ROW_STEP, PAIR, SIMD_CHANNELS, TAPS};

/// Pairs of a padded cell.
const PAIRS: usize = SIMD_CHANNELS / PAIR;

/// Pairs that are compressed together.
const GROUP: usize = 8;

/// The length of a patch's list is a multiple of this.
pub const UNROLL: usize = 4;

/// From the weights of a pair to those of the next, in units of eight bytes.
const PAIR_STRIDE: usize = SIMD_CHANNELS * PAIR / 8;

/// From the weights of a tap to those of the next, in units of eight bytes.
const TAP_STRIDE: usize = PAIRS * PAIR_STRIDE;

/// How far the entries of a cell in a row's im2row are ahead of those of its left neighbour,
/// counted as weights, in units of eight bytes.
pub const CELL_STRIDE: usize = IM2ROW_STEP * TAP_STRIDE;

/// A pair of inputs of which at least one is not 0.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct InputPair {
    /// The two inputs, a byte each.
    pub inputs: i16,
    /// Where its weights begin, in units of eight bytes; in a row's im2row, for the first cell.
    pub weights: u16,
}

/// The number of pairs in a list, and the sum of their inputs.
#[derive(Clone, Copy, Default)]
struct Totals {
    pairs: u32,
    sum: u32,
}

/// The inputs of a convolution that are not 0, and the memory for them.
#[allow(dead_code)] // On other machines than x86-64 the layout alone is used.
#[derive(Default)]
pub struct SparseActivations {
    /// How the board that they are of lies in memory.
    pub layout: PaddedLayout,
    /// The pairs of each padded cell, with the weights of the first tap; anything behind their end.
    /// `[padded cells][pairs]`
    lists: Vec<[InputPair; PAIRS]>,
    /// What the list of each padded cell holds. `[padded cells]`
    totals: Vec<Totals>,
    /// The lists of a row's im2row, one behind the other.
    row: Vec<InputPair>,
    /// Prefix sums over the row: what comes before each entry of the im2row, and before its end.
    prefix: Vec<Totals>,
    /// What the kernel of WebAssembly uses instead.
    #[cfg(target_arch = "wasm32")]
    pub kernel: crate::network::kernel::KernelScratch,
}

impl SparseActivations {
    /// Memory for the convolutions of a board of this side, 1 or more.
    pub fn new(side: usize) -> Self {
        let layout = PaddedLayout::new(side);
        let entries = layout.im2row.len();
        SparseActivations {
            lists: vec![[InputPair::default(); PAIRS]; layout.padded_cells],
            totals: vec![Totals::default(); layout.padded_cells],
            row: vec![InputPair::default(); (entries + 1) * PAIRS],
            prefix: vec![Totals::default(); entries + 1],
            #[cfg(target_arch = "wasm32")]
            kernel: crate::network::kernel::KernelScratch::new(&layout),
            layout,
        }
    }
}

/// For every set of eight pairs, as bits, the indices of its members in ascending order; what comes
/// behind them does not matter.
#[cfg(target_arch = "x86_64")]
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

#[cfg(target_arch = "x86_64")]
impl SparseActivations {
    /// Makes the lists of all padded cells from `input`, `[padded cells][channels]`. The halo is
    /// taken for 0 unless `has_border_inputs`.
    ///
    /// # Safety
    /// `input` must have [`SIMD_CHANNELS`] channels of all padded cells.
    #[inline(never)] // Faster: it has all registers for itself.
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn compress(&mut self, input: &[u8], has_border_inputs: bool) {
        if has_border_inputs {
            for padded in 0..self.layout.padded_cells {
                self.compress_cell(padded, input);
            }
        } else {
            self.totals.fill(Totals::default());
            for cell in 0..self.layout.tap_origins.len() {
                self.compress_cell(self.layout.padded(cell), input);
            }
        }
    }

    /// Makes the list of a padded cell.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn compress_cell(&mut self, padded: usize, input: &[u8]) {
        use std::arch::x86_64::*;
        let input = input.as_ptr().add(padded * SIMD_CHANNELS).cast::<__m128i>();
        let mut weights = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
        weights = _mm256_mullo_epi32(weights, _mm256_set1_epi32((PAIR_STRIDE << 16) as i32));
        let mut totals = Totals::default();
        for group in 0..PAIRS / GROUP {
            let inputs = _mm_loadu_si128(input.add(group));
            let sums = _mm_sad_epu8(inputs, _mm_setzero_si128());
            totals.sum += (_mm_cvtsi128_si32(sums) + _mm_extract_epi32::<2>(sums)) as u32;
            let inputs = _mm256_cvtepu16_epi32(inputs);
            let zeros = _mm256_cmpeq_epi32(inputs, _mm256_setzero_si256());
            let set = !_mm256_movemask_ps(_mm256_castsi256_ps(zeros)) as u8;
            let members = _mm_loadl_epi64(MEMBERS[set as usize].as_ptr().cast());
            let pairs = _mm256_or_si256(inputs, weights);
            let pairs = _mm256_permutevar8x32_epi32(pairs, _mm256_cvtepu8_epi32(members));
            let end = self.lists[padded].as_mut_ptr().add(totals.pairs as usize);
            _mm256_storeu_si256(end.cast(), pairs);
            totals.pairs += set.count_ones();
            let group_stride = _mm256_set1_epi32(((GROUP * PAIR_STRIDE) << 16) as i32);
            weights = _mm256_add_epi32(weights, group_stride);
        }
        self.totals[padded] = totals;
    }

    /// Joins the lists of the padded cells to the list of a row's im2row.
    ///
    /// # Safety
    /// [`Self::compress`] must have been called, and the input not changed since.
    #[inline(never)] // As above.
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn join_row(&mut self, row: usize) {
        use std::arch::x86_64::*;
        let origin = self.layout.tap_origins[row * self.layout.side];
        let tap_stride = _mm256_set1_epi32((TAP_STRIDE << 16) as i32);
        let (mut weights, mut totals) = (_mm256_setzero_si256(), Totals::default());
        for (entry, offset) in self.layout.im2row.iter().enumerate() {
            *self.prefix.get_unchecked_mut(entry) = totals;
            let list = self.lists.as_ptr().add(origin + offset).cast::<__m256i>();
            let end = self.row.as_mut_ptr().add(totals.pairs as usize);
            let end = end.cast::<__m256i>();
            let of_cell = *self.totals.get_unchecked(origin + offset);
            _mm256_storeu_si256(end, _mm256_add_epi32(_mm256_loadu_si256(list), weights));
            if of_cell.pairs > GROUP as u32 {
                let list = _mm256_loadu_si256(list.add(1));
                _mm256_storeu_si256(end.add(1), _mm256_add_epi32(list, weights));
            }
            weights = _mm256_add_epi32(weights, tap_stride);
            totals.pairs += of_cell.pairs;
            totals.sum += of_cell.sum;
        }
        self.prefix[self.layout.im2row.len()] = totals;
    }

    /// The pairs of the patch around a cell of the joined row, perhaps with some of zeros behind
    /// them, and the sum of their inputs. Their weights are those for the row's first cell,
    /// [`CELL_STRIDE`] too far for each column right of it.
    ///
    /// # Safety
    /// Cells must be taken from the right to the left, each once: what is behind its pairs is
    /// written over.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn patch(&mut self, col: usize) -> (&[InputPair], u32) {
        use std::arch::x86_64::*;
        let (first, last) = (
            self.prefix[col * IM2ROW_STEP],
            self.prefix[col * IM2ROW_STEP + TAPS],
        );
        let (start, end) = (first.pairs as usize, last.pairs as usize);
        let zeros = _mm_set1_epi32(((col * CELL_STRIDE) << 16) as i32);
        _mm_storeu_si128(self.row[end..][..UNROLL].as_mut_ptr().cast(), zeros);
        let pairs = &self.row[start..start + (end - start).next_multiple_of(UNROLL)];
        (pairs, last.sum - first.sum)
    }
}
