//! Questions as the page asks them of a server, with a path and a body, and answers with a status
//! and a type: the page's scripts are the same with a server and without.

use hex_core::engine::network_code;
use hex_core::record::Side;
use hex_core::web::problem::{Problem, ProblemKind};
use hex_core::web::questions::{PageQuestion, QuestionKind, TextFormat};
use hex_core::web::service::Service;
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

const JSON: &str = "application/json";

/// Answers what the page asks.
pub fn respond(path: &str, body: &str) -> PageResponse {
    // Only of a file that grows one would ask for a part.
    let path = path.split('?').next().unwrap_or_default();
    match path {
        // No command line names a record, and there is one thread.
        "api/opened" => json(200, "null".to_owned()),
        "api/threads" => json(200, "1".to_owned()),
        "api/code" => json(200, format!("\"{}\"", network_code())),
        _ => match question(path, body) {
            Some(question) => answered(question),
            None => failed(404, &format!("there is nothing at {path:?}")),
        },
    }
}

/// The question asked; `None` if no such path is known.
fn question(path: &str, body: &str) -> Option<Result<PageQuestion, Problem>> {
    let kind = match path {
        "api/look" => QuestionKind::Look,
        "api/record" => QuestionKind::OpenRecord,
        "api/save/sgf" => QuestionKind::SaveSgf,
        "api/save/svg" => QuestionKind::SaveSvg,
        "api/grades" => return Some(Ok(PageQuestion::Grades)),
        _ => {
            let (path, side) = path.rsplit_once('/')?;
            let side = Side::try_from(side.parse::<usize>().ok()?).ok()?;
            return match path {
                "api/board" => Some(Ok(PageQuestion::Board(side))),
                "api/openings" => Some(Ok(PageQuestion::Openings(side))),
                _ => None,
            };
        }
    };
    Some(PageQuestion::read(kind, body.as_bytes().to_vec()))
}

fn answered(question: Result<PageQuestion, Problem>) -> PageResponse {
    let answer = match question.and_then(Service::answer) {
        Ok(answer) => answer,
        Err(problem) => return failed(status(problem.kind()), problem.message()),
    };
    let (format, text) = answer.into_text();
    let mime = match format {
        TextFormat::Json => JSON,
        TextFormat::Sgf => "application/x-go-sgf",
        TextFormat::Svg => "image/svg+xml",
    };
    PageResponse {
        status: 200,
        mime,
        text,
    }
}

fn status(kind: ProblemKind) -> u16 {
    match kind {
        ProblemKind::Unreadable => 400,
        ProblemKind::Impossible => 422,
        ProblemKind::TooLarge => 413,
    }
}

fn failed(status: u16, why: &str) -> PageResponse {
    json(status, serde_json::json!({ "error": why }).to_string())
}

fn json(status: u16, text: String) -> PageResponse {
    PageResponse {
        status,
        mime: JSON,
        text,
    }
}
