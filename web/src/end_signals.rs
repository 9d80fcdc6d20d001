//! The signals that end the server: Ctrl-C and `kill`, or Ctrl-C and Ctrl-Break on Windows. They
//! are here and not in [`hex_common::system`], because tokio waits for them.

#[cfg(unix)]
use hex_common::system::is_ignored;
#[cfg(unix)]
use tokio::signal::unix::{signal, Signal, SignalKind};
#[cfg(windows)]
use tokio::signal::windows::{ctrl_break, ctrl_c, CtrlBreak, CtrlC};

#[cfg(unix)]
type Kinds = (Signal, Signal);
#[cfg(windows)]
type Kinds = (CtrlC, CtrlBreak);

/// Catches the signals: while it exists they do not end the program by themselves.
pub struct EndSignals {
    kinds: Kinds,
    /// False in the background of a script, whose Ctrl-C is not for this program.
    hears_interrupts: bool,
}

impl EndSignals {
    /// Starts to catch the signals.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub fn watch() -> std::io::Result<EndSignals> {
        #[cfg(unix)]
        let hears_interrupts = !is_ignored(SignalKind::interrupt().as_raw_value());
        #[cfg(windows)]
        let hears_interrupts = true;
        #[cfg(unix)]
        let kinds = (
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
        );
        #[cfg(windows)]
        let kinds = (ctrl_c()?, ctrl_break()?);
        Ok(EndSignals {
            kinds,
            hears_interrupts,
        })
    }

    /// Waits for the next one.
    pub async fn next(&mut self) {
        let (interrupt, other) = &mut self.kinds;
        tokio::select! {
            _ = interrupt.recv(), if self.hears_interrupts => {}
            _ = other.recv() => {}
        }
    }
}
