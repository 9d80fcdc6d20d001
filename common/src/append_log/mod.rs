//! Logs that grow by a line for each result, so that a run can be resumed after a kill.
//!
//! The first line of a log is its header, which describes the run. Each line is one write. After a
//! kill the last line may be incomplete. It is removed when the log is opened again, but only if
//! all lines before it belong to this run. A file of another run is never changed.

pub mod games;
pub mod results;

use crate::run_lock;
use anyhow::{bail, ensure, Context, Result};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// The format of one kind of log.
pub trait LogFormat {
    /// The content of a line.
    type Entry;

    /// The first line of a log of this run, without its line break.
    fn header(&self) -> String;

    /// Compares the first line of a log with [`LogFormat::header`]. They must be equal, unless a
    /// format overrides this function.
    ///
    /// # Errors
    /// If the log belongs to another run. The error names the cure.
    fn check_header(&mut self, first: &str) -> Result<()> {
        let header = self.header();
        ensure!(
            first == header,
            "{first:?} is not {header:?}; use another file with --out"
        );
        Ok(())
    }

    /// Reads a line after the header.
    ///
    /// # Errors
    /// If it is not an entry of this run. The error need not name the file and the line.
    fn read(&mut self, line: &str) -> Result<Self::Entry>;
}

/// An open log, which can be extended.
#[derive(Debug)]
pub struct AppendLog {
    file: File,
    path: PathBuf,
}

impl AppendLog {
    /// Creates a log in a file that does not exist yet.
    ///
    /// # Errors
    /// If the file exists, or cannot be written.
    pub fn create(path: &Path, format: &impl LogFormat) -> Result<AppendLog> {
        let file = OpenOptions::new().write(true).create_new(true).open(path)?;
        let mut log = AppendLog::of(file, path);
        log.append_header(format)?;
        Ok(log)
    }

    /// Opens an existing log and returns its entries.
    ///
    /// # Errors
    /// If it cannot be read, belongs to another run, or has an invalid line.
    pub fn resume<F: LogFormat>(path: &Path, format: &mut F) -> Result<(AppendLog, Vec<F::Entry>)> {
        let file = OpenOptions::new().read(true).append(true).open(path);
        let mut log = AppendLog::of(file.with_context(|| path.display().to_string())?, path);
        let entries = log.load(format)?;
        Ok((log, entries))
    }

    /// Opens a log, or creates it if there is none, locks it for this process, and returns its
    /// entries.
    ///
    /// # Errors
    /// As [`AppendLog::resume`], and if another process has locked the log.
    pub fn open<F: LogFormat>(path: &Path, format: &mut F) -> Result<(AppendLog, Vec<F::Entry>)> {
        let mut options = OpenOptions::new();
        let file = options.create(true).read(true).append(true).open(path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        run_lock::file(&file, path)?;
        let mut log = AppendLog::of(file, path);
        let entries = log.load(format)?;
        Ok((log, entries))
    }

    /// Appends a line, without its line break, in one write.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, line: &str) -> Result<()> {
        let line = format!("{line}\n");
        self.change(|file| file.write_all(line.as_bytes()))
    }

    /// Replaces the whole log atomically: after a kill there is either the old or the new log.
    ///
    /// # Errors
    /// If the new log cannot be written; the old one then stays.
    pub fn replace<'a>(
        &mut self,
        format: &impl LogFormat,
        lines: impl IntoIterator<Item = &'a str>,
    ) -> Result<()> {
        let path = self.path.with_extension("new");
        let file = File::create(&path).with_context(|| path.display().to_string())?;
        let mut new = AppendLog::of(file, &path);
        new.change(|file| {
            let mut file = BufWriter::new(file);
            writeln!(file, "{}", format.header())?;
            for line in lines {
                writeln!(file, "{line}")?;
            }
            file.into_inner()?.sync_all()
        })?;
        fs::rename(&path, &self.path).with_context(|| path.display().to_string())?;
        // Its handle is at the end of the file, so that appending works.
        self.file = new.file;
        Ok(())
    }

    fn of(file: File, path: &Path) -> AppendLog {
        let path = path.to_owned();
        AppendLog { file, path }
    }

    fn append_header(&mut self, format: &impl LogFormat) -> Result<()> {
        self.append(&format.header())
    }

    /// Reads all lines. Then removes an incomplete last line, and writes the header of an empty
    /// log.
    fn load<F: LogFormat>(&mut self, format: &mut F) -> Result<Vec<F::Entry>> {
        let place = self.path.display().to_string();
        let mut bytes = Vec::new();
        let read = self.file.read_to_end(&mut bytes);
        read.with_context(|| format!("cannot read {place}"))?;
        // As bytes, because a line may end inside a character.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n');
        let whole = whole.map_or(0, |end| end + 1);
        if whole == 0 && !format.header().as_bytes().starts_with(&bytes) {
            bail!(
                "{place} has no complete line and is not a log; delete it, or choose another file"
            );
        }
        let text = std::str::from_utf8(&bytes[..whole]);
        let text = text.with_context(|| format!("{place} is not text"))?;
        let entries = read_lines(text, &place, format)?;
        if whole < bytes.len() {
            self.cut(whole as u64)?;
        }
        if whole == 0 {
            self.append_header(format)?;
        }
        Ok(entries)
    }

    /// Cuts the file to `length` bytes. It opens a second handle, because on Windows a handle that
    /// appends cannot do this.
    fn cut(&mut self, length: u64) -> Result<()> {
        let path = self.path.clone();
        self.change(|_| OpenOptions::new().write(true).open(path)?.set_len(length))
    }

    /// Calls `change` with the file; an error names the file.
    fn change(&mut self, change: impl FnOnce(&mut File) -> io::Result<()>) -> Result<()> {
        let done = change(&mut self.file);
        done.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

fn read_lines<F: LogFormat>(text: &str, place: &str, format: &mut F) -> Result<Vec<F::Entry>> {
    let mut lines = text.lines().enumerate();
    if let Some((_, first)) = lines.next() {
        let checked = format.check_header(first);
        checked.with_context(|| format!("{place}, line 1"))?;
    }
    lines
        .map(|(index, line)| {
            let entry = format.read(line);
            entry.with_context(|| format!("{place}, line {}", index + 1))
        })
        .collect()
}
