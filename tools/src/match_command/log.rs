//! The log of a match, `games.jsonl`: a first line that says what the match is, then a line a game,
//! each written whole as soon as the game ends. A killed match loses no line but a torn last one. A
//! line is replaced only when its game is played again, and then the whole file is, at once.

use crate::arena::scoresheet::GameLine;
use crate::record::Side;
use anyhow::{anyhow, bail, Context, Result};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

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
    path: PathBuf,
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
        found.with_context(|| format!("{}: there is no match to resume", path.display()))?;
        Ok(())
    }

    /// Opens a log to go on with, and returns the games it has. A torn last line is cut off.
    ///
    /// # Errors
    /// If there is none, it is of another match, or a line in it is broken; which one, and why.
    pub fn resume(path: &Path, header: &MatchHeader) -> Result<(Log, Vec<GameLine>)> {
        let place = path.display();
        let file = OpenOptions::new().read(true).append(true).open(path);
        let mut file = file.with_context(|| format!("{place}: there is no match to resume"))?;
        let mut text = String::new();
        file.read_to_string(&mut text)
            .with_context(|| format!("{place}: not a log of a match"))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64)?;
        let mut log = Log {
            file,
            path: path.to_path_buf(),
        };
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
        let mut ids = HashSet::new();
        let games = lines.map(|(number, line)| {
            game(line, header, &mut ids)
                .with_context(|| format!("{place}:{}: not a game of this match", number + 1))
        });
        Ok((log, games.collect::<Result<Vec<GameLine>>>()?))
    }

    /// Replaces the whole log by `header` and `games`, so that a kill leaves the old or the new one.
    ///
    /// # Errors
    /// If it cannot be written; the old one then stays.
    pub fn replace(&mut self, header: &MatchHeader, games: &[GameLine]) -> Result<()> {
        let new = self.path.with_extension("new");
        let place = new.display().to_string();
        let mut log = Log {
            file: File::create(&new).with_context(|| place.clone())?,
            path: self.path.clone(),
        };
        log.write(header)?;
        for line in games {
            log.write(line)?;
        }
        log.file.sync_all().with_context(|| place.clone())?;
        fs::rename(&new, &self.path).with_context(|| place)?;
        // It is written at its end, as the old one was.
        *self = log;
        Ok(())
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
fn game(line: &str, header: &MatchHeader, ids: &mut HashSet<u64>) -> Result<GameLine> {
    let game: GameLine = serde_json::from_str(line)?;
    game.check(header.players.len(), Side::try_from(header.side)?)
        .map_err(|why| anyhow!("game {}: {why}", game.id))?;
    if !ids.insert(game.id) {
        bail!("game {} is there twice", game.id);
    }
    Ok(game)
}
