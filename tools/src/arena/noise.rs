//! How honest clocks are on this machine: does a thread that only looks at the clock always get to run?
//!
//! Before a match, [`probe`] spins for a moment on as many threads as there will be games: a gap
//! between two looks is time in which somebody else had the core. During the match a [`Watch`]
//! sleeps and notes how late it is woken, which costs nothing. An answer can seem late by as much.

use crate::stats::latency::percentile;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Longer gaps than this between two looks at the clock are somebody else's time.
const GAP: Duration = Duration::from_micros(200);

/// The watch's sleep.
const NAP: Duration = Duration::from_millis(10);

/// Gaps and late wake-ups above this make limits of 100 ms doubtful.
pub const DOUBTFUL: Duration = Duration::from_millis(10);

/// A share of time lost above this makes limits of 100 ms doubtful, in thousandths.
pub const DOUBTFUL_PERMILLE: u128 = 50;

/// What a probe found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Noise {
    /// The longest gap.
    pub worst: Duration,
    /// All gaps, in thousandths of the time probed.
    pub lost_permille: u128,
}

impl Noise {
    /// Does it make limits of 100 ms doubtful?
    pub fn is_doubtful(self) -> bool {
        self.worst > DOUBTFUL || self.lost_permille > DOUBTFUL_PERMILLE
    }
}

/// Spins on `threads` threads for `time` and tells the worst of them.
pub fn probe(threads: usize, time: Duration) -> Noise {
    let spinners: Vec<JoinHandle<Noise>> = (0..threads)
        .map(|_| thread::spawn(move || spin(time)))
        .collect();
    let found = spinners
        .into_iter()
        .filter_map(|spinner| spinner.join().ok());
    found.fold(Noise::default(), |a, b| Noise {
        worst: a.worst.max(b.worst),
        lost_permille: a.lost_permille.max(b.lost_permille),
    })
}

fn spin(time: Duration) -> Noise {
    let start = Instant::now();
    let (mut last, mut lost, mut worst) = (start, Duration::ZERO, Duration::ZERO);
    while last - start < time {
        let now = Instant::now();
        let gap = now - last;
        if gap > GAP {
            lost += gap;
            worst = worst.max(gap);
        }
        last = now;
    }
    Noise {
        worst,
        lost_permille: lost.as_micros() * 1000 / time.as_micros().max(1),
    }
}

/// Notes in the background how late sleepers are woken.
pub struct Watch {
    end: Arc<AtomicBool>,
    thread: JoinHandle<Vec<Duration>>,
}

/// How late sleepers were woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lateness {
    /// 99 of 100 were woken no later.
    pub p99: Duration,
    /// The latest.
    pub worst: Duration,
}

impl Watch {
    /// Begins to watch.
    pub fn start() -> Watch {
        let end = Arc::new(AtomicBool::new(false));
        let seen = end.clone();
        let thread = thread::spawn(move || {
            let mut late = Vec::new();
            while !seen.load(Ordering::Relaxed) {
                let begin = Instant::now();
                thread::sleep(NAP);
                late.push(begin.elapsed().saturating_sub(NAP));
            }
            late
        });
        Watch { end, thread }
    }

    /// Ends the watch; `None` if it saw nothing.
    pub fn finish(self) -> Option<Lateness> {
        self.end.store(true, Ordering::Relaxed);
        let mut late = self.thread.join().ok()?;
        late.sort_unstable();
        Some(Lateness {
            p99: percentile(&late, 990)?,
            worst: *late.last()?,
        })
    }
}
