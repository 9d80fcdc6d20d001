//! When a process waited for a processor, as the system counts it.

use super::staller::Span;
use hex_common::system::ProcessId;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often a process is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// How long the first thread of a process has been ready to run and had no processor, since it
/// began; `None` if it has ended, and on systems that do not tell. Being stopped by a signal is no
/// waiting.
///
/// Linux tells it in `/proc/PID/schedstat`: nanoseconds on a processor, nanoseconds of waiting for
/// one, and how often it got one (proc(5)).
pub fn waited(process: ProcessId) -> Option<Duration> {
    let path = format!("/proc/{}/schedstat", process.number());
    let schedstat = std::fs::read_to_string(path).ok()?;
    let nanoseconds = schedstat.split_whitespace().nth(1)?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Watches one process. To be ended before the process is waited for, whose number may then be
/// another's.
pub struct WaitWatch {
    end: Sender<()>,
    thread: JoinHandle<Vec<Span>>,
}

impl WaitWatch {
    /// Begins to watch `process`.
    pub fn start(process: ProcessId) -> WaitWatch {
        let (end, ends) = mpsc::channel();
        let watch = move || {
            let mut waits = Waits::default();
            let mut is_over = false;
            while !is_over {
                waits.look(Instant::now(), waited(process));
                is_over = ends.recv_timeout(LOOK_EVERY) != Err(RecvTimeoutError::Timeout);
            }
            // An answer that lost the game has just come.
            waits.look(Instant::now(), waited(process));
            waits.spans
        };
        WaitWatch {
            end,
            thread: thread::spawn(watch),
        }
    }

    /// Ends it, and tells when the process waited, to within a look.
    pub fn finish(self) -> Vec<Span> {
        drop(self.end);
        self.thread.join().unwrap_or_default()
    }
}

/// What looks have told.
#[derive(Default)]
struct Waits {
    spans: Vec<Span>,
    known: Option<Duration>,
}

impl Waits {
    /// Takes in that at `now` the process had waited for `waited` in all. A wait is told when it is
    /// over, so what was added since the last look ended then.
    fn look(&mut self, now: Instant, waited: Option<Duration>) {
        let Some(waited) = waited else { return };
        let more = waited.saturating_sub(self.known.unwrap_or(waited));
        self.known = Some(waited);
        if let Some(begun) = now.checked_sub(more).filter(|_| !more.is_zero()) {
            self.spans.push(Span { begun, ended: now });
        }
    }
}
