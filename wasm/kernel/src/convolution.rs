//! The same convolution as [`hexbot::network::convolution`], but from the outputs to the inputs:
//! each cell gathers the inputs of its patch. Sums have 16 bits and wrap around.

use crate::sparse::{compress, join_row, TAP_STRIDE};
use hexbot::network::kernel::{KernelCall, IM2ROW_STEP, LANES};
use hexbot::network::layout::{ACTIVATION_MAX, SIMD_CHANNELS, TAPS};
use std::arch::wasm32::*;

/// The number of vectors for all outputs.
const VECTORS: usize = SIMD_CHANNELS / LANES;

/// The number of inputs of a patch in a round. With more, there are too few registers for the
/// values that the compiler loads ahead.
const UNROLL: usize = 2;

/// The distance between the weights of a cell's inputs in a row's im2row and those of its left
/// neighbour, in units of eight bytes.
const CELL_STRIDE: usize = IM2ROW_STEP * TAP_STRIDE;

/// The sums of products of all outputs, 16 bits each.
type Sums = [v128; VECTORS];

/// Carries out a call.
///
/// # Safety
/// All fields must be valid, see [`KernelCall`].
pub unsafe fn convolve(call: &KernelCall) {
    let width = call.side + 2;
    compress(call, width);
    for row in 0..call.side {
        let origin = row * width;
        join_row(call, origin, width);
        // From right to left, because each round overwrites the bytes after the inputs of a patch.
        for col in (0..call.side).rev() {
            let first = *call.prefix.add(IM2ROW_STEP * col);
            let last = *call.prefix.add(IM2ROW_STEP * col + TAPS);
            let output = call.output.add((origin + col + width + 1) * SIMD_CHANNELS);
            store_cell(call, dot_products(call, first, last, col), output);
        }
    }
}

/// The sums of products of a patch, which is a part of the joined row, for all outputs.
#[inline(always)]
unsafe fn dot_products(call: &KernelCall, first: usize, last: usize, col: usize) -> Sums {
    let ahead = col * CELL_STRIDE;
    // The last round may contain zeros.
    v128_store(call.row_inputs.add(last).cast(), u16x8_splat(0));
    v128_store(call.row_weights.add(last).cast(), u16x8_splat(ahead as u16));
    let weights = call.weights.cast::<u64>().wrapping_sub(ahead);
    let mut sums = [i16x8_splat(0); VECTORS];
    let (mut inputs, mut places) = (call.row_inputs.add(first), call.row_weights.add(first));
    let end = call.row_inputs.add(last);
    while inputs < end {
        for place in 0..UNROLL {
            let input = v128_load16_splat(inputs.add(place).cast());
            let weights = weights.wrapping_add(*places.add(place) as usize);
            for (register, sums) in sums.iter_mut().enumerate() {
                let weights = v128_load(weights.cast::<v128>().add(register));
                *sums = i16x8_add(*sums, i16x8_mul(input, weights));
            }
        }
        (inputs, places) = (inputs.add(UNROLL), places.add(UNROLL));
    }
    sums
}

/// Replaces the old activations of a cell in `output` by the new ones, see
/// [`hexbot::network::requantize`].
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
