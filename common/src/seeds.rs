//! Random numbers for the parts of a run. They do not depend on the order of the parts.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A generator for part `number` of a run with this seed, independent of the others.
pub fn generator(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    let offset = Xoshiro256PlusPlus::seed_from_u64(seed).next_u64();
    Xoshiro256PlusPlus::seed_from_u64(offset.wrapping_add(number))
}
