//! The evaluator of the upload: the network with playouts as a fallback, or only playouts in the
//! upload without a network.

use crate::params::Params;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The evaluator of the upload.
#[cfg(feature = "network")]
pub type ShippedEvaluator<const N: usize> = crate::fallback::FallbackEvaluator<N>;
/// The evaluator of the upload.
#[cfg(not(feature = "network"))]
pub type ShippedEvaluator<const N: usize> = crate::playout::PlayoutEvaluator;

/// The evaluator of the upload, whose playouts draw from `rng`; and a line for stderr if its
/// network is damaged, else an empty one.
pub fn shipped_evaluator<const N: usize>(
    params: &Params,
    rng: Xoshiro256PlusPlus,
) -> (ShippedEvaluator<N>, String) {
    #[cfg(feature = "network")]
    return ShippedEvaluator::of_file(params, rng, crate::network::weights::shipped().as_ref());
    #[cfg(not(feature = "network"))]
    (
        ShippedEvaluator::<N>::new(params.bridge_use, rng),
        String::new(),
    )
}
