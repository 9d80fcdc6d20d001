//! The requests of the page: each address of [`ROUTES`] and each file of the page gets a handler,
//! which translates the request to a question and the answer to a response.

use super::body;
use super::guard::guard;
use super::opened::Opened;
use super::refusal::Refusal;
use super::sent;
use super::server::{in_background, Server};
use super::socket;
use axum::extract::{Path, Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, MethodRouter};
use axum::{Json, Router};
use hex_common::record_input::parse_side;
use hex_core::engine::network_code;
use hex_core::service::questions::{grades, AnswerText, QuestionKind};
use hex_core::service::routes::{Asked, ROUTES};
use std::sync::Arc;

/// The handlers of all addresses of the server.
///
/// # Errors
/// If the page's modules cannot be joined.
pub(crate) fn router(server: Server) -> anyhow::Result<Router> {
    let mut router = Router::new();
    for (path, asked) in ROUTES {
        router = router.route(&format!("/{path}"), handler(asked));
    }
    for (path, file) in sent::files()? {
        let (file, address) = (Arc::new(file), path.clone());
        let send = async move |headers: HeaderMap| file.now(&address).answer(&headers);
        router = router.route(&path, get(send));
    }
    Ok(router
        .fallback(unknown_address)
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn(guard))
        .with_state(server))
}

fn handler(asked: Asked) -> MethodRouter<Server> {
    type Shared = State<Server>;
    match asked {
        Asked::Question(kind) => post(async move |State(server): Shared, request: Request| {
            answer(server, kind, request).await
        }),
        Asked::OfSide(question) => get(async move |Path(side): Path<String>| {
            let side = parse_side(&side).map_err(Refusal::unknown)?;
            Ok::<Response, Refusal>(response(question(side)?))
        }),
        Asked::Grades => get(async || response(grades())),
        // In the background, because the file's disk may be slow or never answer.
        Asked::Opened => get(async |State(server): Shared, uri: Uri| {
            in_background(move || read_opened(server.opened.as_deref(), uri.query())).await
        }),
        Asked::Threads => {
            get(async |State(server): Shared| Json(server.threads.most_for_a_search()))
        }
        Asked::Code => get(async || Json(network_code())),
        Asked::Socket => get(socket::connect),
    }
}

/// Answers the question in the body of a request.
async fn answer(server: Server, kind: QuestionKind, request: Request) -> Result<Response, Refusal> {
    let (text, share) = body::read(request, kind, &server.room).await?;
    let work = move || {
        let answered = kind.answer(text);
        drop(share);
        Ok(response(answered?))
    };
    match kind {
        QuestionKind::OpenRecord | QuestionKind::SaveSgf => server.records.run(work).await,
        QuestionKind::Look | QuestionKind::SaveSvg => in_background(work).await,
    }
}

/// The response with an answer and its content type.
fn response((format, text): AnswerText) -> Response {
    ([(CONTENT_TYPE, format.mime())], text).into_response()
}

/// The record on the command line, from the byte in the query (`from=N`) on, so that the page can
/// follow the log of a running match.
fn read_opened(opened: Option<&Opened>, query: Option<&str>) -> Result<Response, Refusal> {
    let from = match query {
        None => 0,
        Some(query) => byte_of(query)?,
    };
    let read = opened.map(|opened| opened.text(from)).transpose()?;
    Ok(Json(&read).into_response())
}

/// The number in `from=N`.
fn byte_of(query: &str) -> Result<u64, Refusal> {
    let number = query.strip_prefix("from=").map(str::parse);
    match number {
        Some(Ok(from)) => Ok(from),
        _ => Err(Refusal::impossible(format!(
            "{query:?} is not a known query; write from=N, a number of bytes"
        ))),
    }
}

async fn unknown_address(uri: Uri) -> Refusal {
    Refusal::unknown(format!("there is nothing at {:?}", uri.path()))
}

async fn wrong_method(method: Method, uri: Uri) -> Refusal {
    let why = format!("{:?} does not support {method}", uri.path());
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, why)
}
