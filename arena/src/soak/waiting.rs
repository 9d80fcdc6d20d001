//! Measures when a process waited for a processor, by the system's counter.

use super::staller::Span;
use hex_common::system::{MachineError, ProcessId};
use hex_common::workers::Background;
use std::time::{Duration, Instant};

/// How often the counter is read.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// How long the first thread of a process has waited for a processor since it began; `None` if it
/// has ended, or the system does not report it. A stop by a signal does not count.
///
/// Linux reports it in `/proc/PID/schedstat`: nanoseconds on a processor, nanoseconds of waiting
/// for one, and how often it got one (proc(5)).
pub fn waited(process: ProcessId) -> Option<Duration> {
    let path = format!("/proc/{}/schedstat", process.number());
    let schedstat = std::fs::read_to_string(path).ok()?;
    let nanoseconds = schedstat.split_whitespace().nth(1)?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// Starts to watch one process. The thread returns when the process waited, to within `LOOK_EVERY`.
/// End it before waiting for the end of the process, because its number may be given to another
/// process then.
///
/// # Errors
/// If its thread cannot be started.
pub fn watch(process: ProcessId) -> Result<Background<Vec<Span>>, MachineError> {
    Background::start(move |is_over| {
        let mut waits = Waits::default();
        waits.look(Instant::now(), waited(process));
        // At the end, too: the last answer may have come just now.
        while !is_over(LOOK_EVERY) {
            waits.look(Instant::now(), waited(process));
        }
        waits.look(Instant::now(), waited(process));
        waits.spans
    })
}

/// The waits found so far.
#[derive(Default)]
struct Waits {
    spans: Vec<Span>,
    known: Option<Duration>,
}

impl Waits {
    /// Notes that the process had waited for `waited` in all at `now`. The system counts a wait
    /// when it is over, so the time added since the last look ended by `now`.
    fn look(&mut self, now: Instant, waited: Option<Duration>) {
        let Some(waited) = waited else { return };
        let more = waited.saturating_sub(self.known.unwrap_or(waited));
        self.known = Some(waited);
        if let Some(begun) = now.checked_sub(more).filter(|_| !more.is_zero()) {
            self.spans.push(Span { begun, ended: now });
        }
    }
}
