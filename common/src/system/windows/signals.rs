//! Ctrl-C, Ctrl-Break and the end of the console. Windows calls a handler for these events, in a
//! thread of its own. (The C runtime's `signal`, which signal-hook uses, crashes under Wine 8.)

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Once};
use std::time::Duration;
use windows_sys::core::BOOL;
use windows_sys::Win32::Foundation::TRUE;
use windows_sys::Win32::System::Console::{
    SetConsoleCtrlHandler, CTRL_BREAK_EVENT, CTRL_C_EVENT, PHANDLER_ROUTINE,
};

/// Events as signals, with the numbers of Unix and of the C runtime.
const SIGINT: usize = 2;
const SIGTERM: usize = 15;
const SIGBREAK: usize = 21;

/// Longer than the time that Windows gives a program after its console has been closed.
const TO_THE_END: Duration = Duration::from_secs(60);

/// The flag and the number that an event sets.
type Watch = (Arc<AtomicBool>, Arc<AtomicUsize>);

/// All watches.
static WATCHES: Mutex<Vec<Watch>> = Mutex::new(Vec::new());

/// Watches for events that end this program: Ctrl-C, Ctrl-Break and the end of its console. The
/// first event sets `flag`, and `signal` to its number; the second one ends the program at once.
///
/// # Errors
/// If the system does not allow it.
pub fn watch_end_signals(flag: &Arc<AtomicBool>, signal: &Arc<AtomicUsize>) -> io::Result<()> {
    static HANDLED: Once = Once::new();
    let mut watches = WATCHES.lock().unwrap_or_else(|error| error.into_inner());
    watches.push((Arc::clone(flag), Arc::clone(signal)));
    drop(watches);
    let mut handled = Ok(());
    HANDLED.call_once(|| handled = handle(Some(on_event)));
    handled
}

/// From now on, only the end of its job ends this process.
///
/// # Errors
/// If the system does not allow it.
pub fn ignore_signals() -> io::Result<()> {
    handle(Some(on_nothing))
}

/// The exit status after a signal, as on Unix: 130 after Ctrl-C.
pub fn exit_status_after(signal: usize) -> u8 {
    128 + signal as u8
}

fn handle(handler: PHANDLER_ROUTINE) -> io::Result<()> {
    // SAFETY: the handlers are safe functions of this file, which stay as long as the program.
    match unsafe { SetConsoleCtrlHandler(handler, TRUE) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

extern "system" fn on_nothing(_event: u32) -> BOOL {
    TRUE
}

extern "system" fn on_event(event: u32) -> BOOL {
    let number = match event {
        CTRL_C_EVENT => SIGINT,
        CTRL_BREAK_EVENT => SIGBREAK,
        _ => SIGTERM,
    };
    let watches = WATCHES.lock().unwrap_or_else(|error| error.into_inner());
    for (flag, signal) in watches.iter() {
        signal.store(number, Ordering::SeqCst);
        if flag.swap(true, Ordering::SeqCst) {
            std::process::exit(exit_status_after(number).into());
        }
    }
    drop(watches);
    if number == SIGTERM {
        // The system ends the program when this function returns, or after a few seconds.
        std::thread::sleep(TO_THE_END);
    }
    TRUE
}
