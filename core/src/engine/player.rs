//! The bot as it plays games, on a board whose side is known at run time. It is [`hexbot::player`]
//! for every side, with the same opening, the same clock, and the same recovery when a search
//! fails. This module adds only threads.

use super::evaluator::{EngineEvaluator, EvaluatorFactory};
use super::room::{in_room, in_room_of, Room, ROOMS};
use super::threads::{self, LeafEvaluators, Portion};
use super::{network, shipped_network, SideNotPlayed, StoppableClock, SIDES};
use crate::record::{AnyBoard, AnyCell, Move, Side};
use hexbot::board::Board;
use hexbot::budget::Clock;
use hexbot::network::Network;
use hexbot::opening::Answer;
use hexbot::player::Player;
use hexbot::settings::Settings;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;
use std::time::Duration;

/// An answer, and what the search found.
#[derive(Clone, Debug)]
pub struct AnySideReply {
    /// The answer: place a stone or swap pieces.
    pub action: Move,
    /// The win probability and the number of simulations; empty if there was no search.
    pub summary: String,
    /// A line about what the search found; empty if there was no search.
    pub report: String,
}

/// The bot, playing one side of one game.
///
/// ```
/// use hex_core::engine::player::player;
/// use hex_core::engine::{Stop, StoppableClock};
/// use hex_core::record::{Game, Side};
/// use hexbot::budget::Clock;
/// use hexbot::settings::Settings;
/// let side = Side::CODINGAME;
/// let settings = Settings { simulations: Some(20), ..Settings::default() };
/// let mut bot = player(side, settings, 1).unwrap();
/// let (mut game, clock) = (Game::new(side), StoppableClock::start(&Stop::never()));
/// let reply = bot.reply(game.position(), &[], &clock, clock.now()).unwrap();
/// assert_eq!(reply.action.to_string(), "c2");
/// game.play(reply.action).unwrap();
/// ```
pub struct AnySidePlayer {
    side: Side,
    warning: String,
    player: Room<InRoom<{ ROOMS[0] }>, InRoom<{ ROOMS[1] }>, InRoom<{ ROOMS[2] }>>,
}

/// Boxed, because a player is large.
type InRoom<const N: usize> = Box<PlayerInRoom<N>>;

impl AnySidePlayer {
    /// A line that says that the network is damaged; empty if it is not.
    pub fn warning(&self) -> &str {
        &self.warning
    }

    /// Decides what to do in `position`, see [`hexbot::player::Player::reply`]. The time limit runs
    /// from `arrival`, the reading of `clock` at which the turn arrived. The answer avoids the
    /// `forbidden` cells unless no other cell is empty. `None` if and only if the board is full or
    /// a player has won.
    ///
    /// # Panics
    /// If the position's side is not the one that the player was made for. A panic of the search is
    /// caught.
    pub fn reply(
        &mut self,
        position: &AnyBoard,
        forbidden: &[AnyCell],
        clock: &StoppableClock,
        arrival: Duration,
    ) -> Option<AnySideReply> {
        assert_eq!(
            position.side(),
            self.side.get(),
            "a position of another side"
        );
        in_room!(&mut self.player, player => {
            player.reply(&position.on(), forbidden, clock, arrival)
        })
    }

    /// Discards tree nodes that can no longer be reached after `action`, the answer to `position`.
    /// Runs while the opponent thinks, as in the uploaded bot: see
    /// [`hexbot::player::Player::tidy_up`]. `clock` is the clock of the replies.
    pub fn tidy_up(&mut self, position: &AnyBoard, action: Move, clock: &StoppableClock) {
        in_room!(&mut self.player, player => {
            let answer = match action {
                Move::Place(cell) => cell.on().map(Answer::Play),
                Move::SwapPieces => Some(Answer::SwapPieces),
                Move::SwapSides | Move::Pass => None,
            };
            if let Some(answer) = answer {
                player.player.tidy_up(&position.on(), answer, clock);
            }
        });
    }
}

/// The bot at the beginning of a game on a board of `side`. It searches on the given number of
/// `threads`, within [`threads::THREADS`].
///
/// # Errors
/// If the engine does not play on such boards.
pub fn player(
    side: Side,
    settings: Settings,
    threads: usize,
) -> Result<AnySidePlayer, SideNotPlayed> {
    player_with(side, settings, threads, None)
}

/// [`player`] with the network `other`; with `None`, the shipped one.
///
/// # Errors
/// If the engine does not play on such boards.
pub fn player_with(
    side: Side,
    settings: Settings,
    threads: usize,
    other: Option<Arc<Network>>,
) -> Result<AnySidePlayer, SideNotPlayed> {
    if !SIDES.contains(&side.get()) {
        return Err(SideNotPlayed(side));
    }
    let warning = match (&other, shipped_network()) {
        (None, Err(error)) => format!("{error}; until then playouts evaluate\n"),
        _ => String::new(),
    };
    let network = other.or_else(network);
    Ok(AnySidePlayer {
        side,
        warning,
        player: in_room_of!(side, N => {
            Box::new(PlayerInRoom::<N>::new(settings, threads, network))
        }),
    })
}

/// A player on boards with room for side N.
struct PlayerInRoom<const N: usize> {
    player: Player<N, EngineEvaluator<N>>,
    /// `None` if one thread searches.
    helpers: Option<Helpers<N>>,
}

impl<const N: usize> PlayerInRoom<N> {
    fn new(settings: Settings, threads: usize, network: Option<Arc<Network>>) -> Self {
        let (params, simulations) = (settings.params, settings.simulations);
        let mut factory = EvaluatorFactory {
            params,
            rng: settings.rng(),
            network,
        };
        let evaluator = factory.evaluator();
        let helpers = (threads > 1).then(|| Helpers {
            threads,
            evaluators: LeafEvaluators::new(&params, move || factory.evaluator()),
            simulations,
        });
        let settings = Settings {
            // The threads search before the player, which only reads the tree.
            simulations: helpers.as_ref().map_or(simulations, |_| Some(0)),
            ..settings
        };
        PlayerInRoom {
            player: Player::with_evaluator(settings, evaluator),
            helpers,
        }
    }

    fn reply(
        &mut self,
        board: &Board<N>,
        forbidden: &[AnyCell],
        clock: &StoppableClock,
        arrival: Duration,
    ) -> Option<AnySideReply> {
        let forbidden = forbidden.iter().filter_map(|cell| cell.on()).collect();
        let simulations = self.helpers.as_mut().map_or(0, |helpers| {
            let opening = self.player.opening_answer(board);
            let searched = opening.map(|answer| answer.played_on(board));
            let searched = searched.as_ref().unwrap_or(board);
            helpers.think(&mut self.player, searched, clock, arrival)
        });
        let mut reply = self.player.reply(board, forbidden, clock, arrival)?;
        if let (Some(result), true) = (&mut reply.result, simulations > 0) {
            result.simulations = simulations;
            result.elapsed = clock.now().saturating_sub(arrival);
        }
        Some(AnySideReply {
            action: reply.answer.into(),
            report: reply.report(),
            summary: (reply.result).map_or(String::new(), |result| result.summary()),
        })
    }
}

/// What a search on several threads needs.
struct Helpers<const N: usize> {
    threads: usize,
    evaluators: LeafEvaluators<N, EngineEvaluator<N>>,
    /// The number of simulations a move; `None` to search by the clock.
    simulations: Option<u64>,
}

impl<const N: usize> Helpers<N> {
    /// Searches before the player's reply, which then finds the result in its tree. Returns how
    /// many simulations were run. If the search panics, the tree is discarded.
    fn think(
        &mut self,
        player: &mut Player<N, EngineEvaluator<N>>,
        board: &Board<N>,
        clock: &StoppableClock,
        arrival: Duration,
    ) -> u64 {
        let portion = match self.simulations {
            Some(simulations) => Portion {
                time: None,
                simulations,
            },
            None => Portion {
                time: Some((arrival, player.next_limit())),
                simulations: u64::MAX,
            },
        };
        let (search, evaluators) = (player.search_mut(), self.evaluators.first(self.threads));
        let think = AssertUnwindSafe(|| threads::think(search, evaluators, board, clock, portion));
        let found = catch_unwind(think).unwrap_or_else(|_| {
            // The tree may be half written. The panic's message is on stderr already.
            player.search_mut().forget();
            None
        });
        found.map_or(0, |found| found.simulations)
    }
}
