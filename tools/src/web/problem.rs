//! What is wrong with a request: a status that tells whose fault it is, and a sentence for people.

use axum::extract::rejection::{JsonRejection, StringRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::Json;
use serde_json::json;
use std::fmt::Display;

/// Why a request is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    status: StatusCode,
    message: String,
}

impl Problem {
    /// The request can be read, but asks for something impossible.
    pub fn impossible(why: impl Display) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, why)
    }

    /// Nobody may ask from there.
    pub fn forbidden(why: impl Display) -> Problem {
        Problem::new(StatusCode::FORBIDDEN, why)
    }

    /// There is nothing under this address.
    pub fn unknown(why: impl Display) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, why)
    }

    /// Any other problem.
    pub fn new(status: StatusCode, why: impl Display) -> Problem {
        Problem {
            status,
            message: why.to_string(),
        }
    }

    /// The sentence for people.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.message }))).into_response()
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Problem {
        Problem::new(rejection.status(), rejection.body_text())
    }
}

impl From<StringRejection> for Problem {
    fn from(rejection: StringRejection) -> Problem {
        Problem::new(rejection.status(), rejection.body_text())
    }
}
