//! Lists the inputs of a convolution that are not 0, as `hexbot::network::avx2` does for x86-64,
//! but one by one and not in pairs. A vector has the products of eight outputs, so that one more
//! input costs less here than a pair with a zero. Six of seven inputs are 0.

use hexbot::network::kernel::{KernelCall, PaddedList, LANES};
use hexbot::network::layout::SIMD_CHANNELS;
use std::arch::wasm32::*;

/// The distance from the weights of an input to those of the next, in units of eight bytes.
const INPUT_STRIDE: usize = SIMD_CHANNELS * 2 / 8;

/// The distance from the weights of a tap to those of the next, in units of eight bytes.
pub const TAP_STRIDE: usize = SIMD_CHANNELS * INPUT_STRIDE;

/// Makes the lists of all padded cells.
///
/// # Safety
/// The call must be as its fields say.
pub unsafe fn compress(call: &KernelCall, width: usize) {
    for row in 0..width {
        for col in 0..width {
            let is_halo = row == 0 || col == 0 || row == width - 1 || col == width - 1;
            let padded = row * width + col;
            let list = &mut *call.lists.add(padded);
            if call.reads_planes != 0 || !is_halo {
                compress_cell(call, call.input.add(padded * SIMD_CHANNELS), list);
            } else {
                list.length = 0;
            }
        }
    }
}

/// Makes the list of a padded cell whose channels begin at `input`.
#[inline(always)]
unsafe fn compress_cell(call: &KernelCall, input: *const u8, list: &mut PaddedList) {
    let halves = [0, 1].map(|half| v128_load(input.cast::<v128>().add(half)));
    // A signed comparison is one instruction, and no input is above 127.
    let [low, high] = halves.map(|half| i8x16_bitmask(i8x16_gt(half, i8x16_splat(0))) as usize);
    let mut length = 0;
    let mut weights = [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| lane * INPUT_STRIDE as u16);
    let mut weights = v128_load(weights.as_mut_ptr().cast());
    for (inputs, set) in [
        (u16x8_extend_low_u8x16(halves[0]), low & 0xff),
        (u16x8_extend_high_u8x16(halves[0]), low >> LANES),
        (u16x8_extend_low_u8x16(halves[1]), high & 0xff),
        (u16x8_extend_high_u8x16(halves[1]), high >> LANES),
    ] {
        let members = v128_load(call.members.add(set).cast());
        let put = |to: &mut [u16; SIMD_CHANNELS], numbers| {
            v128_store(
                to.as_mut_ptr().add(length).cast(),
                i8x16_swizzle(numbers, members),
            );
        };
        put(&mut list.inputs, inputs);
        put(&mut list.weights, weights);
        weights = u16x8_add(weights, u16x8_splat((LANES * INPUT_STRIDE) as u16));
        length += set.count_ones() as usize;
    }
    list.length = length;
}

/// Joins the lists of the padded cells to the list of a row's im2row, see
/// [`hexbot::network::kernel::IM2ROW_STEP`]. `origin` is the tap origin of the row's first cell.
/// Each list overwrites the unused end of the list before.
///
/// # Safety
/// The lists must have been made.
pub unsafe fn join_row(call: &KernelCall, origin: usize, width: usize) {
    let (mut weights, mut end) = (u16x8_splat(0), 0);
    let mut prefix = call.prefix;
    let mut add = |padded: usize| {
        *prefix = end;
        prefix = prefix.add(1);
        let list = &*call.lists.add(padded);
        let mut done = 0;
        loop {
            let load = |from: &[u16]| v128_load(from.as_ptr().add(done).cast());
            let store = |to: *mut u16, numbers| v128_store(to.add(end + done).cast(), numbers);
            store(call.row_inputs, load(&list.inputs));
            store(call.row_weights, u16x8_add(load(&list.weights), weights));
            done += LANES;
            if list.length <= done {
                break;
            }
        }
        weights = u16x8_add(weights, u16x8_splat(TAP_STRIDE as u16));
        end += list.length;
    };
    for col in 0..width - 1 {
        add(origin + width + col);
        add(origin + col + 1);
        add(origin + 2 * width + col);
    }
    add(origin + 2 * width - 1);
    *prefix = end;
}
