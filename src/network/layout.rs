//! The memory layout of a convolution's boards.
//!
//! Activations are bytes from 0 to 127, shape `[padded cells][channels]`. The board has a halo of
//! one cell on every side, so that a neighbour is always at the same distance in memory.
//!
//! A convolution reads seven cells for each output cell, its *taps*. So each input contributes to
//! the sums of seven cells.

use std::ops::{Deref, DerefMut, Range};

/// The largest activation; the smallest is 0.
pub const ACTIVATION_MAX: i32 = 127;

/// A stone as an input: the activation 1, in units of 1/32.
pub const STONE: u8 = 32;

/// The cells that a convolution reads for one output, in the order of the weights: rows down and
/// columns right of the tap origin, the padded cell above and left of the output's.
pub const TAP_OFFSETS: [(usize, usize); TAPS] =
    [(1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (2, 1), (1, 2)];

/// The size of a convolution's kernel: a cell and its six neighbours.
pub const TAPS: usize = 7;

/// The tap that is the output's own cell.
pub const CENTER: usize = 3;

/// How many inputs are multiplied together: two bytes by one `vpmaddubsw`.
pub const PAIR: usize = 2;

/// The number of channels that the SIMD code supports: that of the shipped network.
pub const SIMD_CHANNELS: usize = 32;

/// The places of a board's cells and its halo in memory: row by row, `side + 2` in a row.
#[derive(Default)]
pub struct PaddedLayout {
    /// The side of the board; 0 for the default layout, which has no board.
    pub(crate) side: usize,
    /// The number of padded cells: those of the board and of the halo.
    pub(crate) padded_cells: usize,
    /// The padded cell from which the taps of each cell are counted. `[cells]`
    pub(crate) tap_origins: Vec<usize>,
    /// The offset of each tap from the tap origin, in padded cells. `[taps]`
    pub(crate) tap_offsets: [usize; TAPS],
}

impl PaddedLayout {
    /// The layout of a board of this side, 1 or more.
    pub fn new(side: usize) -> Self {
        let width = side + 2;
        let tap_origins = (0..side).flat_map(|row| row * width..row * width + side);
        PaddedLayout {
            side,
            padded_cells: width * width,
            tap_origins: tap_origins.collect(),
            tap_offsets: TAP_OFFSETS.map(|(row, col)| row * width + col),
        }
    }

    /// How many padded cells a row has.
    #[inline(always)]
    pub fn width(&self) -> usize {
        self.side + 2
    }

    /// The place of the sums to which the input at padded cell 0 contributes as a tap with the
    /// offset 0. The sums begin one row before padded cell 0, and the output cell of this tap is
    /// another row and a cell further on.
    #[inline(always)]
    pub fn first_sums(&self) -> usize {
        2 * self.width() + 1
    }

    /// The padded cell of a cell, given by its index on the board.
    #[inline(always)]
    pub fn padded(&self, cell: usize) -> usize {
        self.tap_origins[cell] + self.tap_offsets[CENTER]
    }

    /// The place of the sums to which the input at a padded cell contributes as this tap. A cell's
    /// own sums are those of its [`CENTER`], one row further on than its place on the board.
    #[inline(always)]
    pub fn sums_of(&self, padded: usize, tap: usize) -> usize {
        padded + self.first_sums() - self.tap_offsets[tap]
    }

    /// The range of a cell's channels among all activations. `cell` is its index on the board.
    #[inline(always)]
    pub fn range(&self, cell: usize, channels: usize) -> Range<usize> {
        let first = self.padded(cell) * channels;
        first..first + channels
    }
}

/// The size of a cache line.
const CACHE_LINE: usize = 64;

/// Numbers that begin at a cache line, so that no vector of them crosses a line.
#[derive(Debug, Default)]
pub struct Aligned<T> {
    memory: Vec<T>,
    numbers: Range<usize>,
}

impl<T: Clone + Default> Aligned<T> {
    /// `len` zeros.
    pub fn zeros(len: usize) -> Self {
        let memory = vec![T::default(); len + CACHE_LINE];
        let start = memory.as_ptr().align_offset(CACHE_LINE);
        Aligned {
            memory,
            numbers: start..start + len,
        }
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.memory[self.numbers.clone()]
    }
}

impl<T> DerefMut for Aligned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.memory[self.numbers.clone()]
    }
}
