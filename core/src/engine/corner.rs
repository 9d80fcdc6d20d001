//! Boards in the corner of larger ones, so that one compiled search plays on boards of several
//! sides.
//!
//! [`Position::board`](crate::record::Position::board) puts a position into the top left corner of
//! a larger board, on which it is the same game. The search works on the larger board; what
//! evaluates positions sees the board that is played on.

use super::evaluator::SideEvaluator;
use hexbot::board::Board;
use hexbot::bridges::Bridges;
use hexbot::cell::Color;
use hexbot::cell_set::CellSet;
use hexbot::evaluation::{Amaf, Evaluation, Evaluator, MoveStats};
use hexbot::grid::Grid;
use hexbot::params::BridgeUse;

/// Any evaluator of boards of side N, behind a call that the compiler does not see through: so a
/// search compiles quickly.
pub struct Any<const N: usize>(pub Box<dyn Evaluator<N> + Send>);

impl<const N: usize> Evaluator<N> for Any<N> {
    fn evaluate(&mut self, board: &Board<N>, bridges: &Bridges<N>) -> Evaluation<N> {
        self.0.evaluate(board, bridges)
    }

    fn is_costly(&self) -> bool {
        self.0.is_costly()
    }

    fn degrade(&mut self) {
        self.0.degrade();
    }
}

/// An evaluator of boards of side N that becomes a part of the search, or another one.
#[allow(clippy::large_enum_variant)] // There is one for each engine.
pub enum Either<const N: usize> {
    /// Playouts in it use what vector instructions the search uses.
    Whole(SideEvaluator<N>),
    /// For boards in the corner.
    Any(Any<N>),
}

impl<const N: usize> Evaluator<N> for Either<N> {
    #[inline(always)]
    fn evaluate(&mut self, board: &Board<N>, bridges: &Bridges<N>) -> Evaluation<N> {
        match self {
            Either::Whole(whole) => whole.evaluate(board, bridges),
            Either::Any(any) => any.evaluate(board, bridges),
        }
    }

    fn is_costly(&self) -> bool {
        match self {
            Either::Whole(whole) => whole.is_costly(),
            Either::Any(any) => any.is_costly(),
        }
    }

    fn degrade(&mut self) {
        match self {
            Either::Whole(whole) => whole.degrade(),
            Either::Any(any) => any.degrade(),
        }
    }
}

/// Evaluates boards of side N in whose top left corner a board of side S is played on.
pub struct CornerEvaluator<const S: usize> {
    /// Evaluates the board that is played on.
    pub evaluator: SideEvaluator<S>,
    /// Whether its playouts see bridges.
    pub bridge_use: BridgeUse,
}

impl<const S: usize, const N: usize> Evaluator<N> for CornerEvaluator<S> {
    fn evaluate(&mut self, board: &Board<N>, _: &Bridges<N>) -> Evaluation<N> {
        let [red, blue] = Color::ALL.map(|color| corner_of(board.stones(color)));
        let board = Board::from_stones(red, blue, board.to_move()).expect("no cell has two stones");
        // The bridges of the larger board lead to its surplus stones. The network needs none.
        let bridges = match (self.evaluator.is_costly(), self.bridge_use) {
            (false, BridgeUse::Seen) => Bridges::new(&board, red.len() + blue.len()),
            _ => Bridges::none(&board),
        };
        let Evaluation {
            red_wins,
            move_stats,
        } = self.evaluator.evaluate(&board, &bridges);
        let move_stats = match move_stats {
            MoveStats::Nothing => MoveStats::Nothing,
            MoveStats::Amaf(amaf) => MoveStats::Amaf(amaf.map(|amaf| Amaf {
                owned: widened(&amaf.owned),
                won: widened(&amaf.won),
            })),
            MoveStats::Priors(priors) => MoveStats::Priors(widened(&priors)),
        };
        Evaluation {
            red_wins,
            move_stats,
        }
    }

    fn is_costly(&self) -> bool {
        self.evaluator.is_costly()
    }

    fn degrade(&mut self) {
        self.evaluator.degrade();
    }
}

/// The cells in the corner.
fn corner_of<const S: usize, const N: usize>(cells: CellSet<N>) -> CellSet<S> {
    let columns = (1 << S) - 1;
    CellSet::from_rows(std::array::from_fn(|row| cells.row_bits(row) & columns))
}

/// The values in the corner, 0 elsewhere.
fn widened<const S: usize, const N: usize>(values: &Grid<f32, S>) -> Grid<f32, N> {
    let mut wide = Grid::filled(0.0);
    for (to, from) in wide.rows_mut().iter_mut().zip(values.rows()) {
        to[..S].copy_from_slice(from);
    }
    wide
}
