//! Reads a record of a game in any format: SGF, a HexWorld link, CodinGame's JSON, the input of a
//! bot, a list of moves, or a position drawn with `.`, `r` and `b`.

use crate::aside::tell_line;
use crate::input;
use crate::options;
use anyhow::Context;
pub use hex_core::record::parse_game;
use hex_core::record::sgf::{SgfContents, SwapMeaning};
use hex_core::record::{decode, hexworld, is_sgf, parse_game_with, Game, Side};
use std::io::ErrorKind;
use std::path::Path;

/// The text of a record.
pub struct Record {
    /// The text.
    pub(crate) text: String,
    /// The file name, for errors; `None` if the text is the command-line argument itself.
    origin: Option<String>,
}

impl Record {
    /// Reads the record that `input` names. `None` and `-` mean standard input. A HexWorld link, or
    /// its part from the `#` on, is the record itself. Any other text is the name of a file, or
    /// else the part of a link after the `#`.
    ///
    /// # Errors
    /// If the input cannot be read, has more than [`input::MAX_FILE`] bytes, or is not text.
    pub fn read(input: Option<&str>) -> anyhow::Result<Record> {
        let word = |text: &str| Record {
            text: text.to_owned(),
            origin: None,
        };
        match input {
            Some(link) if hexworld::is_link(link) => Ok(word(link)),
            None | Some("-") => {
                let read = input::read_all(std::io::stdin());
                Record::decoded(
                    read.context("cannot read standard input")?,
                    "standard input",
                )
            }
            Some(path) => match input::read(Path::new(path)) {
                Ok(bytes) => Record::decoded(bytes, path),
                Err(error) if error.kind() == ErrorKind::NotFound && is_word(path) => {
                    Ok(word(path))
                }
                Err(error) => Err(error).with_context(|| format!("cannot read {path}")),
            },
        }
    }

    fn decoded(bytes: Vec<u8>, origin: &str) -> anyhow::Result<Record> {
        Ok(Record {
            text: decode(bytes).with_context(|| origin.to_owned())?,
            origin: Some(origin.to_owned()),
        })
    }

    /// Calls `read` with the text. Its errors name the file.
    ///
    /// # Errors
    /// As `read`.
    pub fn with<T>(&self, read: impl FnOnce(&str) -> anyhow::Result<T>) -> anyhow::Result<T> {
        let done = read(&self.text);
        match &self.origin {
            Some(origin) => done.with_context(|| origin.clone()),
            None => done,
        }
    }
}

/// Reads the game that `input` names, see [`Record::read`]. `side` is the side of the board for a
/// list of moves, which does not state it. If an SGF contains more than one line of play, the game
/// has a note about it.
///
/// # Errors
/// If the input cannot be read, is empty, or is not a record in any of the formats.
pub fn read_game(
    input: Option<&str>,
    side: Side,
    undecided: Option<SwapMeaning>,
) -> anyhow::Result<Game> {
    Record::read(input)?.with(|text| game_in(text, side, undecided))
}

/// Reads the game in a text, with the same arguments as [`read_game`].
///
/// # Errors
/// If the text is not a record in any of the formats.
pub(crate) fn game_in(
    text: &str,
    side: Side,
    undecided: Option<SwapMeaning>,
) -> anyhow::Result<Game> {
    let mut game = parse_game_with(text, side, undecided)?;
    game.notes.extend(unread(text));
    Ok(game)
}

/// The note about other games and variations in an SGF; `None` if there are none.
fn unread(text: &str) -> Option<String> {
    let contents = is_sgf(text).then(|| SgfContents::of(text).ok())??;
    let others = contents.others();
    let note = format!(
        "the main line of the first game is read, not {}",
        others.join(", ")
    );
    (!others.is_empty()).then_some(note)
}

/// Whether an argument that names no file is a record itself: the part of a link after the `#`, or
/// any link. An error about the link helps more than "no such file".
fn is_word(word: &str) -> bool {
    let is_fragment = word.starts_with(|c: char| c.is_ascii_digit());
    is_fragment && hexworld::parse(word).is_ok() || word.contains("://")
}

/// The most notes that are printed.
const SHOWN_NOTES: usize = 20;

/// Prints the notes about a record on standard error, one line each, as messages of `hex COMMAND`.
pub fn show_notes(command: &str, notes: &[String]) {
    for note in notes.iter().take(SHOWN_NOTES) {
        tell_line(format_args!("hex {command}: note: {note}"));
    }
    if let Some(more) = notes
        .len()
        .checked_sub(SHOWN_NOTES)
        .filter(|&more| more > 0)
    {
        tell_line(format_args!("hex {command}: {more} more notes"));
    }
}

/// Reads the side of a record's board from a command-line argument.
///
/// # Errors
/// If the text is not a number from 1 to 26.
pub fn parse_side(text: &str) -> Result<Side, String> {
    options::side(Side::MIN..=Side::MAX)(text)
}

/// The command line's words for the meaning of a swap in a record that does not state it.
pub const SWAP_MEANINGS: [(&str, &str, SwapMeaning); 2] = [
    (
        "pieces",
        "The stone is mirrored and becomes Blue's",
        SwapMeaning::Pieces,
    ),
    (
        "sides",
        "The stone stays, the players change sides",
        SwapMeaning::Sides,
    ),
];
