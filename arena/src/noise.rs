//! How honest clocks are on this machine: does a thread that only looks at the clock always get to
//! run?
//!
//! Before a match, [`probe`] spins for a moment on as many threads as there will be games: a gap
//! between two looks is time in which somebody else had the core. During the match a [`NoiseWatch`]
//! sleeps on every core and notes how late it is woken, which costs nothing. An answer can seem
//! late by as much; [`NoiseWatch::stall_beside`] tells whether one did.

use hex_common::system::{cores, stay_on};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Longer gaps than this between two looks at the clock are somebody else's time.
const GAP: Duration = Duration::from_micros(200);

/// The watch's sleep.
const NAP: Duration = Duration::from_millis(10);

/// Gaps and late wake-ups above this make limits of 100 ms doubtful: it is most of what a bot that
/// thinks as long as it may keeps in hand.
pub const DOUBTFUL: Duration = Duration::from_millis(10);

/// A share of time lost above this makes limits of 100 ms doubtful, in thousandths.
pub const DOUBTFUL_PERMILLE: u128 = 50;

/// Stalls that a watch remembers; older ones are forgotten.
const STALLS_KEPT: usize = 10_000;

/// The classes in which a watch counts, each so wide.
const CLASS: Duration = Duration::from_micros(100);

/// How many classes there are; the last has everything longer, too.
const CLASSES: usize = 20_000;

/// What a probe found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Noise {
    /// The longest gap.
    pub worst: Duration,
    /// All gaps, in thousandths of the time that passed: at most 1,000.
    pub lost_permille: u128,
}

impl Noise {
    /// Returns true if the noise makes limits of 100 ms doubtful.
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
    // The last gap may end long after `time`: its share is of the time that has passed.
    let elapsed = last - start;
    Noise {
        worst,
        lost_permille: lost.as_micros() * 1000 / elapsed.as_micros().max(1),
    }
}

/// A sleeper that was woken more than [`DOUBTFUL`] late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stall {
    /// The sleeper's number.
    pub sleeper: usize,
    /// When it should have been woken.
    pub due: Instant,
    /// When it was woken.
    pub woken: Instant,
}

/// An answer that came after its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateAnswer {
    /// When the question was asked.
    pub asked: Instant,
    /// When the answer was there.
    pub over: Instant,
    /// How long it might have taken.
    pub limit: Duration,
}

/// How late the sleepers beside an answer were woken in all, if the answer would have been in time
/// but for that; `None` if the machine is not to blame. A stall may begin while a sleeper sleeps
/// anyway, so it is longer by up to a nap than what the sleeper sees of it.
pub fn stall_beside(stalls: &[Stall], answer: LateAnswer) -> Option<Duration> {
    let beside = |stall: &Stall| {
        let (from, to) = (stall.due.max(answer.asked), stall.woken.min(answer.over));
        to.saturating_duration_since(from)
    };
    let sleepers = stalls.iter().map(|stall| stall.sleeper).max()? + 1;
    let mut late = vec![Duration::ZERO; sleepers];
    let mut unseen = vec![Duration::ZERO; sleepers];
    for stall in stalls.iter().filter(|stall| !beside(stall).is_zero()) {
        late[stall.sleeper] += beside(stall);
        unseen[stall.sleeper] += NAP;
    }
    let overrun = (answer.over - answer.asked).saturating_sub(answer.limit);
    let sleepers = late.into_iter().zip(unseen);
    let to_blame = sleepers.filter(|&(late, unseen)| !late.is_zero() && late + unseen >= overrun);
    to_blame.map(|(late, _)| late).max()
}

/// How late sleepers were woken between two moments in all, on the core where it was the most.
pub fn lateness_between(stalls: &[Stall], from: Instant, to: Instant) -> Duration {
    let sleepers = stalls.iter().map(|stall| stall.sleeper + 1).max();
    let mut late = vec![Duration::ZERO; sleepers.unwrap_or(0)];
    for stall in stalls {
        let (due, woken) = (stall.due.max(from), stall.woken.min(to));
        late[stall.sleeper] += woken.saturating_duration_since(due);
    }
    late.into_iter().max().unwrap_or_default()
}

/// Notes in the background how late sleepers are woken.
pub struct NoiseWatch {
    end: Arc<AtomicBool>,
    seen: Arc<Mutex<Seen>>,
    threads: Vec<JoinHandle<()>>,
}

/// What the sleepers have seen.
struct Seen {
    counts: Vec<u64>,
    worst: Duration,
    stalls: Vec<Stall>,
}

/// How late sleepers were woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lateness {
    /// 99 of 100 were woken no later.
    pub p99: Duration,
    /// The latest.
    pub worst: Duration,
}

impl Seen {
    fn add(&mut self, sleeper: usize, due: Instant, woken: Instant) {
        let late = woken.saturating_duration_since(due);
        let class = (late.as_micros() / CLASS.as_micros()) as usize;
        self.counts[class.min(CLASSES - 1)] += 1;
        self.worst = self.worst.max(late);
        if late > DOUBTFUL {
            if self.stalls.len() >= STALLS_KEPT {
                self.stalls.drain(..STALLS_KEPT / 2);
            }
            self.stalls.push(Stall {
                sleeper,
                due,
                woken,
            });
        }
    }

    fn lateness(&self) -> Option<Lateness> {
        let all: u64 = self.counts.iter().sum();
        let mut below = 0;
        let class = self.counts.iter().position(|count| {
            below += count;
            below * 100 >= all * 99
        })?;
        (all > 0).then(|| Lateness {
            p99: (CLASS * (class as u32 + 1)).min(self.worst),
            worst: self.worst,
        })
    }
}

impl NoiseWatch {
    /// Begins to watch.
    pub fn start() -> NoiseWatch {
        let end = Arc::new(AtomicBool::new(false));
        let seen = Arc::new(Mutex::new(Seen {
            counts: vec![0; CLASSES],
            worst: Duration::ZERO,
            stalls: Vec::new(),
        }));
        let sleepers = cores().into_iter().enumerate().map(|(sleeper, core)| {
            let (end, seen) = (end.clone(), seen.clone());
            thread::spawn(move || {
                stay_on(core);
                while !end.load(Ordering::Relaxed) {
                    let due = Instant::now() + NAP;
                    thread::sleep(NAP);
                    lock(&seen).add(sleeper, due, Instant::now());
                }
            })
        });
        let threads = sleepers.collect();
        NoiseWatch { end, seen, threads }
    }

    /// [`stall_beside`] of the stalls so far. Waits until all sleepers have told of the time of the
    /// answer.
    pub fn stall_beside(&self, answer: LateAnswer) -> Option<Duration> {
        thread::sleep(2 * NAP);
        stall_beside(&lock(&self.seen).stalls, answer)
    }

    /// The stalls that ended after `begin`. Waits until all sleepers have told of the time until
    /// now.
    pub fn stalls_since(&self, begin: Instant) -> Vec<Stall> {
        thread::sleep(2 * NAP);
        let seen = lock(&self.seen);
        let stalls = seen.stalls.iter().copied();
        stalls.filter(|stall| stall.woken > begin).collect()
    }

    /// Ends the watch; `None` if it saw nothing.
    pub fn finish(self) -> Option<Lateness> {
        self.end.store(true, Ordering::Relaxed);
        for thread in self.threads {
            // One that has panicked has nothing to tell.
            let _ = thread.join();
        }
        lock(&self.seen).lateness()
    }
}

fn lock(seen: &Mutex<Seen>) -> MutexGuard<'_, Seen> {
    seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}
