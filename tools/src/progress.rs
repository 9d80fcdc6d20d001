//! How far a run of many games is, on standard error: a bar with a message on a terminal, plain
//! lines in a pipe. Standard output is for results.

use crate::aside::tell_line;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How often a line is printed where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// How often the bar is redrawn while nothing happens, so that its clocks run.
const TICK: Duration = Duration::from_millis(500);

/// The progress of a run.
pub struct Progress {
    show: Show,
    total: u64,
    /// What is counted, such as `games`.
    unit: &'static str,
    /// Whether a run may end before all of them are done.
    may_end_early: bool,
    started: Instant,
    /// How many a resumed run had already.
    old: u64,
}

enum Show {
    Bar(ProgressBar),
    Lines { last: Instant },
}

impl Progress {
    /// The progress of a run of `total` units, of which `old` are done.
    pub fn new(unit: &'static str, total: u64, old: u64) -> Self {
        let started = Instant::now();
        let show = match std::io::stderr().is_terminal() {
            true => Show::Bar(bar(unit, total, old)),
            false => Show::Lines { last: started },
        };
        Progress {
            show,
            total,
            unit,
            may_end_early: false,
            started,
            old,
        }
    }

    /// The same of a run that may end before all units are done.
    pub fn that_may_end_early(self) -> Self {
        Progress {
            may_end_early: true,
            ..self
        }
    }

    /// Tells that `done` are done, `message` of them, and how long the rest takes.
    pub fn update(&mut self, done: u64, message: String) {
        let message = message + &self.time_left(done);
        match &mut self.show {
            Show::Bar(bar) => {
                bar.set_position(done);
                bar.set_message(message);
            }
            Show::Lines { last } if last.elapsed() >= LINE_EVERY => {
                *last = Instant::now();
                let (total, unit) = (self.total, self.unit);
                tell_line(format_args!("{done}/{total} {unit}: {message}"));
            }
            Show::Lines { .. } => {}
        }
    }

    /// The time that the rest takes at the pace so far; nothing before the first.
    fn time_left(&self, done: u64) -> String {
        let new = done.saturating_sub(self.old);
        if new == 0 {
            return String::new();
        }
        let each = self.started.elapsed().as_secs_f64() / new as f64;
        let seconds = (each * self.total.saturating_sub(done) as f64).round() as u64;
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let at_most = if self.may_end_early { "at most " } else { "" };
        format!(", {at_most}{hours}:{minutes:02}:{seconds:02} left")
    }

    /// Takes the bar away.
    pub fn finish(self) {
        if let Show::Bar(bar) = self.show {
            bar.finish_and_clear();
        }
    }
}

fn bar(unit: &str, total: u64, old: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    let template = format!("{{wide_bar}} {{pos}}/{{len}} {unit}, {{elapsed}}\n{{msg}}");
    bar.set_style(ProgressStyle::with_template(&template).expect("the template is right"));
    bar.set_position(old);
    bar.enable_steady_tick(TICK);
    bar
}
