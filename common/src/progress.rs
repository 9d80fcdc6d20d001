//! Shows the progress of a long run on standard error: a bar with a message on a terminal, plain
//! lines in a pipe. Standard output is for results.

use crate::aside::tell_line;
use crate::patience::patience;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The interval between lines if standard error is not a terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The interval at which the bar is redrawn between updates, so that its elapsed time advances.
const TICK: Duration = Duration::from_millis(500);

/// The progress of a run.
pub struct Progress {
    show: Show,
    /// The number of units, if it is known.
    total: Option<u64>,
    /// The name of the units, such as `games`.
    unit: &'static str,
    /// Whether the run may end before all units are done.
    may_end_early: bool,
    started: Instant,
    /// The number of units that an earlier run has done.
    old: u64,
    /// The number of units done at the last update.
    done: u64,
}

enum Show {
    Bar(ProgressBar),
    /// The message of the next line, the interval between lines, and its last multiple that has a
    /// line.
    Lines(Mutex<String>, Duration, AtomicU64),
}

impl Progress {
    /// The progress of a run of `total` units, or of a run without end. `old` units are already
    /// done.
    pub fn new(unit: &'static str, total: impl Into<Option<u64>>, old: u64) -> Self {
        let total = total.into();
        let show = if std::io::stderr().is_terminal() {
            Show::Bar(bar(unit, total, old))
        } else {
            Show::Lines(Mutex::default(), patience(LINE_EVERY), AtomicU64::new(0))
        };
        Progress {
            show,
            total,
            unit,
            may_end_early: false,
            started: Instant::now(),
            old,
            done: old,
        }
    }

    /// The same for a run that may end before all units are done.
    pub fn that_may_end_early(self) -> Self {
        Progress {
            may_end_early: true,
            ..self
        }
    }

    /// Shows that `done` units are done, with `message` and the expected time for the rest.
    pub fn update(&mut self, done: u64, message: String) {
        self.done = done;
        let parts = [message, self.time_left(done)];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        self.say(parts.join(", "));
        self.advance(done);
    }

    /// Shows in the same way that one more unit is done.
    pub fn one_more(&mut self, message: String) {
        self.update(self.done + 1, message);
    }

    /// Changes the message.
    pub fn say(&self, message: String) {
        match &self.show {
            Show::Bar(bar) => bar.set_message(message),
            Show::Lines(next, ..) => *next.lock().expect("no panics") = message,
        }
    }

    /// Shows that `done` units are done. It is cheap enough for 100,000 calls a second.
    pub fn advance(&self, done: u64) {
        match &self.show {
            Show::Bar(bar) => bar.set_position(done),
            Show::Lines(message, interval, last) => {
                let elapsed = self.started.elapsed();
                let due = elapsed.div_duration_f64(*interval) as u64;
                if last.fetch_max(due, Ordering::Relaxed) < due {
                    let message = message.lock().expect("no panics");
                    tell_line(self.line(done, elapsed.as_secs(), &message));
                }
            }
        }
    }

    fn line(&self, done: u64, elapsed: u64, message: &str) -> String {
        let of = self
            .total
            .map_or(String::new(), |total| format!("/{total}"));
        let line = format!("{done}{of} {} in {}", self.unit, clock(elapsed));
        match message {
            "" => line,
            message => format!("{line}: {message}"),
        }
    }

    /// The time that the rest takes at the current pace. Empty before the first unit is done, and
    /// for a run without end.
    fn time_left(&self, done: u64) -> String {
        let new = done.saturating_sub(self.old);
        let Some(total) = self.total.filter(|_| new > 0) else {
            return String::new();
        };
        let each = self.started.elapsed().as_secs_f64() / new as f64;
        let left = clock((each * total.saturating_sub(done) as f64).round() as u64);
        let at_most = if self.may_end_early { "at most " } else { "" };
        format!("{at_most}{left} left")
    }

    /// Hides the bar while `print` runs.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.show {
            Show::Bar(bar) => bar.suspend(print),
            Show::Lines(..) => print(),
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Show::Bar(bar) = &self.show {
            bar.finish_and_clear();
        }
    }
}

/// Seconds as hours, minutes and seconds.
fn clock(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{hours}:{minutes:02}:{seconds:02}")
}

fn bar(unit: &str, total: Option<u64>, old: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
    let template = match total {
        Some(_) => format!("{{wide_bar}} {{human_pos}}/{{human_len}} {unit}, {{elapsed}}\n{{msg}}"),
        None => format!("{{spinner}} {{human_pos}} {unit}, {{elapsed}} {{msg}}"),
    };
    bar.set_style(ProgressStyle::with_template(&template).expect("the template is right"));
    bar.set_position(old);
    bar.enable_steady_tick(TICK);
    bar
}
