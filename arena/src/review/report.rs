//! The report of a review as text.

use super::figures::{ReviewFigures, ThrownGame, SHOULD_WIN};
use super::reviewed_game::{MoveTally, NamedTally};
use hex_core::record::{counted, MoveGrade};
use hexbot::cell::Color;
use std::fmt::Write;
use std::path::Path;

/// Lines of a table that are printed; the page and `summary.json` have all.
const SHOWN: usize = 15;

/// Replies to an opening that are printed.
const REPLIES: usize = 3;

/// The report; `whose` says whose moves are reviewed, `effort` how long positions were searched.
pub(crate) fn text(figures: &ReviewFigures, whose: &str, effort: &str, folder: &Path) -> String {
    let mut out = String::new();
    let total = &figures.total;
    let _ = writeln!(out, "{whose}: {}", in_words(total));
    let _ = writeln!(
        out,
        "searched: {effort} a position; grades by win probability lost:"
    );
    let _ = writeln!(out, "{}\n", grades());
    thrown(&mut out, figures, folder);
    table(&mut out, "where win probability is lost", &figures.bands);
    table(&mut out, "by colour and swap", &figures.roles);
    let openings = figures.openings.iter();
    let openings: Vec<NamedTally> = openings.flat_map(|row| row.lines(REPLIES)).collect();
    table(
        &mut out,
        "openings and replies, those that cost most games first",
        &openings,
    );
    faults(&mut out, figures);
    if let Some(times) = &figures.times {
        let _ = writeln!(
            out,
            "answer times: {}, half in {:.1} ms, 99 % in {:.1} ms, slowest {:.1} ms\n",
            counted(times.count, "answer"),
            times.p50_ms,
            times.p99_ms,
            times.max_ms
        );
    }
    let page = folder.join("report.html");
    let _ = writeln!(out, "page: {}", page.display());
    out
}

/// The grades and what they mean.
pub(crate) fn grades() -> String {
    let [doubtful, bad, very_bad] = MoveGrade::MISTAKES.map(|(_, least)| percent(least));
    format!("?! from {doubtful}, ? from {bad}, ?? from {very_bad}")
}

/// A tally in words.
pub(crate) fn in_words(tally: &MoveTally) -> String {
    let MoveTally {
        games,
        won,
        lost,
        moves,
        ..
    } = tally;
    let per_move = 100.0 * tally.mean_loss();
    format!(
        "{}, {won} won, {lost} lost; {} judged, {per_move:.1} % lost a move, {} ?!, {} ?, {} ??",
        counted(games, "game"),
        counted(moves, "move"),
        tally.doubtful,
        tally.bad,
        tally.very_bad
    )
}

fn thrown(out: &mut String, figures: &ReviewFigures, folder: &Path) {
    let count = figures.thrown.len();
    let should = percent(SHOULD_WIN);
    let _ = writeln!(
        out,
        "lost although the engine gave {should} or more: {}",
        counted(count, "game")
    );
    for game in figures.thrown.iter().take(SHOWN) {
        let _ = writeln!(out, "  {}", thrown_line(game));
        let record = folder.join(&game.record);
        let _ = writeln!(out, "    hex web {}", record.display());
    }
    more(out, count);
    out.push('\n');
}

/// What happened in a game that should have been won.
pub(crate) fn thrown_line(game: &ThrownGame) -> String {
    let [before, after] = [game.before, game.after].map(percent);
    let line = game.better.join(" ");
    let better = match game.grade {
        Some(_) => format!("better {line}"),
        None if game.loss > 0.0 => format!("a little better {line}"),
        None => "the engine knew no better move".to_owned(),
    };
    let reply = match (&game.reply, game.after_reply) {
        (Some(reply), Some(value)) => format!("; answered by {reply}, {} then", percent(value)),
        (Some(reply), None) => format!("; answered by {reply}"),
        (None, _) => String::new(),
    };
    format!(
        "{}: {} as {}, up to {}; move {} {}{} {before} → {after}; {better}{reply}",
        game.game,
        game.player,
        Color::from(game.color),
        percent(game.peak),
        game.move_number,
        game.played,
        game.grade.unwrap_or_default(),
    )
}

fn table(out: &mut String, title: &str, rows: &[NamedTally]) {
    if rows.is_empty() {
        return;
    }
    let shown = &rows[..rows.len().min(SHOWN)];
    let widths = shown.iter().map(|row| row.name.chars().count());
    let width = widths.max().unwrap_or(0).max(12);
    let _ = writeln!(out, "{title}");
    let _ = writeln!(
        out,
        "  {:width$} {:>6} {:>6} {:>7} {:>9} {:>9} {:>5} {:>5} {:>5}",
        "", "games", "score", "moves", "lost", "a move", "?!", "?", "??"
    );
    for NamedTally { name, tally } in shown {
        let score = tally.score().map_or("-".to_owned(), percent);
        let _ = writeln!(
            out,
            "  {name:width$} {:>6} {score:>6} {:>7} {:>9.1} {:>7.1} % {:>5} {:>5} {:>5}",
            tally.games,
            tally.moves,
            tally.loss,
            100.0 * tally.mean_loss(),
            tally.doubtful,
            tally.bad,
            tally.very_bad
        );
    }
    more(out, rows.len());
    out.push('\n');
}

fn faults(out: &mut String, figures: &ReviewFigures) {
    if figures.faults.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "lost by faults: {}",
        counted(figures.faults.len(), "game")
    );
    for game in figures.faults.iter().take(SHOWN) {
        let first = game.fault.lines().next().unwrap_or_default();
        let _ = writeln!(out, "  {}: {}: {first}", game.game, game.player);
    }
    more(out, figures.faults.len());
    out.push('\n');
}

/// Says how many lines are left out.
fn more(out: &mut String, count: usize) {
    if count > SHOWN {
        let _ = writeln!(out, "  and {} more, which the page has", count - SHOWN);
    }
}

/// A share in percent.
pub(crate) fn percent(value: f64) -> String {
    format!("{:.0} %", 100.0 * value)
}
