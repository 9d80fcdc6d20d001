//! What is wrong with a question: a sentence for people.

use std::fmt::{self, Display};

/// Why a question is not answered: it can be read, but asks for something impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem(String);

impl Problem {
    /// A problem that this sentence tells.
    pub fn impossible(why: impl Display) -> Problem {
        Problem(why.to_string())
    }

    /// The sentence for people.
    pub fn message(&self) -> &str {
        &self.0
    }
}

impl Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}
