//! The games of a match as SGF files, with the time of each move as its comment.

use super::runner::Finished;
use crate::record::sgf;
use anyhow::{bail, Context, Result};
use std::path::{Path, PathBuf};

/// The folder of SGF files in the folder of a match.
pub const FOLDER: &str = "sgf";

/// Checks, before there is anything of a match in its folder, that there is nothing in the way of
/// the records.
///
/// # Errors
/// If there is.
pub fn check_folder(folder: &Path) -> Result<()> {
    let records = folder.join(FOLDER);
    if records.exists() && !records.is_dir() {
        bail!("{} is no folder; choose another --out", records.display());
    }
    Ok(())
}

/// Makes the folder of records in the folder of a match.
///
/// # Errors
/// If it cannot be made.
pub fn make_folder(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder.join(FOLDER))
        .with_context(|| format!("cannot write into the folder {}", folder.display()))
}

/// Writes the game's record below `folder`.
///
/// # Errors
/// If the file cannot be written.
pub fn write(folder: &Path, finished: &Finished) -> Result<()> {
    let path = path(folder, finished.line.id);
    let mut game = finished.game.clone();
    let times = &finished.line.times_ms;
    game.remark_all(|turn, old| match times.get(turn).copied().flatten() {
        None => "forced".to_string(),
        Some(time) if old.is_empty() => format!("{time:.1} ms"),
        Some(time) => format!("{time:.1} ms; {old}"),
    });
    std::fs::write(&path, sgf::write(&game)).with_context(|| path.display().to_string())
}

/// Where the record of game `id` is.
pub fn path(folder: &Path, id: u64) -> PathBuf {
    folder.join(FOLDER).join(format!("{id:06}.sgf"))
}
