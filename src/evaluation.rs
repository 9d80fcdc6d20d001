//! The seam between the search and what it knows of Hex: an evaluator judges a position. Random
//! playouts are one evaluator ([`crate::playout::PlayoutEvaluator`]); the search does not know which
//! one it asks.

use crate::board::Board;
use crate::cell::Color;
use crate::grid::Grid;
use crate::links::Links;

/// Judges undecided positions.
pub trait Evaluator<const N: usize> {
    /// Judges `board`, whose bridges are `links`.
    fn evaluate(&mut self, board: &Board<N>, links: &Links<N>) -> Evaluation<N>;

    /// How promising each move looks before any search: a weight for each cell, 0 or more, about 1
    /// on average over the empty cells. Asked for the position evaluated last, and only if it gets
    /// a node of its own.
    fn priors(&mut self, board: &Board<N>, links: &Links<N>) -> Grid<f32, N>;
}

/// What an evaluator says of a position.
pub struct Evaluation<const N: usize> {
    /// The probability that Red wins, 0 to 1.
    pub red_wins: f32,
    /// What playouts told of single cells, for each colour, indexed by [`Color::index`]. An
    /// evaluator without playouts leaves it at [`Amaf::NOTHING`].
    pub amaf: [Amaf<N>; 2],
}

impl<const N: usize> Evaluation<N> {
    /// The judgement of a won game.
    pub fn won_by(color: Color) -> Self {
        let red_wins = (color == Color::Red) as u8 as f32;
        Evaluation {
            red_wins,
            amaf: [Amaf::NOTHING, Amaf::NOTHING],
        }
    }

    /// The probability that `color` wins, 0 to 1. The only place where the view changes sides.
    #[inline(always)]
    pub fn wins(&self, color: Color) -> f32 {
        match color {
            Color::Red => self.red_wins,
            Color::Blue => 1.0 - self.red_wins,
        }
    }
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
