//! Questions as the page asks them of a server, with a path and a body, and answers with a status
//! and a type: the page's scripts are the same with a server and without.

use hex_core::engine::network_code;
use hex_core::record::Side;
use hex_core::service::problem::Problem;
use hex_core::service::questions::{grades, AnswerText, TextFormat};
use hex_core::service::routes::{find, Asked};
use serde::Serialize;

/// What the page gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageResponse {
    /// The status, as in HTTP.
    status: u16,
    /// What kind of text it is.
    mime: &'static str,
    /// The answer; if the status is not 200, `{"error":"…"}`.
    text: String,
}

/// Answers what the page asks.
pub fn respond(path: &str, body: &str) -> PageResponse {
    // Only of a file that grows one would ask for a part.
    let path = path.split('?').next().unwrap_or_default();
    let answer = find(path).and_then(|(asked, side)| answer(asked, side, body));
    match answer {
        Some(Ok((format, text))) => response(200, format, text),
        Some(Err(problem)) => failed(problem.kind().status(), problem.message()),
        None => failed(404, &format!("there is nothing at {path:?}")),
    }
}

/// The answer; `None` if the address leads nowhere without a server.
fn answer(asked: Asked, side: &str, body: &str) -> Option<Result<AnswerText, Problem>> {
    Some(match asked {
        Asked::Question(kind) => kind.answer(body.as_bytes().to_vec()),
        Asked::OfSide(question) => question(Side::try_from(side.parse::<usize>().ok()?).ok()?),
        Asked::Grades => Ok(grades()),
        // No command line names a record, and there is one thread.
        Asked::Opened => Ok((TextFormat::Json, "null".to_owned())),
        Asked::Threads => Ok((TextFormat::Json, "1".to_owned())),
        Asked::Code => Ok((TextFormat::Json, format!("\"{}\"", network_code()))),
        Asked::Socket => return None,
    })
}

fn failed(status: u16, why: &str) -> PageResponse {
    let text = serde_json::json!({ "error": why }).to_string();
    response(status, TextFormat::Json, text)
}

fn response(status: u16, format: TextFormat, text: String) -> PageResponse {
    let mime = format.mime();
    PageResponse { status, mime, text }
}
