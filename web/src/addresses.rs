//! The addresses of the server.

use super::background::in_background;
use super::guard::guard;
use super::handlers;
use super::joined::ScriptError;
use super::questions::{PageQuestion, QuestionKind};
use super::refusal::Refusal;
use super::sent;
use super::server::Server;
use super::socket;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::from_fn;
use axum::response::Response;
use axum::routing::{get, post, MethodRouter};
use axum::{Json, Router};
use hex_core::engine::network_code;
use hex_core::record::Side;
use std::sync::Arc;

/// All addresses of the server.
///
/// # Errors
/// If the page's modules cannot be joined.
pub fn router(server: Server) -> Result<Router, ScriptError> {
    let mut router = Router::new()
        .route("/api/look", in_body(QuestionKind::Look))
        .route("/api/record", in_body(QuestionKind::OpenRecord))
        .route("/api/save/sgf", in_body(QuestionKind::SaveSgf))
        .route("/api/save/svg", in_body(QuestionKind::SaveSvg))
        .route("/api/board/{side}", of_side(PageQuestion::Board))
        .route("/api/openings/{side}", of_side(PageQuestion::Openings))
        .route("/api/grades", get(grades))
        .route("/api/opened", get(opened))
        .route("/api/threads", get(threads))
        .route("/api/code", get(async || Json(network_code())))
        .route("/api/socket", get(socket::connect));
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

/// The route of questions of this kind, which requests have in their bodies.
fn in_body(kind: QuestionKind) -> MethodRouter<Server> {
    post(
        async move |State(server): State<Server>, request: Request| {
            handlers::answer(server, kind, request).await
        },
    )
}

/// The route of a question about boards of the side in the path.
fn of_side(question: fn(Side) -> PageQuestion) -> MethodRouter<Server> {
    get(async move |Path(side): Path<String>| handlers::answer_of_side(&side, question))
}

async fn opened(State(server): State<Server>, uri: Uri) -> Result<Response, Refusal> {
    // In the background, because the file's disk may be slow or never answer.
    in_background(move || handlers::read_opened(server.opened(), uri.query())).await
}

async fn grades() -> Result<Response, Refusal> {
    handlers::answer_now(PageQuestion::Grades)
}

/// The most threads that an order may have.
async fn threads(State(server): State<Server>) -> Json<usize> {
    Json(server.threads().most_for_a_search())
}

async fn unknown_address(uri: Uri) -> Refusal {
    Refusal::unknown(format!("there is nothing at {:?}", uri.path()))
}

async fn wrong_method(method: Method, uri: Uri) -> Refusal {
    let why = format!("{:?} does not support {method}", uri.path());
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, why)
}
