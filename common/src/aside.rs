//! Messages of commands on standard error. Results go to standard output.

use std::fmt::Display;
use std::io::Write;

/// Writes a text to standard error. If standard error is closed, the text is lost and the command
/// goes on; `eprint!` would panic.
pub fn tell(text: impl Display) {
    // One write, so that texts of several threads do not mix.
    let _ = std::io::stderr().write_all(text.to_string().as_bytes());
}

/// Writes a line to standard error, as [`tell`] does.
pub fn tell_line(text: impl Display) {
    tell(format_args!("{text}\n"));
}
