//! Reads a record of a game in any format: SGF, a link to HexWorld or trmph.com, the JSON of
//! CodinGame or PlayHex, the input that CodinGame's judge sends, a list of moves, or a drawing of
//! `.`, `r` and `b`.

use super::codingame::turn_input::stones_of;
use super::record_text::without_byte_order_mark;
use super::sgf::SwapMeaning;
use super::{codingame, hexworld, move_list, playhex, sgf, Game, GameTree, RecordError, Side};

/// The formats of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RecordFormat {
    Sgf,
    HexWorld,
    /// The JSON of a site or of CodinGame's SDK.
    SiteJson,
    /// The input that CodinGame's judge sends to a player.
    TurnInput,
    Rows,
    Moves,
    /// A link that names a game but contains no moves.
    Address,
}

/// How to get a game from a site that is not in [`SITES`].
const EXPORT: &str = "export the game from that site as SGF, or as a link to HexWorld";

/// Sites whose links only name a game, and how to get the game. People paste such links without
/// `https://`.
const SITES: [(&str, &str); 5] = [
    (
        "playhex.org/",
        "download the game there as SGF, or all games as JSON",
    ),
    (
        "littlegolem.net/",
        "download the game there as SGF (its ending is .hsgf)",
    ),
    (
        "littlegolem.com/",
        "download the game there as SGF (its ending is .hsgf)",
    ),
    (
        "boardgamearena.com/",
        "that site exports no games; the bookmarklet of https://hexworld.org/board/about.html turns \
         this one into a link to HexWorld",
    ),
    (
        "abstractplay.com/",
        "that site exports no games; PlayHex reads this link and saves the game as SGF",
    ),
];

/// How much of a useless link an error shows, in characters.
const SHOWN: usize = 80;

/// Whether the text is SGF.
pub fn is_sgf(text: &str) -> bool {
    format_of(without_byte_order_mark(text)) == RecordFormat::Sgf
}

/// Reads a game in any of the formats. Skips a byte order mark. A list of moves is read for a board
/// of `side`; the other formats contain their side. The cost is proportional to the text's length.
///
/// ```
/// use hex_core::record::{parse_game, Side};
/// let game = parse_game("(;FF[4]GM[11]SZ[5];B[a2];W[c3])", Side::CODINGAME).unwrap();
/// assert_eq!((game.side().get(), game.turns().len()), (5, 2));
/// assert!(parse_game("a2 a2", Side::CODINGAME).is_err());
/// ```
///
/// # Errors
/// If it is empty, or not a record in any of the formats.
pub fn parse_game(text: &str, side: Side) -> Result<Game, RecordError> {
    parse_game_with(text, side, None)
}

/// [`parse_game`], where a swap in SGF means `undecided` if the record does not show its meaning.
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
        RecordFormat::Sgf => sgf::parse_with(text, undecided).map_err(RecordError::new),
        RecordFormat::Address => {
            let known = SITES.iter().find(|(site, _)| text.contains(site));
            let link: String = text.trim().chars().take(SHOWN).collect();
            let remedy = known.map_or(EXPORT, |(_, remedy)| remedy);
            Err(RecordError::new(format!(
                "{link:?} only names a game, its moves are not in the link; {remedy}"
            )))
        }
        RecordFormat::HexWorld => hexworld::parse(text),
        RecordFormat::SiteJson => playhex::parse(text).unwrap_or_else(|| codingame::parse(text)),
        RecordFormat::TurnInput => codingame::turn_input::parse(text),
        RecordFormat::Rows => parse_rows(text),
        RecordFormat::Moves => {
            let game = move_list::parse(text, side)?;
            if game.turns().is_empty() && game.outcome().is_none() {
                return Err(RecordError::new(format!(
                    "there is no move and no stone; an empty board of side {side} is written #{side}"
                )));
            }
            Ok(game)
        }
    }
}

/// [`parse_game`] with the game's variations, which only SGF contains.
///
/// # Errors
/// If it is empty, not a record in any of the formats, or a variation is not a legal game.
pub fn parse_tree(text: &str, side: Side) -> Result<GameTree, RecordError> {
    let text = without_byte_order_mark(text);
    match format_of(text) {
        RecordFormat::Sgf => sgf::parse_tree(text).map_err(RecordError::new),
        _ => Ok(GameTree::of(&parse_game(text, side)?)),
    }
}

/// The text of each game in a record that holds several: SGF, or a list of PlayHex's games. In SGF
/// up to the first game that cannot be read, and the reason for that. Any other text is one game.
pub fn texts(text: &str) -> (Vec<&str>, Option<RecordError>) {
    if is_sgf(text) {
        let (texts, error) = sgf::texts(text);
        return (texts, error.map(RecordError::new));
    }
    (playhex::texts(text).unwrap_or_else(|| vec![text]), None)
}

/// Recognizes a format by its beginning: a brace, a parenthesis, a number or a link, a drawing.
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
    let is_address = text.contains("://") || SITES.iter().any(|(site, _)| text.contains(site));
    if is_word && is_address && !hexworld::is_link(text) {
        return RecordFormat::Address;
    }
    if hexworld::is_link(text)
        || text.starts_with(|c: char| c.is_ascii_digit()) && !is_numbered(text)
    {
        return RecordFormat::HexWorld;
    }
    let mut words = text.split_whitespace();
    if words.next().is_some_and(|word| stones_of(word).is_some()) {
        return RecordFormat::Rows;
    }
    RecordFormat::Moves
}

/// Whether the text is a list of moves that begins with a move's number, `1.`.
fn is_numbered(text: &str) -> bool {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.starts_with('.')
}

/// Reads a drawing: one line a row; blanks are skipped.
fn parse_rows(text: &str) -> Result<Game, RecordError> {
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let compact: String = line.split_whitespace().collect();
        let number = number + 1;
        let row = stones_of(&compact).ok_or_else(|| {
            RecordError::new(format!("line {number}: {line:?} is not a row of . r b"))
        })?;
        if !row.is_empty() {
            rows.push((number, row));
        }
    }
    let side = Side::try_from(rows.len()).map_err(RecordError::new)?;
    let mut game = Game::new(side);
    for (row, (line, squares)) in rows.iter().enumerate() {
        if squares.len() != side.get() {
            let cells = squares.len();
            return Err(RecordError::new(format!(
                "line {line}: {cells} cells, where a board of {side} rows has {side}"
            )));
        }
        for (col, stone) in squares.iter().enumerate() {
            if let (Some(color), Some(point)) = (stone, side.cell(row, col)) {
                game.set_up(point, *color).map_err(RecordError::new)?;
            }
        }
    }
    Ok(game)
}
