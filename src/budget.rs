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

/// Permission to run simulations until a moment, or a fixed number of them.
///
/// At first the clock is read after every simulation. Readings become half as frequent while they
/// are less than [`CLOCK_RESOLUTION`] apart, and twice as frequent when they are further apart. So
/// a fast machine does not waste time on the clock, and a slow one exceeds the limit by at most one
/// simulation.
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
    end: End,
    simulations: u64,
    /// The number of simulations at the next reading of the clock, and the number between two
    /// readings.
    next_reading: u64,
    stride: u64,
    last_reading: Duration,
}

#[derive(Clone, Copy)]
enum End {
    At(Duration),
    AfterSimulations(u64),
}

impl<C: Clock> Budget<C> {
    /// Until `limit` has passed since `started`, a reading of the same clock.
    pub fn until(clock: C, started: Duration, limit: Duration) -> Self {
        Self::new(clock, started, End::At(started.saturating_add(limit)))
    }

    /// Exactly `count` simulations, without a time limit.
    pub fn simulations(clock: C, count: u64) -> Self {
        let started = clock.now();
        Self::new(clock, started, End::AfterSimulations(count))
    }

    fn new(clock: C, started: Duration, end: End) -> Self {
        Budget {
            clock,
            started,
            end,
            simulations: 0,
            next_reading: 0,
            stride: 1,
            last_reading: started,
        }
    }

    /// Returns true if one more simulation may be run, and counts it if so.
    #[inline(always)]
    pub fn allows_another(&mut self) -> bool {
        let allowed = match self.end {
            End::AfterSimulations(count) => self.simulations < count,
            End::At(_) if self.simulations < self.next_reading => true,
            End::At(end) => self.read_clock() < end,
        };
        self.simulations += allowed as u64;
        allowed
    }

    /// Makes the budget read the clock before the next simulation, because this one took much
    /// longer than most.
    #[inline(always)]
    pub fn look_soon(&mut self) {
        self.next_reading = self.simulations;
    }

    /// Returns true if the budget limits the time, not the number of simulations.
    pub fn is_timed(&self) -> bool {
        matches!(self.end, End::At(_))
    }

    /// Reads the clock and plans the next reading.
    #[cold]
    fn read_clock(&mut self) -> Duration {
        let now = self.clock.now();
        self.stride = if now.saturating_sub(self.last_reading) < CLOCK_RESOLUTION {
            (self.stride * 2).min(MAX_CLOCK_STRIDE)
        } else {
            (self.stride / 2).max(1)
        };
        self.next_reading = self.simulations + self.stride;
        self.last_reading = now;
        now
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
