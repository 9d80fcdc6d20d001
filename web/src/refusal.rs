//! The refusal of a request: a status, and a sentence for people.

use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use hex_core::service::problem::Problem;
use serde_json::json;
use std::fmt::Display;
use tokio::task::JoinError;

/// The media type of a refusal.
const REFUSAL_TYPE: &str = "application/problem+json";

/// Why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    status: StatusCode,
    message: String,
}

impl Refusal {
    /// The request can be read, but what it wants is not possible.
    pub(crate) fn impossible(why: impl Display) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, why)
    }

    /// Requests from there are not allowed.
    pub(crate) fn forbidden(why: impl Display) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, why)
    }

    /// The address does not exist.
    pub(crate) fn unknown(why: impl Display) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, why)
    }

    /// Any other reason.
    pub(crate) fn new(status: StatusCode, why: impl Display) -> Refusal {
        Refusal {
            status,
            message: why.to_string(),
        }
    }
}

impl Refusal {
    /// The refusal as a successful answer that says by its type what it is, for who asks so: a
    /// browser prints a line in its console for every other one, beside the sentence on the page.
    fn as_answer(&self) -> Response {
        let body = json!({ "error": self.message, "status": self.status.as_u16() });
        ([(CONTENT_TYPE, REFUSAL_TYPE)], body.to_string()).into_response()
    }

    /// The same response; a refusal as a successful answer that says by its type what it is.
    pub(crate) fn answered(response: Response) -> Response {
        match response.extensions().get::<Refusal>() {
            Some(refusal) => refusal.as_answer(),
            None => response,
        }
    }
}

/// Returns true if the request accepts refusals as answers.
pub(crate) fn takes_answers(headers: &HeaderMap) -> bool {
    let accepted = headers.get(ACCEPT).and_then(|list| list.to_str().ok());
    accepted.is_some_and(|list| list.split(',').any(|kind| kind.trim() == REFUSAL_TYPE))
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = Json(json!({ "error": self.message }));
        (self.status, Extension(self), body).into_response()
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Refusal {
        let status = StatusCode::from_u16(problem.kind().status());
        Refusal::new(status.expect("a problem has a status"), problem.message())
    }
}

/// The handler has panicked.
impl From<JoinError> for Refusal {
    fn from(error: JoinError) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error)
    }
}
