//! Shards of games for training, made by several threads: one after the other is taken, and how far
//! the work is stands on standard error, as a bar on a terminal and as plain lines in a pipe.
//! Beside it, what all games for training have in common.

use crate::aside::tell_line;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How many random cells a search that is learnt from deals a share of the priors out to.
pub const NOISE_CELLS: usize = 4;

/// Simulations before noise is added to the priors; the position has its node after them.
pub const BEFORE_NOISE: u64 = 16;

/// A decided position teaches little: searched ones are learnt from between this win probability, 0
/// to 0.5, and its counterpart.
pub const DECIDED: f32 = 0.01;

/// How often a line is printed where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

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
        let progress = ShardProgress::new(self.all, self.done, describe);
        // The shards to come; none after a failure.
        let (shards, failure) = (Mutex::new(Some(shards)), Mutex::new(None));
        // Locked for a moment alone: the others work meanwhile.
        let next = || shards.lock().expect("no panics").as_mut()?.next();
        std::thread::scope(|scope| {
            for _ in 0..self.threads() {
                scope.spawn(|| {
                    while let Some(shard) = next() {
                        match make(shard) {
                            Ok(counts) => progress.add(counts),
                            Err(error) => {
                                *shards.lock().expect("no panics") = None;
                                failure.lock().expect("no panics").get_or_insert(error);
                            }
                        }
                    }
                });
            }
        });
        progress.bar.finish_and_clear();
        failure.into_inner().expect("no panics").map_or(Ok(()), Err)
    }

    fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.threads.unwrap_or_else(cores)
    }
}

/// How far the work is.
struct ShardProgress<F, const K: usize> {
    bar: ProgressBar,
    started: Instant,
    describe: F,
    /// The sums of all counts, and when the last line was printed.
    state: Mutex<([u64; K], Instant)>,
}

impl<F: Fn([u64; K], f64) -> String, const K: usize> ShardProgress<F, K> {
    fn new(all: Option<u64>, done: u64, describe: F) -> Self {
        let bar = ProgressBar::with_draw_target(all, ProgressDrawTarget::stderr());
        let template = match all {
            Some(_) => "{wide_bar} {pos}/{len} shards, {elapsed}\n{msg}",
            None => "{pos} shards, {elapsed}: {msg}",
        };
        bar.set_style(ProgressStyle::with_template(template).expect("the template is right"));
        bar.set_position(done);
        let started = Instant::now();
        ShardProgress {
            bar,
            started,
            describe,
            state: Mutex::new(([0; K], started)),
        }
    }

    /// One more shard is finished.
    fn add(&self, counts: [u64; K]) {
        let mut state = self.state.lock().expect("no panics");
        let (sums, last_line) = &mut *state;
        sums.iter_mut()
            .zip(counts)
            .for_each(|(sum, count)| *sum += count);
        self.bar.inc(1);
        let message = (self.describe)(*sums, self.started.elapsed().as_secs_f64());
        if !std::io::stderr().is_terminal() && last_line.elapsed() >= LINE_EVERY {
            *last_line = Instant::now();
            let all = self
                .bar
                .length()
                .map_or(String::new(), |all| format!("/{all}"));
            tell_line(format_args!(
                "{}{all} shards: {message}",
                self.bar.position()
            ));
        }
        self.bar.set_message(message);
    }
}
