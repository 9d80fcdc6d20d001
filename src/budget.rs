//! The budget of a search: the only module that reads the clock.

use crate::params::{CLOCK_RESOLUTION, MAX_CLOCK_STRIDE};
use std::time::{Duration, Instant};

/// A source of time. Tests use their own.
pub trait Clock {
    /// Time since some fixed moment; never goes back.
    fn now(&self) -> Duration;
}

/// The machine's monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(Instant);

impl SystemClock {
    /// A clock that shows zero now.
    pub fn start() -> Self {
        SystemClock(Instant::now())
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

impl<C: Clock> Clock for &C {
    fn now(&self) -> Duration {
        (*self).now()
    }
}

/// Permission to run simulations until a moment and up to a number of them. What comes first ends
/// it.
///
/// At first the clock is read after every simulation. Readings become half as frequent while they
/// are less than [`CLOCK_RESOLUTION`] apart, and twice as frequent when they are further apart. So
/// a fast machine does not waste time on the clock, and a slow one exceeds the limit by at most one
/// simulation. Without a time limit the clock is read all the same, because one that shows
/// [`Duration::MAX`] ends every budget: so a search is stopped from outside.
///
/// ```
/// use hexbot::budget::{Budget, SystemClock};
/// let mut budget = Budget::simulations(SystemClock::start(), 3);
/// let mut count = 0;
/// while budget.allows_another() {
///     count += 1;
/// }
/// assert_eq!(count, 3);
/// ```
pub struct Budget<C> {
    clock: C,
    started: Duration,
    end: Duration,
    most: u64,
    simulations: u64,
    /// The number of simulations at the next reading of the clock, and the number between two
    /// readings.
    next_reading: u64,
    stride: u64,
    last_reading: Duration,
}

impl<C: Clock> Budget<C> {
    /// Until `limit` has passed since `started`, a reading of the same clock.
    pub fn until(clock: C, started: Duration, limit: Duration) -> Self {
        Self::new(clock, started, limit, u64::MAX)
    }

    /// Exactly `count` simulations, without a time limit.
    pub fn simulations(clock: C, count: u64) -> Self {
        let started = clock.now();
        Self::new(clock, started, Duration::MAX, count)
    }

    /// Until `limit` has passed since `started`, a reading of the same clock, and at most `most`
    /// simulations. [`Duration::MAX`] is no time limit.
    pub fn new(clock: C, started: Duration, limit: Duration, most: u64) -> Self {
        Budget {
            clock,
            started,
            end: started.saturating_add(limit),
            most,
            simulations: 0,
            next_reading: 0,
            stride: 1,
            last_reading: started,
        }
    }

    /// Returns true if one more simulation may be run, and counts it if so.
    #[inline(always)]
    pub fn allows_another(&mut self) -> bool {
        let allowed = self.simulations < self.next_reading || self.is_open();
        self.simulations += allowed as u64;
        allowed
    }

    #[cold]
    fn is_open(&mut self) -> bool {
        self.simulations < self.most && {
            self.read_clock();
            self.last_reading < self.end
        }
    }

    /// Returns true if the budget limits the time.
    pub fn is_timed(&self) -> bool {
        self.end < Duration::MAX
    }

    /// Reads the clock and plans the next reading. Returns the time since the last one. Call it
    /// after anything that takes much longer than most simulations, so that an end is seen at once.
    pub fn read_clock(&mut self) -> Duration {
        let now = self.clock.now();
        let passed = now.saturating_sub(self.last_reading);
        self.stride = if passed < CLOCK_RESOLUTION {
            (self.stride * 2).min(MAX_CLOCK_STRIDE)
        } else {
            (self.stride / 2).max(1)
        };
        self.last_reading = now;
        self.next_reading = if now < self.end {
            self.most.min(self.simulations + self.stride)
        } else {
            0
        };
        passed
    }

    /// How many simulations have been allowed.
    pub fn simulations_run(&self) -> u64 {
        self.simulations
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.clock.now().saturating_sub(self.started)
    }
}
