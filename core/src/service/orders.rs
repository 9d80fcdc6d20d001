//! Reads and checks orders, and sorts them by the work that they need. Proves positions.

use super::job::SearchRequest;
use super::messages::{open_game, Order, OrderLimit, ServerMessage, Subject};
use super::problem::{check_size, Problem};
use super::view::MAX_GAME;
use crate::record::{AnyBoard, Game};
use crate::solver::{Solver, SolverQuestion};
use std::ops::ControlFlow;

/// The longest order, in bytes: a game and the other fields.
pub const MAX_ORDER: usize = MAX_GAME + (1 << 10);

/// How many threads a search may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadLimit {
    /// The most.
    pub most: usize,
    /// How to get more threads, a clause for the error.
    pub advice: &'static str,
}

/// An order that can be carried out.
#[derive(Debug)]
pub enum Accepted {
    /// Stop the tab's search.
    Stop,
    /// Stop the tab's search, and send this answer, which needs no search.
    Answered(ServerMessage),
    /// Replace the tab's search by this one.
    Search(SearchRequest),
    /// Replace the tab's proof by this one.
    Proof(ProofRequest),
}

/// A proof that was ordered.
#[derive(Clone, Debug)]
pub struct ProofRequest {
    id: u64,
    /// `None` if the position is not tried.
    position: Option<AnyBoard>,
}

/// Positions with more empty cells are not tried, because few of them are decided within
/// [`MAX_POSITIONS`].
const MAX_EMPTY: usize = 100;

/// The most positions to search for one proof. One takes about a millisecond on a large board.
const MAX_POSITIONS: u64 = 5_000;

impl ProofRequest {
    /// The request about the game's position, which is not tried if a swap is possible, or too many
    /// cells are empty.
    fn new(id: u64, game: &Game) -> ProofRequest {
        let position = game.position();
        let empty = position.empty_cells().len();
        let swap_matters = game.may_swap() || empty == position.side().pow(2);
        let is_tried = empty <= MAX_EMPTY && !swap_matters;
        let position = is_tried.then(|| position.clone());
        ProofRequest { id, position }
    }

    /// Searches for the proof until the limit is reached or `stopped` returns true. `None` if the
    /// position is not tried, or more cells are empty than the solver can handle.
    pub fn reply(&self, stopped: impl Fn() -> bool + Send + 'static) -> Option<ServerMessage> {
        let position = self.position.as_ref()?;
        let watch = move |searched| {
            if searched >= MAX_POSITIONS || stopped() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let mut solver = Solver::new(position, u64::MAX).ok()?;
        solver = solver.watched(Box::new(watch));
        let found = solver.appraise(position, SolverQuestion::AllMoves);
        Some(ServerMessage::proof(self.id, found))
    }
}

impl Accepted {
    /// Reads an order and checks it.
    ///
    /// # Errors
    /// The message for the tab if the order is malformed or not allowed. The tab's earlier search
    /// then continues.
    pub fn read(text: &str, limit: ThreadLimit) -> Result<Accepted, ServerMessage> {
        check_size(text.len(), MAX_ORDER).map_err(ServerMessage::unreadable)?;
        let order: Order = serde_json::from_str(text).map_err(ServerMessage::unreadable)?;
        let (id, subject, wanted) = match order {
            Order::Stop => return Ok(Accepted::Stop),
            Order::Prove { id, game } => {
                let game =
                    open_game(&game).map_err(|problem| ServerMessage::refused(id, &problem))?;
                return Ok(Accepted::Proof(ProofRequest::new(id, &game)));
            }
            Order::Move {
                id,
                game,
                level,
                ms,
                simulations,
                threads,
            } => {
                let limit = OrderLimit { ms, simulations };
                (id, Subject::to_move(&game, level, limit), threads)
            }
            Order::Analyse {
                id,
                game,
                ms,
                simulations,
                threads,
            } => {
                let limit = OrderLimit { ms, simulations };
                (id, Subject::to_analyse(&game, limit), threads)
            }
            Order::Ponder {
                id,
                game,
                level,
                ms,
                threads,
            } => (id, Subject::to_ponder(&game, level, ms), threads),
        };
        let wanted = wanted.unwrap_or(1);
        let allowed = subject.and_then(|subject| check_threads(wanted, limit).map(|()| subject));
        let subject = allowed.map_err(|problem| ServerMessage::refused(id, &problem))?;
        Ok(match subject.ready_move() {
            Some(action) => Accepted::Answered(ServerMessage::without_search(id, action)),
            None => Accepted::Search(SearchRequest {
                id,
                subject,
                threads: wanted,
            }),
        })
    }
}

fn check_threads(wanted: usize, limit: ThreadLimit) -> Result<(), Problem> {
    let ThreadLimit { most, advice } = limit;
    if (1..=most).contains(&wanted) {
        return Ok(());
    }
    let why = format!("{wanted} threads are not possible, choose 1 to {most}; {advice}");
    Err(Problem::impossible(why))
}
