//! A page's own engine, where there is no server: one tab, and one thread that thinks for a moment
//! at a time, so that it can listen between. It answers the same questions and orders with the same
//! words as the server.

use super::games::{self, GameQuestion, SaveQuestion};
use super::job::{Job, State};
use super::messages::{open_game, Order, ServerMessage, Subject};
use super::minds::{Owner, TabId};
use super::problem::Problem;
use super::proofs::ProofQuestion;
use super::replies::{job, proof, refused, unreadable, without_search};
use super::sizes;
use crate::engine::{engine, searched_side, Engine, StopSign};
use crate::record::{Game, Side};
use hexbot::params::Params;
use serde::Serialize;
use std::collections::VecDeque;
use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How long a position is thought about before the page can say something else. Numbers of
/// simulations are run at once.
const ROUND: Duration = Duration::from_millis(100);

/// Engines that are kept, the one at work included: a bot's and the analysis', or two bots'.
const ENGINES: usize = 2;

/// What the tree of an engine may take, in bytes. Memory that a page has once had it keeps.
const TREE_BYTES: usize = 32 << 20;

/// What a node takes for each cell, in bytes, and besides.
const BYTES_A_CELL: usize = 26;
const BYTES_A_NODE: usize = 96;

/// The only tab.
const TAB: TabId = TabId(1);

/// What a question is answered with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageAnswer {
    /// The status, as in HTTP.
    status: u16,
    /// What kind of text it is.
    mime: &'static str,
    /// The answer; if the status is not 200, `{"error":"…"}`.
    text: String,
}

/// An engine that waits for its owner's next position.
struct KeptEngine {
    owner: Owner,
    side: Side,
    engine: Engine,
}

/// All that a page needs of a server.
pub struct LocalServer {
    /// Those used last come last.
    engines: Vec<KeptEngine>,
    seed: u64,
    sign: StopSign,
    /// The number of the last order to think, from 1.
    orders: u64,
    job: Option<Job>,
    /// What is still to be said to the page.
    outbox: Arc<Mutex<VecDeque<ServerMessage>>>,
}

impl LocalServer {
    /// A server whose random numbers begin at `seed`.
    pub fn new(seed: u64) -> Self {
        LocalServer {
            engines: Vec::new(),
            seed,
            sign: StopSign::default(),
            orders: 0,
            job: None,
            outbox: Arc::default(),
        }
    }

    /// Answers a question that needs no thinking; `path` and `body` are those of a request to the
    /// server. O(cells) for most.
    pub fn ask(&self, path: &str, body: &str) -> PageAnswer {
        answer(path, body).unwrap_or_else(|problem| PageAnswer {
            status: if problem.is_too_large() { 413 } else { 422 },
            mime: JSON,
            text: serde_json::json!({ "error": problem.message() }).to_string(),
        })
    }

    /// Takes an order. Replies to it are in [`LocalServer::messages`], some only after thinking; a
    /// proof is searched for before this returns.
    pub fn order(&mut self, text: &str) {
        if let Err(refusal) = self.carry_out(text) {
            self.say(refusal);
        }
    }

    /// Thinks for a moment about what was ordered. Returns true if there is more to think about.
    pub fn think(&mut self) -> bool {
        let Some(mut job) = self.job.take() else {
            return false;
        };
        let mut engine = self.engine(job.owner, job.side());
        let state = job.round(&mut engine.engine, ROUND, 1);
        self.engines.push(engine);
        if state == State::Unfinished {
            self.job = Some(job);
        }
        self.job.is_some()
    }

    /// What is to be said to the page, in order. It is said once.
    pub fn messages(&mut self) -> impl Iterator<Item = ServerMessage> {
        let mut outbox = self.outbox.lock().unwrap_or_else(PoisonError::into_inner);
        take(&mut *outbox).into_iter()
    }

    fn say(&self, message: ServerMessage) {
        let outbox = self.outbox.lock();
        outbox
            .unwrap_or_else(PoisonError::into_inner)
            .push_back(message);
    }

    fn carry_out(&mut self, text: &str) -> Result<(), ServerMessage> {
        let order: Order = serde_json::from_str(text).map_err(unreadable)?;
        let (id, subject) = match order {
            Order::Stop => {
                self.stop();
                return Ok(());
            }
            Order::Prove { id, game } => {
                let game = open_game(&game).map_err(|problem| refused(id, &problem))?;
                self.prove(id, &game);
                return Ok(());
            }
            Order::Move {
                id,
                game,
                level,
                ms,
                ..
            } => (id, Subject::to_move(&game, level, ms)),
            Order::Analyse { id, game, ms, .. } => (id, Subject::to_analyse(&game, ms)),
            Order::Ponder {
                id,
                game,
                level,
                ms,
                ..
            } => (id, Subject::to_ponder(&game, level, ms)),
        };
        let subject = subject.map_err(|problem| refused(id, &problem))?;
        self.stop();
        match subject.ready_move() {
            Some(action) => self.say(without_search(id, action)),
            None => self.begin(id, subject),
        }
        Ok(())
    }

    /// Ends what was ordered so far, of which nothing is said any more.
    fn stop(&mut self) {
        self.sign.stop_up_to(self.orders);
        self.job = None;
    }

    fn prove(&self, id: u64, game: &Game) {
        let found = ProofQuestion::of(game).and_then(|question| question.appraise(|| false));
        if let Some(found) = found {
            self.say(proof(id, found));
        }
    }

    fn begin(&mut self, id: u64, subject: Subject) {
        self.orders += 1;
        let outbox = self.outbox.clone();
        let send = move |message| {
            let outbox = outbox.lock();
            outbox
                .unwrap_or_else(PoisonError::into_inner)
                .push_back(message);
        };
        let (seed, stop) = (self.next_seed(), self.sign.for_task(self.orders));
        self.job = Some(job(TAB, id, subject, 1, seed, stop, send));
    }

    fn next_seed(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(1);
        self.seed
    }

    /// Takes the owner's engine out of those that are kept, or makes one.
    fn engine(&mut self, owner: Owner, side: Side) -> KeptEngine {
        let is_it = |kept: &KeptEngine| kept.owner == owner && kept.side == side;
        if let Some(at) = self.engines.iter().position(is_it) {
            return self.engines.remove(at);
        }
        self.engines.retain(|kept| kept.owner != owner);
        while self.engines.len() >= ENGINES {
            self.engines.remove(0);
        }
        let seed = self.next_seed();
        let engine = engine(side, &params(side), seed);
        KeptEngine {
            owner,
            side,
            engine: engine.expect("the page offers only sides that the engine plays"),
        }
    }
}

/// The parameters for boards of this side: a tree as large as memory allows.
fn params(side: Side) -> Params {
    let usual = Params::default();
    let cells = searched_side(side).pow(2);
    let most = TREE_BYTES / (BYTES_A_NODE + BYTES_A_CELL * cells);
    Params {
        max_nodes: usual.max_nodes.min(most),
        ..usual
    }
}

const JSON: &str = "application/json";

fn answer(path: &str, body: &str) -> Result<PageAnswer, Problem> {
    let question = || -> Result<GameQuestion, Problem> {
        serde_json::from_str(body).map_err(Problem::impossible)
    };
    let saved = || -> Result<SaveQuestion, Problem> {
        serde_json::from_str(body).map_err(Problem::impossible)
    };
    // Only of a file that grows one would ask for a part.
    let path = path.split('?').next().unwrap_or_default();
    sizes::check(body.len(), sizes::longest(path))?;
    let (mime, text) = match path {
        "api/look" => (JSON, json(&games::look(question()?)?)),
        "api/record" => (JSON, json(&games::read_record(body)?)),
        "api/opened" => (JSON, "null".to_owned()),
        "api/threads" => (JSON, "1".to_owned()),
        "api/save/sgf" => ("application/x-go-sgf", games::save_sgf(saved()?)?),
        "api/save/svg" => ("image/svg+xml", games::save_svg(question()?)?),
        _ => match path.rsplit_once('/') {
            Some(("api/board", side)) => ("image/svg+xml", games::board(read_side(side)?)?),
            Some(("api/openings", side)) => (JSON, json(&games::openings(read_side(side)?)?)),
            _ => return Err(Problem::impossible(format!("there is nothing at {path:?}"))),
        },
    };
    Ok(PageAnswer {
        status: 200,
        mime,
        text,
    })
}

fn json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("answers are plain data")
}

fn read_side(text: &str) -> Result<Side, Problem> {
    let unreadable = |_| Problem::impossible(format!("{text:?} is not a side"));
    let side: usize = text.parse().map_err(unreadable)?;
    Side::try_from(side).map_err(Problem::impossible)
}
