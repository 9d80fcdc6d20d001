//! Records in another format: what `hex convert` and the Python package write.

use super::sgf::{self, SgfContents, SwapMeaning};
use super::{
    hexworld, is_sgf, move_list, parse_game, parse_game_with, Ending, Game, Outcome, RecordError,
    Side,
};
use std::str::FromStr;

/// A format that games are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenFormat {
    /// Smart Game Format: version 4, game 11.
    Sgf,
    /// A link to HexWorld's board.
    HexWorld,
    /// The moves on one line, without the side of the board.
    Moves,
}

impl FromStr for WrittenFormat {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Self, RecordError> {
        match text {
            "sgf" => Ok(WrittenFormat::Sgf),
            "hexworld" => Ok(WrittenFormat::HexWorld),
            "moves" => Ok(WrittenFormat::Moves),
            _ => {
                let shown: String = text.chars().take(20).collect();
                Err(RecordError::new(format!(
                    "{shown:?} is not a format; use \"sgf\", \"hexworld\" or \"moves\""
                )))
            }
        }
    }
}

/// A record in another format, and the notes for the user, one sentence each. `side` is the side of
/// the board for a list of moves. The time is proportional to the length.
///
/// ```
/// use hex_core::record::conversion::{convert, WrittenFormat};
/// use hex_core::record::Side;
/// let (link, notes) = convert("a2 f6", WrittenFormat::HexWorld, Side::of(11), None).unwrap();
/// assert_eq!(link, "https://hexworld.org/board/#11c1,a2f6\n");
/// assert!(notes.is_empty());
/// ```
///
/// # Errors
/// If it is not a game, or the format cannot express it.
pub fn convert(
    text: &str,
    target: WrittenFormat,
    side: Side,
    undecided: Option<SwapMeaning>,
) -> Result<(String, Vec<String>), RecordError> {
    if is_sgf(text) && target == WrittenFormat::Sgf {
        return sgf::rewrite(text, undecided).map_err(RecordError::new);
    }
    let game = parse_game_with(text, side, undecided)?;
    let written = write(&game, target)?;
    let mut notes = game.notes.clone();
    let contents = match is_sgf(text).then(|| SgfContents::of(text)) {
        Some(Ok(contents)) => Some(contents),
        Some(Err(error)) => {
            notes.push(format!("the text after the main line is not SGF: {error}"));
            None
        }
        None => None,
    };
    notes.extend(left_out(&game, contents.as_ref(), target, &written));
    Ok((written, notes))
}

/// Properties of SGF about the file, not the game.
const OF_THE_FILE: [&str; 4] = ["FF", "GM", "CA", "AP"];

/// Properties that a list of moves and a link express in other words.
const OF_THE_MOVES: [&str; 3] = ["B", "W", "RE"];

/// The note about the parts of a game that a format cannot hold; `None` if it holds all. `written`
/// is the game in this format. `contents` describes the SGF that the game was read from, if any.
pub fn left_out(
    game: &Game,
    contents: Option<&SgfContents>,
    target: WrittenFormat,
    written: &str,
) -> Option<String> {
    let mut missing = contents.map_or(Vec::new(), SgfContents::others);
    if target == WrittenFormat::Moves && game.side() != Side::CODINGAME {
        missing.push(format!("the board's side {}", game.side()));
    }
    if contents.is_none() && target != WrittenFormat::Sgf {
        if game.players.iter().any(|name| !name.is_empty()) {
            missing.push("the players' names".to_owned());
        }
        let mut comments = game.turns().iter().map(|turn| &turn.comment);
        if !game.comment.is_empty() || comments.any(|comment| !comment.is_empty()) {
            missing.push("the remarks".to_owned());
        }
        let mut clocks = game.turns().iter().flat_map(|turn| &turn.clocks);
        if clocks.any(|clock| !clock.is_empty()) {
            missing.push("the clocks".to_owned());
        }
    }
    let outcome = |game: &Game| game.outcome().map(|outcome| outcome.winner);
    let again = parse_game(written, game.side()).ok();
    if again.is_some_and(|again| outcome(&again) != outcome(game)) {
        missing.push("the result".to_owned());
    }
    let of_setup: &[&str] = match target {
        WrittenFormat::Moves => &["SZ"],
        _ => &["SZ", "AB", "AW", "AE", "PL"],
    };
    let names = contents.map_or(&[][..], |contents| &contents.properties);
    let is_held = |name: &str| {
        [&OF_THE_FILE[..], &OF_THE_MOVES, of_setup]
            .iter()
            .any(|held| held.contains(&name))
    };
    let others: Vec<&str> = names
        .iter()
        .map(String::as_str)
        .filter(|n| !is_held(n))
        .collect();
    if !others.is_empty() {
        missing.push(format!("the properties {}", others.join(" ")));
    }
    let format = match target {
        WrittenFormat::Sgf => "SGF",
        WrittenFormat::HexWorld => "a link",
        WrittenFormat::Moves => "a list of moves",
    };
    let note = format!("{format} cannot hold all; left out: {}", missing.join(", "));
    (!missing.is_empty()).then_some(note)
}

/// The game in a format, with a line break at the end.
///
/// # Errors
/// If the format cannot express the game: a list of moves has neither stones that are set up nor
/// moves out of turn, and must not be empty.
pub fn write(game: &Game, target: WrittenFormat) -> Result<String, RecordError> {
    match target {
        WrittenFormat::Sgf => Ok(sgf::write(game)),
        WrittenFormat::HexWorld => Ok(hexworld::write(game) + "\n"),
        WrittenFormat::Moves => {
            let moves = move_list::write(game);
            if moves.is_empty() {
                return Err(RecordError::new(
                    "a list of moves cannot express a game without moves; SGF and links to HexWorld \
                     can (sgf, hexworld)",
                ));
            }
            let read_again = move_list::parse(&moves, game.side()).ok();
            if !read_again.is_some_and(|again| same_course(&again, game)) {
                return Err(RecordError::new(
                    "a list of moves cannot express stones that are set up, moves out of turn, or a \
                     resignation out of turn; SGF and links to HexWorld can (sgf, hexworld)",
                ));
            }
            Ok(moves + "\n")
        }
    }
}

/// Returns true if both games have the same beginning and the same moves by the same colours, and
/// the same player resigned in both, or none.
fn same_course(a: &Game, b: &Game) -> bool {
    let course = |game: &Game| -> Vec<_> {
        let turns = game.turns().iter();
        turns.map(|turn| (turn.color, turn.action)).collect()
    };
    let resignation = |game: &Game| {
        let resigned = |outcome: &Outcome| outcome.ending == Ending::Resignation;
        game.outcome().filter(resigned)
    };
    a.setup() == b.setup() && course(a) == course(b) && resignation(a) == resignation(b)
}
