//! Handles Ctrl-C and similar signals. A command with results to keep saves them before it ends,
//! and its exit status shows that it was interrupted.

use crate::finding::Finding;
use crate::system;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;

/// Watches for signals that end the command, such as Ctrl-C. The first signal sets a flag; the
/// second one ends the program at once.
pub struct Interruption {
    flag: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
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

    /// The end of the command with the message `what`: what is not done, and how to resume. Its
    /// exit status is the one that shells expect: 128 plus the signal's number, for example 130
    /// after Ctrl-C. `None` if and only if no signal has come.
    pub fn error(&self, what: impl Into<String>) -> Option<Finding> {
        let signal = self.signal.load(Ordering::Relaxed);
        (signal > 0).then(|| Finding::new(system::exit_status_after(signal), what))
    }
}
