//! Why a request is refused: a status that tells whose fault it is, and a sentence for people.

use crate::problem::{Problem, ProblemKind};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::Json;
use serde_json::json;
use std::fmt::Display;
use tokio::task::JoinError;

/// Why a request is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    status: StatusCode,
    message: String,
}

impl Refusal {
    /// The request can be read, but asks for something impossible.
    pub fn impossible(why: impl Display) -> Refusal {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, why)
    }

    /// Nobody may ask from there.
    pub fn forbidden(why: impl Display) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, why)
    }

    /// There is nothing under this address.
    pub fn unknown(why: impl Display) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, why)
    }

    /// Any other problem.
    pub fn new(status: StatusCode, why: impl Display) -> Refusal {
        Refusal {
            status,
            message: why.to_string(),
        }
    }

    /// The sentence for people.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.message }))).into_response()
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Refusal {
        let status = match problem.kind() {
            ProblemKind::Unreadable => StatusCode::BAD_REQUEST,
            ProblemKind::Impossible => StatusCode::UNPROCESSABLE_ENTITY,
            ProblemKind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        };
        Refusal::new(status, problem.message())
    }
}

/// The answer has failed by a fault of the server's own.
impl From<JoinError> for Refusal {
    fn from(error: JoinError) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, error)
    }
}
