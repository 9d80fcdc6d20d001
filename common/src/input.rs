//! Files that others have written, and standard input: as a whole, or line by line with numbers for
//! error messages. Every command opens such files here, so that none waits for a pipe that it found
//! in a folder, follows a link out of a folder, or fills the memory from a device. This module does
//! not know what the text means.

use anyhow::Context;
use hex_core::record::without_byte_order_mark;
use hex_core::service::problem::words;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, StdinLock};
use std::path::{Path, PathBuf};

/// The most bytes of an input that is held in memory as a whole, and of a line of any input. A game
/// of CodinGame has less than a megabyte.
pub const MAX_FILE: usize = 64_000_000;

/// Opens a file to read it. What the user names may be anything, such as a pipe: `folder` is then
/// `None`. What was found in a folder that the user has named, at any depth, must pass
/// [`check_found`].
///
/// # Errors
/// If it does not, or cannot be opened.
pub fn open(path: &Path, folder: Option<&Path>) -> io::Result<File> {
    match folder {
        Some(folder) => File::open(check_found(path, folder)?),
        None => File::open(path),
    }
}

/// The real path of a file that was found in `folder`, at any depth.
///
/// # Errors
/// If it is not a regular file, or a link leads out of the folder (`PermissionDenied`).
pub fn check_found(path: &Path, folder: &Path) -> io::Result<PathBuf> {
    let real = within(path, folder)?;
    if !real.is_file() {
        // Opening a pipe waits for a program that writes into it, and a device may have no end.
        return Err(io::Error::other("it is not a regular file"));
    }
    Ok(real)
}

/// The real path of something in `folder`.
///
/// # Errors
/// If it does not exist, or a link leads out of the folder (`PermissionDenied`).
pub(crate) fn within(path: &Path, folder: &Path) -> io::Result<PathBuf> {
    let real = path.canonicalize()?;
    if real.starts_with(folder.canonicalize()?) {
        Ok(real)
    } else {
        let why = "it is a link that leads out of the folder";
        Err(io::Error::new(ErrorKind::PermissionDenied, why))
    }
}

/// All bytes of a file that the user has named.
///
/// # Errors
/// If it cannot be read, or has more than [`MAX_FILE`] bytes.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_all(open(path, None)?)
}

/// All bytes of a reader.
///
/// # Errors
/// If they cannot be read, or are more than [`MAX_FILE`].
pub fn read_all(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes)?;
    check_length(bytes.len(), "it")?;
    Ok(bytes)
}

/// Checks the size of `what`.
///
/// # Errors
/// If it has more than [`MAX_FILE`] bytes.
fn check_length(bytes: usize, what: impl Display) -> io::Result<()> {
    if bytes <= MAX_FILE {
        return Ok(());
    }
    let most = words(MAX_FILE);
    let why = format!("{what} has more than {most}, the most that is read");
    Err(io::Error::new(ErrorKind::FileTooLarge, why))
}

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

/// A reader that fails for good at a line of more than [`MAX_FILE`] bytes.
pub struct LimitedLines<R> {
    inner: R,
    /// How many lines have been read to their end.
    whole: usize,
    /// How many bytes of the next one have been read.
    length: usize,
}

impl<R: BufRead> LimitedLines<R> {
    /// The lines of `inner`.
    pub fn new(inner: R) -> Self {
        LimitedLines {
            inner,
            whole: 0,
            length: 0,
        }
    }

    /// Whether all lines so far are short enough.
    ///
    /// # Errors
    /// The number of the line that is too long.
    pub fn check(&self) -> io::Result<()> {
        check_length(self.length, format_args!("line {}", self.whole + 1))
    }
}

impl<R: BufRead> BufRead for LimitedLines<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.check()?;
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        // The consumed bytes are in the buffer, so this reads nothing.
        if let Ok(buffer) = self.inner.fill_buf() {
            let mut parts = buffer[..count].split(|&byte| byte == b'\n');
            let last = parts.next_back().map_or(0, <[u8]>::len);
            let before = parts.count();
            let begun = if before == 0 { self.length } else { 0 };
            (self.whole, self.length) = (self.whole + before, begun + last);
        }
        self.inner.consume(count);
    }
}

impl<R: BufRead> Read for LimitedLines<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

/// The text of a file that the user has named, without a byte order mark.
///
/// # Errors
/// As [`read`], and if it is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let text = String::from_utf8(read(path)?);
    let text = text.map_err(|error| io::Error::new(ErrorKind::InvalidData, error.utf8_error()))?;
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
    reader: LimitedLines<Box<dyn BufRead>>,
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
        let file = open(path, None).with_context(|| format!("cannot open {name}"))?;
        let reader = WithoutByteOrderMark::new(BufReader::new(file));
        Ok(Self::new(&name, Box::new(reader)))
    }

    /// The lines of `reader`; errors call it `source_name`.
    pub fn new(source_name: &str, reader: Box<dyn BufRead>) -> Self {
        Lines {
            source_name: source_name.to_owned(),
            reader: LimitedLines::new(reader),
            count: 0,
        }
    }

    /// The next line, or `None` if and only if the input has ended. A line ends with `\n` or
    /// `\r\n`.
    ///
    /// # Errors
    /// If reading fails, or the line has more than [`MAX_FILE`] bytes.
    pub fn next_line(&mut self) -> anyhow::Result<Option<Line>> {
        let mut bytes = Vec::new();
        let read = self.reader.read_until(b'\n', &mut bytes);
        if read.with_context(|| format!("cannot read {}", self.source_name))? == 0 {
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
