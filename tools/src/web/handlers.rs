//! Questions about games, and answers, as requests and responses; [`games`] finds the answers.

use super::games::{self, GameQuestion, Recorded, SaveQuestion};
use super::opened::{Opened, OpenedText};
use super::refusal::Refusal;
use super::view::View;
use crate::record_input::parse_side;
use axum::extract::rejection::{JsonRejection, StringRejection};
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::Json;
use std::collections::BTreeMap;

/// The body of a question, or what is wrong with it.
type QuestionBody = Result<Json<GameQuestion>, JsonRejection>;

/// What the page shows of a game.
pub async fn look(asked: QuestionBody) -> Result<Json<View>, Refusal> {
    let Json(question) = asked?;
    Ok(Json(games::look(question)?))
}

/// The game as SGF, with its variations.
pub async fn save_sgf(
    asked: Result<Json<SaveQuestion>, JsonRejection>,
) -> Result<Response, Refusal> {
    let Json(question) = asked?;
    let mime = "application/x-go-sgf; charset=utf-8";
    let text = games::save_sgf(question)?;
    Ok(([(header::CONTENT_TYPE, mime)], text).into_response())
}

/// The position with the numbers of the moves, as an SVG drawing.
pub async fn save_svg(asked: QuestionBody) -> Result<Response, Refusal> {
    let Json(question) = asked?;
    Ok(svg(games::save_svg(question)?))
}

/// An empty board, which the page puts stones on.
pub async fn board(Path(side): Path<String>) -> Result<Response, Refusal> {
    let side = parse_side(&side).map_err(Refusal::unknown)?;
    Ok(svg(games::board(side)?))
}

/// How good each first move is.
pub async fn openings(Path(side): Path<String>) -> Result<Json<BTreeMap<String, f32>>, Refusal> {
    let side = parse_side(&side).map_err(Refusal::unknown)?;
    Ok(Json(games::openings(side)?))
}

fn svg(drawing: String) -> Response {
    ([(header::CONTENT_TYPE, "image/svg+xml")], drawing).into_response()
}

/// Reads a record in any format that `hex convert` knows.
pub async fn read_record(body: Result<String, StringRejection>) -> Result<Json<Recorded>, Refusal> {
    Ok(Json(games::read_record(&body?)?))
}

/// The record that the command line names, from the byte on that the query asks for (`from=N`), so
/// that the log of a running match can be followed.
pub fn read_opened(
    opened: Option<&Opened>,
    query: Option<&str>,
) -> Result<Json<Option<OpenedText>>, Refusal> {
    let from = match query {
        None => 0,
        Some(query) => byte_of(query)?,
    };
    let read = opened.map(|opened| opened.text(from));
    read.transpose().map(Json)
}

/// The number in `from=N`.
fn byte_of(query: &str) -> Result<u64, Refusal> {
    let number = query.strip_prefix("from=").map(str::parse);
    match number {
        Some(Ok(from)) => Ok(from),
        _ => Err(Refusal::impossible(format!(
            "{query:?} is not understood; ask for from=N, a number of bytes"
        ))),
    }
}
