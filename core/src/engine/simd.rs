//! Work in the same vector instructions as the bot's simulations: [`hexbot::search`] compiles those
//! a second time for processors that have them, and so does this for what several threads do.

/// Work that may be compiled twice. What `run` calls has to be inlined into it, or it is not.
pub trait SimdWork {
    /// What comes out.
    type Output;

    /// Whether there is a copy in AVX2 code. Each takes long to compile.
    const HAS_COPY: bool;

    /// Does the work. Mark it `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Does the work, in AVX2 code if there is a copy in it and the processor has it.
#[inline(always)]
pub fn run<W: SimdWork>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    if W::HAS_COPY && hexbot::search::has_simd() {
        // SAFETY: the features have just been detected.
        return unsafe { run_avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,bmi1")]
fn run_avx2<W: SimdWork>(work: W) -> W::Output {
    work.run()
}
