//! The log of `hex solve --openings`: the winner after each first move that is solved.

use crate::append_log::results::KeptResults;
use crate::input;
use anyhow::{ensure, Context, Result};
use hex_core::record::{AnyCell, Side};
use hexbot::cell::Color;
use std::collections::BTreeMap;
use std::path::Path;

/// The winner after each opening.
pub type Winners = BTreeMap<AnyCell, Color>;

/// Opens the log of the board of this side, if there is one, with lines of `CELL COLOR POSITIONS
/// SECONDS`.
///
/// # Errors
/// As [`KeptResults::open`].
pub fn open(path: Option<&Path>, side: Side) -> Result<KeptResults<AnyCell, Color>> {
    KeptResults::open(path, &header(side), &|line| read_line(line, side))
}

fn header(side: Side) -> String {
    format!("hex solve --openings --side {side}")
}

fn read_line(line: &str, side: Side) -> Result<(AnyCell, Color)> {
    words(line, side).with_context(|| format!("{line:?} is not CELL COLOR …"))
}

fn words(line: &str, side: Side) -> Option<(AnyCell, Color)> {
    let mut words = line.split(' ');
    let opening = side.parse_cell(words.next()?).ok()?;
    let winner = match words.next()? {
        "red" => Color::Red,
        "blue" => Color::Blue,
        _ => return None,
    };
    Some((opening, winner))
}

/// The winners in the log at `path`.
///
/// # Errors
/// If it cannot be read, or is not a log of this side. The error names the line.
pub fn read(path: &Path, side: Side) -> Result<Winners> {
    let name = path.display();
    let text = input::read_text(path).with_context(|| format!("cannot read {name}"))?;
    let (first, header) = (text.lines().next().unwrap_or_default(), header(side));
    ensure!(
        first == header,
        "{name}, line 1: {first:?} is not {header:?}"
    );
    let lines = text.lines().enumerate().skip(1);
    lines
        .map(|(index, line)| {
            read_line(line, side).with_context(|| format!("{name}, line {}", index + 1))
        })
        .collect()
}
