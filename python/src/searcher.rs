//! Searches: a [`Service`] with one tab. It runs in rounds, and looks for Ctrl-C between them.

use crate::wrong;
use hex_core::engine::Networks;
use hex_core::engine::threads::THREADS;
use hex_core::service::engine_cache::{CacheLimits, TabId};
use hex_core::service::job::SearchRequest;
use hex_core::service::messages::{OrderLimit, ServerMessage, Subject};
use hex_core::service::problem::Problem;
use hex_core::service::turns::ClientId;
use hex_core::service::view::offered;
use hex_core::service::{Service, ServiceLimits};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::{mpsc, Mutex};
use std::time::Duration;

/// How long a search goes on before it looks for signals.
const ROUND: Duration = Duration::from_millis(100);

/// Three engines: the analysis', and a bot's for each colour; with trees as large as the bot's.
const CACHE: CacheLimits = CacheLimits {
    engines: 3,
    memory: usize::MAX,
    tree: usize::MAX,
};

/// Orders have numbers for those who send several; here one follows the other.
const ORDER: u64 = 1;

/// The player to move, and a reply.
type Answer = (String, String);

/// Searches positions. Calls from several threads wait for each other.
#[pyclass(frozen, module = "hexbot._hexbot")]
pub struct Searcher {
    threads: usize,
    tab: TabId,
    service: Mutex<Service>,
}

#[pymethods]
impl Searcher {
    #[new]
    fn new(side: usize, threads: usize, seed: u64) -> PyResult<Searcher> {
        offered(crate::side(side)?).map_err(|problem| wrong(problem.message()))?;
        if !THREADS.contains(&threads) {
            let (least, most) = (THREADS.start(), THREADS.end());
            let why = format!("{threads} threads are not possible, choose {least} to {most}");
            return Err(wrong(why));
        }
        let limits = ServiceLimits {
            threads,
            tabs: 1,
            tabs_of_a_client: 1,
            cache: CACHE,
        };
        let mut service = Service::new(limits, seed, Networks::Shipped);
        let tab = service.open_tab(ClientId::ONLY).expect("it is the first");
        Ok(Searcher {
            threads,
            tab,
            service: Mutex::new(service),
        })
    }

    /// Analyses a game's position: the player to move, and the reply as JSON.
    fn analyse(
        &self,
        py: Python,
        game: &str,
        ms: Option<u64>,
        simulations: Option<u64>,
    ) -> PyResult<Answer> {
        let limit = OrderLimit { ms, simulations };
        self.answer(py, Subject::to_analyse(game, limit))
    }

    /// Decides on a move: the player to move, and the reply as JSON.
    fn best_move(
        &self,
        py: Python,
        game: &str,
        level: u8,
        ms: Option<u64>,
        simulations: Option<u64>,
    ) -> PyResult<Answer> {
        let limit = OrderLimit { ms, simulations };
        self.answer(py, Subject::to_move(game, level, limit))
    }
}

impl Searcher {
    fn answer(&self, py: Python, subject: Result<Subject, Problem>) -> PyResult<Answer> {
        let subject = subject.map_err(|problem| wrong(problem.message()))?;
        let to_move = subject.game.to_move().to_string();
        let reply = match subject.ready_move() {
            Some(action) => ServerMessage::without_search(ORDER, action),
            None => py.detach(|| self.search(subject))?,
        };
        let reply = serde_json::to_string(&reply).expect("messages are plain data");
        Ok((to_move, reply))
    }

    /// The last reply to a search. Runs without the interpreter's lock.
    fn search(&self, subject: Subject) -> PyResult<ServerMessage> {
        let failed = || PyRuntimeError::new_err("the engine has failed; make another one");
        let mut service = self.service.lock().map_err(|_| failed())?;
        let request = SearchRequest {
            id: ORDER,
            subject,
            threads: self.threads,
        };
        let (sender, replies) = mpsc::channel();
        service.begin(self.tab, request, move |reply| {
            // Nobody listens any more after Ctrl-C.
            let _ = sender.send(reply);
        });
        while service.has_searches() {
            let mut round = service.next_round().ok_or_else(failed)?;
            round.run(ROUND);
            drop(service.put_back(round));
            let signal = Python::attach(|py| py.check_signals());
            if signal.is_err() {
                service.stop(self.tab);
            }
            signal?;
        }
        replies.try_iter().last().ok_or_else(failed)
    }
}
