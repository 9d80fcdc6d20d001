//! Translates requests to questions, and answers of the [`Service`] to responses.

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

/// Answers the question in the body of a request.
///
/// # Errors
/// If the question cannot be read or answered.
pub async fn answer(
    server: Server,
    kind: QuestionKind,
    request: Request,
) -> Result<Response, Refusal> {
    let (text, share) = body::read(request, kind, server.room()).await?;
    let work = move || {
        let answered = PageQuestion::read(kind, text).and_then(Service::answer);
        drop(share);
        Ok(response(answered?))
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

/// Answers a question that needs no body.
///
/// # Errors
/// If the page does not offer its side.
pub fn answer_now(question: PageQuestion) -> Result<Response, Refusal> {
    Ok(response(Service::answer(question)?))
}

/// The response with an answer and its content type.
fn response(answer: PageAnswer) -> Response {
    let (format, text) = answer.into_text();
    let mime = match format {
        TextFormat::Json => "application/json",
        TextFormat::Sgf => "application/x-go-sgf; charset=utf-8",
        TextFormat::Svg => "image/svg+xml",
    };
    ([(CONTENT_TYPE, mime)], text).into_response()
}

/// The record on the command line, from the byte in the query (`from=N`) on, so that the page can
/// follow the log of a running match.
///
/// # Errors
/// If the query has another form, or the record cannot be read.
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
            "{query:?} is not a known query; write from=N, a number of bytes"
        ))),
    }
}
