//! What the upload evaluates with: the network with playouts to fall back on, or playouts alone in
//! the upload that has no network.

#[cfg(feature = "network")]
use crate::fallback::FallbackEvaluator;
use crate::params::Params;
#[cfg(not(feature = "network"))]
use crate::playout::PlayoutEvaluator;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The evaluator of the upload.
#[cfg(feature = "network")]
pub type ShippedEvaluator<const N: usize> = FallbackEvaluator<N>;
/// The evaluator of the upload.
#[cfg(not(feature = "network"))]
pub type ShippedEvaluator<const N: usize> = PlayoutEvaluator;

/// The evaluator of the upload, whose playouts draw from `rng`, and a line for stderr if its
/// network is damaged; else empty.
pub fn shipped_evaluator<const N: usize>(
    params: &Params,
    rng: Xoshiro256PlusPlus,
) -> (ShippedEvaluator<N>, String) {
    #[cfg(feature = "network")]
    return FallbackEvaluator::of_file(params, rng, crate::network::weights::shipped().as_ref());
    #[cfg(not(feature = "network"))]
    (PlayoutEvaluator::new(params.bridge_use, rng), String::new())
}
