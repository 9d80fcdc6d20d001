//! The bot as a player: the opening, the search, and what to do when the search fails.

use crate::board::Board;
use crate::budget::{Budget, Clock};
use crate::cell::Cell;
use crate::cell_set::CellSet;
#[cfg(feature = "network")]
use crate::expert::Expert;
#[cfg(feature = "network")]
use crate::network::packing::WeightsError;
#[cfg(feature = "network")]
use crate::network::Network;
use crate::opening;
#[cfg(not(feature = "network"))]
use crate::playout::PlayoutEvaluator;
use crate::search::{Search, Thought};
use crate::settings::Settings;
use crate::shortest_path::heuristic_move;
use std::fmt;
use std::panic::{catch_unwind, AssertUnwindSafe};
#[cfg(feature = "network")]
use std::sync::Arc;
use std::time::Duration;

/// What judges positions.
#[cfg(feature = "network")]
type Judge<const N: usize> = Expert<N>;
#[cfg(not(feature = "network"))]
type Judge<const N: usize> = PlayoutEvaluator;

/// Plays one side of one game.
pub struct Player<const N: usize> {
    settings: Settings,
    #[cfg(feature = "network")]
    flaw: Option<WeightsError>,
    search: Search<N, Judge<N>>,
    answers: usize,
    // The most by which an answer was ready later than planned: so much more is kept in hand from then on.
    lag: Duration,
}

/// What to do in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<const N: usize> {
    /// Take over Red's first stone. Only Blue's first answer.
    SwapPieces,
    /// Place a stone.
    Play(Cell<N>),
}

/// An answer and where it comes from.
#[derive(Clone, Debug)]
pub struct Reply<const N: usize> {
    /// What to do.
    pub answer: Answer<N>,
    /// What the search found, if it was asked.
    pub thought: Option<Thought<N>>,
}

impl<const N: usize> Reply<N> {
    /// A line for stderr that tells what the search found; empty if it was not asked.
    pub fn report(&self) -> String {
        self.thought
            .as_ref()
            .map_or(String::new(), |thought| format!("{thought}\n"))
    }
}

#[cfg(feature = "network")]
impl<const N: usize> Player<N> {
    /// A player at the beginning of a game. If the shipped network is to play but is damaged, playouts
    /// play alone.
    pub fn new(settings: Settings) -> Self {
        let network = match settings.network.clone() {
            Some(network) => Ok(network),
            None => Network::shipped().map(Arc::new),
        };
        Self::with_network(settings, network)
    }

    /// A player with this network, whatever the settings say; with playouts alone if it is an error.
    pub fn with_network(
        mut settings: Settings,
        network: Result<Arc<Network>, WeightsError>,
    ) -> Self {
        let flaw = network.as_ref().err().cloned();
        settings.network = network.ok();
        Player {
            search: new_search(&settings),
            flaw,
            settings,
            answers: 0,
            lag: Duration::ZERO,
        }
    }

    /// A line for stderr if the network is damaged; else empty.
    pub fn complaint(&self) -> String {
        self.flaw.as_ref().map_or(String::new(), |flaw| {
            format!("{flaw}; until then playouts judge\n")
        })
    }
}

#[cfg(not(feature = "network"))]
impl<const N: usize> Player<N> {
    /// A player at the beginning of a game.
    pub fn new(settings: Settings) -> Self {
        Player {
            search: new_search(&settings),
            settings,
            answers: 0,
            lag: Duration::ZERO,
        }
    }
}

impl<const N: usize> Player<N> {
    /// Decides what to do on `board`. The turn arrived at `arrival`, a reading of `clock`, from
    /// which the time limit runs. None of the `forbidden` cells is played unless no other is empty.
    /// `None` if and only if there is no cell to play on. An answer that is ready later than planned,
    /// since the machine stood still, shortens all later ones by as much.
    ///
    /// An error inside the search is survived: the shortest path's move is played instead.
    pub fn reply(
        &mut self,
        board: &Board<N>,
        forbidden: CellSet<N>,
        clock: impl Clock,
        arrival: Duration,
    ) -> Option<Reply<N>> {
        let limit = self.settings.thinking_time(self.answers, self.lag);
        self.answers += 1;
        if let Some(answer) = opening_answer(board) {
            return Some(Reply {
                answer,
                thought: None,
            });
        }
        let budget = match self.settings.simulations {
            Some(count) => Budget::simulations(&clock, count),
            None => Budget::until(&clock, arrival, limit),
        };
        let thought = self.think(board, budget);
        let late = clock.now().saturating_sub(arrival + limit);
        self.lag = self.lag.max(late);
        let best = thought.as_ref().map(|thought| thought.best);
        let cell = best
            .or_else(|| heuristic_move(board))
            .or_else(|| forbidden.iter().next())?;
        Some(Reply {
            answer: Answer::Play(cell),
            thought,
        })
    }

    fn think(&mut self, board: &Board<N>, mut budget: Budget<impl Clock>) -> Option<Thought<N>> {
        let search = AssertUnwindSafe(|| self.search.think(board, &mut budget));
        catch_unwind(search).unwrap_or_else(|_| {
            // The tree may be half written; what the panic said is on stderr already.
            self.search = new_search(&self.settings);
            None
        })
    }
}

/// The answer that needs no search: Red's first move, and the swap if it is better to have Red's
/// stone than to answer it.
fn opening_answer<const N: usize>(board: &Board<N>) -> Option<Answer<N>> {
    if *board == Board::new() {
        return Some(Answer::Play(opening::first_move()));
    }
    let stone = opening::stone_to_swap(board)?;
    (opening::red_wins(stone) > 0.5).then_some(Answer::SwapPieces)
}

fn new_search<const N: usize>(settings: &Settings) -> Search<N, Judge<N>> {
    let (params, rng) = (settings.params, settings.rng());
    #[cfg(feature = "network")]
    let judge = Expert::new(&params, rng, settings.network.clone());
    #[cfg(not(feature = "network"))]
    let judge = PlayoutEvaluator::new(params.bridges, rng);
    Search::new(params, judge)
}

impl<const N: usize> fmt::Display for Answer<N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Answer::SwapPieces => f.write_str("swap-pieces"),
            Answer::Play(cell) => cell.fmt(f),
        }
    }
}

/// The line for the judge: the answer and, after a move that was thought about, a short message.
impl<const N: usize> fmt::Display for Reply<N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.answer.fmt(f)?;
        match &self.thought {
            None => Ok(()),
            Some(thought) => write!(f, " {}", thought.summary()),
        }
    }
}
