//! How the boards that a convolution works on lie in memory.
//!
//! Activations are bytes from 0 to 127, all channels of a cell side by side; the board lies in a
//! ring of cells of its own (the halo), so that a neighbour is always the same number of bytes away.

use std::ops::Range;

/// The largest activation; the smallest is 0.
pub const TOP: i32 = 127;

/// A cell and its neighbours, in the order of the weights: rows down and columns right of the corner
/// that is above and left of the cell.
const WAYS: [(usize, usize); TAPS] = [(1, 1), (1, 2), (2, 1), (2, 0), (1, 0), (0, 1), (0, 2)];

/// How many these are.
pub const TAPS: usize = 7;

/// Inputs that are multiplied at once.
pub const PAIR: usize = 2;

/// How many channels the vector code is made for: those of the shipped network. A multiple of 16.
pub const CHANNELS: usize = 32;

/// Where the cells of a board lie in memory: row by row, with the halo around them.
pub struct Field {
    /// How many places there are, those of the halo included.
    pub(crate) places: usize,
    /// The place above and left of each cell.
    pub(crate) corners: Vec<usize>,
    /// How far the cell and its neighbours are from there, in the order of the weights.
    pub(crate) taps: [usize; TAPS],
}

impl Field {
    /// The field of a board of this side.
    pub fn new(side: usize) -> Self {
        let width = side + 2;
        let corners = (0..side).flat_map(|row| row * width..row * width + side);
        Field {
            places: width * width,
            corners: corners.collect(),
            taps: WAYS.map(|(row, col)| row * width + col),
        }
    }

    /// The values of a cell, given by its number, among those of all places.
    #[inline(always)]
    pub fn cell(&self, cell: usize, values: usize) -> Range<usize> {
        let first = (self.corners[cell] + self.taps[0]) * values;
        first..first + values
    }
}
