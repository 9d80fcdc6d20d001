//! Ctrl-C and its like: a command that has something to keep ends in good order, and its exit
//! status says that it was not done.

use crate::system;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;

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
        system::watch_end_signals(&flag, &signal)?;
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
        system::exit_status_after(self.signal)
    }
}

impl fmt::Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Interrupted {}
