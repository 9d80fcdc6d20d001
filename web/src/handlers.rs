//! Questions about games, and answers, as requests and responses; [`games`] finds the answers.

use super::body;
use super::clerks::aside;
use super::games::{self, GameQuestion, SaveQuestion};
use super::opened::Opened;
use super::refusal::Refusal;
use super::server::Server;
use crate::sizes::{MAX_QUESTION, MAX_RECORD, MAX_SAVED};
use axum::extract::{Path, Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::Json;
use hex_common::record_input::parse_side;
use serde::Serialize;
use std::collections::BTreeMap;

/// What the page shows of a game.
pub async fn look(request: Request) -> Result<Response, Refusal> {
    let asked = body::json(request, MAX_QUESTION).await?;
    aside(move || {
        let question: GameQuestion = body::read(&asked)?;
        Ok(json(&games::look(question)?))
    })
    .await
}

/// The game as SGF, with its variations.
pub async fn save_sgf(State(server): State<Server>, request: Request) -> Result<Response, Refusal> {
    let asked = body::json(request, MAX_SAVED).await?;
    let work = move || {
        let question: SaveQuestion = body::read(&asked)?;
        Ok(games::save_sgf(question)?)
    };
    let text = server.clerks().work(work).await?;
    let mime = "application/x-go-sgf; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, mime)], text).into_response())
}

/// The position with the numbers of the moves, as an SVG drawing.
pub async fn save_svg(request: Request) -> Result<Response, Refusal> {
    let asked = body::json(request, MAX_QUESTION).await?;
    let work = move || {
        let question: GameQuestion = body::read(&asked)?;
        Ok(games::save_svg(question)?)
    };
    Ok(svg(aside(work).await?))
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

/// An answer as JSON. It may be as long as a record, so it is not written where requests are
/// answered.
fn json(answer: &impl Serialize) -> Response {
    Json(answer).into_response()
}

/// Reads a record in any format that `hex convert` knows.
pub async fn read_record(
    State(server): State<Server>,
    request: Request,
) -> Result<Response, Refusal> {
    let text = body::text(request, MAX_RECORD).await?;
    let work = move || Ok(json(&games::read_record(&text)?));
    server.clerks().work(work).await
}

/// The record that the command line names, from the byte on that the query asks for (`from=N`), so
/// that the log of a running match can be followed.
pub fn read_opened(opened: Option<&Opened>, query: Option<&str>) -> Result<Response, Refusal> {
    let from = match query {
        None => 0,
        Some(query) => byte_of(query)?,
    };
    let read = opened.map(|opened| opened.text(from)).transpose()?;
    Ok(json(&read))
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
