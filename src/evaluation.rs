//! The seam between the search and what knows Hex. An evaluator gives the value of a position and
//! statistics of its moves: those of playouts (AMAF), or priors. The search does not know where
//! they come from.

use crate::board::Board;
use crate::bridges::Bridges;
use crate::cell::Color;
use crate::grid::Grid;

/// Evaluates undecided positions.
///
/// An evaluator that panics must be fit for the next position all the same.
pub trait Evaluator<const N: usize> {
    /// Evaluates `board`, whose bridges are `bridges`.
    ///
    /// Playouts alone use the bridges. They come along because the search has found them already,
    /// to prove wins: finding them again would cost playouts a twentieth of their speed.
    fn evaluate(&mut self, board: &Board<N>, bridges: &Bridges<N>) -> Evaluation<N>;

    /// Returns true if an evaluation takes so long, compared with the rest of a simulation, that
    /// the clock is to be read after each.
    fn is_costly(&self) -> bool {
        false
    }

    /// Switches to a cheaper way of evaluating for good, if there is one: evaluations have taken
    /// too long for the time there is.
    fn degrade(&mut self) {}
}

/// The value of a position, and statistics of its moves.
pub struct Evaluation<const N: usize> {
    /// The probability that Red wins, 0 to 1.
    pub red_wins: f32,
    /// Which moves are promising.
    pub move_stats: MoveStats<N>,
}

/// Which moves of a position are promising.
#[allow(clippy::large_enum_variant)] // Made and used up in every simulation; never kept.
pub enum MoveStats<const N: usize> {
    /// Nothing is known.
    Nothing,
    /// The all-moves-as-first statistics of playouts for each colour, indexed by [`Color::index`].
    Amaf([Amaf<N>; 2]),
    /// The probability that each empty cell is the move to play: 0 to 1, 1 in sum; 0 on other
    /// cells.
    #[cfg(feature = "network")]
    Priors(Grid<f32, N>),
}

impl<const N: usize> Evaluation<N> {
    /// The evaluation that `color` wins with probability `wins`, 0 to 1, without statistics of
    /// moves.
    pub fn of(wins: f32, color: Color) -> Self {
        Evaluation {
            red_wins: seen_by(color, wins),
            move_stats: MoveStats::Nothing,
        }
    }

    /// The probability that `color` wins, 0 to 1.
    #[inline(always)]
    pub fn wins(&self, color: Color) -> f32 {
        seen_by(color, self.red_wins)
    }
}

/// The win probability `wins`, 0 to 1, of Red as `color`'s, and the other way round.
#[inline(always)]
pub fn seen_by(color: Color, wins: f32) -> f32 {
    match color {
        Color::Red => wins,
        Color::Blue => of_opponent(wins),
    }
}

/// The win probability of a player whose opponent has `wins`, 0 to 1. Nowhere else does a
/// probability change sides.
#[inline(always)]
pub fn of_opponent(wins: f32) -> f32 {
    1.0 - wins
}

/// All-moves-as-first statistics of one side: for each cell, in what share of some playouts, 0 to
/// 1, the side ended up owning it, and in what share it owned it and won; or sums of such shares.
#[derive(Clone)]
pub struct Amaf<const N: usize> {
    /// Playouts in which the side owned the cell.
    pub owned: Grid<f32, N>,
    /// Playouts in which the side owned the cell and won.
    pub won: Grid<f32, N>,
}

impl<const N: usize> Amaf<N> {
    /// No playouts at all.
    pub const NOTHING: Self = Amaf {
        owned: Grid::filled(0.0),
        won: Grid::filled(0.0),
    };

    /// Adds the statistics of other playouts. O(N²).
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        add(self.owned.values_mut(), other.owned.values());
        add(self.won.values_mut(), other.won.values());
    }
}

#[inline(always)]
fn add(sums: &mut [f32], terms: &[f32]) {
    sums.iter_mut()
        .zip(terms)
        .for_each(|(sum, term)| *sum += term);
}
