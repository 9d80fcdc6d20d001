// Stand-in for the part of the crate rand 0.10 that src/ uses.
pub trait Rng {
    fn next_u64(&mut self) -> u64;
}

pub trait SeedableRng: Sized {
    fn seed_from_u64(seed: u64) -> Self;
}
