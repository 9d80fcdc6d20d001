//! PlayHex's data set: JSON, a list of games with the players' ratings. One game is read, too, so
//! that a file can have a game on each line. Fields that are not in `ExportedGame` are ignored.

use super::game::add_remark;
use super::{move_list, ColorName, Ending, Game, Outcome, RecordError, Side};
use serde::de::IgnoredAny;
use serde::Deserialize;
use serde_json::Deserializer as JsonReader;
use std::fmt::Display;

/// Any error with its reason.
fn error(why: impl Display) -> RecordError {
    RecordError::new(format!("a game of PlayHex: {why}"))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExportedGame {
    boardsize: usize,
    /// With blanks between: cells, `swap-pieces`, `pass`.
    moves: String,
    winner: Option<ColorName>,
    /// `path`, `resign`, `time` or `forfeit`.
    #[serde(default)]
    outcome: String,
    #[serde(default)]
    player_red: String,
    #[serde(default)]
    player_blue: String,
    player_red_rating: Option<f64>,
    player_blue_rating: Option<f64>,
    #[serde(default)]
    url: String,
    #[serde(default)]
    started_at: String,
}

/// Whether the text is JSON of an object that has the fields of a game.
fn is_game(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Fields {
        #[serde(rename = "boardsize")]
        _boardsize: IgnoredAny,
        #[serde(rename = "moves")]
        _moves: IgnoredAny,
    }
    // Serde would take a list for the fields of an object.
    text.trim_start().starts_with('{') && serde_json::from_str::<Fields>(text).is_ok()
}

/// The texts of the games in a list or of a single one; `None` if the text is anything else.
pub fn texts(text: &str) -> Option<Vec<&str>> {
    let Some(mut rest) = text.trim_start().strip_prefix('[') else {
        return is_game(text).then(|| vec![text]);
    };
    let mut games = Vec::new();
    loop {
        rest = rest.trim_start();
        let mut values = JsonReader::from_str(rest).into_iter::<IgnoredAny>();
        values.next()?.ok()?;
        let (game, behind) = rest.split_at(values.byte_offset());
        if games.is_empty() && !is_game(game) {
            return None;
        }
        games.push(game);
        rest = match behind.trim_start().split_at_checked(1)? {
            (",", rest) => rest,
            ("]", rest) if rest.trim().is_empty() => return Some(games),
            _ => return None,
        };
    }
}

/// Reads a game of PlayHex, of a list the first one; `None` if the text is anything else.
///
/// # Errors
/// If a field is missing or has another type, or a move is not legal.
pub fn parse(text: &str) -> Option<Result<Game, RecordError>> {
    let games = texts(text)?;
    let mut game = one(games[0]);
    if let (Ok(game), 2..) = (&mut game, games.len()) {
        let note = format!("the first of {} games is read", games.len());
        game.notes.push(note);
    }
    Some(game)
}

fn one(text: &str) -> Result<Game, RecordError> {
    let read: ExportedGame = serde_json::from_str(text).map_err(error)?;
    let side = Side::try_from(read.boardsize).map_err(error)?;
    let mut game =
        move_list::parse(&read.moves, side).map_err(|why| error(format!("in its moves, {why}")))?;
    game.players = [read.player_red, read.player_blue];
    add_remark(&mut game.comment, &read.url);
    add_remark(&mut game.comment, &read.started_at);
    if let (Some(red), Some(blue)) = (read.player_red_rating, read.player_blue_rating) {
        let ratings = format!("ratings {red:.0} (red) and {blue:.0} (blue)");
        add_remark(&mut game.comment, &ratings);
    }
    let ending = match read.outcome.as_str() {
        "resign" => Ending::Resignation,
        "time" => Ending::Time,
        "forfeit" => Ending::Forfeit,
        _ => Ending::Unstated,
    };
    if let Some(winner) = read.winner {
        game.end_as_stated(Outcome {
            winner: winner.into(),
            ending,
        });
    }
    Ok(game)
}
