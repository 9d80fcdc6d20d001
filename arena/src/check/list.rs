//! The list of `hex check`: a line with a mark for each check, printed as soon as it is known.

use hex_common::finding::Finding;
use std::io::{self, Write};

/// The exit status if a check failed.
const FAILED: u8 = 1;

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The bot passes.
    Good,
    /// Worth knowing, but the check passes.
    Note,
    /// The bot would lose games.
    Bad,
}

impl Mark {
    fn sign(self) -> char {
        match self {
            Mark::Good => '✓',
            Mark::Note => '!',
            Mark::Bad => '✗',
        }
    }
}

/// The checks so far.
#[derive(Debug, Default)]
pub struct CheckList {
    marks: Vec<Mark>,
}

impl CheckList {
    /// Adds and prints a check with its result.
    ///
    /// # Errors
    /// If the output is closed.
    pub fn add(&mut self, mark: Mark, name: &str, found: &str) -> io::Result<()> {
        self.marks.push(mark);
        let mut lines = found.lines();
        let mut output = io::stdout().lock();
        let first = lines.next().unwrap_or_default();
        writeln!(output, "{} {name:<26} {first}", mark.sign())?;
        for line in lines {
            writeln!(output, "  {:<26} {line}", "")?;
        }
        output.flush()
    }

    /// Ends the list with the number of checks that passed.
    ///
    /// # Errors
    /// As a [`Finding`] if a check failed.
    pub fn end(&self) -> anyhow::Result<()> {
        let count = |mark: Mark| self.marks.iter().filter(|&&one| one == mark).count();
        let (all, bad, notes) = (self.marks.len(), count(Mark::Bad), count(Mark::Note));
        let noted = match notes {
            0 => String::new(),
            1 => ", 1 with a note".to_owned(),
            notes => format!(", {notes} with a note"),
        };
        if bad > 0 {
            let sentence = format!("{bad} of {all} checks failed{noted}");
            return Err(Finding::new(FAILED, sentence).into());
        }
        writeln!(io::stdout(), "all {all} checks passed{noted}")?;
        Ok(())
    }
}
