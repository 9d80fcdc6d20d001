//! The network's hot loops with SIMD. It is a separate WebAssembly module, because a module with
//! SIMD cannot be loaded where SIMD is missing. It works in the memory of the main module, which
//! imports these functions: [`hexbot::network::kernel`] describes their arguments. On other
//! machines this crate is empty.

#![cfg(all(target_arch = "wasm32", target_feature = "simd128"))]

mod convolution;
mod dense;
mod sparse;

use hexbot::network::kernel::KernelCall;

/// Carries out a call of the other module.
///
/// # Safety
/// The call must be as its fields say.
#[no_mangle]
pub unsafe extern "C" fn convolve(call: *const KernelCall) {
    convolution::convolve(&*call);
}

/// Pools the activations of a board.
///
/// # Safety
/// There must be as many numbers as the other module says.
#[no_mangle]
pub unsafe extern "C" fn pool(side: usize, activations: *const u8, pooled: *mut u8) {
    dense::pool(side, activations, pooled);
}

/// The sums of products of every cell's patch.
///
/// # Safety
/// There must be as many numbers as the other module says.
#[no_mangle]
pub unsafe extern "C" fn dot_patches(
    side: usize,
    activations: *const u8,
    weights: *const i8,
    sums: *mut i32,
) {
    dense::dot_patches(side, activations, weights, sums);
}
