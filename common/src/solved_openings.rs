//! The log of `hex solve --openings`: the winner after each first move that is solved.

use crate::append_log::LogFormat;
use crate::input;
use anyhow::{ensure, Context, Result};
use hex_core::record::{AnyCell, Side};
use hexbot::cell::Color;
use std::collections::BTreeMap;
use std::path::Path;

/// The winner after each opening.
pub type Winners = BTreeMap<AnyCell, Color>;

/// The format of the log, for a board of this side: lines of `CELL COLOR POSITIONS SECONDS`.
pub struct SolvedOpenings(pub Side);

impl LogFormat for SolvedOpenings {
    type Entry = (AnyCell, Color);

    fn header(&self) -> String {
        format!("hex solve --openings --side {}", self.0)
    }

    fn read(&mut self, line: &str) -> Result<(AnyCell, Color)> {
        read_line(line, self.0).with_context(|| format!("{line:?} is not CELL COLOR …"))
    }
}

fn read_line(line: &str, side: Side) -> Option<(AnyCell, Color)> {
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
    let (mut format, mut winners) = (SolvedOpenings(side), Winners::new());
    let (first, header) = (text.lines().next().unwrap_or_default(), format.header());
    ensure!(
        first == header,
        "{name}, line 1: {first:?} is not {header:?}"
    );
    for (index, line) in text.lines().enumerate().skip(1) {
        let entry = format.read(line);
        winners.extend([entry.with_context(|| format!("{name}, line {}", index + 1))?]);
    }
    Ok(winners)
}
