//! Reads a record of a game in whatever format it comes: SGF, a HexWorld link, a list of moves, or
//! a position drawn with `.`, `r` and `b`.

use crate::aside::tell_line;
use crate::options;
pub use crate::record::parse_game;
use crate::record::{decode, hexworld, Game, Side};
use anyhow::Context;
use std::io::{ErrorKind, Read};

/// Reads the game that `input` means: a HexWorld link itself or what it has from its `#` on, else
/// the name of a file, else what follows a link's `#`. `None` and `-` are standard input. `side` is
/// the board's for a list of moves, which does not say it.
///
/// # Errors
/// If the input cannot be read, is empty, or is not a record in any of the formats.
pub fn read_game(input: Option<&str>, side: Side) -> anyhow::Result<Game> {
    match input {
        Some(link) if hexworld::is_link(link) => Ok(hexworld::parse(link)?),
        None | Some("-") => {
            let mut bytes = Vec::new();
            let read = std::io::stdin().read_to_end(&mut bytes);
            read.context("cannot read standard input")?;
            parse_bytes(bytes, side).context("standard input")
        }
        Some(path) => match (std::fs::read(path), fragment(path)) {
            (Ok(bytes), _) => parse_bytes(bytes, side).with_context(|| path.to_owned()),
            (Err(error), Some(game)) if error.kind() == ErrorKind::NotFound => Ok(game),
            (Err(error), _) => Err(error).with_context(|| format!("cannot read {path}")),
        },
    }
}

fn parse_bytes(bytes: Vec<u8>, side: Side) -> anyhow::Result<Game> {
    parse_game(&decode(bytes)?, side)
}

/// The game that a word means by itself: what follows the `#` of a link.
fn fragment(word: &str) -> Option<Game> {
    let is_one = word.starts_with(|c: char| c.is_ascii_digit());
    is_one.then(|| hexworld::parse(word).ok()).flatten()
}

/// Prints what the user of `hex COMMAND` should know about a record, a line each, on stderr.
pub fn show_notes(command: &str, notes: &[String]) {
    for note in notes {
        tell_line(format_args!("hex {command}: note: {note}"));
    }
}

/// Reads the side of a record's board, for command lines.
///
/// # Errors
/// If the text is not a number from 1 to 26.
pub fn parse_side(text: &str) -> Result<Side, String> {
    options::side(Side::MIN..=Side::MAX)(text)
}
