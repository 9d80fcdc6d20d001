//! The figures of a soak: quantiles of answer times, and the causes of late answers.

use super::game::{AnswerLine, Blame, SoakGame};
use crate::player::FaultKind;
use hex_common::stats::latency::percentile;
use hex_core::record::counted;
use std::fmt::{self, Write};

/// The most late answers caused by the bot that the report names.
const NAMED: usize = 10;

/// A wait for a processor above this, in milliseconds, counts as a disturbance. Every answer has
/// shorter ones.
const NOTICEABLE_WAIT_MS: f64 = 1.0;

/// The report of a run.
pub(crate) struct SoakReport {
    /// The number of games.
    pub(crate) games: usize,
    /// The groups of first answers and those of later ones, see [`groups`].
    pub(crate) groups: [[Group; 4]; 2],
    /// Late answers.
    pub(crate) late: LateAnswers,
    /// Games that ended by another fault, in the order of [`FaultKind::ALL`].
    pub(crate) faults: [u64; 4],
    /// The first late answers that the bot caused.
    pub(crate) named: Vec<String>,
}

/// The number of late answers by their cause.
#[derive(Default)]
pub(crate) struct LateAnswers {
    /// In the order of [`Blame::ALL`].
    counts: [u64; 3],
}

impl LateAnswers {
    /// Counts the late answers of a game.
    pub(crate) fn add(&mut self, game: &SoakGame) {
        for blame in game.answers.iter().filter_map(|answer| answer.blame) {
            self.counts[blame as usize] += 1;
        }
    }
}

impl fmt::Display for LateAnswers {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let parts = Blame::ALL.iter().zip(self.counts);
        let parts: Vec<String> = parts
            .map(|(blame, count)| format!("{count} by {}", blame.name()))
            .collect();
        let all = self.counts.iter().sum::<u64>();
        write!(f, "{}: {}", counted(all, "late answer"), parts.join(", "))
    }
}

/// Answers of a kind.
pub(crate) struct Group {
    /// The name of the kind, for people.
    pub(crate) name: &'static str,
    /// Their time limit, in milliseconds; the last answer's if there are several.
    pub(crate) limit: f64,
    /// How long each took, in milliseconds, ascending.
    pub(crate) times: Vec<f64>,
    /// How many were late.
    pub(crate) late: u64,
}

/// Returns true for the answers of a group.
type Filter = fn(&AnswerLine) -> bool;

fn is_stopped(answer: &AnswerLine) -> bool {
    answer.injected_ms > 0.0
}

fn is_hindered(answer: &AnswerLine) -> bool {
    let is_noticed = answer.machine_ms > 0.0 || answer.waited_ms > NOTICEABLE_WAIT_MS;
    is_noticed && !is_stopped(answer)
}

/// The groups of a kind after the group of all: undisturbed answers, those while the machine was
/// busy or stalled, and those while the bot was stopped.
const PARTS: [(&str, Filter); 3] = [
    ("  undisturbed", |answer| {
        !is_stopped(answer) && !is_hindered(answer)
    }),
    ("  machine busy", is_hindered),
    ("  stopped", is_stopped),
];

/// All answers of a kind and its parts.
fn groups(kind: &'static str) -> [(Group, Filter); 4] {
    let [undisturbed, busy, stopped] = PARTS;
    let all: (_, Filter) = (kind, |_| true);
    [all, undisturbed, busy, stopped].map(|(name, filter)| (Group::empty(name), filter))
}

impl SoakReport {
    /// The report of these games.
    pub(crate) fn new(games: &[SoakGame]) -> SoakReport {
        let mut groups = ["first", "later"].map(groups);
        let (mut late, mut faults, mut named) = (LateAnswers::default(), [0; 4], Vec::new());
        for game in games {
            late.add(game);
            let mut asked = [false; 2];
            if let Some(fault) = &game.line.fault {
                faults[fault.kind as usize] += 1;
            }
            for (place, line) in game.answers.iter().enumerate() {
                let color: hexbot::cell::Color = line.color.into();
                let is_first = !std::mem::replace(&mut asked[color.index()], true);
                let kind = &mut groups[usize::from(!is_first)];
                let into = kind.iter_mut().filter(|(_, filter)| filter(line));
                into.for_each(|(group, _)| group.add(line));
                if line.blame == Some(Blame::Bot) && named.len() < NAMED {
                    let (ply, ms) = (game.line.opening + place + 1, line.ms);
                    let limit = line.limit_ms;
                    named.push(format!(
                        "game {}, move {ply}: {ms:.1} ms, the limit is {limit} ms",
                        game.line.id
                    ));
                }
            }
        }
        let mut groups = groups.map(|kind| kind.map(|(group, _)| group));
        let all = groups.iter_mut().flatten();
        all.for_each(|group| group.times.sort_by(f64::total_cmp));
        SoakReport {
            games: games.len(),
            groups,
            late,
            faults,
            named,
        }
    }

    /// The report as text.
    pub(crate) fn text(&self) -> String {
        let mut out = format!("{}\n{}\n\n", counted(self.games, "game"), self.late);
        let _ = writeln!(
            out,
            "{:<15} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>7} {:>5}",
            "answers", "count", "limit", "p50", "p90", "p99", "p99.9", "max", "late"
        );
        for group in self.groups.iter().flatten() {
            let _ = write!(
                out,
                "{:<15} {:>7} {:>7}",
                group.name,
                group.times.len(),
                group.limit
            );
            for figure in group.quantiles() {
                let _ = write!(out, " {figure:>7}");
            }
            let _ = writeln!(out, " {:>5}", group.late);
        }
        out += "in milliseconds; machine busy: it waited for a processor, or sleepers woke late\n";
        for (kind, count) in FaultKind::ALL.iter().zip(self.faults) {
            if count > 0 {
                let _ = writeln!(out, "{} ended by {kind}", counted(count, "game"));
            }
        }
        for line in &self.named {
            let _ = writeln!(out, "the bot's own: {line}");
        }
        out
    }
}

impl Group {
    fn empty(name: &'static str) -> Group {
        Group {
            name,
            limit: 0.0,
            times: Vec::new(),
            late: 0,
        }
    }

    fn add(&mut self, line: &AnswerLine) {
        self.limit = line.limit_ms;
        self.times.push(line.ms);
        self.late += u64::from(line.ms > line.limit_ms);
    }

    /// The median, 90 %, 99 %, 99.9 % and the slowest, in milliseconds.
    pub(crate) fn quantiles(&self) -> [String; 5] {
        [500, 900, 990, 999, 1000].map(|permille| {
            let time = percentile(&self.times, permille);
            time.map_or("-".to_owned(), |ms| format!("{ms:.1}"))
        })
    }
}
