//! How far a match is, on standard error: a bar with the running score on a terminal, plain lines
//! in a pipe. Standard output is for the report.

use super::report;
use super::schedule::Schedule;
use super::tally::Tally;
use crate::aside::tell_line;
use crate::stats::sprt::Sprt;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// How often a line is printed where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// How often the bar is redrawn while nothing happens, so that its clocks run.
const TICK: Duration = Duration::from_millis(500);

/// The progress of a match.
pub struct Progress {
    show: Show,
    names: Vec<String>,
    total: u64,
    sprt: Option<Sprt>,
    started: Instant,
    /// Games that a resumed match had already.
    old_games: u64,
}

enum Show {
    Bar(ProgressBar),
    Lines { last: Instant },
}

impl Progress {
    /// The progress of a match with `old_games` finished games.
    pub fn new(
        names: Vec<String>,
        schedule: &Schedule,
        old_games: u64,
        sprt: Option<Sprt>,
    ) -> Self {
        let started = Instant::now();
        let show = if std::io::stderr().is_terminal() {
            let bar =
                ProgressBar::with_draw_target(Some(schedule.games()), ProgressDrawTarget::stderr());
            let template = "{wide_bar} {pos}/{len} games, {elapsed}\n{msg}";
            bar.set_style(ProgressStyle::with_template(template).expect("the template is right"));
            bar.set_position(old_games);
            bar.enable_steady_tick(TICK);
            Show::Bar(bar)
        } else {
            Show::Lines { last: started }
        };
        Progress {
            show,
            names,
            total: schedule.games(),
            sprt,
            started,
            old_games,
        }
    }

    /// Tells of the games so far.
    pub fn update(&mut self, tally: &Tally) {
        let message = self.message(tally);
        match &mut self.show {
            Show::Bar(bar) => {
                bar.set_position(tally.games);
                bar.set_message(message);
            }
            Show::Lines { last } if last.elapsed() >= LINE_EVERY => {
                *last = Instant::now();
                tell_line(format_args!(
                    "{}/{} games: {message}",
                    tally.games, self.total
                ));
            }
            Show::Lines { .. } => {}
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        if let Show::Bar(bar) = self.show {
            bar.finish_and_clear();
        }
    }

    fn message(&self, tally: &Tally) -> String {
        let left = self.time_left(tally.games);
        if let [score] = &tally.pairings[..] {
            let test = self.sprt.map_or(String::new(), |sprt| {
                format!(", {}", report::sprt_text(sprt, score.pairs))
            });
            format!(
                "{} {}-{} {}, Elo {}{test}{left}",
                self.names[score.players.0],
                score.wins.iter().sum::<u64>(),
                score.losses.iter().sum::<u64>(),
                self.names[score.players.1],
                report::elo_text(score.pairs.elo()),
            )
        } else {
            format!("{}{left}", report::standings_line(&self.names, tally))
        }
    }

    /// The time that the remaining games take at the pace so far.
    fn time_left(&self, games: u64) -> String {
        let played = games.saturating_sub(self.old_games);
        if played == 0 {
            return String::new();
        }
        let each = self.started.elapsed().as_secs_f64() / played as f64;
        let seconds = (each * self.total.saturating_sub(games) as f64).round() as u64;
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        let at_most = if self.sprt.is_some() { "at most " } else { "" };
        format!(", {at_most}{hours}:{minutes:02}:{seconds:02} left")
    }
}
