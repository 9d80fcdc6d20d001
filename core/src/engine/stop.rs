//! Stops a search on another thread.

use crate::clock::SystemClock;
use hexbot::budget::Clock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Duration;

/// A stop signal for numbered tasks. A program that reads orders while it works numbers them; its
/// "stop" then ends the tasks ordered before it and none ordered after it.
#[derive(Clone, Debug, Default)]
pub struct StopSign {
    /// Tasks with numbers up to this one shall stop.
    stopped: Arc<AtomicU64>,
}

impl StopSign {
    /// Stops the tasks with numbers up to `last`, both running and waiting ones.
    pub fn stop_up_to(&self, last: u64) {
        self.stopped.fetch_max(last, Ordering::SeqCst);
    }

    /// The stop signal as seen by task number `task`, from 1.
    pub fn for_task(&self, task: u64) -> Stop {
        Stop(Source::Sign(self.clone(), task))
    }
}

/// One task's view of what may stop it.
#[derive(Clone, Debug)]
pub struct Stop(Source);

#[derive(Clone, Debug)]
enum Source {
    Never,
    /// A sign, and the task's number.
    Sign(StopSign, u64),
    /// A flag for all that is running.
    Flag(Arc<AtomicBool>),
}

impl Stop {
    /// For work that is never stopped.
    pub fn never() -> Stop {
        Stop(Source::Never)
    }

    /// For work that stops when the flag is set.
    pub fn by_flag(flag: Arc<AtomicBool>) -> Stop {
        Stop(Source::Flag(flag))
    }

    /// Returns true if the task shall stop.
    pub fn is_set(&self) -> bool {
        match &self.0 {
            Source::Never => false,
            Source::Sign(sign, task) => sign.stopped.load(Ordering::SeqCst) >= *task,
            Source::Flag(flag) => flag.load(Ordering::SeqCst),
        }
    }
}

/// The machine's clock. Once the task shall stop it shows [`Duration::MAX`], which ends every
/// budget.
#[derive(Clone, Debug)]
pub struct StoppableClock {
    clock: SystemClock,
    stop: Stop,
}

impl StoppableClock {
    /// A clock that shows zero now.
    pub fn start(stop: &Stop) -> Self {
        StoppableClock {
            clock: SystemClock::start(),
            stop: stop.clone(),
        }
    }

    /// Returns true if the task shall stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.is_set()
    }

    /// The time that has really passed.
    pub fn elapsed(&self) -> Duration {
        self.clock.now()
    }
}

impl Clock for StoppableClock {
    fn now(&self) -> Duration {
        if self.stop.is_set() {
            return Duration::MAX;
        }
        self.clock.now()
    }
}
