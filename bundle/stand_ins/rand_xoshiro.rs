// Stand-in for rand_xoshiro 0.8's Xoshiro256PlusPlus (Blackman and Vigna 2018), which is seeded by
// SplitMix64 (Steele, Lea and Flood 2014).
use super::rand::{Rng, SeedableRng};

#[derive(Clone)]
pub struct Xoshiro256PlusPlus {
    state: [u64; 4],
}

impl SeedableRng for Xoshiro256PlusPlus {
    fn seed_from_u64(mut seed: u64) -> Self {
        let state = std::array::from_fn(|_| {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ mixed >> 31
        });
        Xoshiro256PlusPlus { state }
    }
}

impl Rng for Xoshiro256PlusPlus {
    #[inline(always)]
    fn next_u64(&mut self) -> u64 {
        let [a, b, c, d] = self.state;
        let result = a.wrapping_add(d).rotate_left(23).wrapping_add(a);
        let (c, d) = (c ^ a, d ^ b);
        self.state = [a ^ d, b ^ c, c ^ b << 17, d.rotate_left(45)];
        result
    }
}
