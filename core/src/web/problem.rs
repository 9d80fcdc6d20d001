//! The error of a question or an order: a kind for programs, and a sentence for people.

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
