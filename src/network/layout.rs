//! How the boards that a convolution works on lie in memory.
//!
//! Activations are bytes from 0 to 127, shape `[padded cells][channels]`. The board's cells are
//! padded with a halo of one cell on every side, so that a neighbour is always the same distance
//! away.
//!
//! A convolution reads seven cells for each output cell, its *taps*. The taps of a row of cells can
//! be put into one list, an im2row in which the patches of neighbours overlap: the seven taps of
//! each cell follow one another in the order of the weights, those of the next cell begin three
//! further on.
//!
//! ```text
//!   b e h …          list    a b c D e f G h i J …
//!  a D G J …         cell D  a b c D e f G
//!   c f i …          cell G        D e f G h i J
//! ```

use std::ops::Range;

/// The largest activation; the smallest is 0.
pub const ACTIVATION_MAX: i32 = 127;

/// A stone as an input: an activation of 1, in the steps of 1/32 that activations have.
pub const STONE: u8 = 32;

/// The cells that a convolution reads for one output, in the order of the weights: rows down and
/// columns right of the tap origin, the padded cell above and left of the output's.
pub const TAP_OFFSETS: [(usize, usize); TAPS] =
    [(1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (2, 1), (1, 2)];

/// The size of a convolution's kernel: a cell and its six neighbours.
pub const TAPS: usize = 7;

/// The tap that is the output's own cell.
const CENTER: usize = 3;

/// By how many entries the taps of a cell are ahead of those of its left neighbour in an im2row.
pub const IM2ROW_STEP: usize = 3;

/// Inputs that are multiplied at once: two bytes by one `vpmaddubsw`.
pub const PAIR: usize = 2;

/// The number of channels that the SIMD code is made for: that of the shipped network.
pub const SIMD_CHANNELS: usize = 32;

/// Where the cells of a board and its halo lie in memory: row by row, `side + 2` to a row.
#[derive(Default)]
pub struct PaddedLayout {
    /// The side of the board; 0 if there is none yet.
    pub(crate) side: usize,
    /// The number of padded cells: those of the board and of the halo.
    pub(crate) padded_cells: usize,
    /// The padded cell from which the taps of each cell are counted. `[cells]`
    pub(crate) tap_origins: Vec<usize>,
    /// How many padded cells each tap is behind the tap origin. `[taps]`
    pub(crate) tap_offsets: [usize; TAPS],
    /// How many padded cells each entry of a row's im2row is behind the tap origin of the row's
    /// first cell. `[3 · (side - 1) + taps]`
    pub(crate) im2row: Vec<usize>,
}

impl PaddedLayout {
    /// The layout of a board of this side, 1 or more.
    pub fn new(side: usize) -> Self {
        let width = side + 2;
        let tap_origins = (0..side).flat_map(|row| row * width..row * width + side);
        let tap_offsets = TAP_OFFSETS.map(|(row, col)| row * width + col);
        let entries = 0..IM2ROW_STEP * (side - 1) + TAPS;
        let offset = |entry| tap_offsets[entry % IM2ROW_STEP] + entry / IM2ROW_STEP;
        PaddedLayout {
            side,
            padded_cells: width * width,
            tap_origins: tap_origins.collect(),
            tap_offsets,
            im2row: entries.map(offset).collect(),
        }
    }

    /// The padded cell of a cell, given by its index on the board.
    #[inline(always)]
    pub fn padded(&self, cell: usize) -> usize {
        self.tap_origins[cell] + self.tap_offsets[CENTER]
    }

    /// Where the channels of a cell, given by its index on the board, lie among all activations.
    #[inline(always)]
    pub fn range(&self, cell: usize, channels: usize) -> Range<usize> {
        let first = self.padded(cell) * channels;
        first..first + channels
    }
}
