//! Text from a file or from standard input, line by line, each line with its place so that an
//! error can say where it is. It does not know what the text means.

use anyhow::Context;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// What is wrong in an input, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{source_name}, line {line}: {problem}")]
pub struct InputError {
    source_name: String,
    line: usize,
    problem: String,
}

/// One line of an input, without its line break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Counted from 1.
    pub number: usize,
    /// The text; bytes that are not UTF-8 are replaced by `�`.
    pub text: String,
}

/// The lines of an input, read as they are asked for.
pub struct Lines {
    source_name: String,
    reader: Box<dyn BufRead>,
    /// How many lines have been read.
    count: usize,
}

impl Lines {
    /// The lines of the file `path`, or of standard input without one.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else {
            return Ok(Self::new("standard input", Box::new(io::stdin().lock())));
        };
        let name = path.display().to_string();
        let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
        Ok(Self::new(&name, Box::new(BufReader::new(file))))
    }

    /// The lines of `reader`; errors call it `source_name`.
    pub fn new(source_name: &str, reader: Box<dyn BufRead>) -> Self {
        Lines {
            source_name: source_name.to_owned(),
            reader,
            count: 0,
        }
    }

    /// The next line, or `None` if and only if the input has ended. Both `\n` and `\r\n` end a
    /// line.
    ///
    /// # Errors
    /// If reading fails.
    pub fn next_line(&mut self) -> anyhow::Result<Option<Line>> {
        let mut bytes = Vec::new();
        let length = self
            .reader
            .read_until(b'\n', &mut bytes)
            .with_context(|| format!("cannot read {}", self.source_name))?;
        if length == 0 {
            return Ok(None);
        }
        self.count += 1;
        let text = String::from_utf8_lossy(&bytes);
        Ok(Some(Line {
            number: self.count,
            text: text.trim_end_matches(['\n', '\r']).to_owned(),
        }))
    }

    /// How many lines have been read.
    pub fn lines_read(&self) -> usize {
        self.count
    }

    /// The error that `problem` is found in line number `line`.
    pub fn error(&self, line: usize, problem: impl Into<String>) -> InputError {
        InputError {
            source_name: self.source_name.clone(),
            line,
            problem: problem.into(),
        }
    }
}

/// `text` cut to a length that fits in a message, so that a wild input cannot flood the terminal.
pub fn shortened(text: &str) -> String {
    /// Longest piece of input that a message quotes, in characters.
    const LONGEST_QUOTE: usize = 40;
    let mut quote: String = text.chars().take(LONGEST_QUOTE).collect();
    if text.chars().nth(LONGEST_QUOTE).is_some() {
        quote.push('…');
    }
    quote
}
