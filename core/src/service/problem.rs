//! The error of a question or an order, a kind for programs and a sentence for people; and the
//! limits of the page's messages in bytes, above which there is an error.
//!
//! The limits depend on each other. Every record that opens can be saved: from [`MAX_RECORD`] bytes
//! with [`MAX_NODES`] positions the page makes at most 21 MB of JSON, 32 bytes for a node and six
//! for each byte of remarks that JSON escapes. A saved record opens again unless its remarks are
//! longer than a megabyte, because a node in SGF takes at most 12 bytes beside its remarks.

use std::fmt::Display;

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// It is not JSON, or not text.
    Unreadable,
    /// It can be read, but what it wants is not possible.
    Impossible,
    /// It is larger than the limit.
    TooLarge,
}

impl ProblemKind {
    /// The status of the response, as in HTTP.
    pub fn status(self) -> u16 {
        match self {
            ProblemKind::Unreadable => 400,
            ProblemKind::Impossible => 422,
            ProblemKind::TooLarge => 413,
        }
    }
}

/// Why a question or an order is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Problem {
    kind: ProblemKind,
    why: String,
}

impl Problem {
    /// What is wanted is not possible, for the reason in this sentence.
    pub fn impossible(why: impl Display) -> Problem {
        Problem::new(ProblemKind::Impossible, why)
    }

    /// An error of any kind.
    pub fn new(kind: ProblemKind, why: impl Display) -> Problem {
        let why = why.to_string();
        Problem { kind, why }
    }

    /// The kind of the error.
    pub fn kind(&self) -> ProblemKind {
        self.kind
    }

    /// The sentence for people.
    pub fn message(&self) -> &str {
        &self.why
    }
}

/// JSON that cannot be read, or with other fields than expected.
impl From<serde_json::Error> for Problem {
    fn from(error: serde_json::Error) -> Problem {
        let kind = if error.is_data() {
            ProblemKind::Impossible
        } else {
            ProblemKind::Unreadable
        };
        Problem::new(kind, error)
    }
}

/// The longest question about one game, in bytes: [`super::view::MAX_GAME`] and the other fields.
pub const MAX_QUESTION: usize = 64_000;

/// The longest record that is opened, in bytes.
pub const MAX_RECORD: usize = 3_000_000;

/// The longest question to save a game with its variations, in bytes.
pub const MAX_SAVED: usize = 24_000_000;

/// The most nodes of a tree that is opened or saved.
pub const MAX_NODES: usize = 150_000;

/// Refuses a message of more than `most` bytes.
///
/// # Errors
/// If it has more.
pub fn check_size(bytes: usize, most: usize) -> Result<(), Problem> {
    if bytes > most {
        let why = format!(
            "{} are too large, at most {} are accepted",
            words(bytes),
            words(most)
        );
        Err(Problem::new(ProblemKind::TooLarge, why))
    } else {
        Ok(())
    }
}

/// Refuses a tree of more than [`MAX_NODES`] nodes.
///
/// # Errors
/// If it has more.
pub(crate) fn check_nodes(nodes: usize) -> Result<(), Problem> {
    if nodes > MAX_NODES {
        let why = format!("{nodes} positions are too many, at most {MAX_NODES} are accepted");
        Err(Problem::new(ProblemKind::TooLarge, why))
    } else {
        Ok(())
    }
}

/// A number of bytes for people: `812 bytes`, `64 kB`, `1.3 MB`. Rounds up, so that a number just
/// above a limit does not look equal to it.
pub fn words(bytes: usize) -> String {
    let (unit, name) = match bytes {
        0..1_000 => return format!("{bytes} bytes"),
        1_000..1_000_000 => (1_000, "kB"),
        _ => (1_000_000, "MB"),
    };
    let tenths = bytes.div_ceil(unit / 10);
    match tenths % 10 {
        0 => format!("{} {name}", tenths / 10),
        tenth => format!("{}.{tenth} {name}", tenths / 10),
    }
}
