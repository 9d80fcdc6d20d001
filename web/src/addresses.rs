//! The addresses that the server knows.

use super::clerks::aside;
use super::guard::guard;
use super::handlers;
use super::page::PICTURES;
use super::refusal::Refusal;
use super::sent;
use super::server::Server;
use super::socket;
use axum::extract::State;
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::from_fn;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use std::sync::Arc;

/// All addresses of the server.
///
/// # Errors
/// If the page's modules cannot be joined.
pub fn router(server: Server) -> anyhow::Result<Router> {
    let mut router = Router::new()
        .route("/api/look", post(handlers::look))
        .route("/api/record", post(handlers::read_record))
        .route("/api/save/sgf", post(handlers::save_sgf))
        .route("/api/save/svg", post(handlers::save_svg))
        .route("/api/board/{side}", get(handlers::board))
        .route("/api/openings/{side}", get(handlers::openings))
        .route("/api/opened", get(opened))
        .route("/api/threads", get(threads))
        .route("/api/socket", get(socket::connect));
    for (path, file) in sent::files()? {
        let file = Arc::new(file);
        let send = async move |headers: HeaderMap| file.now(path).answer(&headers);
        router = router.route(path, get(send));
    }
    for &picture in PICTURES {
        router = router.route(picture.path, get(async move || picture));
    }
    Ok(router
        .fallback(unknown_address)
        .method_not_allowed_fallback(wrong_method)
        .layer(from_fn(guard))
        .with_state(server))
}

async fn opened(State(server): State<Server>, uri: Uri) -> Result<Response, Refusal> {
    // The file's disk may take its time, or never answer: the other requests do not wait for it.
    aside(move || handlers::read_opened(server.opened(), uri.query())).await
}

/// How many threads an order may ask for.
async fn threads(State(server): State<Server>) -> Json<usize> {
    Json(server.thinkers().count())
}

async fn unknown_address(uri: Uri) -> Refusal {
    Refusal::unknown(format!("there is nothing at {:?}", uri.path()))
}

async fn wrong_method(method: Method, uri: Uri) -> Refusal {
    let why = format!("{method} cannot be asked of {:?}", uri.path());
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, why)
}
