//! The folder for the compiled program, among the system's temporary files. A check that is killed
//! leaves it there; the next check removes it.

use anyhow::{Context, Result};
use hex_common::run_lock::{self, RunLock, LOCK};
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// The beginning of the folders' names.
const PREFIX: &str = "hex-check-";

/// A folder without a lock is from a version that locked none. A check takes minutes, so after this
/// time its owner is gone.
const OUTDATED: Duration = Duration::from_secs(24 * 60 * 60);

/// How many folders we make until one is ours.
const TRIES: u32 = 100;

/// A folder of our own. Dropping it removes the folder.
pub(crate) struct CheckFolder {
    folder: TempDir,
    _lock: RunLock,
}

impl CheckFolder {
    /// A new folder. Removes those whose owners are gone.
    ///
    /// # Errors
    /// If none can be made.
    pub(crate) fn new() -> Result<CheckFolder> {
        remove_abandoned(&std::env::temp_dir());
        let mut tries = 1;
        loop {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir();
            let folder = folder.context("cannot make a temporary folder")?;
            let lock = run_lock::folder(folder.path());
            // Another check may have taken it for abandoned before it was locked.
            let is_there = folder.path().join(LOCK).is_file();
            match lock {
                Ok(lock) if is_there => {
                    return Ok(CheckFolder {
                        folder,
                        _lock: lock,
                    });
                }
                Err(error) if tries == TRIES => return Err(error),
                Ok(_) | Err(_) => tries += 1,
            }
        }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the folders in `place` that are not in use. What cannot be removed stays.
fn remove_abandoned(place: &Path) {
    let entries = fs::read_dir(place).into_iter().flatten().flatten();
    for entry in entries {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        // Not a link, which could lead anywhere.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_ours && is_folder {
            let _ = remove_if_abandoned(&entry.path());
        }
    }
}

fn remove_if_abandoned(folder: &Path) -> Result<()> {
    let lock = if folder.join(LOCK).is_file() {
        Some(run_lock::folder(folder)?)
    } else {
        let age = fs::metadata(folder)?.modified()?.elapsed()?;
        anyhow::ensure!(age > OUTDATED, "a check may be about to lock it");
        None
    };
    fs::remove_dir_all(folder)?;
    // Locked until here, so that its owner cannot come between.
    drop(lock);
    Ok(())
}
