//! The record that `hex web RECORD` opens: a folder of `hex match` or a file with one game. The
//! page gets its text as it is now, and may ask again for what has come since: so a match that runs
//! can be followed.

use super::refusal::Refusal;
use axum::http::StatusCode;
use hex_common::append_log::games::MATCH_LOG;
use hex_core::record;
use serde::Serialize;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A record on this machine's disk.
#[derive(Clone, Debug)]
pub struct Opened {
    /// How people call it.
    name: String,
    /// The log or the game.
    file: PathBuf,
    /// The folder that is served, by its real name; none if a file was named.
    folder: Option<PathBuf>,
}

/// Why a record cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenedError {
    /// The file cannot be read.
    #[error("{path}")]
    Unreadable {
        /// As it was named.
        path: String,
        /// What is wrong.
        source: io::Error,
    },
    /// The folder has no log.
    #[error("{0}: no {MATCH_LOG} is in this folder; give a folder that `hex match` has made")]
    NoLog(String),
}

/// The record's text, for the page, which tells by the name what it is.
#[derive(Clone, Debug, Serialize)]
pub struct OpenedText {
    /// The name of the folder or file.
    title: String,
    /// The name of the file that was read.
    name: String,
    /// What stands in it between the two bytes: whole lines of a log, everything of a game.
    text: String,
    /// Where the text begins, in bytes: where it was asked for, or 0 if the file is shorter.
    from: u64,
    /// Where it ends.
    to: u64,
}

impl Opened {
    /// The record at `path`.
    ///
    /// # Errors
    /// If there is none that can be read.
    pub fn check(path: PathBuf) -> Result<Opened, OpenedError> {
        let shown = path.display().to_string();
        let unreadable = |source| OpenedError::Unreadable {
            path: shown.clone(),
            source,
        };
        let real = path.canonicalize().map_err(unreadable)?;
        let name = name_of(&real);
        let (file, folder) = if path.is_dir() {
            (path.join(MATCH_LOG), Some(real))
        } else {
            (path, None)
        };
        if folder.is_some() && !file.is_file() {
            return Err(OpenedError::NoLog(shown));
        }
        let opened = Opened { name, file, folder };
        opened.read(0).map_err(unreadable)?;
        Ok(opened)
    }

    /// What stands in the file from a byte on, unless a link leads from the folder to somewhere
    /// else.
    fn read(&self, from: u64) -> io::Result<Part> {
        let real = self.file.canonicalize()?;
        if self
            .folder
            .as_ref()
            .is_some_and(|folder| !real.starts_with(folder))
        {
            let why = format!("{MATCH_LOG} is a link that leads out of the folder");
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        }
        if !real.is_file() {
            // To open a pipe would wait for somebody who writes into it.
            return Err(io::Error::other("it is no file"));
        }
        let mut file = File::open(real)?;
        let from = match file.metadata()?.len() {
            length if length < from => 0,
            _ => from,
        };
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if self.is_log() {
            // The last line may be torn: a game is just being written.
            let whole = bytes.iter().rposition(|&byte| byte == b'\n');
            bytes.truncate(whole.map_or(0, |end| end + 1));
        }
        let to = from + bytes.len() as u64;
        let text = if self.is_log() {
            String::from_utf8(bytes).map_err(|_| "it is not text in UTF-8".to_owned())
        } else {
            record::decode(bytes).map_err(|error| error.to_string())
        };
        let text = text.map_err(|why| io::Error::new(io::ErrorKind::InvalidData, why))?;
        Ok(Part { text, from, to })
    }

    fn is_log(&self) -> bool {
        self.file.ends_with(MATCH_LOG)
    }

    /// What is in it now, from a byte on; from the beginning if it is shorter.
    ///
    /// # Errors
    /// If it cannot be read any more, or a link leads out of the folder.
    pub fn text(&self, from: u64) -> Result<OpenedText, Refusal> {
        let Part { text, from, to } = self.read(from).map_err(|error| match error.kind() {
            io::ErrorKind::PermissionDenied => Refusal::forbidden(error),
            _ => {
                let why = format!("{} cannot be read any more: {error}", self.name);
                Refusal::new(StatusCode::GONE, why)
            }
        })?;
        Ok(OpenedText {
            title: self.name.clone(),
            name: name_of(&self.file),
            text,
            from,
            to,
        })
    }
}

/// A part of the file.
struct Part {
    text: String,
    /// Where it begins and ends, in bytes.
    from: u64,
    to: u64,
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
