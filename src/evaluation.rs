//! The interface between the search and its evaluators. An evaluator gives the value of a position
//! and statistics of its moves: AMAF statistics of playouts, or priors. The search does not depend
//! on the kind of evaluator.

use crate::board::Board;
use crate::bridges::Bridges;
use crate::cell::Color;
use crate::grid::Grid;

/// Evaluates undecided positions.
///
/// After a panic an evaluator must still be able to evaluate the next position.
pub trait Evaluator<const N: usize> {
    /// Evaluates `board`, whose bridges are `bridges`.
    ///
    /// Only playouts use the bridges. The search passes them because it has found them already to
    /// prove wins; finding them again would make playouts 5 % slower.
    fn evaluate(&mut self, board: &Board<N>, bridges: &Bridges<N>) -> Evaluation<N>;

    /// Returns true if an evaluation takes so much of a simulation's time that the clock should be
    /// read after each.
    fn is_costly(&self) -> bool {
        false
    }

    /// Switches permanently to a cheaper way of evaluating, if there is one. Called when
    /// evaluations were too slow for the time limit.
    fn degrade(&mut self) {}
}

/// The value of a position, and statistics of its moves.
pub struct Evaluation<const N: usize> {
    /// The probability that Red wins, 0 to 1.
    pub red_wins: f32,
    /// The statistics of the moves.
    pub move_stats: MoveStats<N>,
}

/// Statistics of a position's moves.
#[allow(clippy::large_enum_variant)] // Made and used up in every simulation; never kept.
pub enum MoveStats<const N: usize> {
    /// None.
    Nothing,
    /// The all-moves-as-first statistics of playouts for each colour, indexed by [`Color::index`].
    Amaf([Amaf<N>; 2]),
    /// The prior probability of each move, 0 to 1. The sum over the empty cells is 1; other cells
    /// have 0.
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

/// Converts the win probability `wins`, 0 to 1, from Red's to `color`'s, and back.
#[inline(always)]
pub fn seen_by(color: Color, wins: f32) -> f32 {
    match color {
        Color::Red => wins,
        Color::Blue => of_opponent(wins),
    }
}

/// The win probability of a player whose opponent has `wins`, 0 to 1. Probabilities change sides
/// only here.
#[inline(always)]
pub fn of_opponent(wins: f32) -> f32 {
    1.0 - wins
}

/// All-moves-as-first statistics of one side: for each cell, the share of playouts, 0 to 1, in
/// which the side owned it at the end, and in which it also won; or sums of such shares.
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
