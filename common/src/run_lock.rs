//! One holder at a time: two runs that write into one folder or file would spoil what is there. The
//! lock is the system's (`flock`), so it ends with the process, however that ends.
//!
//! The training's runs are locked in the same way, see `train/checkpoint.py`.

use anyhow::{bail, Context};
use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

/// The file in a folder that is locked. It stays when the lock is gone.
pub const LOCK: &str = "lock";

/// A folder that is kept to this process for as long as this lives.
#[derive(Debug)]
pub struct RunLock {
    _lock: File,
}

/// Makes the folder if need be, and keeps it to this process.
///
/// # Errors
/// If it cannot be made or written, or another process has it.
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

/// Keeps an open file to this process until it is closed. `path` is what the error names.
///
/// # Errors
/// If another process has it, or the file system knows no locks.
pub fn file(file: &File, path: &Path) -> anyhow::Result<()> {
    let name = path.display();
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            bail!("{name} is in use by another process: wait for its end, or choose another --out")
        }
        Err(TryLockError::Error(error)) => Err(error).with_context(|| {
            format!("{name} cannot be kept to this process; choose another disk with --out")
        }),
    }
}
