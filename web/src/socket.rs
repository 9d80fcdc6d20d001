//! One tab's socket: orders come in, thoughts go out. (A socket and not a stream of events, because
//! browsers open six connections to a server at most, for all tabs together, and sockets do not
//! count.) The tab's thinking ends with the next order and with the socket. Proofs are a line of
//! their own beside it.

use super::messages::{open_game, Order, ServerMessage, Subject};
use super::minds::TabId;
use super::problem::Problem;
use super::prover::Prover;
use super::refusal::Refusal;
use super::replies::{job, proof, refused, unreadable, without_search};
use super::server::Server;
use super::sizes;
use super::thinkers::Thinkers;
use super::view::MAX_GAME;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{close_code, CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use hex_core::engine::StopSign;
use hex_core::record::Game;
use hex_core::solver::Appraisal;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// Tabs that may be open at a time.
const MAX_TABS: usize = 64;

/// The longest order, in bytes: a game, and what is wanted.
const MAX_ORDER: usize = MAX_GAME + (1 << 10);

/// The longest message that is read, in bytes: an order that is too long is refused in words, and a
/// message that is still longer ends the socket.
const MAX_MESSAGE: usize = 64_000;

/// How the error about a longer message begins.
const TOO_LONG: &str = "Space limit exceeded";

/// How long a tab may take to answer that the socket is closed.
const FAREWELL: Duration = Duration::from_secs(1);

/// Opens the socket of a tab.
pub async fn connect(
    State(server): State<Server>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let upgrade =
        upgrade.map_err(|rejection| Refusal::new(rejection.status(), rejection.body_text()))?;
    let tab = Tab::open(&server).ok_or_else(|| {
        let why = format!("{MAX_TABS} tabs are open already; close some");
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why)
    })?;
    let upgrade = upgrade
        .max_message_size(MAX_MESSAGE)
        .max_frame_size(MAX_MESSAGE);
    // Held from now on, so that a server that closes while the connection becomes a socket waits to
    // say so.
    let lock = server.closing().hold();
    Ok(upgrade.on_upgrade(async move |socket| {
        tab.serve(socket, server).await;
        drop(lock);
    }))
}

/// An open tab; dropping it ends its thinking.
struct Tab {
    thinkers: Arc<Thinkers>,
    prover: Arc<Prover>,
    id: TabId,
    sign: StopSign,
    /// The number of the last order to think, from 1.
    orders: u64,
}

impl Drop for Tab {
    fn drop(&mut self) {
        self.stop();
        self.prover.forget(self.id);
        self.thinkers.close_tab(self.id);
    }
}

impl Tab {
    fn open(server: &Server) -> Option<Tab> {
        let thinkers = server.thinkers();
        Some(Tab {
            id: thinkers.open_tab(MAX_TABS)?,
            thinkers,
            prover: server.prover(),
            sign: StopSign::default(),
            orders: 0,
        })
    }

    /// Ends what was ordered so far.
    fn stop(&self) {
        self.sign.stop_up_to(self.orders);
    }

    /// Carries out orders until the tab goes away or the server closes.
    async fn serve(mut self, mut socket: WebSocket, server: Server) {
        // Nothing comes from here before the first order.
        let (_, mut replies) = watch::channel(None);
        let (_, mut proofs) = watch::channel(None);
        let closing = server.closing();
        let mut closed = std::pin::pin!(closing.closed());
        let mut last_word = goodbye();
        loop {
            let reply: Option<ServerMessage> = tokio::select! {
                received = socket.recv() => match received {
                    Some(Ok(Message::Text(text))) => match self.carry_out(&text) {
                        // What is still said about the old order goes nowhere.
                        Ok(Begun::Thinking(newer)) => {
                            replies = newer;
                            None
                        }
                        Ok(Begun::Proof(newer)) => {
                            proofs = newer;
                            None
                        }
                        Err(reply) => Some(reply),
                    },
                    Some(Ok(Message::Binary(_))) => Some(unreadable("orders are text")),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => None,
                    Some(Ok(Message::Close(_))) | None => break,
                    Some(Err(error)) => {
                        if error.to_string().starts_with(TOO_LONG) {
                            last_word = too_long();
                        }
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
        self.stop();
        farewell(socket, last_word).await;
    }

    /// Carries out an order, in place of the one of its kind before, and returns where replies to
    /// it come from: the last one counts, so that a slow reader misses thoughts rather than piles
    /// them up.
    ///
    /// # Errors
    /// What is wrong with the order; the one before is then carried out further.
    fn carry_out(&mut self, text: &str) -> Result<Begun, ServerMessage> {
        sizes::check(text.len(), MAX_ORDER).map_err(|problem| unreadable(problem.message()))?;
        let order: Order = serde_json::from_str(text).map_err(unreadable)?;
        let (id, subject, threads) = match order {
            Order::Stop => {
                self.stop();
                return Ok(Begun::Thinking(watch::channel(None).1));
            }
            Order::Prove { id, game } => {
                let game = open_game(&game).map_err(|problem| refused(id, &problem))?;
                return Ok(Begun::Proof(self.prove(id, &game)));
            }
            Order::Move {
                id,
                game,
                level,
                ms,
                threads,
            } => (id, Subject::to_move(&game, level, ms), threads),
            Order::Analyse {
                id,
                game,
                ms,
                threads,
            } => (id, Subject::to_analyse(&game, ms), threads),
            Order::Ponder {
                id,
                game,
                level,
                ms,
                threads,
            } => (id, Subject::to_ponder(&game, level, ms), threads),
        };
        let allowed = subject.and_then(|subject| Ok((subject, self.threads(threads)?)));
        let (subject, threads) = allowed.map_err(|problem| refused(id, &problem))?;
        self.stop();
        let (sender, replies) = watch::channel(None);
        match subject.ready_move() {
            Some(action) => {
                sender.send_replace(Some(without_search(id, action)));
            }
            None => self.begin(id, subject, threads, sender),
        }
        Ok(Begun::Thinking(replies))
    }

    /// How many threads may think, if so many were ordered.
    ///
    /// # Errors
    /// If there are not so many.
    fn threads(&self, ordered: Option<usize>) -> Result<usize, Problem> {
        let (threads, most) = (ordered.unwrap_or(1), self.thinkers.count());
        if (1..=most).contains(&threads) {
            Ok(threads)
        } else {
            Err(Problem::impossible(format!(
                "{threads} threads are not possible, choose 1 to {most}; `hex web --threads N` \
                 sets how many there are"
            )))
        }
    }

    /// Has the moves of a position proven.
    fn prove(&self, id: u64, game: &Game) -> watch::Receiver<Option<ServerMessage>> {
        let (sender, replies) = watch::channel(None);
        let listener = move |found: Appraisal| {
            sender.send_replace(Some(proof(id, found)));
        };
        self.prover.prove(self.id, game, Box::new(listener));
        replies
    }

    fn begin(
        &mut self,
        id: u64,
        subject: Subject,
        threads: usize,
        replies: watch::Sender<Option<ServerMessage>>,
    ) {
        self.orders += 1;
        let seed = self.thinkers.next_seed();
        let stop = self.sign.for_task(self.orders);
        let send = move |reply| {
            replies.send_replace(Some(reply));
        };
        (self.thinkers).begin(job(self.id, id, subject, threads, seed, stop, send));
    }
}

/// What an order has begun: where the replies to it come from.
enum Begun {
    Thinking(watch::Receiver<Option<ServerMessage>>),
    Proof(watch::Receiver<Option<ServerMessage>>),
}

/// What is said at the end if nothing is wrong.
fn goodbye() -> CloseFrame {
    CloseFrame {
        code: close_code::NORMAL,
        reason: Utf8Bytes::from_static(""),
    }
}

/// What is said to a tab whose message is too long to be read.
fn too_long() -> CloseFrame {
    let (message, order) = (sizes::words(MAX_MESSAGE), sizes::words(MAX_ORDER));
    CloseFrame {
        code: close_code::SIZE,
        reason: format!("more than {message} are too large, at most {order} are taken").into(),
    }
}

/// Closes the socket as the protocol wants it: both sides say so.
async fn farewell(mut socket: WebSocket, frame: CloseFrame) {
    // Where the tab has closed already, this sends our answer.
    let _ = socket.send(Message::Close(Some(frame))).await;
    let gone = async { while let Some(Ok(_)) = socket.recv().await {} };
    let _ = tokio::time::timeout(FAREWELL, gone).await;
}
