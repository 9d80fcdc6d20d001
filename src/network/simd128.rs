//! The convolution's SIMD code for WebAssembly, whose vectors have 128 bits. A module with such
//! instructions cannot be loaded where they are missing, so this is a module of its own, the
//! kernel, which works in the memory of the other one: [`crate::network::kernel`] calls it.
//!
//! It leaves out single inputs that are 0, six of seven, not pairs: a vector takes the products of
//! eight outputs, so that one more input costs less here than a pair half of which is zeros. The
//! inputs of a padded cell that are not 0 are moved to the front of its list; the lists of a
//! patch's cells are written one behind the other, each over the unused end of the one before. Sums
//! are added up in 16 bits, as in the code for x86-64, or in 32 where that could overflow.

use crate::network::kernel::{KernelCall, PaddedList, PATCH_ENTRIES};
use crate::network::layout::{ACTIVATION_MAX, SIMD_CHANNELS, TAP_OFFSETS};
use std::arch::wasm32::*;

/// Entries of a list that are copied at once, and outputs whose sums a vector holds.
const LANES: usize = 8;

/// The vectors that all outputs take.
const VECTORS: usize = SIMD_CHANNELS / LANES;

/// The sums of products of all outputs, 16 bits each.
type Sums = [v128; VECTORS];

/// Carries out a call.
///
/// # Safety
/// Everything in it must be as [`KernelCall`] says.
pub unsafe fn convolve(call: &KernelCall) {
    let width = call.side + 2;
    compress(call, width);
    for row in 0..call.side {
        for col in 0..call.side {
            let origin = row * width + col;
            let (length, input_sum) = join_patch(call, origin, width);
            let output = call.output.add((origin + width + 1) * SIMD_CHANNELS);
            if input_sum > call.safe_input_sum {
                store_wide_sums(call, length, output);
            } else {
                store_cell(call, dot_products(call, length), output);
            }
        }
    }
}

/// Makes the lists of all padded cells.
unsafe fn compress(call: &KernelCall, width: usize) {
    for row in 0..width {
        for col in 0..width {
            let is_halo = row == 0 || col == 0 || row == width - 1 || col == width - 1;
            let padded = row * width + col;
            let list = &mut *call.lists.add(padded);
            list.length = 0;
            list.sum = 0;
            if call.has_border_inputs != 0 || !is_halo {
                compress_cell(call.input.add(padded * SIMD_CHANNELS), list);
            }
        }
    }
}

/// Makes the list of a padded cell whose channels begin at `input`.
#[inline(always)]
unsafe fn compress_cell(input: *const u8, list: &mut PaddedList) {
    let positive = |half: usize| {
        let half = v128_load(input.cast::<v128>().add(half));
        u8x16_bitmask(u8x16_gt(half, u8x16_splat(0))) as u32
    };
    let mut set = positive(0) | positive(1) << 16;
    let mut end = list.entries.as_mut_ptr();
    while set != 0 {
        let channel = set.trailing_zeros();
        let value = *input.add(channel as usize);
        *end = value as u16 | (channel as u16) << 8;
        end = end.add(1);
        list.length += 1;
        list.sum += value as u16;
        set &= set - 1;
    }
}

/// Joins the lists of the patch whose tap origin is `origin`. Returns its length and the sum of its
/// inputs.
#[inline(always)]
unsafe fn join_patch(call: &KernelCall, origin: usize, width: usize) -> (usize, u32) {
    let (mut length, mut sum) = (0, 0);
    for (tap, (row, col)) in TAP_OFFSETS.into_iter().enumerate() {
        let list = &*call.lists.add(origin + row * width + col);
        let weights = u16x8_splat(((tap * SIMD_CHANNELS) << 8) as u16);
        let from = list.entries.as_ptr().cast::<v128>();
        let to = call.patch.add(length).cast::<v128>();
        v128_store(to, i16x8_add(v128_load(from), weights));
        for group in 1..VECTORS {
            if list.length as usize <= group * LANES {
                break;
            }
            v128_store(
                to.add(group),
                i16x8_add(v128_load(from.add(group)), weights),
            );
        }
        length += list.length as usize;
        sum += list.sum as u32;
    }
    debug_assert!(length <= PATCH_ENTRIES);
    (length, sum)
}

/// The input of an entry, and where the weights of its outputs begin.
#[inline(always)]
unsafe fn entry(call: &KernelCall, place: usize) -> (i16, *const i16) {
    let entry = *call.patch.add(place);
    let weights = call.weights.add((entry >> 8) as usize * SIMD_CHANNELS);
    ((entry & 0xff) as i16, weights)
}

/// The sums of products of the joined patch for all outputs.
#[inline(always)]
unsafe fn dot_products(call: &KernelCall, length: usize) -> Sums {
    let mut sums = [i16x8_splat(0); VECTORS];
    for place in 0..length {
        let (input, weights) = entry(call, place);
        let input = i16x8_splat(input);
        for (register, sums) in sums.iter_mut().enumerate() {
            let weights = v128_load(weights.cast::<v128>().add(register));
            *sums = i16x8_add(*sums, i16x8_mul(input, weights));
        }
    }
    sums
}

/// Stores the activations of a cell in `output`, which holds the older ones; see
/// [`crate::network::convolution::Requantize`].
#[inline(always)]
unsafe fn store_cell(call: &KernelCall, sums: Sums, output: *mut u8) {
    let mut activations = sums;
    for (register, value) in activations.iter_mut().enumerate() {
        let load = |from: *const i16| v128_load(from.cast::<v128>().add(register));
        let biased = i16x8_add_sat(*value, load(call.biases));
        *value = i16x8_q15mulr_sat(biased, load(call.multipliers));
        if call.residual != 0 {
            let older = u16x8_load_extend_u8x8(output.add(register * LANES));
            *value = i16x8_add_sat(*value, older);
        }
    }
    let limit = u8x16_splat(ACTIVATION_MAX as u8);
    for half in 0..VECTORS / 2 {
        let packed = u8x16_narrow_i16x8(activations[2 * half], activations[2 * half + 1]);
        v128_store(output.cast::<v128>().add(half), u8x16_min(packed, limit));
    }
}

/// The same for a patch whose sums may not fit 16 bits: they are clamped to them with the bias.
#[cold]
unsafe fn store_wide_sums(call: &KernelCall, length: usize, output: *mut u8) {
    for channel in 0..SIMD_CHANNELS {
        let mut sum = *call.biases.add(channel) as i32;
        for place in 0..length {
            let (input, weights) = entry(call, place);
            sum += input as i32 * *weights.add(channel) as i32;
        }
        let sum = sum.clamp(i16::MIN as i32, i16::MAX as i32);
        let scaled = (sum * *call.multipliers.add(channel) as i32 + (1 << 14)) >> 15;
        let output = output.add(channel);
        let older = match call.residual {
            0 => 0,
            _ => *output as i32,
        };
        *output = (scaled + older).clamp(0, ACTIVATION_MAX) as u8;
    }
}
