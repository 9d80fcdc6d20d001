//! What a player is made of: its program, and the files that its command names. Their contents are
//! kept in a match's log as hashes, and looked at again before and after each game, so that a bot
//! that is rebuilt during a match is not taken for the one that began it.
//!
//! A look costs a `stat` a file; only a file whose size, times or inode differ is read again. What
//! counts is the content: a file may move, or be built again to the same bytes.

use anyhow::{bail, Result};
use hex_common::fnv;
use hex_common::system::{modified_seconds, FileStamp};
use serde::{Deserialize, Serialize};
use std::env::consts::EXE_SUFFIX;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

/// What this program is called, wherever it is.
const OWN: &str = "hex";

/// Bytes that are read at a time.
const CHUNK: usize = 64 * 1024;

/// A file as it was when it was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramFile {
    /// Its path as the command names it; `hex` for our own bot.
    pub path: String,
    /// Its size.
    pub bytes: u64,
    /// When it was written, in seconds since 1970.
    pub modified_s: i64,
    /// FNV-1a of its bytes, 16 hexadecimal digits.
    pub fnv1a: String,
}

impl fmt::Display for ProgramFile {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} bytes, hash {}", self.bytes, self.fnv1a)
    }
}

/// A file that a player names, and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// As the command names it.
    pub name: String,
    /// Where it is for this process.
    pub path: PathBuf,
    /// It is read anew by each game. Our own bot and its network are in memory.
    pub is_read_by_games: bool,
}

/// A player's file is not what it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramChange {
    /// The player's name.
    pub player: String,
    /// The file as the command names it.
    pub path: String,
    /// FNV-1a of what it was.
    pub was: String,
    /// FNV-1a of what it is; `None` if it is gone or cannot be read.
    pub is: Option<String>,
    /// The number of games that had ended when the change was noticed.
    pub games: u64,
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
    /// What has changed since.
    noticed: Mutex<Vec<ProgramChange>>,
    on_change: OnProgramChange,
}

/// What a change of a player's files does to a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnProgramChange {
    /// It ends the match.
    End,
    /// It is noted, and the match goes on.
    Note,
}

/// A file, and what it was when it was read last.
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
    /// Reads the files of these players, by their names. One that may be run but not read is left
    /// out.
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
    pub fn of(&self, player: usize) -> Vec<ProgramFile> {
        let known = lock(&self.files);
        let its = known.iter().filter(|known| known.player == player);
        its.map(|known| known.file.clone()).collect()
    }

    /// Looks at the files of two players that meet, before their game and after it. Returns true if
    /// the game counts: nothing has changed since the match began, or it may.
    pub fn allow(&self, meeting: [usize; 2]) -> bool {
        let mut files = lock(&self.files);
        let mut noticed = lock(&self.noticed);
        for known in files
            .iter_mut()
            .filter(|known| meeting.contains(&known.player))
        {
            if let Some(is) = known.change() {
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
        self.may_change() || noticed.is_empty()
    }

    /// Changes are to be noted, and end nothing.
    pub fn may_change(&self) -> bool {
        self.on_change == OnProgramChange::Note
    }

    /// Checks that no program has changed that must not.
    ///
    /// # Errors
    /// If one has: which, and what to do; `games` that have ended are kept.
    pub fn check(&self, games: u64) -> Result<()> {
        match self.noticed(games).first() {
            None => Ok(()),
            Some(change) => bail!("{change} meanwhile: what was finished is kept, {CURE}"),
        }
    }

    /// The changes that have been noticed since the last call. `games` of the match have ended.
    pub fn noticed(&self, games: u64) -> Vec<ProgramChange> {
        let changes = std::mem::take(&mut *lock(&self.noticed)).into_iter();
        changes
            .map(|change| ProgramChange { games, ..change })
            .collect()
    }
}

impl KnownFile {
    /// What the file is now, if its content differs: `Some(None)` if it is gone.
    fn change(&mut self) -> Option<Option<(ProgramFile, FileStamp)>> {
        let about = || fs::metadata(&self.named.path);
        if !self.named.is_read_by_games || about().is_ok_and(|a| FileStamp::new(&a) == self.stamp) {
            return None;
        }
        match read(&self.named) {
            Ok((file, stamp)) if file.fnv1a == self.file.fnv1a => {
                self.stamp = stamp;
                None
            }
            now => Some(now.ok()),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// What is to be done when a program has changed in a run that has no leave for it.
pub const CURE: &str = "but another program is another player. Begin anew with another --out, or \
    put the old one back and --resume";

/// Checks that a run of one player, called `player`, goes on with the program that its log names.
///
/// # Errors
/// If it has changed: what, and what to do.
pub fn check_unchanged(player: &str, logged: &[ProgramFile], now: &[ProgramFile]) -> Result<()> {
    match difference(player, logged, now, 0) {
        None => Ok(()),
        Some(change) => bail!("{change} since this began: {CURE}"),
    }
}

/// What differs between the files that a run's log names and those of now, if anything. Only files
/// that are in the log count: one that came up since may be the bot's own log. `games` of the run
/// have ended.
pub fn difference(
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

/// Reads a file; the stamp is of before, so that a change meanwhile is found later.
fn read(named: &NamedFile) -> io::Result<(ProgramFile, FileStamp)> {
    let mut file = File::open(&named.path)?;
    let about = file.metadata()?;
    let mut chunk = vec![0; CHUNK];
    let (mut hash, mut bytes) = (fnv::OFFSET_BASIS, 0);
    loop {
        let count = match file.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hash = fnv::extended(hash, &chunk[..count]);
        bytes += count as u64;
    }
    let file = ProgramFile {
        path: named.name.clone(),
        bytes,
        modified_s: modified_seconds(&about),
        fnv1a: format!("{hash:016x}"),
    };
    Ok((file, FileStamp::new(&about)))
}

/// The files that a command names: its program, and among the other words those that are files, be
/// it behind an `=` or within a shell's line. `path` is where programs without a folder are looked
/// for; `folder` is where the command is started.
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
        // A whole word may have spaces in it, a shell's line has words of its own.
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

/// The file that the system runs for a program that is named so: Windows adds `.exe`.
fn runnable(path: PathBuf) -> PathBuf {
    if EXE_SUFFIX.is_empty() || path.is_file() {
        return path;
    }
    let mut name = path.into_os_string();
    name.push(EXE_SUFFIX);
    name.into()
}

/// Files with such names are written by bots.
fn is_log(name: &str) -> bool {
    const WRITTEN: [&str; 3] = ["log", "err", "out"];
    let ending = Path::new(name).extension();
    ending.is_some_and(|ending| WRITTEN.iter().any(|written| ending == *written))
}

/// The running program, which plays for our own bot, also if its file has been replaced since.
pub fn own_program() -> Option<NamedFile> {
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
