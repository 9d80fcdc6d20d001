//! The bodies of requests: read up to the size that their address takes. Larger ones are refused in
//! words, with both sizes.

use super::refusal::Refusal;
use crate::sizes;
use axum::body::{Body, HttpBody};
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::Json;
use serde::de::DeserializeOwned;
use std::future::poll_fn;
use std::pin::pin;

/// How much of a body that is too large is still taken, in bytes: who sends all of it hears the
/// answer, who is cut off perhaps not.
const MOST_DRAINED: usize = 64_000_000;

/// The body of a request as text.
///
/// # Errors
/// If it is longer than `most` bytes, does not arrive, or is no text.
pub async fn text(request: Request, most: usize) -> Result<String, Refusal> {
    let bytes = bytes(request.into_body(), most).await?;
    String::from_utf8(bytes).map_err(|error| {
        let why = format!("what was sent is not text in UTF-8: {error}");
        Refusal::new(StatusCode::BAD_REQUEST, why)
    })
}

/// The body of a request that says that it is JSON, to be read by [`read()`].
///
/// # Errors
/// If it is longer than `most` bytes, does not arrive, or says that it is something else.
pub async fn json(request: Request, most: usize) -> Result<Vec<u8>, Refusal> {
    let is_json = says_json(request.headers());
    let bytes = bytes(request.into_body(), most).await?;
    if is_json {
        Ok(bytes)
    } else {
        Err(Refusal::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "questions are sent with `Content-Type: application/json`",
        ))
    }
}

fn says_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).map(|kind| kind.as_bytes());
    kind.is_some_and(|kind| kind.starts_with(b"application/json"))
}

/// What JSON says.
///
/// # Errors
/// If it is not JSON, or not what is wanted.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    let Json(read) = Json::from_bytes(bytes)?;
    Ok(read)
}

/// All of a body.
async fn bytes(body: Body, most: usize) -> Result<Vec<u8>, Refusal> {
    let announced = body.size_hint().exact();
    let (mut kept, mut size) = (Vec::new(), 0);
    let mut body = pin!(body);
    while let Some(frame) = poll_fn(|context| body.as_mut().poll_frame(context)).await {
        let frame = frame.map_err(|error| {
            let why = format!("the request broke off: {error}");
            Refusal::new(StatusCode::BAD_REQUEST, why)
        })?;
        // Anything but data is trailers, which nobody reads.
        let Ok(data) = frame.into_data() else {
            continue;
        };
        size += data.len();
        match size {
            ..=MOST_DRAINED if size <= most => kept.extend(data),
            ..=MOST_DRAINED => kept = Vec::new(),
            _ => break,
        }
    }
    let size = announced.map_or(size, |announced| announced as usize);
    sizes::check(size, most)?;
    Ok(kept)
}
