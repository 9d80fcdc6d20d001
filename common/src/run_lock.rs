//! Locks on folders and files: two runs that write to the same place would destroy each other's
//! results. The operating system keeps the lock (`flock`) and releases it when the process ends,
//! even after a crash.
//!
//! `train/checkpoint.py` locks the folders of training runs in the same way.

use anyhow::{bail, Context};
use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

/// The locked file in a folder. It stays after the lock is released.
const LOCK: &str = "lock";

/// A locked folder. Dropping this value releases the lock.
#[derive(Debug)]
pub struct RunLock {
    _lock: File,
}

/// Makes the folder if it does not exist, and locks it for this process.
///
/// # Errors
/// If it cannot be made or written, or another process has locked it.
pub fn folder(folder: &Path) -> anyhow::Result<RunLock> {
    let name = folder.display();
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {name}"))?;
    let path = folder.join(LOCK);
    let mut options = OpenOptions::new();
    let opened = options.create(true).truncate(false).write(true).open(path);
    let lock = opened.with_context(|| format!("cannot write into the folder {name}"))?;
    file(&lock, folder)?;
    Ok(RunLock { _lock: lock })
}

/// Locks an open file for this process until the file is closed. The error names `path`.
///
/// # Errors
/// If another process has locked it, or the file system does not support locks.
pub(crate) fn file(file: &File, path: &Path) -> anyhow::Result<()> {
    let name = path.display();
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            bail!(
                "{name} is in use by another process: wait until it ends, or choose another --out"
            )
        }
        Err(TryLockError::Error(error)) => Err(error).with_context(|| {
            format!("{name} cannot be locked for this process; choose another disk with --out")
        }),
    }
}
