//! Questions about games that need no thinking: what a position looks like, what a record says,
//! records to save. Every question brings the whole game, and nothing is kept.

use super::opened::{Opened, OpenedText};
use super::problem::Problem;
use super::view::{self, numbers, offered, read_game, View};
use crate::draw::Drawing;
use crate::record::{hexworld, sgf, Game, Position, Side};
use crate::record_input::{parse_game, parse_side};
use axum::extract::rejection::{JsonRejection, StringRejection};
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::Json;
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

/// The body of a question, or what is wrong with it.
type QuestionBody = Result<Json<GameQuestion>, JsonRejection>;

/// What the page shows of a game.
pub async fn look(asked: QuestionBody) -> Result<Json<View>, Problem> {
    let Json(question) = asked?;
    Ok(Json(View::of(&question.game()?)))
}

/// The game as SGF.
pub async fn save_sgf(asked: QuestionBody) -> Result<Response, Problem> {
    let Json(question) = asked?;
    let text = sgf::write(&question.game()?);
    let mime = "application/x-go-sgf; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, mime)], text).into_response())
}

/// The position with the numbers of the moves, as an SVG drawing.
pub async fn save_svg(asked: QuestionBody) -> Result<Response, Problem> {
    let Json(question) = asked?;
    let game = question.game()?;
    let mut drawing = Drawing::new(game.position());
    for (point, number) in numbers(&game) {
        if game.position().at(point).is_some() {
            drawing = drawing.label(point, number.to_string());
        }
    }
    Ok(svg(&drawing))
}

/// An empty board, which the page puts stones on.
pub async fn board(Path(side): Path<String>) -> Result<Response, Problem> {
    let side = parse_side(&side).map_err(Problem::unknown)?;
    Ok(svg(&Drawing::new(&Position::new(offered(side)?))))
}

fn svg(drawing: &Drawing) -> Response {
    ([(header::CONTENT_TYPE, "image/svg+xml")], drawing.svg()).into_response()
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
pub async fn read_record(body: Result<String, StringRejection>) -> Result<Json<Recorded>, Problem> {
    let text = body?;
    let game = parse_game(&text, Side::CODINGAME)
        .map_err(|error| Problem::impossible(format!("{error:#}")))?;
    offered(game.side())?;
    Ok(Json(Recorded::of(&game)?))
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

/// The record that the command line names.
pub fn read_opened(opened: Option<&Opened>) -> Result<Json<Option<OpenedText>>, Problem> {
    opened.map(Opened::text).transpose().map(Json)
}
