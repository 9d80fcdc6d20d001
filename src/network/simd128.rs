//! The convolution's SIMD code for WebAssembly, whose vectors have 128 bits. It leaves out single
//! inputs that are 0, six of seven, not pairs: a vector takes the products of eight outputs, so that
//! one more input costs less here than a pair half of which is zeros.
//!
//! The inputs of a padded cell that are not 0 are moved to the front of its list; the lists of a
//! patch's cells are written one behind the other, each over the unused end of the one before. SimdSums
//! are added up in 16 bits, as in the code for x86-64.

use crate::network::layout::{PaddedLayout, SIMD_CHANNELS, TAPS};
use std::arch::wasm32::*;

/// Entries of a list that are copied at once.
const GROUP: usize = 8;

/// The number of outputs whose sums a vector holds.
pub const LANES: usize = 8;

/// The sums of products of all outputs, 16 bits each.
pub type SimdSums = [v128; SIMD_CHANNELS / LANES];

/// An input that is not 0 in the low byte; above it the place of its weights among those of a
/// patch, `tap · SIMD_CHANNELS + input`.
pub type Entry = u16;

/// How many inputs of a padded cell are not 0, and their sum.
#[derive(Clone, Copy, Default)]
struct Totals {
    entries: u16,
    sum: u16,
}

/// The inputs of a convolution that are not 0.
#[derive(Default)]
pub struct SparseInputs {
    /// The entries of each padded cell, as those of the first tap; anything behind their end.
    /// `[padded cells][channels]`
    lists: Vec<[Entry; SIMD_CHANNELS]>,
    /// What the list of each padded cell holds. `[padded cells]`
    totals: Vec<Totals>,
    /// The lists of a patch, one behind the other. `[taps · channels]`
    patch: Vec<Entry>,
}

impl SparseInputs {
    /// Memory for the convolutions of a board with so many padded cells.
    pub fn new(padded_cells: usize) -> Self {
        SparseInputs {
            lists: vec![[0; SIMD_CHANNELS]; padded_cells],
            totals: vec![Totals::default(); padded_cells],
            patch: vec![0; TAPS * SIMD_CHANNELS],
        }
    }

    /// Makes the lists of all padded cells from `input`, `[padded cells][SIMD_CHANNELS]`. The halo
    /// is taken for 0 unless `has_border_inputs`.
    pub fn compress(&mut self, layout: &PaddedLayout, input: &[u8], has_border_inputs: bool) {
        if has_border_inputs {
            for padded in 0..layout.padded_cells {
                self.compress_cell(padded, input);
            }
        } else {
            self.totals.fill(Totals::default());
            for cell in 0..layout.tap_origins.len() {
                self.compress_cell(layout.padded(cell), input);
            }
        }
    }

    /// Makes the list of a padded cell.
    #[inline(always)]
    fn compress_cell(&mut self, padded: usize, input: &[u8]) {
        let input = &input[padded * SIMD_CHANNELS..][..SIMD_CHANNELS];
        // SAFETY: there are 32 bytes.
        let halves =
            [0, 1].map(|half| unsafe { v128_load(input.as_ptr().cast::<v128>().add(half)) });
        let [low, high] = halves.map(|half| i8x16_bitmask(i8x16_ne(half, i8x16_splat(0))) as u32);
        let mut set = low | high << 16;
        let (list, mut totals) = (&mut self.lists[padded], Totals::default());
        while set != 0 {
            let channel = set.trailing_zeros() as usize;
            let value = input[channel] as u16;
            list[totals.entries as usize % SIMD_CHANNELS] = value | (channel as u16) << 8;
            totals.entries += 1;
            totals.sum += value;
            set &= set - 1;
        }
        self.totals[padded] = totals;
    }

    /// The entries of the patch around a cell, given by its index on the board, and the sum of
    /// their inputs. The lists must have been made of the same layout.
    #[inline(always)]
    pub fn patch(&mut self, layout: &PaddedLayout, cell: usize) -> (&[Entry], u32) {
        let (origin, mut end, mut sum) = (layout.tap_origins[cell], 0, 0);
        for (tap, offset) in layout.tap_offsets.iter().enumerate() {
            let (list, totals) = (&self.lists[origin + offset], self.totals[origin + offset]);
            let weights = u16x8_splat((tap * SIMD_CHANNELS) as u16 * 256);
            let first = list.as_ptr().cast::<v128>();
            // Taps before this one have filled all of their parts of the patch at most.
            let to = self.patch[end..][..SIMD_CHANNELS]
                .as_mut_ptr()
                .cast::<v128>();
            // SAFETY: a list, and what is left of the patch, have room for SIMD_CHANNELS entries.
            unsafe { v128_store(to, i16x8_add(v128_load(first), weights)) };
            for group in 1..(totals.entries as usize)
                .div_ceil(GROUP)
                .min(SIMD_CHANNELS / GROUP)
            {
                // SAFETY: as above.
                unsafe {
                    v128_store(
                        to.add(group),
                        i16x8_add(v128_load(first.add(group)), weights),
                    )
                };
            }
            end += totals.entries as usize;
            sum += totals.sum as u32;
        }
        (&self.patch[..end], sum)
    }
}

/// The sums of products of `entries` for all outputs; `weights` has the shape
/// `[taps][inputs][outputs]`.
///
/// # Safety
/// All entries must have weights there.
#[inline(always)]
pub unsafe fn dot_products(entries: &[Entry], weights: &[i16]) -> SimdSums {
    let mut sums = [i16x8_splat(0); SIMD_CHANNELS / LANES];
    for entry in entries {
        let input = i16x8_splat((entry & 0xff) as i16);
        let weights = weights.as_ptr().add((entry >> 8) as usize * SIMD_CHANNELS);
        for (register, sums) in sums.iter_mut().enumerate() {
            let weights = v128_load(weights.cast::<v128>().add(register));
            *sums = i16x8_add(*sums, i16x8_mul(input, weights));
        }
    }
    sums
}
