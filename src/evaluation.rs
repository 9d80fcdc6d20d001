//! The seam between the search and what knows Hex. An evaluator says what a position is worth, and
//! gives hints which of its moves to look at: AMAF statistics if
//! playouts were run, or priors. The search does not know where they come from.

use crate::board::Board;
use crate::bridges::Bridges;
use crate::cell::Color;
use crate::grid::Grid;

/// Evaluates undecided positions.
pub trait Evaluator<const N: usize> {
    /// Evaluates `board`, whose bridges are `bridges`.
    fn evaluate(&mut self, board: &Board<N>, bridges: &Bridges<N>) -> Evaluation<N>;

    /// Does an evaluation take so long, compared with the rest of a simulation, that the clock is to
    /// be read each time?
    fn is_costly(&self) -> bool {
        false
    }

    /// Tells that evaluations take too long for the time there is; from now on a cheaper way is
    /// gone, if there is one.
    fn degrade(&mut self) {}
}

/// What an evaluator says of a position.
pub struct Evaluation<const N: usize> {
    /// The probability that Red wins, 0 to 1.
    pub red_wins: f32,
    /// What it says of single moves.
    pub move_stats: MoveStats<N>,
}

/// Which moves are worth looking at.
#[allow(clippy::large_enum_variant)] // Made and used up in every simulation; never kept.
pub enum MoveStats<const N: usize> {
    /// Nothing is known.
    Nothing,
    /// What playouts told of single cells, for each colour, indexed by [`Color::index`].
    Amaf([Amaf<N>; 2]),
    /// How likely each empty cell is the move to play: 0 to 1, the sum is 1. 0 on other cells.
    #[cfg(feature = "network")]
    Priors(Grid<f32, N>),
}

impl<const N: usize> Evaluation<N> {
    /// The evaluation that `color` wins with this probability, 0 to 1, and nothing else.
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

/// Red's win probability as `color`'s, and the other way round.
#[inline(always)]
fn seen_by(color: Color, wins: f32) -> f32 {
    match color {
        Color::Red => wins,
        Color::Blue => of_opponent(wins),
    }
}

/// The win probability of a player whose opponent has `wins`, 0 to 1. Nowhere else does a probability
/// change sides.
#[inline(always)]
pub fn of_opponent(wins: f32) -> f32 {
    1.0 - wins
}

/// All-moves-as-first statistics of one side: for each cell, in what share of some playouts the side
/// ended up owning it, and in what share it owned it and won. Sums of such shares are kept likewise.
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
