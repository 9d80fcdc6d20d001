//! Questions about games that need no thinking: what a position looks like, what a record says,
//! records to save. Every question brings the whole game, and nothing is kept.

use super::problem::Problem;
use super::view::{self, numbers, offered, read_game, View};
use crate::draw::Drawing;
use crate::record::{hexworld, parse_game, sgf, Game, Position, Side};
use serde::{Deserialize, Serialize};

/// A question about a game.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameQuestion {
    /// All moves, as in a HexWorld link.
    game: String,
    /// The players' names, Red's first; for records.
    #[serde(default)]
    players: [String; 2],
    /// What is to be kept with each move; for records.
    #[serde(default)]
    remarks: Vec<String>,
}

impl GameQuestion {
    fn game(self) -> Result<Game, Problem> {
        let mut game = read_game(&self.game)?;
        game.players = self.players;
        let remarks = self.remarks;
        game.remark_all(|number, _| remarks.get(number).cloned().unwrap_or_default());
        Ok(game)
    }
}

/// What the page shows of a game.
///
/// # Errors
/// If it cannot be read.
pub fn look(question: GameQuestion) -> Result<View, Problem> {
    Ok(View::of(&question.game()?))
}

/// The game as SGF.
///
/// # Errors
/// If it cannot be read.
pub fn save_sgf(question: GameQuestion) -> Result<String, Problem> {
    Ok(sgf::write(&question.game()?))
}

/// The position with the numbers of the moves, as an SVG drawing.
///
/// # Errors
/// If the game cannot be read.
pub fn save_svg(question: GameQuestion) -> Result<String, Problem> {
    let game = question.game()?;
    let mut drawing = Drawing::new(game.position());
    for (point, number) in numbers(&game) {
        if game.position().at(point).is_some() {
            drawing = drawing.label(point, number.to_string());
        }
    }
    Ok(drawing.svg())
}

/// An empty board as an SVG drawing, which the page puts stones on.
///
/// # Errors
/// If the page does not offer boards of this side.
pub fn board(side: Side) -> Result<String, Problem> {
    Ok(Drawing::new(&Position::new(offered(side)?)).svg())
}

/// A game read from a record.
#[derive(Debug, Serialize)]
pub struct Recorded {
    /// As the page writes games.
    game: String,
    /// The players' names, Red's first; empty where unknown.
    players: [String; 2],
    /// What the record says to each move.
    remarks: Vec<String>,
    /// Who won and how, if the record says more than the stones.
    result: Option<String>,
}

/// Reads a record in any format that `hex convert` knows.
///
/// # Errors
/// If it cannot be read, or its board is too small or too large.
pub fn read_record(text: &str) -> Result<Recorded, Problem> {
    let game = parse_game(text, Side::CODINGAME)
        .map_err(|error| Problem::impossible(format!("{error:#}")))?;
    offered(game.side())?;
    Recorded::of(&game)
}

impl Recorded {
    fn of(game: &Game) -> Result<Recorded, Problem> {
        let link = hexworld::write(game);
        let (_, text) = link.split_once('#').unwrap_or(("", &link));
        let text = text.replacen("c1,", ",", 1);
        // Stones set up before the game become moves, moves out of turn get a pass before them.
        let in_turn = read_game(&text)?;
        let mut turns = game.turns().iter().peekable();
        let remarks = in_turn.turns().iter().map(|turn| {
            let same = turns.next_if(|old| (old.color, old.action) == (turn.color, turn.action));
            same.map_or(String::new(), |old| old.comment.clone())
        });
        Ok(Recorded {
            remarks: remarks.collect(),
            game: text,
            players: game.players.clone(),
            result: game.outcome().map(view::sentence),
        })
    }
}
