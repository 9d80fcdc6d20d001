//! Ends searches early, and shows their progress.

use hex_common::finding::Finding;
use hex_common::interruption::Interruption;
use hex_common::progress::Progress;
use hex_core::solver::SearchWatch;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The exit status after a limit.
const LIMIT_REACHED: u8 = 1;

/// The limits of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SolveLimits {
    /// The most positions.
    pub(crate) nodes: Option<u64>,
    /// The longest time.
    pub(crate) time: Option<Duration>,
}

/// Watches searches. Clones share the state.
#[derive(Clone)]
pub(crate) struct Monitor(Arc<MonitorState>);

struct MonitorState {
    limits: SolveLimits,
    started: Instant,
    interruption: Interruption,
    progress: Progress,
    /// Positions that all solvers together have searched.
    searched: AtomicU64,
}

impl Monitor {
    /// Starts a monitor. The time counts from now.
    ///
    /// # Errors
    /// If signals cannot be caught.
    pub(crate) fn start(limits: SolveLimits) -> std::io::Result<Monitor> {
        let interruption = Interruption::watch()?;
        Ok(Monitor(Arc::new(MonitorState {
            limits,
            started: Instant::now(),
            interruption,
            progress: Progress::new("positions", limits.nodes, 0),
            searched: AtomicU64::new(0),
        })))
    }

    /// The watch for one solver.
    pub(crate) fn watch(&self) -> SearchWatch {
        let (shared, mut known) = (self.0.clone(), 0);
        Box::new(move |searched| {
            let new = searched - known;
            known = searched;
            shared.look(shared.searched.fetch_add(new, Ordering::Relaxed) + new)
        })
    }

    /// Returns true if a signal has arrived or the time is over.
    pub(crate) fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// The time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.0.started.elapsed()
    }

    /// Shows what is searched now.
    pub(crate) fn show(&self, what: &str) {
        self.0.progress.say(what.to_owned());
    }

    /// Prints a line of the result without disturbing the progress bar.
    pub(crate) fn print(&self, print: impl FnOnce() -> std::io::Result<()>) -> std::io::Result<()> {
        self.0.progress.suspend(print)
    }

    /// Removes the progress bar.
    pub(crate) fn clear(&self) {
        self.0.progress.finish();
    }

    /// Why the work ended unsolved.
    pub(crate) fn unsolved(&self) -> Finding {
        let what = "interrupted before everything was solved";
        let limit = "a limit was reached before everything was solved; allow more by --nodes or \
                     --seconds";
        let interrupted = self.0.interruption.error(what);
        interrupted.unwrap_or_else(|| Finding::new(LIMIT_REACHED, limit))
    }
}

impl MonitorState {
    fn is_over(&self) -> bool {
        let late = |limit| self.started.elapsed() >= limit;
        let flag = self.interruption.flag();
        flag.load(Ordering::Relaxed) || self.limits.time.is_some_and(late)
    }

    fn look(&self, searched: u64) -> ControlFlow<()> {
        self.progress.advance(searched);
        let too_many = self.limits.nodes.is_some_and(|most| searched >= most);
        if too_many || self.is_over() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
