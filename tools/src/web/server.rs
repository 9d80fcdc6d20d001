//! The addresses that the server knows, and what all answers share.

use super::guard::guard;
use super::handlers;
use super::opened::{Opened, OpenedText};
use super::page::PICTURES;
use super::prover::Prover;
use super::refusal::Refusal;
use super::sent;
use super::socket;
use super::thinkers::Thinkers;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use axum::middleware::from_fn;
use axum::routing::{get, post};
use axum::{Json, Router};
use std::sync::Arc;
use tokio::sync::watch;

/// The longest body of a request, in bytes: a game record with a long remark at every move.
const MAX_BODY: usize = 256 << 10;

/// What all requests share. Cheap to clone.
#[derive(Clone)]
pub struct Server {
    opened: Option<Arc<Opened>>,
    thinkers: Arc<Thinkers>,
    prover: Arc<Prover>,
    closing: Closing,
}

impl Server {
    /// A server with `threads` thinking threads.
    pub fn new(opened: Option<Opened>, threads: usize, seed: u64) -> Server {
        Server {
            opened: opened.map(Arc::new),
            thinkers: Arc::new(Thinkers::new(threads, seed)),
            prover: Arc::new(Prover::start()),
            closing: Closing::default(),
        }
    }

    /// The threads that think.
    pub fn thinkers(&self) -> Arc<Thinkers> {
        self.thinkers.clone()
    }

    /// The thread that proves.
    pub fn prover(&self) -> Arc<Prover> {
        self.prover.clone()
    }

    /// Tells when the server closes, and closes it.
    pub fn closing(&self) -> Closing {
        self.closing.clone()
    }

    /// All addresses.
    ///
    /// # Errors
    /// If the page's modules cannot be joined.
    pub fn router(self) -> anyhow::Result<Router> {
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
            .layer(DefaultBodyLimit::max(MAX_BODY))
            .layer(from_fn(guard))
            .with_state(self))
    }
}

async fn opened(
    State(server): State<Server>,
    uri: Uri,
) -> Result<Json<Option<OpenedText>>, Refusal> {
    handlers::read_opened(server.opened.as_deref(), uri.query())
}

/// How many threads an order may ask for.
async fn threads(State(server): State<Server>) -> Json<usize> {
    Json(server.thinkers.count())
}

async fn unknown_address(uri: Uri) -> Refusal {
    Refusal::unknown(format!("there is nothing at {:?}", uri.path()))
}

async fn wrong_method(method: Method, uri: Uri) -> Refusal {
    let why = format!("{method} cannot be asked of {:?}", uri.path());
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, why)
}

/// Whether the server closes.
#[derive(Clone)]
pub struct Closing(Arc<watch::Sender<bool>>);

impl Default for Closing {
    fn default() -> Self {
        Closing(Arc::new(watch::Sender::new(false)))
    }
}

impl Closing {
    /// Closes the server.
    pub fn close(&self) {
        self.0.send_replace(true);
    }

    /// Makes [`Closing::left`] wait until what is returned is dropped.
    pub fn hold(&self) -> impl Sized + Send {
        self.0.subscribe()
    }

    /// Waits until nobody holds the server any more.
    pub async fn left(&self) {
        self.0.closed().await;
    }

    /// Waits until the server closes.
    pub async fn closed(&self) {
        let mut closed = self.0.subscribe();
        // It is never dropped while somebody waits, as whoever waits holds it.
        let _ = closed.wait_for(|&closed| closed).await;
    }
}
