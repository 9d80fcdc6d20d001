//! The record that `hex web RECORD` opens: a folder of `hex match` or a file with one game. The
//! page gets its text as it is now, so that reloading the page shows a match's new games.

use super::refusal::Refusal;
use anyhow::{bail, Context};
use axum::http::StatusCode;
use serde::Serialize;
use std::io;
use std::path::{Path, PathBuf};

/// The log's name in a match's folder.
const LOG: &str = "games.jsonl";

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

/// The record's text, for the page, which tells by the name what it is.
#[derive(Clone, Debug, Serialize)]
pub struct OpenedText {
    /// The name of the folder or file.
    title: String,
    /// The name of the file that was read.
    name: String,
    /// Everything in it.
    text: String,
}

impl Opened {
    /// The record at `path`.
    ///
    /// # Errors
    /// If there is none that can be read.
    pub fn check(path: PathBuf) -> anyhow::Result<Opened> {
        let shown = path.display().to_string();
        let real = path.canonicalize().with_context(|| shown.clone())?;
        let name = name_of(&real);
        let (file, folder) = match path.is_dir() {
            true => (path.join(LOG), Some(real)),
            false => (path, None),
        };
        if !file.is_file() {
            bail!("{shown}: no {LOG} is in this folder; give a folder that `hex match` has made");
        }
        let opened = Opened { name, file, folder };
        opened.read().with_context(|| shown)?;
        Ok(opened)
    }

    /// Everything in the file, unless a link leads from the folder to somewhere else.
    fn read(&self) -> io::Result<String> {
        let real = self.file.canonicalize()?;
        if self
            .folder
            .as_ref()
            .is_some_and(|folder| !real.starts_with(folder))
        {
            let why = format!("{LOG} is a link that leads out of the folder");
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        }
        std::fs::read_to_string(real)
    }

    /// What is in it now.
    ///
    /// # Errors
    /// If it cannot be read any more, or a link leads out of the folder.
    pub fn text(&self) -> Result<OpenedText, Refusal> {
        let text = self.read().map_err(|error| match error.kind() {
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
        })
    }
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
