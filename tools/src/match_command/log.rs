//! The log of a match, `games.jsonl`: a first line that says what the match is, then a line a game,
//! each written whole as soon as the game ends. A killed match loses no line but a torn last one.

use crate::arena::scoresheet::GameLine;
use anyhow::{bail, Context, Result};
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;

/// The version of the log's format.
pub const FORMAT: u32 = 1;

/// The first line: what has to agree for a match to be resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchHeader {
    /// [`FORMAT`].
    pub format: u32,
    /// The board's side.
    pub side: usize,
    /// The mode of openings, as on the command line.
    pub openings: String,
    /// The seed of openings.
    pub seed: u64,
    /// The players, in order.
    pub players: Vec<PlayerLine>,
    /// `round-robin` or `gauntlet`.
    pub schedule: String,
}

/// A player in the header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerLine {
    /// Its name.
    pub name: String,
    /// As on the command line.
    pub text: String,
    /// Limit of the first answer, in milliseconds.
    pub first_ms: u64,
    /// Limit of later answers, in milliseconds.
    pub turn_ms: u64,
}

/// A log open for more games.
pub struct Log {
    file: File,
}

impl Log {
    /// Begins a log.
    ///
    /// # Errors
    /// If there is one already, or it cannot be written.
    pub fn create(path: &Path, header: &MatchHeader) -> Result<Log> {
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        let file = file.with_context(|| {
            format!(
                "{}: cannot begin a match here; go on with it by --resume, or choose another --out",
                path.display()
            )
        })?;
        let mut log = Log { file };
        log.write(header)?;
        Ok(log)
    }

    /// Opens a log to go on with, and returns the games it has. A torn last line is cut off.
    ///
    /// # Errors
    /// If there is none, it is of another match, or a line in it is broken.
    pub fn resume(path: &Path, header: &MatchHeader) -> Result<(Log, Vec<GameLine>)> {
        let place = path.display();
        let file = OpenOptions::new().read(true).append(true).open(path);
        let mut file = file.with_context(|| format!("{place}: there is no match to resume"))?;
        let mut text = String::new();
        file.read_to_string(&mut text)
            .with_context(|| format!("{place}: not a log"))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64)?;
        let mut log = Log { file };
        let mut lines = text[..whole].lines().enumerate();
        let Some((_, first)) = lines.next() else {
            // Killed before the first line was whole: an empty match.
            log.write(header)?;
            return Ok((log, Vec::new()));
        };
        let old: MatchHeader =
            serde_json::from_str(first).with_context(|| format!("{place}:1: not a header"))?;
        if old != *header {
            bail!("{place}: this is another match; give the same players, openings, seed and limits. \
                   It began with {first}");
        }
        let games = lines
            .map(|(number, line)| {
                serde_json::from_str(line)
                    .with_context(|| format!("{place}:{}: not a game", number + 1))
            })
            .collect::<Result<Vec<GameLine>>>()?;
        Ok((log, games))
    }

    /// Appends a line in one write.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, line: &impl Serialize) -> Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.file
            .write_all(text.as_bytes())
            .context("the log cannot be written")
    }
}
