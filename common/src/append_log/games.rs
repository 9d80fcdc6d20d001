//! Logs of games, such as `games.jsonl` of a match and `soak.jsonl`. Each line is JSON. The first
//! line describes the run; every other line is a game with a unique number.

use super::{AppendLog, LogFormat};
use crate::run_lock::{self, RunLock};
use anyhow::{bail, ensure, Context, Result};
use serde::de::DeserializeOwned;
use serde::Serialize;
use std::collections::HashSet;
use std::path::Path;

/// The version of the format of these logs.
pub const FORMAT: u32 = 1;

/// The first line of a log. To resume a run, it must agree with the options.
pub trait RunHeader: Clone + PartialEq + Serialize + DeserializeOwned {
    /// A line of the log.
    type Game: Serialize + DeserializeOwned;

    /// The kind of run, in a word.
    const RUN: &'static str;

    /// The kind of a line, in a word.
    const GAME: &'static str = "game";

    /// The options that must be the same to resume the run.
    const SAME: &'static str;

    /// Returns true if a run that began with `old` may be resumed with this header.
    fn goes_on(&self, old: &Self) -> bool {
        self == old
    }

    /// The unique number of a game.
    fn id(game: &Self::Game) -> u64;

    /// Checks that a game belongs to this run.
    ///
    /// # Errors
    /// If it does not. The error need not name the game's number.
    fn check(&self, game: &Self::Game) -> Result<()>;
}

/// An open log of games, which can be extended.
#[derive(Debug)]
pub struct GameLog<H> {
    log: AppendLog,
    header: H,
}

impl<H: RunHeader> GameLog<H> {
    /// Locks a run's folder, opens the log called `name` in it, and returns its games. With
    /// `resume` there must be one, else there must be none.
    ///
    /// # Errors
    /// If another process has locked the folder, and as [`GameLog::create`] or
    /// [`GameLog::resume`].
    pub fn open_in(
        folder: &Path,
        name: &str,
        header: &H,
        resume: bool,
    ) -> Result<(RunLock, Self, Vec<H::Game>)> {
        let path = folder.join(name);
        if resume {
            // Before the lock makes a file.
            let found = std::fs::metadata(&path);
            let why = || format!("{}: there is no {} to resume", path.display(), H::RUN);
            found.with_context(why)?;
        }
        let lock = run_lock::folder(folder)?;
        let (log, games) = if resume {
            Self::resume(&path, header)?
        } else {
            (Self::create(&path, header)?, Vec::new())
        };
        Ok((lock, log, games))
    }

    /// Creates a log.
    ///
    /// # Errors
    /// If the file exists or cannot be written.
    pub(crate) fn create(path: &Path, header: &H) -> Result<Self> {
        let log = AppendLog::create(path, &GameLines::new(header)).with_context(|| {
            format!(
                "{}: cannot begin a {} here; resume it with --resume, or choose another --out",
                path.display(),
                H::RUN
            )
        })?;
        let header = header.clone();
        Ok(GameLog { log, header })
    }

    /// Opens a log to resume, and returns its games. An incomplete last line is removed.
    ///
    /// # Errors
    /// If there is no log, it belongs to another run, or a line is invalid. The error names the
    /// line.
    pub fn resume(path: &Path, header: &H) -> Result<(Self, Vec<H::Game>)> {
        let mut lines = GameLines::new(header);
        let (log, games) = AppendLog::resume(path, &mut lines)?;
        let header = lines.found.unwrap_or_else(|| header.clone());
        Ok((GameLog { log, header }, games))
    }

    /// The first line of the log.
    pub fn header(&self) -> &H {
        &self.header
    }

    /// Replaces the first line and all games.
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

    /// Replaces all games atomically: after a kill the log has either the old or the new games.
    ///
    /// # Errors
    /// If the new games cannot be written; the old ones then stay.
    pub fn replace(&mut self, games: &[H::Game]) -> Result<()> {
        let lines = games.iter().map(serde_json::to_string);
        let lines = lines.collect::<Result<Vec<String>, _>>()?;
        let lines = lines.iter().map(String::as_str);
        self.log.replace(&GameLines::new(&self.header), lines)
    }
}

/// The lines of a run's log.
struct GameLines<'a, H> {
    header: &'a H,
    /// The first line of the log, once it has been read.
    found: Option<H>,
    /// The numbers of the games read.
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
        ensure!(self.ids.insert(id), "{what} {id} occurs twice");
        Ok(game)
    }
}
