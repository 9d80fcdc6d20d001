//! Games in SGF, `FF[4]` with `GM[11]` (<https://www.red-bean.com/sgf/hex.html>): Black is Red.
//!
//! `scanner` cuts the text into nodes, `dialect` translates what other programs write, and
//! `reading` makes the tree. [`parse_tree`] returns it with all variations and marks, [`parse`] its
//! main line. [`rewrite`] keeps all games of a file and all their properties. `writing` puts each
//! move on a line.
//!
//! SZ, PB, PW, RE, AB, AW, AE, PL, B, W, BL, WL and C are read. A tree also keeps marks (LB and AR,
//! and CR, MA, SQ and TR, which become labels of one sign) and grades of moves (BM, DO, IT and TE).
//!
//! SGF is in Latin-1 unless it names another character set. So the writers add CA[UTF-8] to a
//! record that is not plain ASCII.
//!
//! Stones that are set up, and PL beside them, make a beginning. If they come after moves, the game
//! begins again from there, and a note says so. Elsewhere a PL out of turn becomes a pass.

mod collection;
mod dialect;
mod reading;
mod scanner;
mod setup;
mod writing;

use super::{Game, GameTree};
pub use collection::{rewrite, SgfContents};
pub use dialect::SwapMeaning;
use reading::{SgfPurpose, SgfReading};
use scanner::{Extent, Scanner};
use thiserror::Error;
pub use writing::write_tree;

/// The text is not a game of Hex in SGF.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {why}")]
pub struct SgfError {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub(crate) column: usize,
    /// What is wrong there.
    pub(crate) why: String,
}

/// The game as SGF.
pub fn write(game: &Game) -> String {
    write_tree(&GameTree::of(game))
}

/// The character set that a record names; `None` if it names none or is not SGF.
pub(crate) fn character_set(text: &str) -> Option<String> {
    let game = Scanner::new(text).first(Extent::MainLine).ok()?;
    let named = game.properties().find(|property| property.name == "CA")?;
    Some(named.value().trim().to_owned())
}

/// Whether SGF begins somewhere in the text, perhaps after other words.
pub(super) fn begins_in(text: &str) -> bool {
    scanner::beginning(text).is_some()
}

/// The main line of the first game in `text`. What follows it may have faults.
///
/// # Errors
/// If it is not SGF, not Hex, or not a legal game; the place is that of the offending value.
pub fn parse(text: &str) -> Result<Game, SgfError> {
    parse_with(text, None)
}

/// [`parse`], where a swap means `undecided` if the record does not show its meaning.
///
/// # Errors
/// As [`parse`].
pub fn parse_with(text: &str, undecided: Option<SwapMeaning>) -> Result<Game, SgfError> {
    Ok(read(text, SgfPurpose::Game, undecided)?.main_game())
}

/// The first game in `text`, with all its variations. A pass is added before a stone out of turn.
///
/// # Errors
/// If it is not SGF, not Hex, or a variation is not a legal game; the place is that of the
/// offending value.
pub fn parse_tree(text: &str) -> Result<GameTree, SgfError> {
    let mut tree = read(text, SgfPurpose::Tree, None)?;
    tree.add_stated_ending();
    Ok(tree)
}

fn read(
    text: &str,
    purpose: SgfPurpose,
    undecided: Option<SwapMeaning>,
) -> Result<GameTree, SgfError> {
    let extent = match purpose {
        SgfPurpose::Game => Extent::MainLine,
        SgfPurpose::Tree | SgfPurpose::File => Extent::Whole,
    };
    let mut game = Scanner::new(text).first(extent)?;
    let notes = dialect::understand(&mut game, undecided)?;
    let mut tree = SgfReading::of(&game, purpose)?.into_tree();
    tree.notes.splice(0..0, notes);
    Ok(tree)
}

/// The text of each game in a file of SGF, up to the first game that cannot be read, and the reason
/// for that.
pub fn texts(text: &str) -> (Vec<&str>, Option<SgfError>) {
    let mut texts = Vec::new();
    for game in Scanner::new(text).games() {
        match game {
            Ok((text, _)) => texts.push(text),
            Err(error) => return (texts, Some(error)),
        }
    }
    (texts, None)
}
