//! Our bot inside this process, on a board whose side is known at run time: [`AnyEngine`] thinks
//! about positions, stops, goes on, and answers the turns of a game. Callers that only let it think
//! handle turns, swaps and clocks, with the help of [`game_clock`], [`strength`],
//! [`hexbot::opening`] and [`hexbot::book`].

mod evaluator;
pub mod game_clock;
mod lines;
mod networks;
pub mod strength;
pub mod shared;
mod stop;
pub mod threads;
mod room;
mod memory;

pub use memory::node_bytes;
#[cfg(target_family = "wasm")]
pub use networks::provide_large_network;
pub use networks::{network, network_code, network_warning, shipped_file, Networks};
pub use stop::{Stop, StopSign, StoppableClock};

#[cfg(not(target_family = "wasm"))]
use crate::record::Move;
use crate::record::{any_cell, AnyBoard, AnyCell, Side};
use hexbot::board::Board;
#[cfg(not(target_family = "wasm"))]
use hexbot::bridges::Bridges;
use hexbot::budget::Clock;
use hexbot::cell::Cell;
use hexbot::network::Network;
use hexbot::node::{Node, Proof};
use hexbot::params::Params;
use hexbot::search::SearchResult;
use hexbot::settings::Settings;
use rand::{Rng, RngExt};
use room::{InRoom, ROOMS};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;
use threads::Portion;

/// The sides of the boards that the engine plays on.
pub const SIDES: RangeInclusive<usize> = 2..=19;

/// How long to search for a move. A search ends earlier if the result is certain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effort {
    /// Until this time has passed.
    Time(Duration),
    /// Until this number of simulations has run.
    Simulations(u64),
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The move to play.
    pub best: AnyCell,
    /// The probability that the player to move wins, 0 to 1; 0 or 1 if the result is certain.
    pub win_probability: f32,
    /// The result, if it is certain.
    pub proof: Option<Proof>,
    /// How many simulations this search ran.
    pub simulations: u64,
    /// How long the search took.
    pub time: Duration,
    /// The moves expected from here, the best first; at least one.
    pub principal_variation: Vec<AnyCell>,
    /// All moves: the best first, then by visits, most first.
    pub moves: Vec<MoveAnalysis>,
}

impl Analysis {
    /// A move with a smaller share of the visits than this is never drawn.
    const LEAST_DRAWN_SHARE: f32 = 0.02;

    /// A move drawn with probabilities proportional to the visits, so that games differ.
    pub fn draw(&self, rng: &mut impl Rng) -> AnyCell {
        let total: u32 = self.moves.iter().map(|known| known.visits).sum();
        let least = (Self::LEAST_DRAWN_SHARE * total as f32).ceil().max(1.0) as u32;
        let drawable = |known: &&MoveAnalysis| known.prior.is_some() && known.visits >= least;
        let moves: Vec<_> = self.moves.iter().filter(drawable).collect();
        let total = moves.iter().map(|known| known.visits).sum();
        if total == 0 {
            return self.best;
        }
        let mut left = rng.random_range(0..total);
        for known in moves {
            if left < known.visits {
                return known.cell;
            }
            left -= known.visits;
        }
        self.best
    }
}

/// The result of a search for one move.
#[derive(Clone, Copy, Debug)]
pub struct MoveAnalysis {
    /// The cell to play on.
    pub cell: AnyCell,
    /// How many simulations began with it, including those of searches of earlier positions.
    pub visits: u32,
    /// The mean value of those simulations for the player to move, 0 to 1; 0 without visits.
    pub value: f32,
    /// Its prior probability before any search, 0 to 1; `None` if it is proven to lose.
    pub prior: Option<f32>,
}

/// A position in a search's tree, with the statistics of its moves.
#[derive(Clone, Debug)]
pub struct KnownPosition {
    /// The stones and the player to move.
    pub position: AnyBoard,
    /// All moves, in the order of the cells.
    pub moves: Vec<MoveAnalysis>,
    /// True if the result is certain.
    pub decided: bool,
}

impl KnownPosition {
    /// How many simulations have passed through the position.
    pub fn visits(&self) -> u32 {
        self.moves.iter().map(|known| known.visits).sum()
    }

    /// The probability that the player to move wins, 0 to 1: the mean value of the visits.
    pub fn value(&self) -> f32 {
        let moves = self.moves.iter();
        let wins: f32 = moves.map(|known| known.visits as f32 * known.value).sum();
        wins / self.visits().max(1) as f32
    }
}

/// An answer to a turn, and what the search found.
#[cfg(not(target_family = "wasm"))]
#[derive(Clone, Debug)]
pub struct EngineReply {
    /// The answer: place a stone or swap pieces.
    pub action: Move,
    /// The win probability and the number of simulations; empty if there was no search.
    pub summary: String,
    /// A line about what the search found; empty if there was no search.
    pub report: String,
}

/// The bot on boards of one side. It keeps its tree, and reuses it if the next position follows
/// from the last one.
///
/// ```
/// use hex_core::engine::{engine, Effort, Task};
/// use hex_core::record::{Game, Move, Side};
/// use hexbot::params::Params;
/// let side = Side::of(7);
/// let mut game = Game::new(side);
/// game.play(Move::parse("c3", side).unwrap()).unwrap();
/// let mut engine = engine(side, &Params::default(), 1).unwrap();
/// let task = Task::new(Effort::Simulations(50));
/// let analysis = engine.think(game.position(), &task, &mut |_| {}).unwrap();
/// assert!(game.position().at(analysis.best).is_none());
/// assert!((0.0..=1.0).contains(&analysis.win_probability));
/// ```
pub type Engine = Box<dyn AnyEngine>;

/// What an [`Engine`] does. Functions that take a position panic if its side is not the one that
/// the engine was made for.
pub trait AnyEngine: Send {
    /// Finds a move for the player to move. `None` if and only if a player has won.
    ///
    /// Calls `watch` with the analysis so far about every 250 ms, or every 500 simulations a
    /// thread.
    ///
    /// # Panics
    /// If the search panics: analyses and training games must not go on with a move that was not
    /// searched. [`AnyEngine::reply`] survives a panic of the search.
    fn think(
        &mut self,
        position: &AnyBoard,
        task: &Task,
        watch: &mut dyn FnMut(&Analysis),
    ) -> Option<Analysis>;

    /// The expected line of play for each of the `count` most visited moves in the position
    /// searched last: that move first, at most `length` moves. Empty before the first search.
    fn lines(&mut self, count: usize, length: usize) -> Vec<Vec<AnyCell>>;

    /// Mixes noise into the priors of the position searched last: `share` of them, 0 to 1, is
    /// spread over `cells`, which must be empty. Does nothing before the first search.
    fn add_root_noise(&mut self, cells: &[AnyCell], share: f32);

    /// The position searched last and all positions after it in the tree at which at least `visits`
    /// simulations chose a move. Empty before the first search. Not for WebAssembly, as no page
    /// needs it; neither are the functions below.
    #[cfg(not(target_family = "wasm"))]
    fn known_positions(&mut self, visits: u32) -> Vec<KnownPosition>;

    /// Decides what to do in `position`, see [`hexbot::player::Player::reply`]. The time limit runs
    /// from `arrival`, the reading of `clock` at which the turn arrived. The answer avoids the
    /// `forbidden` cells unless no other cell is empty. `None` if and only if the board is full or
    /// a player has won. A panic of the search is caught.
    #[cfg(not(target_family = "wasm"))]
    fn reply(
        &mut self,
        position: &AnyBoard,
        forbidden: &[AnyCell],
        clock: &StoppableClock,
        arrival: Duration,
    ) -> Option<EngineReply>;

    /// Discards tree nodes that can no longer be reached after `action`, the answer to `position`.
    /// Runs while the opponent thinks, as in the uploaded bot: see
    /// [`hexbot::player::Player::tidy_up`]. `clock` is the clock of the replies.
    #[cfg(not(target_family = "wasm"))]
    fn tidy_up(&mut self, position: &AnyBoard, action: Move, clock: &StoppableClock);
}

/// How long to search, on how many threads, and what may stop the search early.
#[derive(Clone, Debug)]
pub struct Task {
    /// The time or the number of simulations.
    pub effort: Effort,
    /// Ends the search early.
    pub stop: Stop,
    /// How many threads search, within [`threads::THREADS`]. One thread gives the same result for
    /// the same seed and simulations; several do not, because their order differs from run to run.
    pub threads: usize,
}

impl Task {
    /// A task for one thread that is never stopped early.
    pub fn new(effort: Effort) -> Self {
        Task {
            effort,
            stop: Stop::never(),
            threads: 1,
        }
    }
}

/// The engine does not play on boards of this side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the engine does not play on a board of side {0}, only on sides {first} to {last}", first = SIDES.start(), last = SIDES.end())]
pub struct SideNotPlayed(pub Side);

/// An engine for boards of `side`. The same seed gives the same results for the same simulations.
///
/// # Errors
/// If the side is not among [`SIDES`].
pub fn engine(side: Side, params: &Params, seed: u64) -> Result<Engine, SideNotPlayed> {
    engine_with(side, params, seed, network(side))
}

/// [`engine`] with the given network; with `None`, playouts evaluate.
///
/// # Errors
/// If the side is not among [`SIDES`].
pub fn engine_with(
    side: Side,
    params: &Params,
    seed: u64,
    network: Option<Arc<Network>>,
) -> Result<Engine, SideNotPlayed> {
    let settings = Settings {
        seed: Some(seed),
        params: *params,
        ..Settings::default()
    };
    player(side, settings, 1, network)
}

/// An engine at the beginning of a game, which answers turns by these settings and searches them on
/// the given number of `threads`, within [`threads::THREADS`]. Without a network, playouts
/// evaluate.
///
/// ```
/// use hex_core::engine::{network, player, Stop, StoppableClock};
/// use hex_core::record::{Game, Side};
/// use hexbot::budget::Clock;
/// use hexbot::settings::Settings;
/// let side = Side::CODINGAME;
/// let settings = Settings { simulations: Some(20), ..Settings::default() };
/// let mut bot = player(side, settings, 1, network(side)).unwrap();
/// let (mut game, clock) = (Game::new(side), StoppableClock::start(&Stop::never()));
/// let reply = bot.reply(game.position(), &[], &clock, clock.now()).unwrap();
/// assert_eq!(reply.action.to_string(), "c2");
/// game.play(reply.action).unwrap();
/// ```
///
/// # Errors
/// If the side is not among [`SIDES`].
pub fn player(
    side: Side,
    settings: Settings,
    threads: usize,
    network: Option<Arc<Network>>,
) -> Result<Engine, SideNotPlayed> {
    if !SIDES.contains(&side.get()) {
        return Err(SideNotPlayed(side));
    }
    const SMALL: usize = ROOMS[0];
    const MIDDLE: usize = ROOMS[1];
    const LARGE: usize = ROOMS[2];
    let side_length = side.get();
    Ok(if side_length <= SMALL {
        Box::new(InRoom::<SMALL>::new(side, settings, threads, network))
    } else if side_length <= MIDDLE {
        Box::new(InRoom::<MIDDLE>::new(side, settings, threads, network))
    } else {
        Box::new(InRoom::<LARGE>::new(side, settings, threads, network))
    })
}

/// The statistics of `node`, which is that of `board`.
#[cfg(not(target_family = "wasm"))]
fn known_position<const N: usize>(board: &Board<N>, node: &Node<N>) -> KnownPosition {
    let moves = board.empty_cells().iter();
    KnownPosition {
        position: board.on(),
        moves: moves.map(|cell| move_analysis(node, cell)).collect(),
        decided: node.proof().is_some() || Bridges::new(board, 0).winner().is_some(),
    }
}

impl Task {
    /// Time after which a search pauses to report.
    const SLICE: Duration = Duration::from_millis(250);
    /// Simulations after which a thread pauses to report.
    const SLICE_SIMULATIONS: u64 = 500;
    /// The simulations that run even without any time left: without one, all moves look the same.
    const LEAST_SIMULATIONS: u64 = 16;

    /// The next portion of the search, after `simulations` have been run.
    fn next_slice(&self, clock: &StoppableClock, simulations: u64) -> Portion {
        match self.effort {
            Effort::Time(limit) => {
                let now = clock.now();
                Portion {
                    time: Some((now, Self::SLICE.min(limit.saturating_sub(now)))),
                    simulations: u64::MAX,
                }
            }
            Effort::Simulations(limit) => {
                let most = Self::SLICE_SIMULATIONS * self.threads as u64;
                Portion {
                    time: None,
                    simulations: limit.saturating_sub(simulations).min(most),
                }
            }
        }
    }
}

impl Effort {
    /// Returns true if the limit is reached. A stopped clock shows [`Duration::MAX`].
    fn is_spent(self, time: Duration, simulations: u64) -> bool {
        match self {
            Effort::Time(limit) => time >= limit,
            Effort::Simulations(limit) => simulations >= limit || time == Duration::MAX,
        }
    }
}

/// Puts together the result of one portion of the search.
fn analysis_of<const N: usize>(
    board: &Board<N>,
    found: &SearchResult<N>,
    root: Option<&Node<N>>,
) -> Analysis {
    let wins = found.proof.map(|proof| proof.winner == board.to_move());
    let win_probability = match wins {
        Some(true) => 1.0,
        Some(false) => 0.0,
        None => found.win_probability,
    };
    let best = any_cell(found.best);
    let mut moves: Vec<MoveAnalysis> = match root {
        Some(root) => board
            .empty_cells()
            .iter()
            .map(|cell| move_analysis(root, cell))
            .collect(),
        // A win without a search leaves no root.
        None => vec![MoveAnalysis {
            cell: best,
            visits: 0,
            value: win_probability,
            prior: None,
        }],
    };
    rank(&mut moves, best);
    let mut principal_variation: Vec<AnyCell> = found
        .principal_variation
        .iter()
        .map(|&cell| any_cell(cell))
        .collect();
    if principal_variation.is_empty() {
        principal_variation.push(best);
    }
    Analysis {
        best,
        win_probability,
        proof: found.proof,
        simulations: found.simulations,
        time: Duration::ZERO,
        principal_variation,
        moves,
    }
}

/// Sorts the moves: the best first, then by visits. The function is not generic over the board's
/// size, because each copy of a sort adds six kilobytes to the WebAssembly module.
fn rank(moves: &mut [MoveAnalysis], best: AnyCell) {
    moves.sort_by_key(|known| (known.cell != best, std::cmp::Reverse(known.visits)));
}

fn move_analysis<const N: usize>(root: &Node<N>, cell: Cell<N>) -> MoveAnalysis {
    MoveAnalysis {
        cell: any_cell(cell),
        visits: root.edge_visits(cell) as u32,
        value: root.edge_value(cell),
        prior: root.prior(cell),
    }
}
