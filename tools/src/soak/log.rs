//! The log of a soak, `soak.jsonl`: a first line that says what is run, then a line a game, each
//! written whole as the game ends. A run that was killed loses no line but a torn last one.

use super::game::SoakGame;
use crate::record::Side;
use anyhow::{anyhow, bail, Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The version of the log's format.
pub const FORMAT: u32 = 1;

/// The first line: what has to agree for a run to be resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
    pub format: u32,
    /// The bot as on the command line.
    pub bot: String,
    /// The board's side.
    pub side: usize,
    /// The mode of openings, as on the command line.
    pub openings: String,
    /// The seed of openings and stalls.
    pub seed: u64,
    /// Limit of the first answers, in milliseconds.
    pub first_ms: u64,
    /// Limit of later answers, in milliseconds.
    pub turn_ms: u64,
    /// Stalls put on each bot, times a second.
    pub stalls: f64,
    /// The shortest and the longest of them, in milliseconds.
    pub stall_ms: (u64, u64),
}

/// A log open for more games.
pub struct Log {
    file: File,
    path: PathBuf,
}

impl Log {
    /// Begins a log.
    ///
    /// # Errors
    /// If there is one already, or it cannot be written.
    pub fn create(path: &Path, header: &Header) -> Result<Log> {
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        let file = file.with_context(|| {
            format!(
                "{}: cannot begin a soak here; go on with it by --resume, or choose another --out",
                path.display()
            )
        })?;
        let path = path.to_path_buf();
        let mut log = Log { file, path };
        log.write(header)?;
        Ok(log)
    }

    /// Is there a log to go on with? It is not opened yet.
    ///
    /// # Errors
    /// If there is none.
    pub fn check(path: &Path) -> Result<()> {
        let found = std::fs::metadata(path);
        found.with_context(|| format!("{}: there is no soak to resume", path.display()))?;
        Ok(())
    }

    /// Opens a log to go on with, and returns the games it has. A torn last line is cut off.
    ///
    /// # Errors
    /// If there is none, it is of another run, or a line in it is broken; which one, and why.
    pub fn resume(path: &Path, header: &Header) -> Result<(Log, Vec<SoakGame>)> {
        let place = path.display();
        let file = OpenOptions::new().read(true).append(true).open(path);
        let mut file = file.with_context(|| format!("{place}: there is no soak to resume"))?;
        let mut text = String::new();
        file.read_to_string(&mut text)
            .with_context(|| format!("{place}: not a log of a soak"))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64)
            .with_context(|| format!("{place}: a torn last line cannot be cut off"))?;
        let mut log = Log {
            file,
            path: path.to_path_buf(),
        };
        let mut lines = text[..whole].lines().enumerate();
        let Some((_, first)) = lines.next() else {
            // Killed before the first line was whole.
            log.write(header)?;
            return Ok((log, Vec::new()));
        };
        let old: Header =
            serde_json::from_str(first).with_context(|| format!("{place}:1: not a header"))?;
        if old != *header {
            bail!(
                "{place}: this is another run; give the same bot, limits, openings, seed and \
                   stalls. It began with {first}"
            );
        }
        let mut ids = HashSet::new();
        let games = lines.map(|(number, line)| {
            game(line, header, &mut ids)
                .with_context(|| format!("{place}:{}: not a game of this run", number + 1))
        });
        Ok((log, games.collect::<Result<Vec<SoakGame>>>()?))
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
            .with_context(|| format!("{}: the log cannot be written", self.path.display()))
    }
}

/// A line of the log; `ids` are the numbers of the games before it.
fn game(line: &str, header: &Header, ids: &mut HashSet<u64>) -> Result<SoakGame> {
    let game: SoakGame = serde_json::from_str(line)?;
    let id = game.line.id;
    let checked = game.line.check(2, Side::try_from(header.side)?);
    checked.map_err(|why| anyhow!("game {id}: {why}"))?;
    let numbers = |answer: &super::game::AnswerLine| {
        [
            answer.limit_ms,
            answer.ms,
            answer.injected_ms,
            answer.machine_ms,
        ]
    };
    if !game.answers.iter().flat_map(numbers).all(|ms| ms >= 0.0) {
        bail!("game {id}: an answer's time is below 0");
    }
    if !ids.insert(id) {
        bail!("game {id} is there twice");
    }
    Ok(game)
}
