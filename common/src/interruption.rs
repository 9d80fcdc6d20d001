//! Handles Ctrl-C and similar signals. A command with results to keep saves them before it ends,
//! and its exit status shows that it was interrupted.

use crate::system;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;

/// Watches for signals that end the command, such as Ctrl-C. The first signal sets a flag; the
/// second one ends the program at once.
pub struct Interruption {
    flag: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

/// The error of a command that a signal has interrupted.
#[derive(Debug)]
pub struct Interrupted {
    signal: usize,
    /// What is not done, and how to resume.
    what: String,
}

impl Interruption {
    /// Begins to watch.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub fn watch() -> io::Result<Self> {
        let (flag, signal) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        system::watch_end_signals(&flag, &signal)?;
        // A signal between the two registrations has not set the flag.
        if signal.load(Ordering::SeqCst) > 0 {
            flag.store(true, Ordering::SeqCst);
        }
        Ok(Interruption { flag, signal })
    }

    /// The flag that the first signal sets.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    /// The error with the message `what`; `None` if and only if no signal has come.
    pub fn error(&self, what: impl Into<String>) -> Option<Interrupted> {
        let signal = self.signal.load(Ordering::Relaxed);
        (signal > 0).then(|| Interrupted {
            signal,
            what: what.into(),
        })
    }
}

impl Interrupted {
    /// The exit status that shells expect: 128 plus the signal's number, for example 130 after
    /// Ctrl-C.
    pub fn exit_status(&self) -> u8 {
        system::exit_status_after(self.signal)
    }
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Interrupted {}
