//! The bot as it plays games, on a board whose side is known at run time: the opening, the clock, and
//! what to do when the search fails. On CodinGame's board it is the one that is uploaded,
//! [`hexbot::player`]; on other boards it does the same with an [`Engine`].

use super::{engine_with, network, pie, Engine, Found, SideNotPlayed, StoppableClock};
use crate::paths::heuristic_move;
use crate::record::{Move, Point, Position, Side};
use hexbot::budget::{Budget, Clock};
use hexbot::cell::Color;
use hexbot::network::Network;
use hexbot::player::{Answer, Player as Uploaded};
use hexbot::settings::Settings;
use rand::Rng;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::Duration;

/// An answer and where it comes from.
#[derive(Clone, Debug)]
pub struct Reply {
    /// What to do: place a stone or swap pieces.
    pub action: Move,
    /// The result in sight and the simulations it rests on; empty if there was no search.
    pub summary: String,
    /// A line about what the search found; empty if there was none.
    pub report: String,
}

/// The bot, playing one side of one game.
pub trait Player: Send {
    /// A line about the network if it is damaged; else empty.
    fn complaint(&self) -> String;

    /// Decides what to do in `position`. The turn arrived at `arrival`, a reading of `clock`, from which
    /// the time limit runs. None of the `forbidden` cells is played unless no other is empty. `None` if and only if
    /// there is no cell to play on, or somebody has won.
    ///
    /// # Panics
    /// If the position's side is not the one that the player was made for.
    fn reply(
        &mut self,
        position: &Position,
        to_move: Color,
        forbidden: &[Point],
        clock: &StoppableClock,
        arrival: Duration,
    ) -> Option<Reply>;
}

/// The bot at the beginning of a game on a board of `side`.
///
/// # Errors
/// If the engine does not play on such boards.
pub fn player(side: Side, settings: Settings) -> Result<Box<dyn Player>, SideNotPlayed> {
    if side == Side::CODINGAME {
        return Ok(Box::new(Uploaded::new(settings)));
    }
    Ok(Box::new(OnOtherBoards::new(side, settings)?))
}

impl Player for Uploaded<{ Side::CODINGAME.get() }> {
    fn complaint(&self) -> String {
        Uploaded::complaint(self)
    }

    fn reply(
        &mut self,
        position: &Position,
        to_move: Color,
        forbidden: &[Point],
        clock: &StoppableClock,
        arrival: Duration,
    ) -> Option<Reply> {
        let forbidden = forbidden.iter().filter_map(|point| point.cell());
        let board = position.board(to_move);
        let reply = Uploaded::reply(self, &board, forbidden.collect(), clock, arrival)?;
        Some(Reply {
            action: match reply.answer {
                Answer::SwapPieces => Move::SwapPieces,
                Answer::Play(cell) => Move::Place(cell.into()),
            },
            report: reply.report(),
            summary: reply.thought.map_or(String::new(), |found| found.summary()),
        })
    }
}

/// The bot on a board of another side than CodinGame's.
struct OnOtherBoards {
    side: Side,
    settings: Settings,
    seed: u64,
    engine: Box<dyn Engine>,
    answers: usize,
    // The most by which an answer was ready later than planned.
    lag: Duration,
}

impl OnOtherBoards {
    fn new(side: Side, settings: Settings) -> Result<Self, SideNotPlayed> {
        let seed = settings.seed.unwrap_or_else(|| settings.rng().next_u64());
        Ok(OnOtherBoards {
            side,
            seed,
            engine: new_engine(side, &settings, seed)?,
            settings,
            answers: 0,
            lag: Duration::ZERO,
        })
    }

    fn search(
        &mut self,
        position: &Position,
        to_move: Color,
        mut budget: Budget<&StoppableClock>,
    ) -> Option<Found> {
        let engine = &mut self.engine;
        let search = AssertUnwindSafe(|| engine.search(position, to_move, &mut budget));
        catch_unwind(search).unwrap_or_else(|_| {
            // The tree may be half written; what the panic said is on stderr already.
            let fresh = new_engine(self.side, &self.settings, self.seed);
            self.engine = fresh.expect("it has played on such boards before");
            None
        })
    }
}

fn new_engine(
    side: Side,
    settings: &Settings,
    seed: u64,
) -> Result<Box<dyn Engine>, SideNotPlayed> {
    let network = settings.network.clone().or_else(network);
    engine_with(side, &settings.params, seed, network)
}

impl Player for OnOtherBoards {
    fn complaint(&self) -> String {
        match (&self.settings.network, Network::shipped()) {
            (None, Err(flaw)) => format!("{flaw}; until then playouts judge\n"),
            _ => String::new(),
        }
    }

    fn reply(
        &mut self,
        position: &Position,
        to_move: Color,
        forbidden: &[Point],
        clock: &StoppableClock,
        arrival: Duration,
    ) -> Option<Reply> {
        let limit = self.settings.thinking_time(self.answers, self.lag);
        self.answers += 1;
        if let Some(action) = opening(position, to_move) {
            return Some(Reply {
                action,
                summary: String::new(),
                report: String::new(),
            });
        }
        let budget = match self.settings.simulations {
            Some(count) => Budget::simulations(clock, count),
            None => Budget::until(clock, arrival, limit),
        };
        let found = self.search(position, to_move, budget);
        // A clock that was stopped shows the end of time.
        let late = clock.now().saturating_sub(arrival + limit).min(limit);
        self.lag = self.lag.max(late);
        let best = found.as_ref().map(|found| found.best);
        let point = best
            .or_else(|| heuristic_move(position, to_move))
            .or_else(|| forbidden.first().copied())?;
        let (summary, report) = found.map_or_else(Default::default, |found| {
            (found.summary, format!("{}\n", found.report))
        });
        Some(Reply {
            action: Move::Place(point),
            summary,
            report,
        })
    }
}

/// The answer that needs no search: Red's first move, and the swap if it is better to have Red's stone than
/// to answer it.
fn opening(position: &Position, to_move: Color) -> Option<Move> {
    let side = position.side();
    let [mut red, mut blue] = Color::ALL.map(|color| position.stones(color));
    match (to_move, red.next(), red.next(), blue.next()) {
        (Color::Red, None, None, None) => Some(Move::Place(pie::even_opening(side))),
        (Color::Blue, Some(stone), None, None) => {
            let swap = pie::reply(stone, side) == pie::SwapDecision::Swap;
            swap.then_some(Move::SwapPieces)
        }
        _ => None,
    }
}
