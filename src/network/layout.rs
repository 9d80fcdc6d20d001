//! How the boards that a convolution works on lie in memory.
//!
//! Activations are bytes from 0 to 127, all channels of a cell side by side; the board lies in a
//! ring of cells of its own (the halo), so that a neighbour is always the same number of bytes away.
//!
//! The places that a row of cells needs can be put into one sequence, a *strip*, in which the seven
//! places of each cell follow one another, in the order of the weights. Those of the next cell begin three further on:
//!
//! ```text
//!   b e h …          strip   a b c D e f G h i J …
//!  a D G J …         cell D  a b c D e f G
//!   c f i …          cell G        D e f G h i J
//! ```

use std::ops::Range;

/// The largest activation; the smallest is 0.
pub const TOP: i32 = 127;

/// What a stone is as an input: an activation of 1, in the steps of 1/32 that activations have.
pub const STONE: u8 = 32;

/// A cell and its neighbours, in the order of the weights: rows down and columns right of the corner
/// that is above and left of the cell.
const WAYS: [(usize, usize); TAPS] = [(1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (2, 1), (1, 2)];

/// How many these are.
pub const TAPS: usize = 7;

/// Which of them the cell itself is.
const ITSELF: usize = 3;

/// How much further on in a strip the places of the next cell begin.
pub const ADVANCE: usize = 3;

/// Inputs that are multiplied at once.
pub const PAIR: usize = 2;

/// How many channels the vector code is made for: those of the shipped network.
pub const CHANNELS: usize = 32;

/// Where the cells of a board lie in memory: row by row, with the halo around them.
pub struct Field {
    /// The side of the board.
    pub(crate) side: usize,
    /// How many places there are, those of the halo included.
    pub(crate) places: usize,
    /// The place above and left of each cell.
    pub(crate) corners: Vec<usize>,
    /// How far the cell and its neighbours are from there, in the order of the weights.
    pub(crate) taps: [usize; TAPS],
    /// How far the places of a row's strip are from the corner of its first cell.
    pub(crate) strip: Vec<usize>,
}

impl Field {
    /// The field of a board of this side.
    pub fn new(side: usize) -> Self {
        let width = side + 2;
        let corners = (0..side).flat_map(|row| row * width..row * width + side);
        let taps = WAYS.map(|(row, col)| row * width + col);
        let strip = 0..ADVANCE * (side - 1) + TAPS;
        Field {
            side,
            places: width * width,
            corners: corners.collect(),
            taps,
            strip: strip.map(|at| taps[at % ADVANCE] + at / ADVANCE).collect(),
        }
    }

    /// Where a cell, given by its number, is among all places.
    #[inline(always)]
    pub fn place(&self, cell: usize) -> usize {
        self.corners[cell] + self.taps[ITSELF]
    }

    /// The values of a cell, given by its number, among those of all places.
    #[inline(always)]
    pub fn cell(&self, cell: usize, values: usize) -> Range<usize> {
        let first = self.place(cell) * values;
        first..first + values
    }
}
