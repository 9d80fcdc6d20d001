//! The end of a command that ran well and has found something: its exit status says what, so that a
//! script can go by it. Errors, which end with status 2, are something else.

use std::fmt;

/// What a command has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    status: u8,
    sentence: String,
}

impl Finding {
    /// A finding with its exit status, not 0, and the sentence that people read.
    pub fn new(status: u8, sentence: impl Into<String>) -> Finding {
        debug_assert!(status > 0);
        Finding {
            status,
            sentence: sentence.into(),
        }
    }

    /// What the program is to exit with.
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
