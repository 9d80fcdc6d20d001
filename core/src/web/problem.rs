//! What is wrong with a question or an order: a kind for programs, and a sentence for people.

use std::fmt::Display;

/// What kind of thing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// It is not in the language of questions: no JSON, or not text.
    Unreadable,
    /// It can be read, but asks for something impossible.
    Impossible,
    /// It is larger than the limit.
    TooLarge,
}

/// Why something is not answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Problem {
    kind: ProblemKind,
    why: String,
}

impl Problem {
    /// It can be read, but asks for something impossible, as this sentence says.
    pub fn impossible(why: impl Display) -> Problem {
        Problem::new(ProblemKind::Impossible, why)
    }

    /// A problem of any kind.
    pub fn new(kind: ProblemKind, why: impl Display) -> Problem {
        let why = why.to_string();
        Problem { kind, why }
    }

    /// What kind of thing is wrong.
    pub fn kind(&self) -> ProblemKind {
        self.kind
    }

    /// The sentence for people.
    pub fn message(&self) -> &str {
        &self.why
    }
}

/// JSON that cannot be read, or says something else than is wanted.
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
