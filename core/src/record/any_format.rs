//! Reads a record of a game in any format: SGF, a HexWorld link, CodinGame's JSON,
//! what its judge sends, a list of moves, or a position drawn with `.`, `r` and `b`.

use super::record_text::without_byte_order_mark;
use super::sgf::SwapMeaning;
use super::{codingame, hexworld, move_list, sgf, Game, GameError, GameTree, Side, SideError};
use hexbot::cell::Color;
use thiserror::Error;

/// What a record is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RecordFormat {
    Sgf,
    HexWorld,
    /// The JSON of CodinGame's site or of its SDK.
    SiteJson,
    /// What CodinGame's judge sends to a player.
    TurnInput,
    Rows,
    Moves,
    /// A link to a game that has no moves in it.
    Address,
}

/// Sites whose links only name a game, as people paste them without `https://`.
const SITES: [&str; 4] = [
    "playhex.org/",
    "littlegolem.net/",
    "littlegolem.com/",
    "boardgamearena.com/",
];

/// Why a text is no record of a game.
#[derive(Debug, Error)]
pub enum RecordError {
    /// It is SGF with a fault.
    #[error(transparent)]
    Sgf(#[from] sgf::SgfError),
    /// It is a HexWorld link with a fault.
    #[error(transparent)]
    HexWorld(#[from] hexworld::HexWorldError),
    /// It is JSON, but no game of CodinGame's site or SDK.
    #[error(transparent)]
    SiteGame(#[from] codingame::SiteGameError),
    /// It begins like what CodinGame's judge sends, and goes on otherwise.
    #[error(transparent)]
    TurnInput(#[from] codingame::turn_input::TurnInputError),
    /// It is a list with a word that is no move there.
    #[error(transparent)]
    Moves(#[from] move_list::MoveListError),
    /// The link has no moves in it; the text is its beginning.
    #[error(
        "{0:?} only names a game, its moves are not in the link; export the game there as SGF, or \
         as a link to HexWorld"
    )]
    OnlyAddress(String),
    /// There is nothing in it.
    #[error("there is no move and no stone; an empty board of side {0} is written #{0}")]
    Empty(Side),
    /// A line of a drawing, from 1, is no row.
    #[error("line {line}: {text:?} is not a row of . r b")]
    NoRow {
        /// Its number.
        line: usize,
        /// The line.
        text: String,
    },
    /// A line of a drawing, from 1, has another number of cells than the drawing has rows.
    #[error("line {line}: {cells} cells, where a board of {side} rows has {side}")]
    RowLength {
        /// Its number.
        line: usize,
        /// How many cells it has.
        cells: usize,
        /// How many rows there are.
        side: Side,
    },
    /// A drawing has too few or too many rows.
    #[error(transparent)]
    Side(#[from] SideError),
    /// A stone of a drawing cannot be set up.
    #[error(transparent)]
    Stone(#[from] GameError),
}

/// How much of a useless link an error shows, in characters.
const SHOWN: usize = 80;

/// Whether the text is SGF.
pub fn is_sgf(text: &str) -> bool {
    format_of(without_byte_order_mark(text)) == RecordFormat::Sgf
}

/// Reads a game in whatever format it is written. A byte order mark before it does not count.
///
/// # Errors
/// If it is empty, or not a record in any of the formats.
pub fn parse_game(text: &str, side: Side) -> Result<Game, RecordError> {
    parse_game_with(text, side, None)
}

/// Reads a game likewise. In SGF, a swap whose meaning the record does not tell means `undecided`.
///
/// # Errors
/// As [`parse_game`].
pub fn parse_game_with(
    text: &str,
    side: Side,
    undecided: Option<SwapMeaning>,
) -> Result<Game, RecordError> {
    let text = without_byte_order_mark(text);
    match format_of(text) {
        RecordFormat::Sgf => Ok(sgf::parse_with(text, undecided)?),
        RecordFormat::Address => {
            let beginning = text.trim().chars().take(SHOWN).collect();
            Err(RecordError::OnlyAddress(beginning))
        }
        RecordFormat::HexWorld => Ok(hexworld::parse(text)?),
        RecordFormat::SiteJson => Ok(codingame::parse(text)?),
        RecordFormat::TurnInput => Ok(codingame::turn_input::parse(text)?),
        RecordFormat::Rows => parse_rows(text),
        RecordFormat::Moves => {
            let game = move_list::parse(text, side)?;
            if game.turns().is_empty() && game.outcome().is_none() {
                return Err(RecordError::Empty(side));
            }
            Ok(game)
        }
    }
}

/// Reads a game with its variations, in whatever format it is written. A byte order mark before it
/// does not count.
///
/// # Errors
/// If it is empty, not a record in any of the formats, or a variation is no legal game.
pub fn parse_tree(text: &str, side: Side) -> Result<GameTree, RecordError> {
    let text = without_byte_order_mark(text);
    match format_of(text) {
        RecordFormat::Sgf => Ok(sgf::tree::parse(text)?),
        _ => Ok(GameTree::of(&parse_game(text, side)?)),
    }
}

/// Tells the formats apart by how they begin: a brace, a parenthesis, a number or a link, a
/// drawing.
fn format_of(text: &str) -> RecordFormat {
    let text = text.trim_start();
    if text.starts_with(['{', '[']) {
        return RecordFormat::SiteJson;
    }
    if codingame::turn_input::begins(text) {
        return RecordFormat::TurnInput;
    }
    if text.starts_with('(') || sgf::begins_in(text) {
        return RecordFormat::Sgf;
    }
    let is_word = text.split_whitespace().count() == 1;
    let is_address = text.contains("://") || SITES.iter().any(|site| text.contains(site));
    if is_word && is_address && !hexworld::is_link(text) {
        return RecordFormat::Address;
    }
    if hexworld::is_link(text)
        || text.starts_with(|c: char| c.is_ascii_digit()) && !is_numbered(text)
    {
        return RecordFormat::HexWorld;
    }
    let mut words = text.split_whitespace();
    if words.next().is_some_and(|word| stones(word).is_some()) {
        return RecordFormat::Rows;
    }
    RecordFormat::Moves
}

/// Whether a list begins with the number of a move, `1.`, and is no link.
fn is_numbered(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.starts_with('.')
}

/// The squares that a word of a drawing shows; `None` if it is none.
fn stones(word: &str) -> Option<Vec<Option<Color>>> {
    word.chars()
        .map(|c| match c {
            '.' => Some(None),
            'r' => Some(Some(Color::Red)),
            'b' => Some(Some(Color::Blue)),
            _ => None,
        })
        .collect()
}

/// Reads a drawing: a line a row, blanks do not matter.
fn parse_rows(text: &str) -> Result<Game, RecordError> {
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let compact: String = line.split_whitespace().collect();
        let number = number + 1;
        let row = stones(&compact).ok_or_else(|| RecordError::NoRow {
            line: number,
            text: line.to_owned(),
        })?;
        if !row.is_empty() {
            rows.push((number, row));
        }
    }
    let side = Side::try_from(rows.len())?;
    let mut game = Game::new(side);
    for (row, (line, squares)) in rows.iter().enumerate() {
        if squares.len() != side.get() {
            return Err(RecordError::RowLength {
                line: *line,
                cells: squares.len(),
                side,
            });
        }
        for (col, stone) in squares.iter().enumerate() {
            if let (Some(color), Some(point)) = (stone, side.cell(row, col)) {
                game.set_up(point, *color)?;
            }
        }
    }
    Ok(game)
}
