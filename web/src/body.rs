//! Reads the bodies of requests up to the size that their question may have. Larger ones are
//! refused with a message that contains both sizes.

use super::refusal::Refusal;
use crate::questions::QuestionKind;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use std::future::poll_fn;
use std::pin::pin;

/// How much of a body that is too large is still read, in bytes. A client that can send all of it
/// sees the answer; one whose connection is cut may not.
const MOST_DRAINED: usize = 64_000_000;

/// The body of a request with a question of this kind.
///
/// # Errors
/// If it is too long, does not arrive, or should be JSON and its content type is another one.
pub async fn read(request: Request, kind: QuestionKind) -> Result<Vec<u8>, Refusal> {
    let is_fit = !kind.is_json() || says_json(request.headers());
    let bytes = bytes(request.into_body(), kind).await?;
    if is_fit {
        Ok(bytes)
    } else {
        Err(Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "send the question with `Content-Type: application/json`",
        ))
    }
}

fn says_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).map(|kind| kind.as_bytes());
    kind.is_some_and(|kind| kind.starts_with(b"application/json"))
}

/// All of a body.
async fn bytes(body: Body, kind: QuestionKind) -> Result<Vec<u8>, Refusal> {
    let announced = body.size_hint().exact();
    let (mut kept, mut size) = (Vec::new(), 0);
    let mut body = pin!(body);
    while let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
        let frame = frame.map_err(|error| {
            let why = format!("the request broke off: {error}");
            Refusal::new(StatusCode::BAD_REQUEST, why)
        })?;
        // Other frames are trailers, which are not used.
        let Ok(data) = frame.into_data() else {
            continue;
        };
        size += data.len();
        match size {
            ..=MOST_DRAINED if kind.check_size(size).is_ok() => kept.extend(data),
            ..=MOST_DRAINED => kept = Vec::new(),
            _ => break,
        }
    }
    let size = announced.map_or(size, |announced| announced as usize);
    kind.check_size(size)?;
    Ok(kept)
}
