//! Windows: job objects, and threads that read and write pipes. Features that Windows does not have
//! are errors or do nothing; each function states which.

mod job;
pub mod keeper;
pub mod pipes;
mod signals;

pub use signals::{exit_status_after, ignore_signals, watch_end_signals};

use super::{Lack, ProcessId};
use std::fs::Metadata;
use std::io;
use std::os::windows::fs::MetadataExt;
use std::process::ExitStatus;
use std::time::UNIX_EPOCH;
use windows_sys::Win32::Foundation::{
    ERROR_BAD_EXE_FORMAT, ERROR_COMMITMENT_LIMIT, ERROR_MAX_THRDS_REACHED, ERROR_NOT_ENOUGH_MEMORY,
    ERROR_OUTOFMEMORY, ERROR_TOO_MANY_OPEN_FILES,
};
use windows_sys::Win32::System::Threading::{
    GetCurrentThread, SetThreadPriority, THREAD_PRIORITY_IDLE,
};

/// Describes the end of a process, for messages. Statuses from 0xC0000000 on are Windows' own, for
/// example for an invalid memory access.
pub fn describe(status: ExitStatus) -> String {
    match status.code() {
        Some(code) if code < 0 => format!("ended with status {code:#x}"),
        Some(code) => format!("ended with status {code}"),
        None => "ended".to_string(),
    }
}

/// What the machine has too little of, if that is the error.
pub fn lack(error: &io::Error) -> Option<Lack> {
    match error.raw_os_error()?.cast_unsigned() {
        ERROR_TOO_MANY_OPEN_FILES => Some(Lack::Descriptors),
        ERROR_MAX_THRDS_REACHED => Some(Lack::Processes),
        ERROR_NOT_ENOUGH_MEMORY | ERROR_OUTOFMEMORY | ERROR_COMMITMENT_LIMIT => Some(Lack::Memory),
        _ => None,
    }
}

/// Returns true if the system cannot run a file because of what it is.
pub fn is_no_program(error: &io::Error) -> bool {
    error.raw_os_error() == Some(ERROR_BAD_EXE_FORMAT.cast_signed())
}

/// Does nothing: only memory limits open files.
///
/// # Errors
/// Never.
pub fn allow_descriptors(_needed: u64) -> Result<(), u64> {
    Ok(())
}

/// Checks that processes can be stopped on this system, for [`StallTarget`].
///
/// # Errors
/// Always: there are no signals.
pub fn check_stalls() -> anyhow::Result<()> {
    anyhow::bail!("stalls need signals, which Windows does not have")
}

/// A process to stop for a while. Windows cannot do this, see [`check_stalls`].
pub struct StallTarget;

impl StallTarget {
    /// Takes any process.
    pub fn new(_process: ProcessId) -> StallTarget {
        StallTarget
    }

    /// Does nothing.
    pub fn stop(&self) {}

    /// Does nothing.
    pub fn go_on(&self) {}
}

/// `[0]`, because a thread is not bound to a core.
pub fn cores() -> Vec<usize> {
    vec![0]
}

/// Does nothing: the thread runs on any core.
pub fn stay_on(_core: usize) {}

/// Gives this thread the lowest priority.
pub fn yield_to_all() {
    // SAFETY: the handle is a constant for the calling thread. An error is harmless: the thread
    // then only disturbs others more.
    let _ = unsafe { SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_IDLE) };
}

/// Does nothing: the system gets freed memory by itself.
pub fn return_memory() {}

/// Metadata of a file. If it is unchanged, the content is assumed to be unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    bytes: u64,
    modified: u64,
    created: u64,
}

impl FileStamp {
    /// The stamp of a file with this metadata.
    pub fn new(about: &Metadata) -> FileStamp {
        FileStamp {
            bytes: about.file_size(),
            modified: about.last_write_time(),
            created: about.creation_time(),
        }
    }
}

/// The time of the last change of a file, in seconds since 1970; 0 if it was earlier or is not
/// known.
pub fn modified_seconds(about: &Metadata) -> i64 {
    let modified = about.modified().ok();
    let since = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    since.map_or(0, |since| since.as_secs() as i64)
}
