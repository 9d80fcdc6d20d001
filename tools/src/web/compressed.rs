//! The page's files, made smaller on their way: a browser that is far away, behind a tunnel, gets
//! the page in a third of its bytes. Answers about games are left as they are.

use axum::body::{to_bytes, Body, Bytes};
use axum::extract::Request;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use flate2::write::GzEncoder;
use flate2::Compression;
use std::io::Write;

/// The longest file that is made smaller, in bytes: far more than any of the page has.
const MOST: usize = 1 << 20;

/// Files below this size, in bytes, would not get smaller.
const LEAST: usize = 200;

/// Answers with the file in gzip, if the browser understands that.
pub async fn compress(request: Request, next: Next) -> Response {
    let is_understood = understands_gzip(request.headers());
    let mut response = next.run(request).await;
    // Also where it stays as it is: a cache between must not give one browser's answer to others.
    let varies = HeaderValue::from_static("accept-encoding");
    response.headers_mut().insert(header::VARY, varies);
    if !is_understood || !response.status().is_success() {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // The page's files are in memory: nothing can go wrong on the way from there.
    let whole = to_bytes(body, MOST).await.unwrap_or_default();
    let Some(small) = smaller(&whole) else {
        return Response::from_parts(parts, Body::from(whole));
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    let gzip = HeaderValue::from_static("gzip");
    parts.headers.insert(header::CONTENT_ENCODING, gzip);
    Response::from_parts(parts, Body::from(small))
}

/// Returns true if the header that says so names gzip. (Nobody forbids it by `gzip;q=0`.)
fn understands_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING);
    let accepted = accepted.and_then(|value| value.to_str().ok());
    accepted.is_some_and(|list| list.split(',').any(|name| name.trim() == "gzip"))
}

/// The bytes in gzip, if they are fewer then.
fn smaller(bytes: &Bytes) -> Option<Vec<u8>> {
    if bytes.len() < LEAST {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}
