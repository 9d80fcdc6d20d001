//! What is wrong with a question: a sentence for people.

use std::fmt::{self, Display};

/// Why a question is not answered: it can be read, but asks for something impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    why: String,
    is_too_large: bool,
}

impl Problem {
    /// A problem that this sentence tells.
    pub fn impossible(why: impl Display) -> Problem {
        Problem {
            why: why.to_string(),
            is_too_large: false,
        }
    }

    /// What was sent is larger than the limit; the sentence contains both sizes.
    pub fn too_large(why: impl Display) -> Problem {
        Problem {
            why: why.to_string(),
            is_too_large: true,
        }
    }

    /// The sentence for people.
    pub fn message(&self) -> &str {
        &self.why
    }

    /// Whether it is the size alone that is wrong.
    pub fn is_too_large(&self) -> bool {
        self.is_too_large
    }
}

impl Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.why)
    }
}
