//! Shards of games for training, made by several threads; and what all games for training have in
//! common.

use hex_common::options;
use hex_common::progress::Progress;
use hex_common::workers;
use std::sync::Mutex;
use std::time::Instant;

/// How many random cells a search that is learnt from deals a share of the priors out to.
pub const NOISE_CELLS: usize = 4;

/// Simulations before noise is added to the priors; the position has its node after them.
pub const BEFORE_NOISE: u64 = 16;

/// A decided position teaches little: searched ones are learnt from between this win probability, 0
/// to 0.5, and its counterpart.
pub const DECIDED: f32 = 0.01;

/// The work there is.
pub struct Work {
    /// Shards in all; `None` if there is no end.
    pub all: Option<u64>,
    /// How many of them are there already.
    pub done: u64,
    /// Threads; `None`: as many as there are cores.
    pub threads: Option<usize>,
}

impl Work {
    /// Makes every shard of `shards` by `make`, which returns some counts. `describe` makes a
    /// phrase of the sums of all counts and the seconds that have passed.
    ///
    /// # Errors
    /// The first error of `make`; no shard is begun after it.
    pub fn run<T: Send, const K: usize>(
        &self,
        shards: impl Iterator<Item = T> + Send,
        make: impl Fn(T) -> anyhow::Result<[u64; K]> + Sync,
        describe: impl Fn([u64; K], f64) -> String + Sync,
    ) -> anyhow::Result<()> {
        let progress = Progress::new("shards", self.all, self.done);
        let (started, sums) = (Instant::now(), Mutex::new([0; K]));
        let workers = vec![(); self.threads.unwrap_or_else(options::all_cores)];
        workers::share_out(progress, shards, workers, |(), shard| {
            let counts = make(shard)?;
            let mut sums = sums.lock().expect("no panics");
            let both = sums.iter_mut().zip(counts);
            both.for_each(|(sum, count)| *sum += count);
            Ok(describe(*sums, started.elapsed().as_secs_f64()))
        })
    }
}
