//! The signals that end the server: Ctrl-C and `kill`, or Ctrl-C and Ctrl-Break on Windows. They
//! are here and not in [`hex_common::system`], because tokio waits for them.

#[cfg(unix)]
use tokio::signal::unix::{signal, Signal, SignalKind};
#[cfg(windows)]
use tokio::signal::windows::{ctrl_break, ctrl_c, CtrlBreak, CtrlC};

#[cfg(unix)]
type Kinds = (Signal, Signal);
#[cfg(windows)]
type Kinds = (CtrlC, CtrlBreak);

/// Catches the signals: while it exists they do not end the program by themselves.
pub struct EndSignals(Kinds);

impl EndSignals {
    /// Starts to catch the signals.
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
