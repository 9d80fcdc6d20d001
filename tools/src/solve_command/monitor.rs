//! What ends a search before it is finished, and how far it is: a line that moves on a terminal,
//! plain lines in a pipe, both on standard error.

use crate::aside::tell_line;
use crate::interruption::{Interrupted, Interruption};
use crate::solver::SearchWatch;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a line is printed where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// How often the bar is redrawn while nothing happens, so that its clock runs.
const TICK: Duration = Duration::from_millis(500);

/// When to give up.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolveLimits {
    /// After so many positions.
    pub nodes: Option<u64>,
    /// After so much time.
    pub time: Option<Duration>,
}

/// How the work ended.
#[derive(Debug)]
pub enum SolveEnd {
    /// All is known that was asked for.
    Solved,
    /// A limit was reached.
    Limit,
    /// Ctrl-C or a request to terminate came.
    Interrupted(Interrupted),
}

/// Watches searches. Clones watch the same.
#[derive(Clone)]
pub struct Monitor(Arc<MonitorState>);

struct MonitorState {
    limits: SolveLimits,
    started: Instant,
    interruption: Interruption,
    bar: Option<ProgressBar>,
    /// Positions that all solvers together have searched.
    searched: AtomicU64,
    /// Lines printed so far.
    lines: AtomicU64,
}

impl Monitor {
    /// Begins to watch; the time counts from now.
    ///
    /// # Errors
    /// If signals cannot be caught.
    pub fn start(limits: SolveLimits) -> std::io::Result<Monitor> {
        let interruption = Interruption::watch()?;
        let bar = std::io::stderr().is_terminal().then(|| bar(limits.nodes));
        Ok(Monitor(Arc::new(MonitorState {
            limits,
            started: Instant::now(),
            interruption,
            bar,
            searched: AtomicU64::new(0),
            lines: AtomicU64::new(0),
        })))
    }

    /// What a solver is to ask at every position. Of several solvers, each has its own.
    pub fn watch(&self) -> SearchWatch {
        let (shared, mut known) = (self.0.clone(), 0);
        Box::new(move |searched| {
            let new = searched - known;
            known = searched;
            shared.look(shared.searched.fetch_add(new, Ordering::Relaxed) + new)
        })
    }

    /// Returns true if a signal has come or the time is over.
    pub fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// How long it has taken so far.
    pub fn elapsed(&self) -> Duration {
        self.0.started.elapsed()
    }

    /// Says what is searched now.
    pub fn show(&self, what: &str) {
        if let Some(bar) = &self.0.bar {
            bar.set_message(what.to_owned());
        }
    }

    /// Prints a line of the result without spoiling the bar.
    pub fn print(&self, print: impl FnOnce() -> std::io::Result<()>) -> std::io::Result<()> {
        match &self.0.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        if let Some(bar) = &self.0.bar {
            bar.finish_and_clear();
        }
    }

    /// How the work ended, which is solved or not.
    pub fn end(&self, is_solved: bool) -> SolveEnd {
        if is_solved {
            return SolveEnd::Solved;
        }
        let what = "interrupted before everything was solved";
        let interrupted = self.0.interruption.error(what);
        interrupted.map_or(SolveEnd::Limit, SolveEnd::Interrupted)
    }
}

impl MonitorState {
    fn is_over(&self) -> bool {
        let late = |limit| self.started.elapsed() >= limit;
        let flag = self.interruption.flag();
        flag.load(Ordering::Relaxed) || self.limits.time.is_some_and(late)
    }

    fn look(&self, searched: u64) -> ControlFlow<()> {
        self.tell(searched);
        let too_many = self.limits.nodes.is_some_and(|most| searched >= most);
        match too_many || self.is_over() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn tell(&self, searched: u64) {
        if let Some(bar) = &self.bar {
            bar.set_position(searched);
            return;
        }
        let due = self.started.elapsed().as_secs() / LINE_EVERY.as_secs();
        if self.lines.fetch_max(due, Ordering::Relaxed) < due {
            let seconds = self.started.elapsed().as_secs();
            tell_line(format_args!("{searched} positions in {seconds} s"));
        }
    }
}

/// A bar up to the limit, or a count where there is none.
fn bar(nodes: Option<u64>) -> ProgressBar {
    let template = match nodes {
        Some(_) => "{wide_bar} {human_pos}/{human_len} positions, {elapsed} {msg}",
        None => "{spinner} {human_pos} positions, {elapsed} {msg}",
    };
    let bar = ProgressBar::with_draw_target(nodes, ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::with_template(template).expect("the template is right"));
    bar.enable_steady_tick(TICK);
    bar
}
