//! What asks the server to end: Ctrl-C and `kill`, or Ctrl-C and Ctrl-Break on Windows. It stands
//! here and not with [`hex_common::system`], because tokio waits for it.

#[cfg(unix)]
use tokio::signal::unix::{signal, Signal, SignalKind};
#[cfg(windows)]
use tokio::signal::windows::{ctrl_break, ctrl_c, CtrlBreak, CtrlC};

#[cfg(unix)]
type Kinds = (Signal, Signal);
#[cfg(windows)]
type Kinds = (CtrlC, CtrlBreak);

/// From when on such signals no longer end the program.
pub struct EndSignals(Kinds);

impl EndSignals {
    /// Begins to watch.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub fn watch() -> std::io::Result<EndSignals> {
        #[cfg(unix)]
        let kinds = (
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
        );
        #[cfg(windows)]
        let kinds = (ctrl_c()?, ctrl_break()?);
        Ok(EndSignals(kinds))
    }

    /// Waits for the next one.
    pub async fn next(&mut self) {
        let (one, other) = &mut self.0;
        tokio::select! {
            _ = one.recv() => {}
            _ = other.recv() => {}
        }
    }
}
