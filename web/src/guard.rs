//! Refuses requests from other sites. The server listens only on this machine, but any page in a
//! browser here could send requests to it, and a name on the internet may resolve to 127.0.0.1. So
//! the Host must be a name of this machine, and the Origin, if the browser sends one, must be our
//! own page. A link on another site may lead to the page, because the page takes no orders from a
//! link.

use super::refusal::{takes_answers, Refusal};
use axum::body::{to_bytes, Body};
use axum::extract::Request;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hex_common::patience::patience;
use std::time::Duration;

/// The names of this machine in a browser on it. The port is not checked, because it differs behind
/// a tunnel.
const OUR_NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Contains whether a request comes from our own page, in all browsers since 2019.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Contains the kind of request: `navigate` if the user follows a link.
const FETCH_MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");

/// Contains the use of the answer: `document` if the user follows a link in a tab.
const FETCH_DEST: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// The time limit of a request. Most of it is for the body to arrive; the work on the largest body
/// takes a fraction of it (`web/src/server.rs`).
const ANSWER_TIME: Duration = Duration::from_secs(10);

/// The longest message of the framework that is passed on, in bytes.
const MAX_SENTENCE: usize = 4 << 10;

/// Headers of every answer: other sites cannot show or use it, and it is not cached.
const HEADERS: [(HeaderName, HeaderValue); 4] = [
    (
        header::X_CONTENT_TYPE_OPTIONS,
        HeaderValue::from_static("nosniff"),
    ),
    (
        header::REFERRER_POLICY,
        HeaderValue::from_static("no-referrer"),
    ),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        HeaderValue::from_static("same-origin"),
    ),
];

/// Answers only requests from our own page, and adds the security headers.
pub(crate) async fn guard(request: Request, next: Next) -> Response {
    let host = match allowed_host(&request) {
        Ok(host) => host.to_owned(),
        Err(problem) => return problem.into_response(),
    };
    let takes_answers = takes_answers(request.headers());
    let response = match tokio::time::timeout(patience(ANSWER_TIME), next.run(request)).await {
        Ok(response) => explained(response).await,
        Err(_) => {
            let why = format!(
                "the request did not arrive, or was not answered, within {} s",
                patience(ANSWER_TIME).as_secs_f32()
            );
            Refusal::new(StatusCode::REQUEST_TIMEOUT, why).into_response()
        }
    };
    let mut response = if takes_answers {
        Refusal::answered(response)
    } else {
        response
    };
    let headers = response.headers_mut();
    headers.extend(HEADERS);
    if let Ok(policy) = HeaderValue::try_from(content_policy(&host)) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// The response; if it is a refusal by the framework, which is plain text, in our own form.
async fn explained(response: Response) -> Response {
    let is_json = |value: &HeaderValue| value.as_bytes().starts_with(b"application/json");
    let has_form = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(is_json);
    if !response.status().is_client_error() || has_form {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let sentence = to_bytes(body, MAX_SENTENCE).await.unwrap_or_default();
    let sentence = String::from_utf8_lossy(&sentence);
    let why = match sentence.trim() {
        "" => parts.status.to_string(),
        sentence => sentence.to_owned(),
    };
    let (ours, body) = Refusal::new(parts.status, why).into_response().into_parts();
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.remove(header::CONTENT_TYPE);
    parts.headers.extend(ours.headers);
    parts.extensions.extend(ours.extensions);
    Response::from_parts(parts, Body::new(body))
}

/// The content policy. The page itself makes pictures (`blob:`, `data:`) to save them. Safari does
/// not count sockets as 'self'.
fn content_policy(host: &str) -> String {
    format!(
        "default-src 'self'; img-src 'self' blob: data:; connect-src 'self' ws://{host}; \
         frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
}

/// The host that the request names, if the request may be answered.
fn allowed_host(request: &Request) -> Result<&str, Refusal> {
    let headers = request.headers();
    let host = text(headers, &header::HOST)?.ok_or_else(|| {
        let why = "the request has no Host; use 127.0.0.1 or localhost";
        Refusal::new(StatusCode::BAD_REQUEST, why)
    })?;
    if !is_ours(host) {
        let why = format!("{host:?} is not this machine; use 127.0.0.1 or localhost");
        return Err(Refusal::forbidden(why));
    }
    // A request may also have a host in its first line, as for a proxy. It must be the same.
    if let Some(authority) = request.uri().authority() {
        if authority != host {
            let why = format!(
                "the request is for {:?}, but its Host is {host:?}",
                authority.as_str()
            );
            return Err(Refusal::forbidden(why));
        }
    }
    if let Some(origin) = text(headers, &header::ORIGIN)? {
        if origin.strip_prefix("http://") != Some(host) {
            let why = format!("requests from {origin:?} are not answered, only from http://{host}");
            return Err(Refusal::forbidden(why));
        }
    }
    match text(headers, &FETCH_SITE)? {
        None | Some("same-origin" | "none") => Ok(host),
        Some(_) if is_link(request.method(), headers)? => Ok(host),
        Some(site) => {
            let why = format!("{FETCH_SITE}: {site:?}: other sites are not answered");
            Err(Refusal::forbidden(why))
        }
    }
}

/// Returns true if a user follows a link: the browser shows the answer to the user only, not to the
/// site with the link.
fn is_link(method: &Method, headers: &HeaderMap) -> Result<bool, Refusal> {
    let is_tab = matches!(text(headers, &FETCH_DEST)?, None | Some("document"));
    let is_followed = text(headers, &FETCH_MODE)? == Some("navigate") && is_tab;
    Ok(is_followed && method == Method::GET)
}

/// Returns true if this is one of our names, with or without a port.
fn is_ours(host: &str) -> bool {
    OUR_NAMES.iter().any(|name| match host.strip_prefix(name) {
        Some("") => true,
        Some(rest) => rest
            .strip_prefix(':')
            .is_some_and(|port| port.parse::<u16>().is_ok()),
        None => false,
    })
}

/// The only value of a header; `None` if it is missing.
fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Refusal> {
    let mut values = headers.get_all(name).iter();
    let (first, second) = (values.next(), values.next());
    match (first.map(HeaderValue::to_str), second) {
        (None, _) => Ok(None),
        (Some(Ok(value)), None) => Ok(Some(value)),
        _ => {
            let why = format!("the header {name} occurs twice or is not text");
            Err(Refusal::new(StatusCode::BAD_REQUEST, why))
        }
    }
}
