//! Questions and answers as requests and responses; [`Service`] finds the answers.

use super::background::in_background;
use super::body;
use super::opened::Opened;
use super::questions::{PageAnswer, PageQuestion, QuestionKind, TextFormat};
use super::refusal::Refusal;
use super::server::Server;
use super::service::Service;
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::Json;
use hex_common::record_input::parse_side;
use hex_core::record::Side;

/// Answers a question that the body of a request asks.
///
/// # Errors
/// If the question cannot be read or answered.
pub async fn answer(
    server: Server,
    kind: QuestionKind,
    request: Request,
) -> Result<Response, Refusal> {
    let text = body::read(request, kind).await?;
    let work = move || {
        let question = PageQuestion::read(kind, text)?;
        Ok(response(Service::answer(question)?))
    };
    match kind {
        QuestionKind::OpenRecord | QuestionKind::SaveSgf => server.records().run(work).await,
        QuestionKind::Look | QuestionKind::SaveSvg => in_background(work).await,
    }
}

/// Answers a question about the boards of a side.
///
/// # Errors
/// If there is no such side, or the page does not offer it.
pub fn answer_of_side(
    side: &str,
    question: impl Fn(Side) -> PageQuestion,
) -> Result<Response, Refusal> {
    let side = parse_side(side).map_err(Refusal::unknown)?;
    answer_now(question(side))
}

/// Answers a question about no game.
///
/// # Errors
/// If it is not offered.
pub fn answer_now(question: PageQuestion) -> Result<Response, Refusal> {
    Ok(response(Service::answer(question)?))
}

/// An answer with the type of its text.
fn response(answer: PageAnswer) -> Response {
    let (format, text) = answer.into_text();
    let mime = match format {
        TextFormat::Json => "application/json",
        TextFormat::Sgf => "application/x-go-sgf; charset=utf-8",
        TextFormat::Svg => "image/svg+xml",
    };
    ([(CONTENT_TYPE, mime)], text).into_response()
}

/// The record that the command line names, from the byte on that the query asks for (`from=N`), so
/// that the log of a running match can be followed.
///
/// # Errors
/// If the query is another one, or the record cannot be read.
pub fn read_opened(opened: Option<&Opened>, query: Option<&str>) -> Result<Response, Refusal> {
    let from = match query {
        None => 0,
        Some(query) => byte_of(query)?,
    };
    let read = opened.map(|opened| opened.text(from)).transpose()?;
    Ok(Json(&read).into_response())
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
