//! The measurements so far, kept in a log if there is one: a line with the conditions, then a line
//! for each opening.

use super::Results;
use anyhow::{Context, Result};
use hex_common::append_log::results::KeptResults;
use hex_core::record::{AnyCell, Side};
use std::path::Path;

/// Results by opening.
pub(crate) type OpeningStore = KeptResults<AnyCell, Results>;

/// Opens the log, if there is one, of a board of this side under these conditions.
///
/// # Errors
/// As [`KeptResults::open`].
pub fn open(path: Option<&Path>, side: Side, conditions: &str) -> Result<OpeningStore> {
    KeptResults::open(path, conditions, &|line| {
        parse(line, side).with_context(|| {
            format!(
                "{line:?} is not CELL WINS GAMES VALUE on a board of side {side}; use another file \
                 with --out"
            )
        })
    })
}

/// The line of an opening's results.
pub(crate) fn line(opening: AnyCell, results: &Results) -> String {
    let Results { wins, games, value } = results;
    format!("{opening} {wins} {games} {value:.4}")
}

fn parse(line: &str, side: Side) -> Option<(AnyCell, Results)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [cell, wins, games, value] = words[..] else {
        return None;
    };
    let results = Results {
        wins: wins.parse().ok()?,
        games: games.parse().ok()?,
        value: value.parse().ok()?,
    };
    let sound = results.wins <= results.games && (0.0..=1.0).contains(&results.value);
    sound.then_some((side.parse_cell(cell).ok()?, results))
}
