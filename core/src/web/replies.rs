//! What is answered to an order.

use super::job::{Job, News, Used};
use super::messages::{token, Purpose, ServerMessage, Subject, ThoughtView};
use super::minds::{Owner, TabId};
use super::problem::Problem;
use super::view::names;
use crate::engine::{Analysis, Stop};
use crate::record::{ColorName, Move};
use crate::solver::Appraisal;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The job of thinking about `subject` for order number `id` of `tab`, on at most so many
/// `threads`. The moves that are played at random are drawn from `seed`, and all replies go to
/// `send`.
pub fn job(
    tab: TabId,
    id: u64,
    subject: Subject,
    threads: usize,
    seed: u64,
    stop: Stop,
    mut send: impl FnMut(ServerMessage) + Send + 'static,
) -> Job {
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
    let tells = subject.purpose != Purpose::Pondering;
    let listener = move |news: News| {
        send(match news {
            News::SoFar(..) if !tells => return,
            News::Final(..) if !tells => ServerMessage::Done {
                id,
                thought: None,
                answer: None,
            },
            News::SoFar(analysis, lines) => ServerMessage::Thought {
                id,
                thought: ThoughtView::of(analysis, lines, to_move),
            },
            News::Final(analysis, lines) => ServerMessage::Done {
                id,
                thought: Some(ThoughtView::of(analysis, lines, to_move)),
                answer: choose(analysis),
            },
            News::Failure => ServerMessage::Problem {
                id: Some(id),
                error: "the engine has failed; the server's terminal tells more".to_owned(),
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

/// What is proven of a position, for order number `id`.
pub fn proof(id: u64, found: Appraisal) -> ServerMessage {
    ServerMessage::Proof {
        id,
        winner: found.winner.map(ColorName::from),
        winning: names(found.winning),
        losing: names(found.losing),
    }
}

/// Order number `id` cannot be carried out.
pub fn refused(id: u64, problem: &Problem) -> ServerMessage {
    ServerMessage::Problem {
        id: Some(id),
        error: problem.message().to_owned(),
    }
}

/// An order cannot be read.
pub fn unreadable(why: impl std::fmt::Display) -> ServerMessage {
    ServerMessage::Problem {
        id: None,
        error: format!("the order cannot be read: {why}"),
    }
}

/// The answer to order number `id` needs no search.
pub fn without_search(id: u64, action: Move) -> ServerMessage {
    ServerMessage::Done {
        id,
        thought: None,
        answer: Some(token(action)),
    }
}
