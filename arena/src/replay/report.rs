//! The result of a replay as text.

use super::script::ReplayTurns;
use super::Replayed;
use crate::player::Decision;
use crate::probe_report::Fact;
use hex_core::record::counted;
use std::fmt::Write;
use std::time::Duration;

/// The least difference of win probabilities at which a move counts as better or worse. Smaller
/// ones may be noise of the searches.
const NOTABLE: f64 = 0.05;

/// What the report contains.
pub(crate) struct Shown {
    /// True to show also moves that agree with the record and are in time.
    pub(crate) every: bool,
    /// The engine's simulations for a move; 0 for no evaluation.
    pub(crate) simulations: u64,
}

/// The report.
pub(crate) fn text(
    script: &ReplayTurns,
    bot: &str,
    replayed: &[Replayed],
    shown: &Shown,
) -> String {
    let mut out = String::new();
    let place = match &*script.name {
        "" => script.color.to_string(),
        name => format!("{name} ({})", script.color),
    };
    let turns = counted(script.due.len(), "turn");
    let _ = writeln!(out, "{bot} in the place of {place}, {turns}");
    let is_shown = |turn: &&Replayed| {
        shown.every || turn.differs() || turn.is_late() || turn.recorded.is_none()
    };
    let lines: Vec<&Replayed> = replayed.iter().filter(is_shown).collect();
    if !lines.is_empty() {
        let _ = writeln!(
            out,
            "{:>5}  {:<12} {:<12} {:>10}  wins",
            "move", "record", "bot", "time"
        );
    }
    for turn in lines {
        line(&mut out, turn);
    }
    differences(&mut out, replayed, shown);
    times(&mut out, replayed);
    out
}

/// The facts of a probe on this machine, a line each; empty without any.
pub fn probe(machine: &str, facts: &[Fact]) -> String {
    if facts.is_empty() {
        return String::new();
    }
    let mut out = format!("by the probe, {machine} machine:\n");
    for fact in facts {
        let (name, value) = (&fact.name, &fact.value);
        let row = format!("  {name:<14} {value:<38} {}", fact.meaning);
        let _ = writeln!(out, "{}", row.trim_end());
    }
    out
}

fn line(out: &mut String, turn: &Replayed) {
    let recorded = turn
        .recorded
        .map_or("-".to_owned(), |action| action.to_string());
    let answer = match turn.answer {
        Decision::Play(action) if turn.recorded == Some(action) => "same".to_owned(),
        answer => answer.to_string(),
    };
    let late = if turn.is_late() { " late" } else { "" };
    let wins = match turn.opinion {
        Some([before, after]) => wins(before, after),
        None => String::new(),
    };
    let text = format!(
        "{:>5}  {recorded:<12} {answer:<12} {:>7.1} ms{late}  {wins}",
        turn.ply + 1,
        milliseconds(turn.time)
    );
    let _ = writeln!(out, "{}", text.trim_end());
}

/// The values of both moves in percent, and their difference.
fn wins(before: Option<f64>, after: Option<f64>) -> String {
    let [before, after] = [before, after].map(|value| value.map(|value| (100.0 * value).round()));
    let shown = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value} %"));
    let difference = before.zip(after).map(|(before, after)| after - before);
    // Turns -0 into 0.
    let difference = difference.map(|difference| format!(" ({:+})", difference + 0.0));
    let difference = difference.unwrap_or_default();
    format!("{} → {}{difference}", shown(before), shown(after))
}

fn differences(out: &mut String, replayed: &[Replayed], shown: &Shown) {
    let known = replayed.iter().filter(|turn| turn.recorded.is_some());
    let all = known.clone().count();
    let different = known.filter(|turn| turn.differs());
    let _ = write!(
        out,
        "{} of {all} moves differ from the record",
        different.clone().count()
    );
    let changes = different.filter_map(|turn| {
        let [before, after] = turn.opinion?;
        Some(after? - before?)
    });
    let changes: Vec<f64> = changes.collect();
    if !changes.is_empty() {
        let better = changes.iter().filter(|&&change| change >= NOTABLE).count();
        let worse = changes.iter().filter(|&&change| change <= -NOTABLE).count();
        let _ = write!(
            out,
            ": {better} better, {worse} worse by {:.0} % or more, {} alike, by {} each",
            100.0 * NOTABLE,
            changes.len() - better - worse,
            counted(shown.simulations, "simulation")
        );
    }
    out.push('\n');
}

fn times(out: &mut String, replayed: &[Replayed]) {
    let (first, later) = replayed.split_at(replayed.len().min(1));
    let late = replayed.iter().filter(|turn| turn.is_late()).count();
    let mut slowest = Vec::new();
    for (name, turns) in [("first", first), ("slowest later", later)] {
        let slow = turns.iter().max_by_key(|turn| turn.time);
        slowest.extend(slow.map(|turn| {
            format!(
                "{name} answer {:.1} of {:.0} ms",
                milliseconds(turn.time),
                milliseconds(turn.limit)
            )
        }));
    }
    if !slowest.is_empty() {
        let _ = writeln!(out, "times: {}; {late} late", slowest.join(", "));
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
