//! The network's hot loop with SIMD, as a module of its own that works in the memory of another
//! one. There is nothing in it on other machines.

/// Carries out a call of the other module.
///
/// # Safety
/// The call must be as its fields say.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[no_mangle]
pub unsafe extern "C" fn convolve(call: *const hexbot::network::kernel::KernelCall) {
    hexbot::network::simd128::convolve(&*call);
}
