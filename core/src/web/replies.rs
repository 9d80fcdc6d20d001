//! The replies to orders, and the jobs that send them.

use super::engine_cache::{Owner, TabId};
use super::job::{Job, News, Used};
use super::messages::{token, AnalysisView, Purpose, ServerMessage, Subject};
use super::problem::Problem;
use super::view::names;
use crate::engine::{Analysis, Stop};
use crate::record::{ColorName, Move};
use crate::solver::Appraisal;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// A search that was ordered.
#[derive(Debug)]
pub struct SearchRequest {
    /// The order's number.
    pub id: u64,
    /// The position to search, how long, and why.
    pub subject: Subject,
    /// The most threads.
    pub threads: usize,
}

/// The job of a search for `tab`. Random moves are drawn from `seed`. All replies go to `send`.
pub fn job(
    tab: TabId,
    search: SearchRequest,
    seed: u64,
    stop: Stop,
    mut send: impl FnMut(ServerMessage) + Send + 'static,
) -> Job {
    let SearchRequest {
        id,
        subject,
        threads,
    } = search;
    let to_move = subject.game.to_move();
    let position = subject.game.position().clone();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let for_choice = position.clone();
    let mut choose = move |analysis: &Analysis| match subject.purpose {
        Purpose::Analysis | Purpose::Pondering => None,
        Purpose::Move(level) => {
            let point = level.handicap().choose(analysis, &for_choice, &mut rng);
            Some(token(Move::Place(point)))
        }
    };
    let reports = subject.purpose != Purpose::Pondering;
    let listener = move |news: News| {
        send(match news {
            News::SoFar(..) if !reports => return,
            News::Final(..) if !reports => ServerMessage::Done {
                id,
                analysis: None,
                answer: None,
            },
            News::SoFar(analysis, lines) => ServerMessage::Analysis {
                id,
                analysis: AnalysisView::of(analysis, lines, to_move),
            },
            News::Final(analysis, lines) => ServerMessage::Done {
                id,
                analysis: Some(AnalysisView::of(analysis, lines, to_move)),
                answer: choose(analysis),
            },
            News::Failure(advice) => ServerMessage::Problem {
                id: Some(id),
                error: format!("the engine has failed; {advice}"),
            },
        });
    };
    Job {
        owner: Owner::new(tab, to_move, subject.purpose),
        position,
        effort: subject.effort,
        threads,
        stop,
        listener: Box::new(listener),
        used: Used::default(),
        lines: Vec::new(),
    }
}

/// The reply to order number `id`: the results of a position's moves.
pub fn proof(id: u64, found: Appraisal) -> ServerMessage {
    ServerMessage::Proof {
        id,
        winner: found.winner.map(ColorName::from),
        winning: names(found.winning),
        losing: names(found.losing),
    }
}

/// The reply to order number `id` that it is refused.
pub fn refused(id: u64, problem: &Problem) -> ServerMessage {
    ServerMessage::Problem {
        id: Some(id),
        error: problem.message().to_owned(),
    }
}

/// The reply to an order that cannot be read.
pub fn unreadable(why: impl std::fmt::Display) -> ServerMessage {
    ServerMessage::Problem {
        id: None,
        error: format!("the order cannot be read: {why}"),
    }
}

/// The reply to order number `id` with a move that needs no search.
pub fn without_search(id: u64, action: Move) -> ServerMessage {
    ServerMessage::Done {
        id,
        analysis: None,
        answer: Some(token(action)),
    }
}
