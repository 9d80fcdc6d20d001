//! Text from a file or from standard input, line by line. Each line has its number, for error
//! messages. This module does not know what the text means.

use anyhow::Context;
use hex_core::record::without_byte_order_mark;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, StdinLock};
use std::path::Path;

/// UTF-8's byte order mark, which editors on Windows put before a text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Standard input without the byte order mark that it may begin with.
pub fn standard_input() -> WithoutByteOrderMark<StdinLock<'static>> {
    WithoutByteOrderMark::new(io::stdin().lock())
}

/// A reader that skips a byte order mark at its beginning. It reads nothing before the first call,
/// because standard input may be a terminal.
pub struct WithoutByteOrderMark<R> {
    inner: R,
    /// Bytes that look like the beginning of a mark but are not one; `None` before the first read.
    held: Option<&'static [u8]>,
}

impl<R: BufRead> WithoutByteOrderMark<R> {
    /// The bytes of `inner` after its mark.
    pub fn new(inner: R) -> Self {
        WithoutByteOrderMark { inner, held: None }
    }

    /// Skips the mark. If only a part of a mark is there, returns that part.
    fn begin(&mut self) -> io::Result<&'static [u8]> {
        // Byte by byte, because a pipe may deliver single bytes.
        for (index, expected) in BYTE_ORDER_MARK.iter().enumerate() {
            if self.inner.fill_buf()?.first() != Some(expected) {
                return Ok(&BYTE_ORDER_MARK[..index]);
            }
            self.inner.consume(1);
        }
        Ok(&[])
    }
}

impl<R: BufRead> BufRead for WithoutByteOrderMark<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let held = match self.held {
            Some(held) => held,
            None => {
                let begun = self.begin()?;
                *self.held.insert(begun)
            }
        };
        if held.is_empty() {
            self.inner.fill_buf()
        } else {
            Ok(held)
        }
    }

    fn consume(&mut self, count: usize) {
        match &mut self.held {
            Some(held) if !held.is_empty() => *held = &held[count..],
            _ => self.inner.consume(count),
        }
    }
}

impl<R: BufRead> Read for WithoutByteOrderMark<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

/// The text of the file `path` without a byte order mark.
///
/// # Errors
/// If the file cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let text = std::fs::read_to_string(path)?;
    Ok(without_byte_order_mark(&text).to_owned())
}

/// A problem in an input, with its line.
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

/// The lines of an input, read one at a time.
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
            return Ok(Self::new("standard input", Box::new(standard_input())));
        };
        let name = path.display().to_string();
        let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
        let reader = WithoutByteOrderMark::new(BufReader::new(file));
        Ok(Self::new(&name, Box::new(reader)))
    }

    /// The lines of `reader`; errors call it `source_name`.
    pub fn new(source_name: &str, reader: Box<dyn BufRead>) -> Self {
        Lines {
            source_name: source_name.to_owned(),
            reader,
            count: 0,
        }
    }

    /// The next line, or `None` if and only if the input has ended. A line ends with `\n` or
    /// `\r\n`.
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

    /// The error for `problem` in line number `line`.
    pub fn error(&self, line: usize, problem: impl Into<String>) -> InputError {
        InputError {
            source_name: self.source_name.clone(),
            line,
            problem: problem.into(),
        }
    }
}

/// `text` cut to 40 characters, so that a message cannot flood the terminal.
pub fn shortened(text: &str) -> String {
    /// Longest piece of input that a message quotes, in characters.
    const LONGEST_QUOTE: usize = 40;
    let mut quote: String = text.chars().take(LONGEST_QUOTE).collect();
    if text.chars().nth(LONGEST_QUOTE).is_some() {
        quote.push('…');
    }
    quote
}
