//! Fatal errors.

use std::process::exit;

/// Ends the program with a message and status 2.
pub fn fail(message: &str) -> ! {
    eprintln!("bundler: {message}");
    exit(2)
}
