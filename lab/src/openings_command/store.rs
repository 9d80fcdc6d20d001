//! The measurements so far, kept in a log if there is one: a line with the conditions, then a line
//! for each opening.

use super::Results;
use anyhow::{Context, Result};
use hex_common::append_log::{AppendLog, LogFormat};
use hex_core::record::{AnyCell, Side};
use std::collections::HashMap;
use std::path::Path;

/// Results by opening. Each is written to the file when it is added.
pub struct OpeningStore {
    results: HashMap<AnyCell, Results>,
    log: Option<AppendLog>,
}

/// Lines of `CELL WINS GAMES VALUE` on a board of this side, measured under these conditions.
struct OpeningLines<'a> {
    side: Side,
    conditions: &'a str,
}

impl LogFormat for OpeningLines<'_> {
    type Entry = (AnyCell, Results);

    fn header(&self) -> String {
        self.conditions.to_owned()
    }

    fn read(&mut self, line: &str) -> Result<(AnyCell, Results)> {
        let side = self.side;
        parse(line, side).with_context(|| {
            format!(
                "{line:?} is not CELL WINS GAMES VALUE on a board of side {side}; use another file \
                 with --out"
            )
        })
    }
}

impl OpeningStore {
    /// Reads what an earlier run under the same conditions has left in the file at `path`, if there
    /// is one, and goes on there.
    ///
    /// # Errors
    /// If the file cannot be read or written, has another format or other conditions, or another
    /// process uses it.
    pub fn open(path: Option<&Path>, side: Side, conditions: &str) -> Result<Self> {
        let mut format = OpeningLines { side, conditions };
        let opened = path.map(|path| AppendLog::open(path, &mut format));
        let (log, results) = opened.transpose()?.unzip();
        let results = results.into_iter().flatten().collect();
        Ok(OpeningStore { results, log })
    }

    /// All results.
    pub fn results(&self) -> &HashMap<AnyCell, Results> {
        &self.results
    }

    /// Adds the results of an opening.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn add(&mut self, opening: AnyCell, results: Results) -> Result<()> {
        let Results { wins, games, value } = results;
        if let Some(log) = &mut self.log {
            log.append(&format!("{opening} {wins} {games} {value:.4}"))?;
        }
        self.results.insert(opening, results);
        Ok(())
    }
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
