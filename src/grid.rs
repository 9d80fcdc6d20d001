//! A value for every cell of the board.

use crate::cell::Cell;
use std::ops::{Index, IndexMut};

/// A table with one `T` a cell, indexed by [`Cell`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid<T, const N: usize>([[T; N]; N]);

impl<T: Copy, const N: usize> Grid<T, N> {
    /// The table that holds `value` everywhere.
    pub const fn filled(value: T) -> Self {
        Grid([[value; N]; N])
    }
}

impl<T, const N: usize> Grid<T, N> {
    /// The table with these rows, from the top.
    pub const fn from_rows(rows: [[T; N]; N]) -> Self {
        Grid(rows)
    }

    /// Row by row, from the top.
    #[inline(always)]
    pub fn rows(&self) -> &[[T; N]; N] {
        &self.0
    }

    /// All values in the order of [`Cell::index`].
    #[inline(always)]
    pub fn values(&self) -> &[T] {
        self.0.as_flattened()
    }

    /// All values in the order of [`Cell::index`].
    #[inline(always)]
    pub fn values_mut(&mut self) -> &mut [T] {
        self.0.as_flattened_mut()
    }
}

impl<T, const N: usize> Index<Cell<N>> for Grid<T, N> {
    type Output = T;

    #[inline(always)]
    fn index(&self, cell: Cell<N>) -> &T {
        &self.0.as_flattened()[cell.index()]
    }
}

impl<T, const N: usize> IndexMut<Cell<N>> for Grid<T, N> {
    #[inline(always)]
    fn index_mut(&mut self, cell: Cell<N>) -> &mut T {
        &mut self.0.as_flattened_mut()[cell.index()]
    }
}

/// The index of the largest score, the first one among equals; 0 if there are none. Eight running
/// maxima let the compiler use vector instructions, so the index is found afterwards.
#[inline(always)]
pub fn index_of_max(scores: &[f32]) -> usize {
    let larger = |a: f32, b: f32| if a > b { a } else { b };
    let mut maxima = [f32::NEG_INFINITY; 8];
    let chunks = scores.chunks_exact(8);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (max, &score) in maxima.iter_mut().zip(chunk) {
            *max = larger(score, *max);
        }
    }
    let all = maxima.iter().chain(rest);
    let max = all.fold(f32::NEG_INFINITY, |max, &score| larger(score, max));
    scores.iter().position(|&score| score == max).unwrap_or(0)
}
