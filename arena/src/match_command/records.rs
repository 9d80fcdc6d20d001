//! The games of a match as SGF files, with the time of each move as its comment, and their logs.

use super::names;
use super::schedule::Finished;
use crate::journal::Journal;
use crate::scoresheet::FORCED;
use crate::spec::PlayerSpec;
use anyhow::{bail, Context, Result};
use hex_common::match_folder::RECORDS;
use hex_core::record::sgf;
use hexbot::cell::Color;
use std::path::{Path, PathBuf};

/// The folder of transcripts and standard errors in the folder of a match.
pub(crate) const LOGS: &str = "logs";

/// Checks, before a match writes anything, that its folder of records can be made.
///
/// # Errors
/// If a file has its name.
pub(crate) fn check_folder(folder: &Path) -> Result<()> {
    let records = folder.join(RECORDS);
    if records.exists() && !records.is_dir() {
        bail!(
            "{} is not a folder; choose another --out",
            records.display()
        );
    }
    Ok(())
}

/// Makes the folder of records in the folder of a match.
///
/// # Errors
/// If it cannot be made.
pub(crate) fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder.join(RECORDS))
        .with_context(|| format!("cannot write into the folder {}", folder.display()))
}

/// Writes the game's record below `folder`.
///
/// # Errors
/// If the file cannot be written.
pub(crate) fn write(folder: &Path, finished: &Finished) -> Result<()> {
    let path = path(folder, finished.line.id);
    let mut game = finished.game.clone();
    let times = &finished.line.times_ms;
    game.remark_all(|turn, old| match times.get(turn).copied().flatten() {
        None => FORCED.to_string(),
        Some(time) if old.is_empty() => format!("{time:.1} ms"),
        Some(time) => format!("{time:.1} ms; {old}"),
    });
    std::fs::write(&path, sgf::write(&game)).with_context(|| path.display().to_string())
}

/// The path of the record of game `id`.
pub(crate) fn path(folder: &Path, id: u64) -> PathBuf {
    folder.join(RECORDS).join(format!("{id:06}.sgf"))
}

/// Writes the logs of the game below `folder`, if a fault ended it or `keeps_all`. Deletes those of
/// an earlier play of the same game.
///
/// # Errors
/// If a file cannot be written.
pub(crate) fn write_logs(
    folder: &Path,
    finished: &Finished,
    players: &[PlayerSpec],
    keeps_all: bool,
) -> Result<()> {
    let line = &finished.line;
    let names = [&players[line.red].name, &players[line.blue].name];
    let is_kept = keeps_all || line.fault.is_some();
    for (color, journal) in Color::ALL.into_iter().zip(&finished.journals) {
        for (what, read) in CONTENTS {
            let contents = if is_kept { read(journal) } else { Vec::new() };
            let name = log_name(line.id, color, names[color.index()], what);
            let path = folder.join(LOGS).join(name);
            write_or_delete(&path, &contents).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}

/// A part of a player's journal: the ending of its file, and the function that returns it.
type Contents = (&'static str, fn(&Journal) -> Vec<u8>);

const CONTENTS: [Contents; 2] = [
    ("transcript", Journal::transcript),
    ("stderr", Journal::errors),
];

/// The existing log files of game `id` between players of these names, relative to a match's
/// folder.
pub(crate) fn logs(folder: &Path, id: u64, names: [&str; 2]) -> Vec<String> {
    let colors = Color::ALL.into_iter();
    let all = colors.flat_map(|color| {
        let name = names[color.index()];
        CONTENTS.map(|(what, _)| log_name(id, color, name, what))
    });
    let all = all.map(|name| format!("{LOGS}/{name}"));
    all.filter(|name| folder.join(name).is_file()).collect()
}

fn log_name(id: u64, color: Color, player: &str, what: &str) -> String {
    let name = names::plain(player);
    format!("{id:06}-{color}-{name}.{what}")
}

/// Writes a file, or deletes it if it would be empty.
fn write_or_delete(path: &Path, contents: &[u8]) -> std::io::Result<()> {
    if contents.is_empty() {
        return match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(path, contents)
}
