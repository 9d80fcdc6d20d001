//! The clock noise of this machine: how often a thread that only reads the clock is kept from
//! running.
//!
//! Before a match, [`probe`] spins for a moment on as many threads as there will be games. A gap
//! between two readings is time that another program had the core. During the match a
//! [`NoiseWatch`] sleeps on every core and notes how late it is woken, which costs next to nothing.
//! A stall makes an answer seem late by the same time; [`NoiseWatch::stall_beside`] checks whether
//! it did.

use hex_common::system::{cores, stay_on, MachineError};
use hex_common::workers::{at_the_same_time, beside, lock};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Longer gaps between two readings of the clock are another program's time.
const GAP: Duration = Duration::from_micros(200);

/// The watch's sleep.
const NAP: Duration = Duration::from_millis(10);

/// Gaps and late wake-ups above this make limits of 100 ms doubtful: it is most of the safety
/// margin of a bot that uses its whole time.
pub(crate) const DOUBTFUL: Duration = Duration::from_millis(10);

/// A share of lost time above this makes limits of 100 ms doubtful, in thousandths.
pub(crate) const DOUBTFUL_PERMILLE: u128 = 50;

/// The most stalls that a watch remembers; it forgets older ones.
const STALLS_KEPT: usize = 10_000;

/// The width of the classes in which a watch counts.
const CLASS: Duration = Duration::from_micros(100);

/// The number of classes; the last one also counts everything longer.
const CLASSES: usize = 20_000;

/// The result of a probe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Noise {
    /// The longest gap.
    pub(crate) worst: Duration,
    /// All gaps, in thousandths of the time that passed: at most 1,000.
    pub lost_permille: u128,
}

impl Noise {
    /// Returns true if the noise makes limits of 100 ms doubtful.
    pub(crate) fn is_doubtful(self) -> bool {
        self.worst > DOUBTFUL || self.lost_permille > DOUBTFUL_PERMILLE
    }
}

/// Spins on `threads` threads for `time` and returns the worst values.
///
/// # Errors
/// If a thread cannot be started.
pub fn probe(threads: usize, time: Duration) -> Result<Noise, MachineError> {
    let (found, ()) = at_the_same_time(vec![(); threads], |()| spin(time), || {})?;
    Ok(found.into_iter().fold(Noise::default(), |a, b| Noise {
        worst: a.worst.max(b.worst),
        lost_permille: a.lost_permille.max(b.lost_permille),
    }))
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
    // The last gap may end long after `time`, so the share is that of the elapsed time.
    let elapsed = last - start;
    Noise {
        worst,
        lost_permille: lost.as_micros() * 1000 / elapsed.as_micros().max(1),
    }
}

/// A wake-up that was more than [`DOUBTFUL`] late.
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
    /// When the player received its turn.
    pub asked: Instant,
    /// When the answer arrived.
    pub over: Instant,
    /// The time limit.
    pub limit: Duration,
}

/// The total lateness of wake-ups during an answer on the worst core, if the answer would have been
/// in time without it; `None` if the machine is not to blame. A stall may begin while a sleeper
/// sleeps anyway, so it may be longer by a nap than the sleeper notices.
pub fn stall_beside(stalls: &[Stall], answer: LateAnswer) -> Option<Duration> {
    let overrun = (answer.over - answer.asked).saturating_sub(answer.limit);
    let sleepers = late_sleepers(stalls, answer.asked, answer.over).into_iter();
    let to_blame = sleepers.filter(|&(late, stalls)| stalls > 0 && late + stalls * NAP >= overrun);
    to_blame.map(|(late, _)| late).max()
}

/// The total lateness of wake-ups between two moments, on the worst core.
pub(crate) fn lateness_between(stalls: &[Stall], from: Instant, to: Instant) -> Duration {
    let sleepers = late_sleepers(stalls, from, to).into_iter();
    sleepers.map(|(late, _)| late).max().unwrap_or_default()
}

/// The total lateness of each sleeper between two moments, and its number of stalls then.
fn late_sleepers(stalls: &[Stall], from: Instant, to: Instant) -> Vec<(Duration, u32)> {
    let sleepers = stalls.iter().map(|stall| stall.sleeper + 1).max();
    let mut sleepers = vec![(Duration::ZERO, 0); sleepers.unwrap_or(0)];
    for stall in stalls {
        let (due, woken) = (stall.due.max(from), stall.woken.min(to));
        let late = woken.saturating_duration_since(due);
        let (sum, count) = &mut sleepers[stall.sleeper];
        *sum += late;
        *count += u32::from(!late.is_zero());
    }
    sleepers
}

/// Notes in the background how late sleepers are woken.
pub(crate) struct NoiseWatch {
    end: Arc<AtomicBool>,
    seen: Arc<Mutex<Seen>>,
    threads: Vec<JoinHandle<()>>,
}

/// The observations of all sleepers.
struct Seen {
    counts: Vec<u64>,
    worst: Duration,
    stalls: Vec<Stall>,
}

/// How late wake-ups were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lateness {
    /// 99 % were not later than this.
    pub(crate) p99: Duration,
    /// The latest.
    pub(crate) worst: Duration,
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
    /// Starts a watch with one sleeper for each core.
    ///
    /// # Errors
    /// If a thread cannot be started.
    pub(crate) fn start() -> Result<NoiseWatch, MachineError> {
        let end = Arc::new(AtomicBool::new(false));
        let seen = Arc::new(Mutex::new(Seen {
            counts: vec![0; CLASSES],
            worst: Duration::ZERO,
            stalls: Vec::new(),
        }));
        let sleepers = cores().into_iter().enumerate().map(|(sleeper, core)| {
            let (end, seen) = (end.clone(), seen.clone());
            beside(move || {
                stay_on(core);
                while !end.load(Ordering::Relaxed) {
                    let due = Instant::now() + NAP;
                    thread::sleep(NAP);
                    lock(&seen).add(sleeper, due, Instant::now());
                }
            })
        });
        let threads = sleepers.collect::<Result<_, _>>();
        if threads.is_err() {
            // Those that have been started end.
            end.store(true, Ordering::Relaxed);
        }
        Ok(NoiseWatch {
            threads: threads?,
            end,
            seen,
        })
    }

    /// [`stall_beside`] of the stalls so far. First waits two naps, until all sleepers have noted
    /// the time of the answer.
    pub(crate) fn stall_beside(&self, answer: LateAnswer) -> Option<Duration> {
        thread::sleep(2 * NAP);
        stall_beside(&lock(&self.seen).stalls, answer)
    }

    /// The stalls that ended after `begin`. First waits two naps, until all sleepers have noted the
    /// time until now.
    pub(crate) fn stalls_since(&self, begin: Instant) -> Vec<Stall> {
        thread::sleep(2 * NAP);
        let seen = lock(&self.seen);
        let stalls = seen.stalls.iter().copied();
        stalls.filter(|stall| stall.woken > begin).collect()
    }

    /// Ends the watch; `None` if there was no wake-up.
    pub(crate) fn finish(self) -> Option<Lateness> {
        self.end.store(true, Ordering::Relaxed);
        for thread in self.threads {
            // A sleeper that has panicked has no further observations.
            let _ = thread.join();
        }
        lock(&self.seen).lateness()
    }
}
