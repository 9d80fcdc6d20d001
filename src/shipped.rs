//! The evaluator of the upload: the network with playouts as a fallback, or only playouts in the
//! upload without a network.

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

/// The evaluator of the upload, whose playouts draw from `rng`; and a line for stderr if its
/// network is damaged, else an empty one.
pub fn shipped_evaluator<const N: usize>(
    params: &Params,
    rng: Xoshiro256PlusPlus,
) -> (ShippedEvaluator<N>, String) {
    #[cfg(feature = "network")]
    return FallbackEvaluator::of_file(params, rng, crate::network::weights::shipped().as_ref());
    #[cfg(not(feature = "network"))]
    (PlayoutEvaluator::new(params.bridge_use, rng), String::new())
}
