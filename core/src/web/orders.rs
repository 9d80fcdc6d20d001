//! Reads and checks orders, and sorts them by the work that they need.

use super::messages::{open_game, Order, OrderLimit, ServerMessage, Subject};
use super::problem::Problem;
use super::proofs::ProofQuestion;
use super::replies::{proof, refused, unreadable, without_search, SearchRequest};
use super::sizes;
use super::view::MAX_GAME;

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
    question: Option<ProofQuestion>,
}

impl ProofRequest {
    /// Searches for the proof until `stopped` returns true. `None` if the position is not tried: a
    /// swap is possible, or too many cells are empty.
    pub fn reply(&self, stopped: impl Fn() -> bool + Send + 'static) -> Option<ServerMessage> {
        let found = self.question.as_ref()?.appraise(stopped)?;
        Some(proof(self.id, found))
    }
}

impl Accepted {
    /// Reads an order and checks it.
    ///
    /// # Errors
    /// The message for the tab if the order is malformed or not allowed. The tab's earlier search
    /// then continues.
    pub fn read(text: &str, limit: ThreadLimit) -> Result<Accepted, ServerMessage> {
        sizes::check(text.len(), MAX_ORDER).map_err(unreadable)?;
        let order: Order = serde_json::from_str(text).map_err(unreadable)?;
        let (id, subject, wanted) = match order {
            Order::Stop => return Ok(Accepted::Stop),
            Order::Prove { id, game } => {
                let game = open_game(&game).map_err(|problem| refused(id, &problem))?;
                let question = ProofQuestion::of(&game);
                return Ok(Accepted::Proof(ProofRequest { id, question }));
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
        let subject = allowed.map_err(|problem| refused(id, &problem))?;
        Ok(match subject.ready_move() {
            Some(action) => Accepted::Answered(without_search(id, action)),
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
