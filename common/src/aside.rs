//! What commands say beside their results: standard error, which nobody has to read.

use std::fmt::Display;
use std::io::Write;

/// Writes a text to standard error. If nobody reads it any more it is lost, and that is all: the
/// command goes on, where `eprint!` would end it with a panic.
pub fn tell(text: impl Display) {
    // One write, so that texts of several threads do not run into each other.
    let _ = std::io::stderr().write_all(text.to_string().as_bytes());
}

/// Writes a line to standard error, as [`tell`] does.
pub fn tell_line(text: impl Display) {
    tell(format_args!("{text}\n"));
}
