//! Reads a record of a game in any of its formats: SGF, a HexWorld link, CodinGame's JSON, what its
//! judge sends, a list of moves, or a position drawn with `.`, `r` and `b`.

use crate::aside::tell_line;
use crate::options;
use anyhow::Context;
pub use hex_core::record::parse_game;
use hex_core::record::sgf::{SgfContents, SwapMeaning};
use hex_core::record::{decode, hexworld, is_sgf, parse_game_with, Game, Side};
use std::io::{ErrorKind, Read};

/// A record as it came.
pub struct Record {
    /// What it says.
    pub text: String,
    /// Where it came from, for errors; `None` if it is the user's own word.
    origin: Option<String>,
}

impl Record {
    /// Reads what `input` means: a HexWorld link itself or what it has from its `#` on, else the
    /// name of a file, else what follows a link's `#`. `None` and `-` are standard input.
    ///
    /// # Errors
    /// If the input cannot be read or is no text.
    pub fn read(input: Option<&str>) -> anyhow::Result<Record> {
        let word = |text: &str| Record {
            text: text.to_owned(),
            origin: None,
        };
        match input {
            Some(link) if hexworld::is_link(link) => Ok(word(link)),
            None | Some("-") => {
                let mut bytes = Vec::new();
                let read = std::io::stdin().read_to_end(&mut bytes);
                read.context("cannot read standard input")?;
                Record::decoded(bytes, "standard input")
            }
            Some(path) => match std::fs::read(path) {
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

    /// What `read` makes of the text; its errors say where it came from.
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

/// Reads the game that `input` means, as [`Record::read`] has it. `side` is the board's for a list
/// of moves, which does not say it. What else an SGF holds is a note of the game.
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

/// The game in a text, likewise.
///
/// # Errors
/// If the text is not a record in any of the formats.
pub fn game_in(text: &str, side: Side, undecided: Option<SwapMeaning>) -> anyhow::Result<Game> {
    let mut game = parse_game_with(text, side, undecided)?;
    game.notes.extend(unread(text));
    Ok(game)
}

/// The note about what an SGF has beside the main line of its first game; `None` if nothing.
fn unread(text: &str) -> Option<String> {
    let contents = is_sgf(text).then(|| SgfContents::of(text).ok())??;
    let others = contents.others();
    let note = format!(
        "the main line of the first game is read, not {}",
        others.join(", ")
    );
    (!others.is_empty()).then_some(note)
}

/// Whether a word that names no file means a game by itself: what follows the `#` of a link, or a
/// link that is refused with a better reason than that there is no such file.
fn is_word(word: &str) -> bool {
    let is_fragment = word.starts_with(|c: char| c.is_ascii_digit());
    is_fragment && hexworld::parse(word).is_ok() || word.contains("://")
}

/// How many notes are printed.
const SHOWN_NOTES: usize = 20;

/// Prints what the user of `hex COMMAND` should know about a record, a line each, on stderr.
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

/// Reads the side of a record's board, for command lines.
///
/// # Errors
/// If the text is not a number from 1 to 26.
pub fn parse_side(text: &str) -> Result<Side, String> {
    options::side(Side::MIN..=Side::MAX)(text)
}

/// What a swap means in a record that does not tell it, on command lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum UndecidedSwap {
    /// The stone is mirrored and becomes Blue's
    Pieces,
    /// The stone stays, the players change sides
    Sides,
}

impl From<UndecidedSwap> for SwapMeaning {
    fn from(swap: UndecidedSwap) -> SwapMeaning {
        match swap {
            UndecidedSwap::Pieces => SwapMeaning::Pieces,
            UndecidedSwap::Sides => SwapMeaning::Sides,
        }
    }
}
