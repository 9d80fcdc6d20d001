//! One tab's socket: orders come in, thoughts go out. (A socket and not a stream of events, because
//! browsers open six connections to a server at most, for all tabs together, and sockets do not count.)
//! The tab's thinking ends with the next order and with the socket.

use super::messages::{token, Order, Purpose, Reply, Subject, ThoughtView};
use super::minds::{Owner, TabId};
use super::problem::Problem;
use super::server::Server;
use super::thinkers::{Job, News, Thinkers, Used};
use crate::engine::{StopSign, Thought};
use crate::record::Move;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;
use tokio::sync::watch;

/// Tabs that may be open at a time.
const MAX_TABS: usize = 64;

/// The longest order, in bytes: a full board of side 19 has 361 moves of up to 3 letters.
const MAX_ORDER: usize = 8 << 10;

/// Opens the socket of a tab.
pub async fn connect(
    State(server): State<Server>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let upgrade =
        upgrade.map_err(|rejection| Problem::new(rejection.status(), rejection.body_text()))?;
    let tab = Tab::open(server.thinkers()).ok_or_else(|| {
        let why = format!("{MAX_TABS} tabs are open already; close some");
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, why)
    })?;
    let upgrade = upgrade
        .max_message_size(MAX_ORDER)
        .max_frame_size(MAX_ORDER);
    Ok(upgrade.on_upgrade(move |socket| tab.serve(socket, server)))
}

/// An open tab; dropping it ends its thinking.
struct Tab {
    thinkers: Arc<Thinkers>,
    id: TabId,
    sign: StopSign,
    /// The number of the last order to think, from 1.
    orders: u64,
}

impl Drop for Tab {
    fn drop(&mut self) {
        self.stop();
        self.thinkers.close_tab(self.id);
    }
}

impl Tab {
    fn open(thinkers: Arc<Thinkers>) -> Option<Tab> {
        Some(Tab {
            id: thinkers.open_tab(MAX_TABS)?,
            thinkers,
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
        let closing = server.closing();
        let mut closed = std::pin::pin!(closing.closed());
        loop {
            let reply: Option<Reply> = tokio::select! {
                received = socket.recv() => match received {
                    Some(Ok(Message::Text(text))) => match self.carry_out(&text) {
                        // What is still said about the old order goes nowhere.
                        Ok(newer) => {
                            replies = newer;
                            None
                        }
                        Err(reply) => Some(reply),
                    },
                    Some(Ok(Message::Binary(_))) => Some(unreadable("orders are text")),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => None,
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                },
                Ok(()) = replies.changed() => replies.borrow_and_update().clone(),
                () = &mut closed => return,
            };
            let Some(reply) = reply else { continue };
            let text = serde_json::to_string(&reply).expect("replies are plain data");
            if socket.send(Message::Text(text.into())).await.is_err() {
                return;
            }
        }
    }

    /// Carries out an order, in place of the one before, and returns where replies to it come from:
    /// the last one counts, so that a slow reader misses thoughts rather than piles them up.
    ///
    /// # Errors
    /// What is wrong with the order; the one before is then carried out further.
    fn carry_out(&mut self, text: &str) -> Result<watch::Receiver<Option<Reply>>, Reply> {
        let order: Order = serde_json::from_str(text).map_err(unreadable)?;
        let wanted = match order {
            Order::Stop => None,
            Order::Move {
                id,
                game,
                level,
                ms,
            } => Some((id, Subject::to_move(&game, level, ms))),
            Order::Analyse { id, game, ms } => Some((id, Subject::to_analyse(&game, ms))),
        };
        let wanted = wanted.map(|(id, subject)| match subject {
            Ok(subject) => Ok((id, subject)),
            Err(problem) => Err(Reply::Problem {
                id: Some(id),
                error: problem.message().to_owned(),
            }),
        });
        let wanted = wanted.transpose()?;
        self.stop();
        let (sender, replies) = watch::channel(None);
        if let Some((id, subject)) = wanted {
            match subject.pie_move() {
                Some(action) => {
                    sender.send_replace(Some(without_search(id, action)));
                }
                None => self.begin(id, subject, sender),
            }
        }
        Ok(replies)
    }

    fn begin(&mut self, id: u64, subject: Subject, replies: watch::Sender<Option<Reply>>) {
        self.orders += 1;
        let to_move = subject.game.to_move();
        let position = subject.game.position().clone();
        let seed = self.thinkers.next_seed();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let for_choice = position.clone();
        let mut choose = move |thought: &Thought| match subject.purpose {
            Purpose::Analysis => None,
            Purpose::Move(level) => {
                let point = level.handicap().choose(thought, &for_choice, &mut rng);
                Some(token(Move::Place(point)))
            }
        };
        let listener = move |news: News| {
            let reply = match news {
                News::SoFar(thought) => Reply::Thought {
                    id,
                    thought: ThoughtView::of(thought, to_move),
                },
                News::Final(thought) => Reply::Done {
                    id,
                    thought: Some(ThoughtView::of(thought, to_move)),
                    answer: choose(thought),
                },
                News::Failure => Reply::Problem {
                    id: Some(id),
                    error: "the engine has failed; the server's terminal tells more".to_owned(),
                },
            };
            replies.send_replace(Some(reply));
        };
        self.thinkers.begin(Job {
            owner: Owner::new(self.id, to_move, subject.purpose),
            position,
            to_move,
            effort: subject.effort,
            stop: self.sign.for_task(self.orders),
            listener: Box::new(listener),
            used: Used::default(),
        });
    }
}

fn unreadable(why: impl std::fmt::Display) -> Reply {
    Reply::Problem {
        id: None,
        error: format!("the order cannot be read: {why}"),
    }
}

fn without_search(id: u64, action: Move) -> Reply {
    Reply::Done {
        id,
        thought: None,
        answer: Some(token(action)),
    }
}
