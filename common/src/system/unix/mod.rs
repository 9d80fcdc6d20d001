//! Unix: process groups, signals and descriptors. On Linux also subreapers and affinities.

mod descriptors;
pub mod keeper;
pub mod pipes;
mod reaper;

pub use descriptors::allow_descriptors;

use super::{Lack, ProcessId};
use rustix::io::Errno;
use rustix::process::{Pid, Signal};
use signal_hook::consts::{SIGHUP, SIGINT, SIGPIPE, SIGTERM};
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::Arc;

/// The signals that end a command: from Ctrl-C, from `kill`, and from a closed terminal.
const END_SIGNALS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

impl From<Pid> for ProcessId {
    fn from(pid: Pid) -> ProcessId {
        ProcessId(pid.as_raw_pid().unsigned_abs())
    }
}

impl ProcessId {
    fn pid(self) -> Option<Pid> {
        Pid::from_raw(i32::try_from(self.0).ok()?)
    }
}

/// Watches for signals that end this program. The first signal sets `flag`, and `signal` to its
/// number; the second one ends the program at once.
///
/// # Errors
/// If the system does not allow it.
pub fn watch_end_signals(flag: &Arc<AtomicBool>, signal: &Arc<AtomicUsize>) -> io::Result<()> {
    for number in END_SIGNALS {
        // Ignored under `nohup`, or in the background of a script, it stays so: the terminal's end
        // and its Ctrl-C are not for this command.
        if is_ignored(number) {
            continue;
        }
        let status = exit_status_after(number as usize).into();
        // From here on the signal no longer ends the program by itself.
        signal_hook::flag::register_usize(number, Arc::clone(signal), number as usize)?;
        signal_hook::flag::register_conditional_shutdown(number, status, Arc::clone(flag))?;
        signal_hook::flag::register(number, Arc::clone(flag))?;
    }
    Ok(())
}

/// Whether the signal is ignored, as the parent process may have left it. Known only on Linux.
pub fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// The exit status that shells expect of a program that a signal ended: 128 plus the signal's
/// number, for example 130 after Ctrl-C.
pub fn exit_status_after(signal: usize) -> u8 {
    128 + signal as u8
}

/// Lets only SIGKILL end this process from now on: other signals set a flag that is never read.
///
/// # Errors
/// If the system does not allow it.
pub fn ignore_signals() -> io::Result<()> {
    let flag = Arc::new(AtomicBool::new(false));
    for signal in [SIGTERM, SIGINT, SIGHUP, SIGPIPE] {
        signal_hook::flag::register(signal, Arc::clone(&flag))?;
    }
    Ok(())
}

/// What the machine has too little of, if that is the error.
pub fn lack(error: &io::Error) -> Option<Lack> {
    match Errno::from_io_error(error)? {
        // A process does not start (EBADF) if one of its descriptors is above a limit that has been
        // lowered meanwhile.
        Errno::MFILE | Errno::NFILE | Errno::BADF => Some(Lack::Descriptors),
        Errno::AGAIN => Some(Lack::Processes),
        Errno::NOMEM => Some(Lack::Memory),
        _ => None,
    }
}

/// Returns true if the system cannot run a file because of what it is.
pub fn is_no_program(error: &io::Error) -> bool {
    let errno = Errno::from_io_error(error);
    [Some(Errno::NOEXEC), Some(Errno::LOOP)].contains(&errno)
}

/// Describes the end of a process, for messages.
pub fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("ended with status {code}"),
        (None, Some(signal)) => format!("was killed by signal {signal}"),
        (None, None) => "ended".to_string(),
    }
}

/// Checks that processes can be stopped on this system, for [`StallTarget`].
///
/// # Errors
/// If they cannot be stopped.
pub fn check_stalls() -> anyhow::Result<()> {
    Ok(())
}

/// A process to stop for a while. On Linux it is never another process that has got the same
/// number.
pub struct StallTarget {
    #[cfg(target_os = "linux")]
    process: Option<std::os::fd::OwnedFd>,
    #[cfg(not(target_os = "linux"))]
    process: Option<Pid>,
}

impl StallTarget {
    /// The process with this number.
    pub fn new(process: ProcessId) -> StallTarget {
        let process = process.pid();
        #[cfg(target_os = "linux")]
        let process = {
            use rustix::process::{pidfd_open, PidfdFlags};
            process.and_then(|process| pidfd_open(process, PidfdFlags::empty()).ok())
        };
        StallTarget { process }
    }

    /// Stops the process; does nothing if it has ended.
    pub fn stop(&self) {
        self.send(Signal::STOP);
    }

    /// Continues the process; does nothing if it has ended.
    pub fn go_on(&self) {
        self.send(Signal::CONT);
    }

    fn send(&self, signal: Signal) {
        let Some(process) = &self.process else { return };
        #[cfg(target_os = "linux")]
        let _ = rustix::process::pidfd_send_signal(process, signal);
        #[cfg(not(target_os = "linux"))]
        let _ = rustix::process::kill_process(*process, signal);
    }
}

/// The cores that this process may use. `[0]` where a thread cannot be bound to a core.
pub fn cores() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{sched_getaffinity, CpuSet};
        if let Ok(allowed) = sched_getaffinity(None) {
            let cores = 0..CpuSet::MAX_CPU;
            return cores.filter(|&core| allowed.is_set(core)).collect();
        }
    }
    vec![0]
}

/// Binds this thread to one core where the system supports it.
pub fn stay_on(core: usize) {
    #[cfg(target_os = "linux")]
    {
        let mut set = rustix::thread::CpuSet::new();
        set.set(core);
        // An error is harmless: on any core the thread still sees stalls of the whole machine.
        let _ = rustix::thread::sched_setaffinity(None, &set);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = core;
}

/// Gives this thread the lowest priority, where threads have priorities of their own.
pub fn yield_to_all() {
    #[cfg(target_os = "linux")]
    // `None` is the calling thread, 19 the lowest priority. An error is harmless: the thread then
    // only disturbs others more.
    let _ = rustix::process::setpriority_process(None, 19);
}

/// Returns freed memory to the system, where it is otherwise kept for later. Takes milliseconds.
pub fn return_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            /// Of glibc, whose allocator Rust uses there.
            safe fn malloc_trim(kept: usize) -> std::ffi::c_int;
        }
        malloc_trim(0);
    }
}

/// Metadata of a file. If it is unchanged, the content is assumed to be unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    inode: (u64, u64),
    bytes: u64,
    modified: (i64, i64),
    /// Unlike the time of the content, a program cannot set this time.
    changed: (i64, i64),
}

impl FileStamp {
    /// The stamp of a file with this metadata.
    pub fn new(about: &Metadata) -> FileStamp {
        FileStamp {
            inode: (about.dev(), about.ino()),
            bytes: about.len(),
            modified: (about.mtime(), about.mtime_nsec()),
            changed: (about.ctime(), about.ctime_nsec()),
        }
    }
}

/// The time of the last change of a file, in seconds since 1970.
pub fn modified_seconds(about: &Metadata) -> i64 {
    about.mtime()
}
