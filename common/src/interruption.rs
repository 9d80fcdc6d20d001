//! Ctrl-C and its like: a command that has something to keep ends in good order, and its exit
//! status says that it was not done.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;

/// The signals that ask a command to end: Ctrl-C, what `kill` sends, and a terminal that is closed.
const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, SIGHUP];

/// Watches for signals that ask the command to end. The first one sets a flag; the second one ends
/// the program at once.
pub struct Interruption {
    flag: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

/// The command was asked to end before it was done.
#[derive(Debug)]
pub struct Interrupted {
    signal: usize,
    /// What is not done, and how to go on.
    what: String,
}

impl Interruption {
    /// Begins to watch.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub fn watch() -> io::Result<Self> {
        let (flag, signal) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        for number in SIGNALS {
            // `nohup` ignores it, so that the command outlives its terminal.
            if number == SIGHUP && is_ignored(number) {
                continue;
            }
            let status = exit_status(number as usize).into();
            // From here on the system ends the program no more.
            signal_hook::flag::register_usize(number, Arc::clone(&signal), number as usize)?;
            signal_hook::flag::register_conditional_shutdown(number, status, Arc::clone(&flag))?;
            signal_hook::flag::register(number, Arc::clone(&flag))?;
        }
        // A signal that came between these steps has not set the flag.
        if signal.load(Ordering::SeqCst) > 0 {
            flag.store(true, Ordering::SeqCst);
        }
        Ok(Interruption { flag, signal })
    }

    /// What the first signal sets.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    /// The error that `what` is not done because a signal came; `None` if and only if none came.
    pub fn error(&self, what: impl Into<String>) -> Option<Interrupted> {
        let signal = self.signal.load(Ordering::Relaxed);
        (signal > 0).then(|| Interrupted {
            signal,
            what: what.into(),
        })
    }
}

impl Interrupted {
    /// The exit status that shells expect: 128 and the signal's number, so 130 after Ctrl-C.
    pub fn exit_status(&self) -> u8 {
        exit_status(self.signal)
    }
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Interrupted {}

/// Whether whoever started this program has set the signal to be ignored. Only Linux tells.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// The exit status of a program that a signal ended.
fn exit_status(signal: usize) -> u8 {
    128 + signal as u8
}
