//! The files of players: the program, and the files that its command names. A match's log has the
//! hashes of their contents. They are checked again before and after each game, so that a bot that
//! is rebuilt during a match is noticed.
//!
//! A check costs one `stat` a file; a file is read again only if its size, times or inode differ.
//! Only the content counts: a file may be moved, or rebuilt to the same bytes.

use anyhow::{bail, Result};
use hex_common::fnv;
use hex_common::input;
use hex_common::system::{is_about_file, modified_seconds, FileStamp, MachineError};
use hex_common::workers::lock;
use serde::{Deserialize, Serialize};
use std::env::consts::EXE_SUFFIX;
use std::fmt;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The name of our own program in logs.
const OWN: &str = "hex";

/// Bytes that are read at a time.
const CHUNK: u64 = 64 * 1024;

/// The state of a file when it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramFile {
    /// Its path as the command names it; `hex` for our own bot.
    pub(crate) path: String,
    /// Its size.
    pub(crate) bytes: u64,
    /// When it was written, in seconds since 1970.
    pub(crate) modified_s: i64,
    /// FNV-1a of its bytes, 16 hexadecimal digits.
    pub(crate) fnv1a: String,
}

impl fmt::Display for ProgramFile {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} bytes, hash {}", self.bytes, self.fnv1a)
    }
}

/// A file that a player's command names, and its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// As the command names it.
    pub name: String,
    /// The path for this process.
    pub path: PathBuf,
    /// True if every game reads the file again. Our own bot and its network stay in memory.
    pub(crate) is_read_by_games: bool,
}

/// A change of a player's file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramChange {
    /// The player's name.
    pub(crate) player: String,
    /// The file as the command names it.
    pub(crate) path: String,
    /// FNV-1a of the old content.
    pub(crate) was: String,
    /// FNV-1a of the new content; `None` if the file is gone or cannot be read.
    pub(crate) is: Option<String>,
    /// The number of games that had ended when the change was noticed.
    pub(crate) games: u64,
}

impl fmt::Display for ProgramChange {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let ProgramChange {
            player, path, was, ..
        } = self;
        match &self.is {
            Some(is) => write!(
                f,
                "{path} of player {player:?} has changed (hash {was}, now {is})"
            ),
            None => write!(
                f,
                "{path} of player {player:?} is gone or cannot be read (its hash was {was})"
            ),
        }
    }
}

/// The files of all players of a match.
#[derive(Debug)]
pub struct Programs {
    files: Mutex<Vec<KnownFile>>,
    /// The changes since the last call of [`Programs::noticed`].
    noticed: Mutex<Vec<ProgramChange>>,
    on_change: OnProgramChange,
}

/// The effect of a change of a player's files on a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnProgramChange {
    /// It ends the match.
    End,
    /// It is noted, and the match goes on.
    Note,
}

/// A file, and its state when it was last read.
#[derive(Debug)]
struct KnownFile {
    player: usize,
    /// The player's name.
    owner: String,
    named: NamedFile,
    file: ProgramFile,
    stamp: FileStamp,
}

impl Programs {
    /// Reads the files of these players, given by their names. Leaves out files that cannot be
    /// read.
    pub fn read(
        players: impl IntoIterator<Item = (String, Vec<NamedFile>)>,
        on_change: OnProgramChange,
    ) -> Programs {
        let players = players.into_iter().enumerate();
        let named = players.flat_map(|(player, (name, files))| {
            let files = files.into_iter();
            files.map(move |named| (player, name.clone(), named))
        });
        let known = named.filter_map(|(player, owner, named)| {
            let (file, stamp) = read(&named).ok()?;
            Some(KnownFile {
                player,
                owner,
                named,
                file,
                stamp,
            })
        });
        Programs {
            files: Mutex::new(known.collect()),
            noticed: Mutex::default(),
            on_change,
        }
    }

    /// The files of a player.
    pub(crate) fn of(&self, player: usize) -> Vec<ProgramFile> {
        let known = lock(&self.files);
        let its = known.iter().filter(|known| known.player == player);
        its.map(|known| known.file.clone()).collect()
    }

    /// Checks the files of two players, before or after their game. Returns true if the game
    /// counts: nothing has changed since the match began, or changes are allowed.
    ///
    /// # Errors
    /// If the machine refuses to open a file.
    pub(crate) fn allow(&self, meeting: [usize; 2]) -> Result<bool, MachineError> {
        let mut files = lock(&self.files);
        let mut noticed = lock(&self.noticed);
        for known in files
            .iter_mut()
            .filter(|known| meeting.contains(&known.player))
        {
            if let Some(is) = known.change()? {
                noticed.push(ProgramChange {
                    player: known.owner.clone(),
                    path: known.named.name.clone(),
                    was: known.file.fnv1a.clone(),
                    is: is.as_ref().map(|(file, _)| file.fnv1a.clone()),
                    games: 0,
                });
                if let Some((file, stamp)) = is {
                    (known.file, known.stamp) = (file, stamp);
                }
            }
        }
        Ok(self.may_change() || noticed.is_empty())
    }

    /// Returns true if changes are only noted, and do not end the match.
    pub(crate) fn may_change(&self) -> bool {
        self.on_change == OnProgramChange::Note
    }

    /// Checks that no program has changed.
    ///
    /// # Errors
    /// If one has: which one, and what to do. `games` of the match have ended and are kept.
    pub(crate) fn check(&self, games: u64) -> Result<()> {
        match self.noticed(games).first() {
            None => Ok(()),
            Some(change) => bail!("{change} meanwhile: finished games are kept, {CURE}"),
        }
    }

    /// The changes since the last call. `games` of the match have ended.
    pub(crate) fn noticed(&self, games: u64) -> Vec<ProgramChange> {
        let changes = std::mem::take(&mut *lock(&self.noticed)).into_iter();
        changes
            .map(|change| ProgramChange { games, ..change })
            .collect()
    }
}

impl KnownFile {
    /// The new state of the file if its content has changed; `Some(None)` if it is gone.
    fn change(&mut self) -> Result<Option<Option<(ProgramFile, FileStamp)>>, MachineError> {
        let about = || fs::metadata(&self.named.path);
        if !self.named.is_read_by_games || about().is_ok_and(|a| FileStamp::new(&a) == self.stamp) {
            return Ok(None);
        }
        match read(&self.named) {
            Ok((file, stamp)) if file.fnv1a == self.file.fnv1a => {
                self.stamp = stamp;
                Ok(None)
            }
            Ok(now) => Ok(Some(Some(now))),
            Err(error) if is_about_file(&error) => Ok(Some(None)),
            Err(error) => Err(MachineError::new(
                &format!("read {}", self.named.name),
                &error,
            )),
        }
    }
}

/// What to do when a program has changed and must not.
pub(crate) const CURE: &str =
    "but a changed program is another player. Start again with another --out, or \
    restore the old program and --resume";

/// Checks that a run of the player named `player` continues with the program in its log.
///
/// # Errors
/// If it has changed: which file, and what to do.
pub(crate) fn check_unchanged(
    player: &str,
    logged: &[ProgramFile],
    now: &[ProgramFile],
) -> Result<()> {
    match difference(player, logged, now, 0) {
        None => Ok(()),
        Some(change) => bail!("{change} since the run began: {CURE}"),
    }
}

/// The first difference between the files in a run's log and those of now. Only files in the log
/// count: a new file may be the bot's own log. `games` of the run have ended.
pub(crate) fn difference(
    player: &str,
    logged: &[ProgramFile],
    now: &[ProgramFile],
    games: u64,
) -> Option<ProgramChange> {
    logged.iter().find_map(|old| {
        let new = now.iter().find(|new| new.path == old.path);
        let is_same = new.is_some_and(|new| new.fnv1a == old.fnv1a);
        (!is_same).then(|| ProgramChange {
            player: player.to_string(),
            path: old.path.clone(),
            was: old.fnv1a.clone(),
            is: new.map(|new| new.fnv1a.clone()),
            games,
        })
    })
}

/// Reads a file. The stamp is taken before, so that a change during the read is found later.
fn read(named: &NamedFile) -> io::Result<(ProgramFile, FileStamp)> {
    let mut file = input::open(&named.path, None)?;
    let about = file.metadata()?;
    let (mut hash, mut bytes, mut chunk) = (fnv::OFFSET_BASIS, 0, Vec::new());
    while file.by_ref().take(CHUNK).read_to_end(&mut chunk)? > 0 {
        hash = fnv::extended(hash, &chunk);
        bytes += chunk.len() as u64;
        chunk.clear();
    }
    let file = ProgramFile {
        path: named.name.clone(),
        bytes,
        modified_s: modified_seconds(&about),
        fnv1a: format!("{hash:016x}"),
    };
    Ok((file, FileStamp::new(&about)))
}

/// The files that a command names: its program, and every other word that is a file, also after an
/// `=` or within a shell's line. `path` is the search path for programs without a folder. `folder`
/// is the working directory of the command.
pub fn files_of_command(words: &[String], path: &str, folder: Option<&Path>) -> Vec<NamedFile> {
    let Some((program, arguments)) = words.split_first() else {
        return Vec::new();
    };
    let at = |name: &str| folder.map_or_else(|| name.into(), |folder| folder.join(name));
    let mut files: Vec<NamedFile> = Vec::new();
    let mut add = |name: &str, path: PathBuf| {
        if path.is_file() && !files.iter().any(|file| file.path == path) {
            files.push(NamedFile {
                name: name.to_string(),
                path,
                is_read_by_games: true,
            });
        }
    };
    let is_installed = !program.contains(std::path::is_separator);
    let places = std::env::split_paths(path).map(|place| runnable(place.join(program)));
    if is_installed {
        places
            .filter(|place| place.is_file())
            .take(1)
            .for_each(|place| add(program, place))
    } else {
        add(program, runnable(at(program)))
    }
    for argument in arguments {
        // A file's name may contain spaces; a shell's line consists of words.
        let pieces = [argument.as_str()]
            .into_iter()
            .chain(argument.split_whitespace());
        for piece in pieces {
            let name = piece.rsplit('=').next().unwrap_or(piece);
            let name = name.trim_matches(|c| matches!(c, ';' | '\'' | '"' | '(' | ')' | '&'));
            if !name.is_empty() && !is_log(name) {
                add(name, at(name));
            }
        }
    }
    files
}

/// The file that the system runs for a program of this name: Windows adds `.exe`.
fn runnable(path: PathBuf) -> PathBuf {
    if EXE_SUFFIX.is_empty() || path.is_file() {
        return path;
    }
    let mut name = path.into_os_string();
    name.push(EXE_SUFFIX);
    name.into()
}

/// Returns true for names of files that bots write.
fn is_log(name: &str) -> bool {
    const WRITTEN: [&str; 3] = ["log", "err", "out"];
    let ending = Path::new(name).extension();
    ending.is_some_and(|ending| WRITTEN.iter().any(|written| ending == *written))
}

/// The running program, which contains our own bot, even if its file has been replaced since.
pub(crate) fn own_program() -> Option<NamedFile> {
    let running = Path::new("/proc/self/exe");
    let path = if running.exists() {
        running.to_owned()
    } else {
        std::env::current_exe().ok()?
    };
    Some(NamedFile {
        name: OWN.to_string(),
        path,
        is_read_by_games: false,
    })
}
