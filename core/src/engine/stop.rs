//! A way to tell a search on another thread to come to an end.

use crate::clock::SystemClock;
use hexbot::budget::Clock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::Duration;

/// Numbers the tasks of a program that reads its orders while it works, so that "stop" reaches the
/// orders given before it and none given after it, however far the work has come.
#[derive(Clone, Debug, Default)]
pub struct StopSign {
    /// Tasks up to this number are to stop.
    stopped: Arc<AtomicU64>,
}

impl StopSign {
    /// Stops the tasks with numbers up to `last`, running or still waiting.
    pub fn stop_up_to(&self, last: u64) {
        self.stopped.fetch_max(last, Ordering::SeqCst);
    }

    /// What task number `task`, from 1, looks at to see whether it is to stop.
    pub fn for_task(&self, task: u64) -> Stop {
        Stop {
            sign: Some(self.clone()),
            task,
        }
    }
}

/// One task's view of a [`StopSign`].
#[derive(Clone, Debug)]
pub struct Stop {
    sign: Option<StopSign>,
    task: u64,
}

impl Stop {
    /// For work that nobody stops.
    pub fn never() -> Stop {
        Stop {
            sign: None,
            task: 0,
        }
    }

    /// Returns true if the task may be stopped at some time.
    pub fn may_come(&self) -> bool {
        self.sign.is_some()
    }

    /// Returns true if the task is to stop.
    pub fn is_set(&self) -> bool {
        let stopped = |sign: &StopSign| sign.stopped.load(Ordering::SeqCst) >= self.task;
        self.sign.as_ref().is_some_and(stopped)
    }
}

/// The machine's clock, which shows the end of all time once the task is to stop: so every time
/// limit is over.
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

    /// Returns true if the task is to stop.
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
