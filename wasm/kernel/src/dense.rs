//! Computations with all activations, zeros included: pooling and the policy head.

use hexbot::network::kernel::LANES;
use hexbot::network::layout::{SIMD_CHANNELS, TAPS, TAP_OFFSETS};
use std::arch::wasm32::*;

/// The number of activations in a vector.
const BYTES: usize = 2 * LANES;

/// The number of vectors of 16-bit numbers for the channels of a cell.
const QUARTERS: usize = SIMD_CHANNELS / LANES;

/// The padded cell's activations.
#[inline(always)]
unsafe fn at(activations: *const u8, side: usize, row: usize, col: usize) -> *const u8 {
    activations.add((row * (side + 2) + col) * SIMD_CHANNELS)
}

/// See [`hexbot::network::kernel`].
///
/// # Safety
/// As there.
pub unsafe fn pool(side: usize, activations: *const u8, pooled: *mut u8) {
    let cells = side * side;
    // 65536 / cells, rounded to the nearest.
    let share = ((0x10000 + cells / 2) / cells) as u32;
    // Half of the channels at a time, so that there are registers for all of it.
    for first in (0..SIMD_CHANNELS).step_by(BYTES) {
        let (mut sums, mut maxima) = ([0; BYTES], u8x16_splat(0));
        for row in 1..=side {
            let mut of_row = [u16x8_splat(0); 2];
            for col in 1..=side {
                let cell = v128_load(at(activations, side, row, col).add(first).cast());
                maxima = u8x16_max(maxima, cell);
                of_row[0] = u16x8_add(of_row[0], u16x8_extend_low_u8x16(cell));
                of_row[1] = u16x8_add(of_row[1], u16x8_extend_high_u8x16(cell));
            }
            let mut lanes = [0u16; BYTES];
            v128_store(lanes.as_mut_ptr().cast(), of_row[0]);
            v128_store(lanes.as_mut_ptr().add(LANES).cast(), of_row[1]);
            for (sum, lane) in sums.iter_mut().zip(lanes) {
                *sum += lane as u32;
            }
        }
        for (channel, sum) in sums.iter().enumerate() {
            *pooled.add(first + channel) = ((sum * share) >> 16) as u8;
        }
        v128_store(pooled.add(SIMD_CHANNELS + first).cast(), maxima);
    }
}

/// See [`hexbot::network::kernel`].
///
/// # Safety
/// As there.
pub unsafe fn dot_patches(side: usize, activations: *const u8, weights: *const i8, sums: *mut i32) {
    let weights: [v128; TAPS * QUARTERS] =
        std::array::from_fn(|place| i16x8_load_extend_i8x8(weights.add(place * LANES)));
    for row in 0..side {
        for col in 0..side {
            let mut sum = i32x4_splat(0);
            for (tap, (down, right)) in TAP_OFFSETS.into_iter().enumerate() {
                let cell = at(activations, side, row + down, col + right);
                for quarter in 0..QUARTERS {
                    let inputs = u16x8_load_extend_u8x8(cell.add(quarter * LANES));
                    let products = i32x4_dot_i16x8(inputs, weights[tap * QUARTERS + quarter]);
                    sum = i32x4_add(sum, products);
                }
            }
            *sums.add(row * side + col) = sum_of_lanes(sum);
        }
    }
}

/// The sum of four numbers.
#[inline(always)]
fn sum_of_lanes(numbers: v128) -> i32 {
    let pairs = i32x4_add(numbers, i32x4_shuffle::<2, 3, 0, 1>(numbers, numbers));
    i32x4_extract_lane::<0>(pairs) + i32x4_extract_lane::<1>(pairs)
}
