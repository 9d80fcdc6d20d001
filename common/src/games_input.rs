//! Reads many games from paths: files in any format that `hex convert` reads, SGF files with
//! several games, `.jsonl` files with a game on each line, and zip files and folders of all these.
//! One game is in memory at a time, or one file for zip and SGF.
//!
//! The order is fixed: the order of the paths, then names in folders and zip files, then positions
//! in files. In a folder only regular files are read, and no link that leads out of it.

use crate::input::{self, MAX_FILE};
use crate::match_folder;
use crate::record_input::game_in;
use anyhow::{anyhow, bail, ensure, Context};
use hex_core::record::sgf::SwapMeaning;
use hex_core::record::{decode, Game, Side};
use hex_core::service::problem::words;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zip::ZipArchive;

/// The most bytes that are unpacked from one zip file.
pub(crate) const MAX_UNPACKED: usize = 4_000_000_000;

/// Extensions of the files that are read from folders and zip files. All others are skipped.
const ENDINGS: [&str; 5] = ["json", "jsonl", "sgf", "txt", "zip"];

/// A game with its source.
#[derive(Debug)]
pub struct NamedGame {
    /// The file and the place in it, such as `games.zip/a.json` or `games.jsonl, line 3`.
    pub name: String,
    /// The game, or the error.
    pub game: anyhow::Result<Game>,
}

/// Facts that a record may not state.
#[derive(Clone, Copy, Debug)]
pub struct Reading {
    /// The side of the board, for a list of moves.
    pub side: Side,
    /// The meaning of a swap in SGF that does not state it.
    pub undecided: Option<SwapMeaning>,
}

impl Default for Reading {
    fn default() -> Reading {
        Reading {
            side: Side::CODINGAME,
            undecided: None,
        }
    }
}

/// The games at these paths. A file or line that is not a game is an item with an error; the next
/// items follow. From the folder of a `hex match` the SGF files are read.
///
/// # Errors
/// If one of the paths does not exist.
pub fn games(paths: &[PathBuf], reading: Reading) -> anyhow::Result<Games> {
    for path in paths {
        let found = std::fs::metadata(path);
        found.with_context(|| format!("cannot read {}", path.display()))?;
    }
    let sources = paths.iter().map(|path| Source::Path(path.clone(), None));
    Ok(Games {
        sources: sources.collect(),
        reading,
        notes: Vec::new(),
    })
}

/// Returns true if the path can contain many games and is not SGF: a folder, a zip file or a
/// `.jsonl` file.
pub fn holds_many(path: &Path) -> bool {
    path.is_dir() || ["zip", "jsonl"].contains(&&*ending(path))
}

/// Games from several places, see [`games`].
pub struct Games {
    /// The sources still to be read, the next one first.
    sources: VecDeque<Source>,
    reading: Reading,
    notes: Vec<String>,
}

/// A source of games.
enum Source {
    /// A path whose kind is not known yet, and the named folder that it was found in.
    Path(PathBuf, Option<Arc<Path>>),
    Zip(Box<Zip>),
    Lines(JsonLines),
    /// The text of one game.
    Text(NamedText),
}

/// The text of a game, or the error.
#[derive(Debug)]
pub struct NamedText {
    /// The file and the place in it, as in [`NamedGame`].
    pub name: String,
    /// The text, in any format of `hex convert`.
    pub text: anyhow::Result<String>,
}

impl Iterator for Games {
    type Item = NamedGame;

    fn next(&mut self) -> Option<NamedGame> {
        let NamedText { name, text } = self.next_text()?;
        let Reading { side, undecided } = self.reading;
        let game = text.and_then(|text| game_in(&text, side, undecided));
        Some(NamedGame { name, game })
    }
}

impl Games {
    /// The text of the next game, which nobody has read yet.
    pub fn next_text(&mut self) -> Option<NamedText> {
        loop {
            match self.sources.pop_front()? {
                Source::Path(path, folder) => self.open(&path, folder),
                Source::Zip(mut zip) => {
                    if let Some(texts) = zip.next_texts() {
                        self.sources.push_front(Source::Zip(zip));
                        self.prepend(texts.into_iter().map(Source::Text));
                    }
                }
                Source::Lines(mut lines) => {
                    if let Some(text) = lines.next_text() {
                        self.sources.push_front(Source::Lines(lines));
                        self.prepend([Source::Text(text)]);
                    }
                }
                Source::Text(text) => return Some(text),
            }
        }
    }

    /// Inserts `found` before all other sources.
    fn prepend<I: IntoIterator<Item = Source>>(&mut self, found: I)
    where
        I::IntoIter: DoubleEndedIterator,
    {
        for source in found.into_iter().rev() {
            self.sources.push_front(source);
        }
    }

    /// What was skipped in folders since the last call, and why: a note for each.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Replaces a path by the sources at it.
    fn open(&mut self, path: &Path, folder: Option<Arc<Path>>) {
        match sources_at(path, folder, &mut self.notes) {
            Ok(found) => self.prepend(found),
            Err(error) => self.prepend([Source::Text(NamedText {
                name: path.display().to_string(),
                text: Err(error),
            })]),
        }
    }
}

/// The sources at a path, which was found in `folder`.
fn sources_at(
    path: &Path,
    folder: Option<Arc<Path>>,
    notes: &mut Vec<String>,
) -> anyhow::Result<Vec<Source>> {
    if path.is_dir() {
        let folder = folder.unwrap_or_else(|| path.into());
        let files = files_of(path, &folder, notes)?.into_iter();
        return Ok(files
            .map(|file| Source::Path(file, Some(folder.clone())))
            .collect());
    }
    let name = path.display().to_string();
    let file = input::open(path, folder.as_deref())?;
    match ending(path).as_str() {
        "zip" => Ok(vec![Source::Zip(Box::new(Zip::open(name, file)?))]),
        "jsonl" => {
            let mut reader = BufReader::with_capacity(1 << 16, file);
            ensure!(
                !match_folder::is_log(reader.fill_buf()?),
                "this is the log of a match: give its folder, whose SGF files are read"
            );
            Ok(vec![Source::Lines(JsonLines {
                name,
                reader: Some(reader),
                number: 0,
            })])
        }
        _ => Ok(texts_of(&name, input::read_all(file)?)
            .into_iter()
            .map(Source::Text)
            .collect()),
    }
}

/// The files with games and the folders of a folder, sorted by name. It lies in the folder `named`,
/// or is that. What is skipped, although its name is that of games, is added to the `notes`.
fn files_of(folder: &Path, named: &Path, notes: &mut Vec<String>) -> anyhow::Result<Vec<PathBuf>> {
    let records = match_folder::records_of(folder);
    let folder = records.as_deref().unwrap_or(folder);
    input::within(folder, named)?;
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_name().as_encoded_bytes().starts_with(b".") {
            paths.push(entry.path());
        }
    }
    paths.sort();
    paths.retain(|path| {
        let is_folder = path.is_dir();
        if !is_folder && !ENDINGS.contains(&ending(path).as_str()) {
            return false;
        }
        let why = if !is_folder {
            input::check_found(path, named).err()
        } else if path.is_symlink() {
            Some(std::io::Error::other(
                "it is a link to a folder, perhaps to one above it",
            ))
        } else {
            None
        };
        match why {
            // The reader of a file that is gone reports it.
            Some(why) if why.kind() != ErrorKind::NotFound => {
                notes.push(format!("{}: skipped, {why}", path.display()));
                false
            }
            _ => true,
        }
    });
    Ok(paths)
}

/// The extension of a file in lower case, without the dot.
fn ending(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default();
    ending.to_string_lossy().to_ascii_lowercase()
}

/// The texts of the games in a file: several in SGF and in a list of PlayHex's games, and one in
/// each line of `.jsonl`.
fn texts_of(name: &str, bytes: Vec<u8>) -> Vec<NamedText> {
    let named = |name: String, text| NamedText { name, text };
    let text = match decode(bytes) {
        Ok(text) => text,
        Err(error) => return vec![named(name.to_owned(), Err(error.into()))],
    };
    if ending(Path::new(name)) == "jsonl" {
        let lines = text.lines().enumerate();
        let lines = lines.filter(|(_, line)| !line.trim().is_empty());
        return lines
            .map(|(index, line)| named(line_name(name, index + 1), Ok(line.to_owned())))
            .collect();
    }
    let (texts, error) = hex_core::record::texts(&text);
    let is_alone = texts.len() + usize::from(error.is_some()) == 1;
    let game_name = |index: usize| {
        if is_alone {
            name.to_owned()
        } else {
            format!("{name}, game {}", index + 1)
        }
    };
    let broken = error.map(|error| named(game_name(texts.len()), Err(error.into())));
    let games = texts.iter().enumerate();
    games
        .map(|(index, text)| named(game_name(index), Ok((*text).to_owned())))
        .chain(broken)
        .collect()
}

fn line_name(name: &str, number: usize) -> String {
    format!("{name}, line {number}")
}

/// A file with a game on each line.
struct JsonLines {
    name: String,
    /// `None` after a line that cannot be read.
    reader: Option<BufReader<File>>,
    /// The number of lines read.
    number: usize,
}

impl JsonLines {
    /// The next line that is not blank. A line that cannot be read is the last line.
    fn next_text(&mut self) -> Option<NamedText> {
        loop {
            let mut bytes = Vec::new();
            let mut limited = self.reader.as_mut()?.take(MAX_FILE as u64 + 1);
            let read = limited.read_until(b'\n', &mut bytes);
            self.number += 1;
            let name = line_name(&self.name, self.number);
            let text = match read {
                Ok(0) => return None,
                Ok(length) if length > MAX_FILE => {
                    // The rest of the line must not count as a line.
                    self.reader = None;
                    let most = words(MAX_FILE);
                    Err(anyhow!(
                        "the line has more than {most}, at most {most} are read"
                    ))
                }
                Ok(_) => match decode(bytes) {
                    Ok(text) if text.trim().is_empty() => continue,
                    Ok(text) => Ok(text.trim().to_owned()),
                    Err(error) => Err(error.into()),
                },
                Err(error) => {
                    self.reader = None;
                    Err(error.into())
                }
            };
            return Some(NamedText { name, text });
        }
    }
}

/// A zip file whose files are unpacked one by one.
struct Zip {
    name: String,
    archive: ZipArchive<File>,
    /// The files that are still to be read, by their names.
    files: VecDeque<String>,
    /// The number of bytes unpacked.
    unpacked: usize,
}

impl Zip {
    fn open(name: String, file: File) -> anyhow::Result<Zip> {
        let archive = ZipArchive::new(file).context("not a zip file, or damaged")?;
        let is_taken = |file: &str| {
            let path = Path::new(file);
            let is_hidden = path
                .components()
                .any(|part| part.as_os_str().as_encoded_bytes().starts_with(b"."));
            // macOS adds such a file for each file.
            let is_double = file.starts_with("__MACOSX/");
            ENDINGS.contains(&ending(path).as_str()) && !is_hidden && !is_double
        };
        let mut files = Vec::new();
        for name in archive.file_names() {
            let name = name.context("the name of a file in it cannot be read")?;
            if is_taken(&name) {
                files.push(name.into_owned());
            }
        }
        files.sort();
        Ok(Zip {
            name,
            archive,
            files: files.into(),
            unpacked: 0,
        })
    }

    /// The games of the next file; `None` after the last file.
    fn next_texts(&mut self) -> Option<Vec<NamedText>> {
        let file = self.files.pop_front()?;
        let name = format!("{}/{file}", self.name);
        Some(match self.unpack(&file) {
            Ok(bytes) => texts_of(&name, bytes),
            Err(error) => vec![NamedText {
                name,
                text: Err(error),
            }],
        })
    }

    fn unpack(&mut self, name: &str) -> anyhow::Result<Vec<u8>> {
        if ending(Path::new(name)) == "zip" {
            bail!("a zip in a zip is not read; unpack it first");
        }
        let file = self.archive.by_name(name)?;
        let packed = file.compressed_size() as usize;
        let stated = file.size() as usize;
        ensure!(
            stated <= MAX_FILE,
            "{} in the zip unpack to {}, at most {} are read",
            words(packed),
            words(stated),
            words(MAX_FILE)
        );
        // The real size may be larger than the stated one.
        let bytes = input::read_all(file)?;
        self.unpacked += bytes.len();
        ensure!(
            self.unpacked <= MAX_UNPACKED,
            "with this file the zip unpacks to {}, at most {} are read",
            words(self.unpacked),
            words(MAX_UNPACKED)
        );
        Ok(bytes)
    }
}
