//! Unix: process groups, signals and descriptors; Linux' subreapers and affinities where they are.

pub mod keeper;
pub mod pipes;
mod reaper;

use super::ProcessId;
use rustix::process::{Pid, Signal};
use signal_hook::consts::{SIGHUP, SIGINT, SIGPIPE, SIGTERM};
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::Arc;

/// The signals that ask a command to end: Ctrl-C, what `kill` sends, and a terminal that is closed.
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

/// Watches for signals that ask this program to end. The first one sets `flag` and its number in
/// `signal`; the second one ends the program at once.
///
/// # Errors
/// If the system does not allow it.
pub fn watch_end_signals(flag: &Arc<AtomicBool>, signal: &Arc<AtomicUsize>) -> io::Result<()> {
    for number in END_SIGNALS {
        // `nohup` ignores it, so that the command outlives its terminal.
        if number == SIGHUP && is_ignored(number) {
            continue;
        }
        let status = exit_status_after(number as usize).into();
        // From here on the system ends the program no more.
        signal_hook::flag::register_usize(number, Arc::clone(signal), number as usize)?;
        signal_hook::flag::register_conditional_shutdown(number, status, Arc::clone(flag))?;
        signal_hook::flag::register(number, Arc::clone(flag))?;
    }
    Ok(())
}

/// Whether whoever started this program has set the signal to be ignored. Only Linux tells.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// The exit status that shells expect of a program that a signal ended: 128 and its number, so 130
/// after Ctrl-C.
pub fn exit_status_after(signal: usize) -> u8 {
    128 + signal as u8
}

/// Lets only SIGKILL end this process from now on: other signals set a flag that nobody looks at.
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

/// How a process ended, for people.
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
/// Why they cannot.
pub fn check_stalls() -> anyhow::Result<()> {
    Ok(())
}

/// A process to stop for a while, and never another one that has got its number since.
pub struct StallTarget {
    #[cfg(target_os = "linux")]
    process: Option<std::os::fd::OwnedFd>,
    #[cfg(not(target_os = "linux"))]
    process: Option<Pid>,
}

impl StallTarget {
    /// The process of this number.
    pub fn new(process: ProcessId) -> StallTarget {
        let process = process.pid();
        #[cfg(target_os = "linux")]
        let process = {
            use rustix::process::{pidfd_open, PidfdFlags};
            process.and_then(|process| pidfd_open(process, PidfdFlags::empty()).ok())
        };
        StallTarget { process }
    }

    /// Stops it; nothing happens if it has ended.
    pub fn stop(&self) {
        self.send(Signal::STOP);
    }

    /// Lets it go on; nothing happens if it has ended.
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

/// The cores that this process may use, where threads can be kept on one; otherwise any one.
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

/// Keeps this thread on one core, where that can be done.
pub fn stay_on(core: usize) {
    #[cfg(target_os = "linux")]
    {
        let mut set = rustix::thread::CpuSet::new();
        set.set(core);
        // On any core it still sees stalls of the whole machine.
        let _ = rustix::thread::sched_setaffinity(None, &set);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = core;
}

/// Gives this thread the lowest priority, where a thread can have one of its own.
pub fn yield_to_all() {
    #[cfg(target_os = "linux")]
    // `None` is the calling thread, and 19 the lowest. With any other it only disturbs more.
    let _ = rustix::process::setpriority_process(None, 19);
}

/// The process that started this one; `None` where that is not known.
pub fn parent() -> Option<ProcessId> {
    Some(ProcessId(std::os::unix::process::parent_id()))
}

/// What a file has to keep for its content to be taken for the same without a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileStamp {
    inode: (u64, u64),
    bytes: u64,
    modified: (i64, i64),
    /// A copy can set the time of its content, but not this one.
    changed: (i64, i64),
}

impl FileStamp {
    /// The stamp of a file that the system describes so.
    pub fn new(about: &Metadata) -> FileStamp {
        FileStamp {
            inode: (about.dev(), about.ino()),
            bytes: about.len(),
            modified: (about.mtime(), about.mtime_nsec()),
            changed: (about.ctime(), about.ctime_nsec()),
        }
    }
}

/// When a file was written, in seconds since 1970.
pub fn modified_seconds(about: &Metadata) -> i64 {
    about.mtime()
}

/// Closes this process' standard output: its reader sees the end.
///
/// # Errors
/// If it cannot be closed.
pub fn close_stdout() -> io::Result<()> {
    Ok(rustix::stdio::dup2_stdout(nothing()?)?)
}

/// Closes this process' standard input: the next write of its writer fails.
///
/// # Errors
/// If it cannot be closed.
pub fn close_stdin() -> io::Result<()> {
    Ok(rustix::stdio::dup2_stdin(nothing()?)?)
}

/// What takes the place of a pipe, whose other end is closed by that.
fn nothing() -> io::Result<File> {
    File::open("/dev/null")
}
