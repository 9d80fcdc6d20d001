//! The bot as it plays games, on a board whose side is known at run time. It is [`hexbot::player`]
//! on every side: the answers, the clock and what happens when a search fails are the uploaded
//! bot's. Only the opening and the move without a search are decided here, because boards of some
//! sides stand in the corner of larger ones, whose edges and centre are others.

use super::{network, pie, with_evaluator, SideNotPlayed, StoppableClock, WithEvaluator};
use crate::paths;
use crate::record::{Move, Point, Position, Side};
use hexbot::cell::Color;
use hexbot::evaluation::Evaluator;
use hexbot::network::Network;
use hexbot::player::{Answer, Player};
use hexbot::settings::Settings;
use std::time::Duration;

/// An answer and where it comes from.
#[derive(Clone, Debug)]
pub struct AnySideReply {
    /// What to do: place a stone or swap pieces.
    pub action: Move,
    /// The result in sight and the simulations it rests on; empty if there was no search.
    pub summary: String,
    /// A line about what the search found; empty if there was none.
    pub report: String,
}

/// The bot, playing one side of one game.
pub trait AnySidePlayer: Send {
    /// A line about the network if it is damaged; else empty.
    fn warning(&self) -> String;

    /// Decides what to do in `position`, see [`hexbot::player::Player::reply`]. The turn arrived at
    /// `arrival`, a reading of `clock`, from which the time limit runs. None of the `forbidden`
    /// cells is played unless no other is empty. `None` if and only if there is no cell to play on,
    /// or somebody has won.
    ///
    /// # Panics
    /// If the position's side is not the one that the player was made for. A search that panics is
    /// survived.
    fn reply(
        &mut self,
        position: &Position,
        to_move: Color,
        forbidden: &[Point],
        clock: &StoppableClock,
        arrival: Duration,
    ) -> Option<AnySideReply>;
}

/// The bot at the beginning of a game on a board of `side`.
///
/// # Errors
/// If the engine does not play on such boards.
pub fn player(side: Side, settings: Settings) -> Result<Box<dyn AnySidePlayer>, SideNotPlayed> {
    let (params, rng) = (settings.params, settings.rng());
    let network = settings.network.clone().or_else(network);
    let make = MakePlayer { side, settings };
    with_evaluator(side, &params, rng, network, make)
}

/// Makes a player of any evaluator.
struct MakePlayer {
    side: Side,
    settings: Settings,
}

impl WithEvaluator for MakePlayer {
    type Made = Box<dyn AnySidePlayer>;

    fn make<const N: usize, E: Evaluator<N> + Send + 'static>(self, evaluator: E) -> Self::Made {
        let warning = match (&self.settings.network, Network::shipped()) {
            (None, Err(error)) => format!("{error}; until then playouts evaluate\n"),
            _ => String::new(),
        };
        Box::new(OnAnySide::<N, E> {
            side: self.side,
            warning,
            player: Player::with_evaluator(self.settings, evaluator),
        })
    }
}

/// A player of boards of side N on a board of `side`, which may stand in the corner of one of side
/// N.
struct OnAnySide<const N: usize, E> {
    side: Side,
    warning: String,
    player: Player<N, E>,
}

impl<const N: usize, E: Evaluator<N> + Send> AnySidePlayer for OnAnySide<N, E> {
    fn warning(&self) -> String {
        self.warning.clone()
    }

    fn reply(
        &mut self,
        position: &Position,
        to_move: Color,
        forbidden: &[Point],
        clock: &StoppableClock,
        arrival: Duration,
    ) -> Option<AnySideReply> {
        assert_eq!(position.side(), self.side, "a position of another side");
        let board = position.board(to_move);
        let opening = opening(position, to_move);
        let forbidden = forbidden.iter().filter_map(|point| point.cell()).collect();
        let reply = (self.player).reply(&board, opening, forbidden, clock, arrival)?;
        let unsearched = (opening.is_none() && reply.result.is_none())
            .then(|| paths::heuristic_move(position, to_move))
            .flatten();
        Some(AnySideReply {
            action: match (unsearched, reply.answer) {
                (Some(point), _) => Move::Place(point),
                (None, Answer::SwapPieces) => Move::SwapPieces,
                (None, Answer::Play(cell)) => Move::Place(cell.into()),
            },
            report: reply.report(),
            summary: (reply.result).map_or(String::new(), |result| result.summary()),
        })
    }
}

/// The answer that needs no search: Red's first move, and the swap if it is better to have Red's
/// stone than to answer it.
fn opening<const N: usize>(position: &Position, to_move: Color) -> Option<Answer<N>> {
    let side = position.side();
    let [mut red, mut blue] = Color::ALL.map(|color| position.stones(color));
    match (to_move, red.next(), red.next(), blue.next()) {
        (Color::Red, None, None, None) => pie::even_opening(side).cell().map(Answer::Play),
        (Color::Blue, Some(stone), None, None) => {
            let swap = pie::reply(stone, side) == pie::SwapDecision::Swap;
            swap.then_some(Answer::SwapPieces)
        }
        _ => None,
    }
}
