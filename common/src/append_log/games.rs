//! Logs of games, `games.jsonl` of a match and `soak.jsonl`: lines of JSON, the first one says what
//! is run, each other one is a game with a number of its own.

use super::{AppendLog, LogFormat};
use crate::run_lock::{self, RunLock};
use anyhow::{bail, ensure, Context, Result};
use serde::de::DeserializeOwned;
use serde::Serialize;
use std::collections::HashSet;
use std::path::Path;

/// The name of a match's log in its folder.
pub const MATCH_LOG: &str = "games.jsonl";

/// The version of the format of these logs.
pub const FORMAT: u32 = 1;

/// What the first line says: what has to agree for a run to be resumed.
pub trait RunHeader: Clone + PartialEq + Serialize + DeserializeOwned {
    /// A line of the log.
    type Game: Serialize + DeserializeOwned;

    /// What is run, in a word.
    const RUN: &'static str;

    /// What a line is of.
    const GAME: &'static str = "game";

    /// What has to be given again for the run to be resumed.
    const SAME: &'static str;

    /// Returns true if a run that began with `old` may go on as this one.
    fn goes_on(&self, old: &Self) -> bool {
        self == old
    }

    /// The number of a game, which no other game of the run has.
    fn id(game: &Self::Game) -> u64;

    /// Checks that a game is one of this run.
    ///
    /// # Errors
    /// What is wrong with it, without its number.
    fn check(&self, game: &Self::Game) -> Result<()>;
}

/// A log of games open for more of them.
#[derive(Debug)]
pub struct GameLog<H> {
    log: AppendLog,
    header: H,
}

impl<H: RunHeader> GameLog<H> {
    /// Begins the log called `name` in a run's folder, which is kept to this process from then on.
    /// It has no games yet.
    ///
    /// # Errors
    /// If another process has the folder; as [`GameLog::create`].
    pub fn create_in(
        folder: &Path,
        name: &str,
        header: &H,
    ) -> Result<(RunLock, Self, Vec<H::Game>)> {
        let lock = run_lock::folder(folder)?;
        let log = Self::create(&folder.join(name), header)?;
        Ok((lock, log, Vec::new()))
    }

    /// Opens the log called `name` in a run's folder, which is kept to this process from then on,
    /// and returns the games that it has. A run that cannot be resumed leaves nothing behind.
    ///
    /// # Errors
    /// If there is no log, or another process has the folder; as [`GameLog::resume`].
    pub fn resume_in(
        folder: &Path,
        name: &str,
        header: &H,
    ) -> Result<(RunLock, Self, Vec<H::Game>)> {
        let path = folder.join(name);
        Self::check(&path)?;
        let lock = run_lock::folder(folder)?;
        let (log, games) = Self::resume(&path, header)?;
        Ok((lock, log, games))
    }

    /// Begins a log.
    ///
    /// # Errors
    /// If there is one already, or it cannot be written.
    pub fn create(path: &Path, header: &H) -> Result<Self> {
        let log = AppendLog::create(path, &GameLines::new(header)).with_context(|| {
            format!(
                "{}: cannot begin a {} here; go on with it by --resume, or choose another --out",
                path.display(),
                H::RUN
            )
        })?;
        let header = header.clone();
        Ok(GameLog { log, header })
    }

    /// Looks whether there is a log to go on with, without opening it.
    ///
    /// # Errors
    /// If there is none.
    fn check(path: &Path) -> Result<()> {
        let found = std::fs::metadata(path);
        found.with_context(|| format!("{}: there is no {} to resume", path.display(), H::RUN))?;
        Ok(())
    }

    /// Opens a log to go on with, and returns the games it has. A torn last line is cut off.
    ///
    /// # Errors
    /// If there is none, it is of another run, or a line in it is broken; which one, and why.
    pub fn resume(path: &Path, header: &H) -> Result<(Self, Vec<H::Game>)> {
        let mut lines = GameLines::new(header);
        let (log, games) = AppendLog::resume(path, &mut lines)?;
        let header = lines.found.unwrap_or_else(|| header.clone());
        Ok((GameLog { log, header }, games))
    }

    /// The first line as it stands in the log.
    pub fn header(&self) -> &H {
        &self.header
    }

    /// Replaces the first line, with all games.
    ///
    /// # Errors
    /// As [`GameLog::replace`].
    pub fn replace_header(&mut self, header: H, games: &[H::Game]) -> Result<()> {
        self.header = header;
        self.replace(games)
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, game: &H::Game) -> Result<()> {
        self.log.append(&serde_json::to_string(game)?)
    }

    /// Replaces all games, so that a kill leaves either the old or the new ones.
    ///
    /// # Errors
    /// If the new ones cannot be written; the old ones then stay.
    pub fn replace(&mut self, games: &[H::Game]) -> Result<()> {
        let lines = games.iter().map(serde_json::to_string);
        let lines = lines.collect::<Result<Vec<String>, _>>()?;
        let lines = lines.iter().map(String::as_str);
        self.log.replace(&GameLines::new(&self.header), lines)
    }
}

/// The lines of a run with this header.
struct GameLines<'a, H> {
    header: &'a H,
    /// The first line that has been read.
    found: Option<H>,
    /// The numbers of the games that have been read.
    ids: HashSet<u64>,
}

impl<'a, H> GameLines<'a, H> {
    fn new(header: &'a H) -> Self {
        let ids = HashSet::new();
        GameLines {
            header,
            found: None,
            ids,
        }
    }
}

impl<H: RunHeader> LogFormat for GameLines<'_, H> {
    type Entry = H::Game;

    fn header(&self) -> String {
        serde_json::to_string(self.header).expect("headers are plain data")
    }

    fn check_header(&mut self, first: &str) -> Result<()> {
        let old: H = serde_json::from_str(first).context("not a header")?;
        if !self.header.goes_on(&old) {
            let (run, same) = (H::RUN, H::SAME);
            bail!("this is another {run}; give the same {same}. It began with {first}");
        }
        self.found = Some(old);
        Ok(())
    }

    fn read(&mut self, line: &str) -> Result<H::Game> {
        let what = H::GAME;
        let game: H::Game = serde_json::from_str(line)
            .with_context(|| format!("not a {what} of this {}", H::RUN))?;
        let id = H::id(&game);
        let checked = self.header.check(&game);
        checked.with_context(|| format!("{what} {id}"))?;
        ensure!(self.ids.insert(id), "{what} {id} is there twice");
        Ok(game)
    }
}
