//! The report of a match as text.

use super::tally::{PairingScore, Tally};
use crate::arena::player::FaultKind;
use crate::stats::elo::Estimate;
use crate::stats::sprt::{Sprt, Verdict};
use std::fmt::Write;
use std::time::Duration;

/// `+12.3 ± 8.1`; an infinite difference is told by its finite end.
pub fn elo_text(estimate: Option<Estimate>) -> String {
    match estimate {
        None => "unknown".to_string(),
        Some(e) if e.elo == f64::INFINITY => format!("above {:+.0}", e.low),
        Some(e) if e.elo == f64::NEG_INFINITY => format!("below {:+.0}", e.high),
        Some(e) => format!("{:+.1} ± {:.1}", e.elo, e.error()),
    }
}

/// `LLR 1.23 (-2.94, 2.94) [0, 10]`.
pub fn sprt_text(sprt: Sprt, score: &PairingScore) -> String {
    let (lower, upper) = sprt.bounds();
    let (elo0, elo1) = sprt.hypotheses();
    let verdict = match sprt.verdict(score.pairs) {
        Verdict::Open => "",
        Verdict::H0 => ", H0 accepted",
        Verdict::H1 => ", H1 accepted",
    };
    format!(
        "LLR {:.2} ({lower:.2}, {upper:.2}) [{elo0}, {elo1}]{verdict}",
        sprt.llr(score.pairs)
    )
}

/// The whole report.
pub fn text(names: &[String], tally: &Tally, sprt: Option<Sprt>) -> String {
    let mut out = String::new();
    for score in &tally.pairings {
        pairing(&mut out, names, score, sprt);
    }
    answers(&mut out, names, tally);
    out
}

fn pairing(out: &mut String, names: &[String], score: &PairingScore, sprt: Option<Sprt>) {
    let (a, b) = score.players;
    let (wins, losses): (u64, u64) = (score.wins.iter().sum(), score.losses.iter().sum());
    let games = (wins + losses).max(1) as f64;
    let pairs = score.pairs;
    let _ = writeln!(
        out,
        "{} vs {}: {wins} - {losses} of {} games, {:.1} %",
        names[a],
        names[b],
        wins + losses,
        100.0 * wins as f64 / games
    );
    let _ = writeln!(
        out,
        "  as Red {}-{}, as Blue {}-{}; pairs 2-0: {}, 1-1: {}, 0-2: {}",
        score.wins[0],
        score.losses[0],
        score.wins[1],
        score.losses[1],
        pairs.won,
        pairs.split,
        pairs.lost
    );
    let superiority = pairs.superiority().unwrap_or(0.5);
    let _ = writeln!(
        out,
        "  Elo {} (95 %), LOS {:.1} %",
        elo_text(pairs.elo()),
        100.0 * superiority
    );
    if let Some(sprt) = sprt {
        let _ = writeln!(out, "  {}", sprt_text(sprt, score));
    }
}

fn answers(out: &mut String, names: &[String], tally: &Tally) {
    let width = names
        .iter()
        .map(|name| name.len())
        .max()
        .unwrap_or(0)
        .max(6);
    let _ = writeln!(
        out,
        "{:width$} {:>8} {:>8} {:>8} {:>8} {:>8} {:>5}   faults",
        "player", "answers", "p50 ms", "p99", "p99.9", "max", "late"
    );
    for (name, player) in names.iter().zip(&tally.players) {
        let Some(times) = player.latencies.summary() else {
            let _ = writeln!(out, "{name:width$} {:>8}", 0);
            continue;
        };
        let ms = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1e3);
        let _ = writeln!(
            out,
            "{name:width$} {:>8} {:>8} {:>8} {:>8} {:>8} {:>5}   {}",
            times.count,
            ms(times.p50),
            ms(times.p99),
            ms(times.p999),
            ms(times.max),
            times.late,
            faults_text(player.faults)
        );
    }
}

fn faults_text(faults: [u64; 4]) -> String {
    let parts: Vec<String> = FaultKind::ALL
        .iter()
        .zip(faults)
        .filter(|(_, count)| *count > 0)
        .map(|(kind, count)| format!("{kind} {count}"))
        .collect();
    if parts.is_empty() {
        "none".to_string()
    } else {
        parts.join(", ")
    }
}
