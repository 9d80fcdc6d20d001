//! The list of `hex check`: a line with a mark for each check, printed as soon as it is known.

use crate::player::{Fault, FaultKind};
use hex_common::finding::Finding;
use std::io::{self, Write};

/// The exit status if a check failed.
const FAILED: u8 = 1;

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
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
pub(crate) struct CheckList {
    marks: Vec<Mark>,
    /// The faults that have been named, so that each is named once.
    named: Vec<(FaultKind, String)>,
    /// What was not tried, for the last line.
    left_out: Option<&'static str>,
}

impl CheckList {
    /// Adds and prints a check with its result.
    ///
    /// # Errors
    /// If the output is closed.
    pub(crate) fn add(&mut self, mark: Mark, name: &str, found: &str) -> io::Result<()> {
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

    /// Returns true if a fault like this one has been named.
    pub(crate) fn is_known(&self, fault: &Fault) -> bool {
        self.named.contains(&gist(fault))
    }

    /// Remembers a fault that is named.
    pub(crate) fn remember(&mut self, fault: &Fault) {
        self.named.push(gist(fault));
    }

    /// Returns true if a fault of this kind has been named.
    pub(crate) fn knows(&self, kind: FaultKind) -> bool {
        self.named.iter().any(|(known, _)| *known == kind)
    }

    /// Notes that the bot is too faulty for the rest, `what`.
    pub(crate) fn leave_out(&mut self, what: &'static str) {
        self.left_out = Some(what);
    }

    /// Ends the list with the number of checks that passed.
    ///
    /// # Errors
    /// As a [`Finding`] if a check failed.
    pub(crate) fn end(&self) -> anyhow::Result<()> {
        let count = |mark: Mark| self.marks.iter().filter(|&&one| one == mark).count();
        let (all, bad, notes) = (self.marks.len(), count(Mark::Bad), count(Mark::Note));
        let noted = match notes {
            0 => String::new(),
            1 => ", 1 with a note".to_owned(),
            notes => format!(", {notes} with a note"),
        };
        if bad > 0 {
            let left_out = self
                .left_out
                .map_or(String::new(), |what| format!("; {what}"));
            let sentence = format!("{bad} of {all} checks failed{noted}{left_out}");
            return Err(Finding::new(FAILED, sentence).into());
        }
        writeln!(io::stdout(), "all {all} checks passed{noted}")?;
        Ok(())
    }
}

/// What makes a fault the same as another one: its words without numbers, without colours, and
/// without the answer that it quotes.
fn gist(fault: &Fault) -> (FaultKind, String) {
    let parts = fault.detail.split('`').step_by(2);
    let words = parts.flat_map(|part| part.split(' '));
    let is_kept = |word: &&str| {
        !word.contains(|c: char| c.is_ascii_digit()) && !["red", "blue"].contains(word)
    };
    let words = words.filter(is_kept);
    (fault.kind, words.collect::<Vec<&str>>().join(" "))
}
