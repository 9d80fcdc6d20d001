//! The bot as it plays games, on a board whose side is known at run time. It is [`hexbot::player`]
//! on every side: the answers, the clock and what happens when a search fails are the uploaded
//! bot's. Only the opening and the move without a search are decided here, because boards of some
//! sides stand in the corner of larger ones, whose edges and centre are others.

use super::ingredients::{with_evaluator, Ingredients, WithEvaluator};
use super::threads::{self, LeafEvaluators, MakeEvaluator, Portion};
use super::{network, opening_book, pie, shipped_network, SideNotPlayed, StoppableClock};
use crate::paths;
use crate::record::{Move, Point, Position, Side};
use hexbot::board::Board;
use hexbot::budget::Clock;
use hexbot::cell::Color;
use hexbot::evaluation::Evaluator;
use hexbot::params::OpeningBook;
use hexbot::player::{Answer, Player};
use hexbot::settings::Settings;
use std::panic::{catch_unwind, AssertUnwindSafe};
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

    /// Frees what cannot follow `action` in `position`, which has just been answered, in the other
    /// player's time, as the uploaded bot does: see [`hexbot::player::Player::tidy_up`]. `clock` is
    /// the one that the replies are timed by.
    fn tidy_up(
        &mut self,
        position: &Position,
        to_move: Color,
        action: Move,
        clock: &StoppableClock,
    );
}

/// The bot at the beginning of a game on a board of `side`, thinking on so many `threads`, one of
/// [`threads::THREADS`].
///
/// # Errors
/// If the engine does not play on such boards.
pub fn player(
    side: Side,
    settings: Settings,
    threads: usize,
) -> Result<Box<dyn AnySidePlayer>, SideNotPlayed> {
    let ingredients = Ingredients {
        params: settings.params,
        rng: settings.rng(),
        network: settings.network.clone().or_else(network),
    };
    let make = MakePlayer {
        side,
        settings,
        threads,
    };
    with_evaluator(side, ingredients, make)
}

/// Makes a player of any evaluator.
struct MakePlayer {
    side: Side,
    settings: Settings,
    threads: usize,
}

impl WithEvaluator for MakePlayer {
    type Made = Box<dyn AnySidePlayer>;

    fn make<const N: usize, E: Evaluator<N> + Send + 'static>(
        self,
        evaluator: E,
        more: MakeEvaluator<N>,
    ) -> Self::Made {
        let warning = match (&self.settings.network, shipped_network()) {
            (None, Err(error)) => format!("{error}; until then playouts evaluate\n"),
            _ => String::new(),
        };
        let (params, simulations) = (self.settings.params, self.settings.simulations);
        let helpers = (self.threads > 1).then(|| Helpers {
            threads: self.threads,
            evaluators: LeafEvaluators::new(&params, more),
            simulations,
        });
        let settings = Settings {
            // The player itself only reads off what the threads have found.
            simulations: helpers.as_ref().map_or(simulations, |_| Some(0)),
            ..self.settings
        };
        Box::new(OnAnySide::<N, E> {
            side: self.side,
            warning,
            player: Player::with_evaluator(settings, evaluator),
            book: params.opening_book,
            helpers,
        })
    }
}

/// A player of boards of side N on a board of `side`, which may stand in the corner of one of side
/// N.
struct OnAnySide<const N: usize, E> {
    side: Side,
    warning: String,
    player: Player<N, E>,
    book: OpeningBook,
    /// `None` where one thread thinks.
    helpers: Option<Helpers<N>>,
}

/// What it takes to think on several threads.
struct Helpers<const N: usize> {
    threads: usize,
    evaluators: LeafEvaluators<N>,
    /// Think so many simulations instead of by the clock.
    simulations: Option<u64>,
}

impl<const N: usize> Helpers<N> {
    /// Thinks ahead of the player's reply, which then finds all in its tree: returns how many
    /// simulations were run. A search that panics is forgotten.
    fn think<E: Evaluator<N> + Send>(
        &mut self,
        player: &mut Player<N, E>,
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
            // The tree may be half written; what the panic said is on stderr already.
            player.search_mut().forget();
            None
        });
        found.map_or(0, |found| found.simulations)
    }
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
        let opening = opening(position, to_move, self.book).map(|answer| {
            let after = match answer {
                // Not the mirrored board: the stones around a smaller board stay where they are.
                Answer::SwapPieces => swapped(position).board(Color::Red),
                Answer::Play(_) => answer.played_on(&board),
            };
            (answer, after)
        });
        let opens = opening.is_some();
        let forbidden = forbidden.iter().filter_map(|point| point.cell()).collect();
        let simulations = self.helpers.as_mut().map_or(0, |helpers| {
            let thought_about = opening.as_ref().map_or(&board, |(_, after)| after);
            helpers.think(&mut self.player, thought_about, clock, arrival)
        });
        let mut reply = (self.player).reply(&board, opening, forbidden, clock, arrival)?;
        if let (Some(result), true) = (&mut reply.result, simulations > 0) {
            result.simulations = simulations;
            result.elapsed = clock.now().saturating_sub(arrival);
        }
        let unsearched = (!opens && reply.result.is_none())
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

    fn tidy_up(
        &mut self,
        position: &Position,
        to_move: Color,
        action: Move,
        clock: &StoppableClock,
    ) {
        let (board, played) = match action {
            Move::Place(point) => (position.board(to_move), Some(point)),
            // A stone on a taken cell changes nothing: the swap has put one there already.
            Move::SwapPieces => {
                let after = swapped(position);
                let taken = after.stones(Color::Blue).next();
                (after.board(Color::Red), taken)
            }
            Move::SwapSides | Move::Pass => return,
        };
        if let Some(cell) = played.and_then(Point::cell) {
            self.player.tidy_up(&board, Answer::Play(cell), clock);
        }
    }
}

/// The position after Blue has taken over Red's stones.
fn swapped(position: &Position) -> Position {
    let mut after = Position::new(position.side());
    for stone in position.stones(Color::Red) {
        after.set(stone.transposed(), Some(Color::Blue));
    }
    after
}

/// The answer that needs no search: Red's first move, the swap if it is better to have Red's stone
/// than to answer it, and what the opening book says.
fn opening<const N: usize>(
    position: &Position,
    to_move: Color,
    book: OpeningBook,
) -> Option<Answer<N>> {
    let side = position.side();
    let [mut red, mut blue] = Color::ALL.map(|color| position.stones(color));
    match (to_move, red.next(), red.next(), blue.next()) {
        (Color::Red, None, None, None) => pie::even_opening(side).cell().map(Answer::Play),
        (Color::Blue, Some(stone), None, None)
            if pie::reply(stone, side) == pie::SwapDecision::Swap =>
        {
            Some(Answer::SwapPieces)
        }
        _ => match book {
            OpeningBook::Used => opening_book::answer(position, to_move)?.cell(),
            OpeningBook::Ignored => None,
        }
        .map(Answer::Play),
    }
}
