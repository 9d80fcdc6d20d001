//! One tab's socket: orders come in, replies go out. It is a socket and not a stream of events,
//! because browsers open at most six connections to a server for all tabs together, and sockets do
//! not count. A tab's search ends with the next order and with the socket. Proofs run independently
//! of it.

use super::prover::Prover;
use super::refusal::Refusal;
use super::search_threads::SearchThreads;
use super::server::Server;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{close_code, CloseCode, CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use axum::Extension;
use hex_core::service::engine_cache::TabId;
use hex_core::service::messages::ServerMessage;
use hex_core::service::orders::{Accepted, ThreadLimit, MAX_ORDER};
use hex_core::service::problem::words;
use hex_core::service::turns::ClientId;
use hex_core::service::TooManyTabs;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// The longest message that is read, in bytes. An order that is too long gets an error; a message
/// above this limit ends the socket.
const MAX_MESSAGE: usize = 64_000;

/// The beginnings of the framework's errors about what a tab sends, whose types it hides, and the
/// codes of RFC 6455 for them.
const ERRORS: [(&str, CloseCode); 3] = [
    ("Space limit exceeded", close_code::SIZE),
    ("UTF-8 encoding error", close_code::INVALID),
    ("WebSocket protocol error", close_code::PROTOCOL),
];

/// How long to wait for a tab to confirm that the socket is closed.
const FAREWELL: Duration = Duration::from_secs(1);

/// Opens the socket of a tab.
pub(crate) async fn connect(
    State(server): State<Server>,
    Extension(client): Extension<ClientId>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let upgrade =
        upgrade.map_err(|rejection| Refusal::new(rejection.status(), rejection.body_text()))?;
    let tab = Tab::open(&server, client)
        .map_err(|why| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why))?;
    let upgrade = upgrade
        .max_message_size(MAX_MESSAGE)
        .max_frame_size(MAX_MESSAGE);
    // Held from now on, so that a server that closes during the upgrade still sends its goodbye.
    let lock = server.closing.hold();
    Ok(upgrade.on_upgrade(async move |socket| {
        tab.serve(socket, server).await;
        drop(lock);
    }))
}

/// An open tab; dropping it ends its search.
struct Tab {
    threads: Arc<SearchThreads>,
    prover: Arc<Prover>,
    client: ClientId,
    id: TabId,
}

impl Drop for Tab {
    fn drop(&mut self) {
        self.prover.forget(self.id);
        self.threads.close_tab(self.id);
    }
}

impl Tab {
    fn open(server: &Server, client: ClientId) -> Result<Tab, TooManyTabs> {
        let threads = server.threads.clone();
        Ok(Tab {
            id: threads.open_tab(client)?,
            client,
            threads,
            prover: server.prover.clone(),
        })
    }

    /// Carries out orders until the tab goes away or the server closes.
    async fn serve(self, mut socket: WebSocket, server: Server) {
        // These receivers stay silent until the first order.
        let (_, mut replies) = watch::channel(None);
        let (_, mut proofs) = watch::channel(None);
        let closing = &server.closing;
        let mut closed = std::pin::pin!(closing.closed());
        let mut last_word = close_frame(close_code::NORMAL, String::new());
        loop {
            let reply: Option<ServerMessage> = tokio::select! {
                received = socket.recv() => match received {
                    Some(Ok(Message::Text(text))) => match self.carry_out(&text) {
                        // Drops the receiver of the old order, and with it later replies to that.
                        Ok(Begun::Search(newer)) => {
                            replies = newer;
                            None
                        }
                        Ok(Begun::Proof(newer)) => {
                            proofs = newer;
                            None
                        }
                        Err(reply) => Some(reply),
                    },
                    Some(Ok(Message::Binary(_))) => Some(ServerMessage::unreadable("orders are text")),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => None,
                    Some(Ok(Message::Close(_))) | None => break,
                    Some(Err(error)) => {
                        last_word = after(&error.to_string());
                        break;
                    }
                },
                Ok(()) = replies.changed() => replies.borrow_and_update().clone(),
                Ok(()) = proofs.changed() => proofs.borrow_and_update().clone(),
                () = &mut closed => break,
            };
            let Some(reply) = reply else { continue };
            let text = serde_json::to_string(&reply).expect("replies are plain data");
            if socket.send(Message::Text(text.into())).await.is_err() {
                break;
            }
        }
        self.threads.stop(self.id);
        farewell(socket, last_word).await;
    }

    /// Carries out an order in place of the last one of its kind. Returns the receiver of its
    /// replies, which keeps only the latest one, so that a slow reader skips replies instead of
    /// queueing them.
    ///
    /// # Errors
    /// The message for the tab. The order before continues.
    fn carry_out(&self, text: &str) -> Result<Begun, ServerMessage> {
        let limit = ThreadLimit {
            most: self.threads.most_for_a_search(),
            advice: "`hex web --threads N` sets the most",
        };
        let accepted = Accepted::read(text, limit)?;
        let (sender, replies) = watch::channel(None);
        let send = move |reply| {
            sender.send_replace(Some(reply));
        };
        Ok(match accepted {
            Accepted::Stop => {
                self.threads.stop(self.id);
                Begun::Search(replies)
            }
            Accepted::Answered(reply) => {
                self.threads.stop(self.id);
                send(reply);
                Begun::Search(replies)
            }
            Accepted::Search(search) => {
                self.threads.begin(self.id, search, send);
                Begun::Search(replies)
            }
            Accepted::Proof(proof) => {
                let (client, id) = (self.client, self.id);
                self.prover.prove(client, id, proof, Box::new(send));
                Begun::Proof(replies)
            }
        })
    }
}

/// What an order has begun, with the receiver of its replies.
enum Begun {
    Search(watch::Receiver<Option<ServerMessage>>),
    Proof(watch::Receiver<Option<ServerMessage>>),
}

/// The last frame of a socket.
fn close_frame(code: CloseCode, reason: String) -> CloseFrame {
    CloseFrame {
        code,
        reason: reason.into(),
    }
}

/// The last frame after an error of the framework.
fn after(error: &str) -> CloseFrame {
    let known = ERRORS.iter().find(|(words, _)| error.starts_with(words));
    let code = known.map_or(close_code::NORMAL, |(_, code)| *code);
    let reason = match code {
        close_code::SIZE => {
            let (message, order) = (words(MAX_MESSAGE), words(MAX_ORDER));
            format!("more than {message} are too large, at most {order} are accepted")
        }
        close_code::INVALID => "orders are text in UTF-8".to_owned(),
        close_code::PROTOCOL => "this is not the protocol of RFC 6455".to_owned(),
        _ => String::new(),
    };
    close_frame(code, reason)
}

/// Closes the socket as the protocol requires: both sides send a close frame.
async fn farewell(mut socket: WebSocket, frame: CloseFrame) {
    // If the tab has closed the socket already, this sends our answer.
    let _ = socket.send(Message::Close(Some(frame))).await;
    let gone = async { while let Some(Ok(_)) = socket.recv().await {} };
    let _ = tokio::time::timeout(FAREWELL, gone).await;
}
