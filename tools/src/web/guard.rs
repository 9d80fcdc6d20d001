//! Who may ask. The server listens on this machine alone, but any page that a browser here has open
//! could send requests to it, and a name on the internet can be made to mean 127.0.0.1. So the Host
//! must be a name of this machine, and the Origin, where the browser tells one, must be our own page.

use super::problem::Problem;
use axum::extract::Request;
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// The names by which a browser on this machine reaches us. The port does not matter: it differs
/// behind a tunnel.
const OUR_NAMES: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// Tells since 2019 in all browsers whether a request comes from our own page.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Forbids the page everything that does not come from us, and others to show or use it.
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

/// Answers requests from our own page alone, and sends the headers that guard it.
pub async fn guard(request: Request, next: Next) -> Response {
    let host = match allowed_host(request.headers()) {
        Ok(host) => host.to_owned(),
        Err(problem) => return problem.into_response(),
    };
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.extend(HEADERS);
    if let Ok(policy) = HeaderValue::try_from(content_policy(&host)) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Pictures may also be made by the page itself, to save them. Safari does not count sockets as
/// 'self'.
fn content_policy(host: &str) -> String {
    format!(
        "default-src 'self'; img-src 'self' blob: data:; connect-src 'self' ws://{host}; \
         frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
}

/// The host that the request names, if the request may be answered.
fn allowed_host(headers: &HeaderMap) -> Result<&str, Problem> {
    let host = text(headers, &header::HOST)?.ok_or_else(|| {
        let why = "the request names no Host; ask for 127.0.0.1 or localhost";
        Problem::new(StatusCode::BAD_REQUEST, why)
    })?;
    if !is_ours(host) {
        let why = format!("{host:?} is not this machine; ask for 127.0.0.1 or localhost");
        return Err(Problem::forbidden(why));
    }
    if let Some(origin) = text(headers, &header::ORIGIN)? {
        if origin.strip_prefix("http://") != Some(host) {
            let why = format!("requests from {origin:?} are not answered, only from http://{host}");
            return Err(Problem::forbidden(why));
        }
    }
    match text(headers, &FETCH_SITE)? {
        None | Some("same-origin" | "none") => Ok(host),
        Some(site) => {
            let why = format!("{FETCH_SITE}: {site:?}: other sites are not answered");
            Err(Problem::forbidden(why))
        }
    }
}

/// Is this one of our names, with or without a port?
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
fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Problem> {
    let mut values = headers.get_all(name).iter();
    let (first, second) = (values.next(), values.next());
    match (first.map(HeaderValue::to_str), second) {
        (None, _) => Ok(None),
        (Some(Ok(value)), None) => Ok(Some(value)),
        _ => {
            let why = format!("the header {name} is there twice or is not text");
            Err(Problem::new(StatusCode::BAD_REQUEST, why))
        }
    }
}
