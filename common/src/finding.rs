//! The exit status of a command that ran without error and has found something, or was interrupted,
//! so that a script can act on it. Errors end with status 2.

use std::fmt;

/// The finding of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    status: u8,
    sentence: String,
}

impl Finding {
    /// A finding with its exit status, which is not 0, and a sentence for people.
    pub fn new(status: u8, sentence: impl Into<String>) -> Finding {
        debug_assert!(status > 0);
        Finding {
            status,
            sentence: sentence.into(),
        }
    }

    /// The exit status of the program.
    pub fn exit_status(&self) -> u8 {
        self.status
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for Finding {}
