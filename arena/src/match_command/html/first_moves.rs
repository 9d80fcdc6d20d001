//! The results of forced first moves, drawn on a board. A match of a bot against itself with
//! `--openings all` measures a swap map and a balanced set of openings.

use crate::scoresheet::{ColorName, GameLine};
use hex_core::draw::Drawing;
use hex_core::record::{AnyCell, Side};
use maud::{html, Markup, PreEscaped};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The games with a first move, and how many its owner won.
#[derive(Clone, Copy, Default)]
struct Record {
    games: u32,
    won: u32,
}

/// The board with each forced first move's share of wins in percent, and a line that explains it;
/// `None` if no game began with a forced first move.
pub(crate) fn map(lines: &[GameLine], side: Side) -> Option<Markup> {
    let mut records: BTreeMap<AnyCell, Record> = BTreeMap::new();
    for line in lines {
        if let Some(point) = forced_first_move(line, side) {
            let record = records.entry(point).or_default();
            record.games += 1;
            // The swap has made the stone Blue's.
            record.won += u32::from(line.winner == ColorName::Blue);
        }
    }
    let most = records.values().map(|record| record.games).max()?;
    let empty = side.board();
    let mut drawing = Drawing::new(&empty);
    let mut style = String::new();
    for (point, record) in &records {
        let percent = format!(
            "{:.0}",
            100.0 * f64::from(record.won) / f64::from(record.games)
        );
        // The page's style mixes the colour, which depends on whether the page is dark.
        let _ = write!(style, ".map [data-cell={point}]{{--won:{percent}%}}");
        drawing = drawing.label(*point, percent);
    }
    Some(html! {
        style { (PreEscaped(style)) }
        p {
            "How many of 100 games the owner of the first stone won, after each forced first move ("
            (most) " games at most each)."
        }
        div class="map" { (PreEscaped(drawing.svg())) }
    })
}

/// The first move, if exactly it and its swap were forced.
fn forced_first_move(line: &GameLine, side: Side) -> Option<AnyCell> {
    match &line.moves[..] {
        [first, second, ..] if line.opening == 2 && second == "swap-pieces" => {
            side.parse_cell(first).ok()
        }
        _ => None,
    }
}
