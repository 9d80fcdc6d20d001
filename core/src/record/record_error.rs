//! Why a record cannot be read or written, in words.

use thiserror::Error;

/// A text is not the record that it should be, or a game cannot be written in a format: where, and
/// why.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct RecordError(String);

impl RecordError {
    /// For this reason.
    pub(crate) fn new(why: impl ToString) -> RecordError {
        RecordError(why.to_string())
    }
}
