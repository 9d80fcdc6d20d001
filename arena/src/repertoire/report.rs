//! The openings and the suggestions as text.

use super::count::{OpeningTally, Repertoire, Score, SwapAdvice, SwapHabits};
use super::Values;
use hex_core::record::{counted, AnyCell};
use std::fmt::Write;

/// Fewer games than this get a remark.
const FEW: u64 = 10;

/// The most openings that a table shows.
const SHOWN: usize = 20;

/// The report.
pub(crate) fn text(
    player: &str,
    openings: &Repertoire,
    values: &Values,
    simulations: u64,
) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{player}: {} counted, {} not{}; engine: {} an opening",
        counted(openings.games, "game"),
        openings.left_out,
        few(openings.games),
        counted(simulations, "simulation")
    );
    theirs(&mut out, openings, values);
    own(&mut out, openings, values);
    out
}

/// A remark if there are few games.
fn few(games: u64) -> &'static str {
    match games {
        0 => ", no game",
        1..FEW => ", few games",
        _ => "",
    }
}

fn percent(value: f64) -> String {
    format!("{:.0} %", 100.0 * value)
}

/// Wins of games, `7/12`.
fn wins(score: Score) -> String {
    format!("{}/{}", score.won, score.games)
}

fn value(values: &Values, opening: AnyCell) -> f64 {
    values.get(&opening).copied().unwrap_or(0.5)
}

/// The openings, the most frequent first.
fn by_games<'a>(
    tallies: impl Iterator<Item = (&'a AnyCell, &'a OpeningTally)>,
) -> Vec<(AnyCell, &'a OpeningTally)> {
    let mut rows: Vec<_> = tallies.map(|(opening, tally)| (*opening, tally)).collect();
    rows.sort_by_key(|(opening, tally)| (std::cmp::Reverse(tally.all().games), *opening));
    rows
}

/// The opponents' openings, and whether to swap.
fn theirs(out: &mut String, openings: &Repertoire, values: &Values) {
    let rows = by_games(openings.theirs.iter());
    let games: u64 = rows.iter().map(|(_, tally)| tally.all().games).sum();
    let (remark, games) = (few(games), counted(games, "game"));
    let _ = writeln!(out, "\nopponents open, {games}{remark}");
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "  {:<5} {:>6} {:>9}  {:>9} {:>9}  {:>8} {:>8}  expected",
        "", "games", "opponents", "won after", "without", "engine:", "without"
    );
    let _ = writeln!(
        out,
        "  {:<5} {:>6} {:>9}  {:>9} {:>9}  {:>8} {:>8}",
        "", "", "", "a swap", "", "swap", ""
    );
    for &(opening, tally) in rows.iter().take(SHOWN) {
        let red = value(values, opening);
        let advice = SwapAdvice::new(tally, red);
        let choice = if advice.swap > advice.keep {
            format!("swap, {}", percent(advice.swap))
        } else {
            format!("no swap, {}", percent(advice.keep))
        };
        let _ = writeln!(
            out,
            "  {:<5} {:>6} {:>9}  {:>9} {:>9}  {:>8} {:>8}  {choice}{}",
            opening.to_string(),
            tally.all().games,
            tally.opponents.len(),
            wins(tally.swapped),
            wins(tally.kept),
            percent(red),
            percent(1.0 - red),
            few(tally.all().games)
        );
    }
    more(out, rows.len());
}

/// The player's openings, the opponents' answers, and the best opening.
fn own(out: &mut String, openings: &Repertoire, values: &Values) {
    let habits = SwapHabits::of(&openings.own, |opening| value(values, opening));
    let nothing = OpeningTally::default();
    let tally = |opening: &AnyCell| openings.own.get(opening).unwrap_or(&nothing);
    let mut rows: Vec<(AnyCell, &OpeningTally, f64)> = values
        .keys()
        .map(|opening| {
            let tally = tally(opening);
            let expected = habits.expected(tally, value(values, *opening));
            (*opening, tally, expected)
        })
        .collect();
    rows.sort_by(|a, b| b.2.total_cmp(&a.2));
    let games: u64 = openings.own.values().map(|tally| tally.all().games).sum();
    let (remark, games) = (few(games), counted(games, "game"));
    let _ = writeln!(out, "\nfirst moves against them, {games}{remark}");
    let _ = writeln!(
        out,
        "  opponents swap {} of the strong openings and {} of the weak ones",
        percent(habits.strong),
        percent(habits.weak)
    );
    let _ = writeln!(
        out,
        "  {:<5} {:>6} {:>9}  {:>9} {:>9}  {:>8} {:>8}  expected",
        "", "games", "swapped", "won then", "else", "engine:", "else"
    );
    let _ = writeln!(out, "  {:<44}  {:>8}", "", "swapped");
    for (opening, tally, expected) in rows.iter().take(SHOWN) {
        let red = value(values, *opening);
        let _ = writeln!(
            out,
            "  {:<5} {:>6} {:>9}  {:>9} {:>9}  {:>8} {:>8}  {}{}",
            opening.to_string(),
            tally.all().games,
            tally.swapped.games,
            wins(tally.swapped),
            wins(tally.kept),
            percent(1.0 - red),
            percent(red),
            percent(*expected),
            few(tally.all().games)
        );
    }
    more(out, rows.len());
    if let Some((best, tally, expected)) = rows.first() {
        let _ = writeln!(
            out,
            "\nopen with {}: {} expected, {} with it so far{}",
            best,
            percent(*expected),
            counted(tally.all().games, "game"),
            few(tally.all().games)
        );
    }
}

/// Adds how many lines are left out.
fn more(out: &mut String, count: usize) {
    if count > SHOWN {
        let _ = writeln!(out, "  and {} more", count - SHOWN);
    }
}
