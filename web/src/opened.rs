//! The record that `hex web RECORD` opens: a folder of `hex match`, a file with a game, or many
//! games in a folder, a zip or a `.jsonl` file. The page reads its present text, and later the text
//! added since, so that it can follow a running match.

use super::refusal::Refusal;
use anyhow::{ensure, Context};
use axum::http::StatusCode;
use hex_common::games_input::{self, NamedText, Reading};
use hex_common::input::{self, MAX_FILE};
use hex_common::match_folder;
use hex_common::record_input::show_notes;
use hex_core::record;
use hex_core::service::problem::words;
use serde::Serialize;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A record on this machine's disk.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    /// Its name for people.
    name: String,
    /// The log, the game, or what has many games.
    file: PathBuf,
    /// The canonical path of the folder; `None` for a single file.
    folder: Option<PathBuf>,
    /// Does it have many games?
    holds_many: bool,
}

/// A part of the record's text, for the page, which recognizes the format by the name.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct OpenedText {
    /// The name of the folder or file.
    title: String,
    /// The name of the file that was read.
    name: String,
    /// The text between the two bytes: whole lines of a log, or a whole game.
    text: String,
    /// The first byte of the text: the requested one, or 0 if the file is shorter.
    from: u64,
    /// The byte after the text.
    to: u64,
    /// Many games instead.
    files: Vec<OpenedFile>,
}

/// One of many games, as text.
#[derive(Clone, Debug, Serialize)]
struct OpenedFile {
    /// The file, and where in it.
    name: String,
    text: String,
    /// Why there is no text, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

impl Opened {
    /// The record at `path`.
    ///
    /// # Errors
    /// If it cannot be read, or the folder has no log.
    pub(crate) fn check(path: PathBuf) -> anyhow::Result<Opened> {
        let shown = path.display().to_string();
        let real = path.canonicalize().with_context(|| shown.clone())?;
        let name = name_of(&real);
        let log = path.join(match_folder::LOG);
        let holds_many =
            !log.is_file() && games_input::holds_many(&path) && !path.ends_with(match_folder::LOG);
        let (file, folder) = match path.is_dir() {
            true if holds_many => (path, Some(real)),
            true => (log, Some(real)),
            false => (path, None),
        };
        let opened = Opened {
            name,
            file,
            folder,
            holds_many,
        };
        if !holds_many {
            let read = opened.read(0);
            read.with_context(|| opened.file.display().to_string())?;
            return Ok(opened);
        }
        let games = opened.games();
        let (games, notes) = games.with_context(|| opened.file.display().to_string())?;
        show_notes("web", &notes);
        ensure!(
            !games.is_empty(),
            "{shown}: there is neither {} nor a game (.json, .jsonl, .sgf, .txt, .zip)",
            match_folder::LOG
        );
        Ok(opened)
    }

    /// What links may not leave: the folder that was named, or the file itself.
    fn root(&self) -> io::Result<PathBuf> {
        match &self.folder {
            Some(folder) => Ok(folder.clone()),
            None => self.file.canonicalize(),
        }
    }

    /// The texts of many games, and notes about what was skipped.
    fn games(&self) -> io::Result<(Vec<OpenedFile>, Vec<String>)> {
        if self.folder.is_none() {
            // The page reads it again and again, and a pipe has its text once.
            input::check_found(&self.file, &self.root()?)?;
        }
        let paths = std::slice::from_ref(&self.file);
        let mut games = games_input::games(paths, Reading::default()).map_err(io::Error::other)?;
        let (mut found, mut bytes) = (Vec::new(), 0);
        while let Some(NamedText { name, text }) = games.next_text() {
            let name = Path::new(&name);
            let parent = self.file.parent().unwrap_or(Path::new(""));
            let within = name.strip_prefix(&self.file);
            let name = within.or(name.strip_prefix(parent)).unwrap_or(name);
            let (text, fault) = match text {
                Ok(text) => (text, None),
                Err(error) => (String::new(), Some(format!("{error:#}"))),
            };
            bytes += text.len();
            // The page holds all of it.
            if bytes > MAX_FILE {
                let why = format!("its games are longer than {}, the most", words(MAX_FILE));
                return Err(io::Error::other(
                    why + " that the page accepts: open a part of them",
                ));
            }
            found.push(OpenedFile {
                name: name.display().to_string(),
                text,
                fault,
            });
        }
        Ok((found, games.take_notes()))
    }

    /// The file's contents from a byte on; of a long log only the next part, up to a line's end.
    /// Fails if it is not a regular file, or the log is a link that leads out of the folder.
    fn read(&self, from: u64) -> io::Result<Part> {
        let mut file = input::open(&self.file, Some(&self.root()?))?;
        let from = match file.metadata()?.len() {
            length if length < from => 0,
            _ => from,
        };
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        if self.is_log() {
            file.take(MAX_FILE as u64).read_to_end(&mut bytes)?;
            // The last line may be incomplete, because a match may be writing it.
            let whole = bytes.iter().rposition(|&byte| byte == b'\n');
            bytes.truncate(whole.map_or(0, |end| end + 1));
        } else {
            bytes = input::read_all(file)?;
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
        self.file.ends_with(match_folder::LOG)
    }

    /// The present text from a byte on; from the beginning if the file is shorter.
    ///
    /// # Errors
    /// If it can no longer be read, or a link leads out of the folder.
    pub(crate) fn text(&self, from: u64) -> Result<OpenedText, Refusal> {
        let gone = |error: io::Error| match error.kind() {
            io::ErrorKind::PermissionDenied => {
                Refusal::forbidden(format!("{}: {error}", name_of(&self.file)))
            }
            _ => {
                let why = format!("{} can no longer be read: {error}", self.name);
                Refusal::new(StatusCode::GONE, why)
            }
        };
        let files = match self.holds_many {
            true => self.games().map_err(gone)?.0,
            false => Vec::new(),
        };
        let Part { text, from, to } = match self.holds_many {
            true => Part::default(),
            false => self.read(from).map_err(gone)?,
        };
        Ok(OpenedText {
            title: self.name.clone(),
            name: name_of(&self.file),
            text,
            from,
            to,
            files,
        })
    }
}

/// A part of the file.
#[derive(Default)]
struct Part {
    text: String,
    /// Its first byte, and the byte after it.
    from: u64,
    to: u64,
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
