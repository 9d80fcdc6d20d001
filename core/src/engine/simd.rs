//! A copy of the threads' work for AVX2. [`hexbot::search`] compiles simulations a second time for
//! processors with AVX2; this module does so for the work of several threads.

/// Work that may be compiled twice. Only code that is inlined into `run` is.
pub trait SimdWork {
    /// The result of the work.
    type Output;

    /// Whether the work is also compiled for AVX2. Each copy adds compile time.
    const HAS_COPY: bool;

    /// Does the work. Mark it `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Does the work, in the AVX2 copy if there is one and the processor supports it.
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
