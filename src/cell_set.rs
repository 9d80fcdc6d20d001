//! A set of cells, stored as one bit a cell, one word a row.

use crate::cell::{Cell, Direction};
use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub};

/// A set of cells. `|` is union, `&` intersection, `-` difference. Every operation on whole sets
/// costs O(N).
///
/// ```
/// use hexbot::cell::{Cell, Direction};
/// use hexbot::cell_set::CellSet;
/// let d4: Cell<11> = "d4".parse().unwrap();
/// let set: CellSet<11> = [d4].into_iter().collect();
/// let east = set.stepped(Direction::East);
/// assert_eq!(east.iter().map(|c| c.to_string()).collect::<Vec<_>>(), ["e4"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CellSet<const N: usize> {
    /// Bit c of row r is the cell in row r, column c.
    rows: [u32; N],
}

impl<const N: usize> CellSet<N> {
    /// The bits of a whole row.
    const ROW: u32 = {
        assert!(N >= 1 && N <= 26);
        (1 << N) - 1
    };

    /// The set without cells.
    pub const EMPTY: Self = CellSet { rows: [0; N] };

    /// The set of all cells.
    pub const FULL: Self = CellSet {
        rows: [Self::ROW; N],
    };

    /// The cells of one row.
    ///
    /// # Panics
    /// If `row >= N`.
    pub fn row(row: usize) -> Self {
        let mut set = Self::EMPTY;
        set.rows[row] = Self::ROW;
        set
    }

    /// The cells of one column.
    ///
    /// # Panics
    /// If `col >= N`.
    pub fn col(col: usize) -> Self {
        assert!(col < N);
        CellSet {
            rows: [1 << col; N],
        }
    }

    /// Returns true if `cell` is in the set.
    #[inline(always)]
    pub fn contains(&self, cell: Cell<N>) -> bool {
        self.rows[cell.row()] >> cell.col() & 1 != 0
    }

    /// Adds `cell`.
    #[inline(always)]
    pub fn insert(&mut self, cell: Cell<N>) {
        self.rows[cell.row()] |= 1 << cell.col();
    }

    /// Removes `cell`.
    #[inline(always)]
    pub fn remove(&mut self, cell: Cell<N>) {
        self.rows[cell.row()] &= !(1 << cell.col());
    }

    /// How many cells are in the set.
    pub fn len(&self) -> usize {
        self.rows.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Returns true if no cell is in the set.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&row| row == 0)
    }

    /// The cells of the set, row by row.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Cell<N>> {
        let (mut rows, mut row) = (self.rows, 0);
        std::iter::from_fn(move || loop {
            let bits = rows.get_mut(row)?;
            if *bits != 0 {
                let col = bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                return Some(Cell::from_index(row * N + col));
            }
            row += 1;
        })
    }

    /// The set moved by one step, without cells that would leave the board.
    #[inline(always)]
    pub fn stepped(&self, to: Direction) -> Self {
        let (down, right) = to.step();
        let mut set = Self::EMPTY;
        for row in 0..N {
            let Some(&bits) = self.rows.get(row.wrapping_add_signed(-down)) else {
                continue;
            };
            set.rows[row] = match right {
                1 => bits << 1 & Self::ROW,
                -1 => bits >> 1,
                _ => bits,
            };
        }
        set
    }

    /// The set whose row r has the cells of `rows[r]`: bit c is column c, higher bits are 0.
    #[inline(always)]
    pub fn from_rows(rows: [u32; N]) -> Self {
        debug_assert!(rows.iter().all(|&row| row & !Self::ROW == 0));
        CellSet { rows }
    }

    /// The cells in the same rows and columns of a board of side M, without those off it.
    pub fn on<const M: usize>(&self) -> CellSet<M> {
        CellSet::from_rows(std::array::from_fn(|row| {
            self.rows
                .get(row)
                .map_or(0, |bits| bits & CellSet::<M>::ROW)
        }))
    }

    /// Bit c is the cell in column c of this row.
    #[inline(always)]
    pub fn row_bits(&self, row: usize) -> u32 {
        self.rows[row]
    }

    /// The cells within two rows and two columns of `cell`: five bits for each of five rows,
    /// starting two rows above; 0 off the board.
    #[inline(always)]
    pub fn around(&self, cell: Cell<N>) -> u32 {
        (0..5).fold(0, |near, below| {
            let row = self.rows.get((cell.row() + below).wrapping_sub(2));
            let bits = row.map_or(0, |bits| bits << 2 >> cell.col() & 31);
            near | bits << (5 * below)
        })
    }

    /// Every cell mirrored by [`Cell::transposed`].
    pub fn transposed(&self) -> Self {
        self.iter().map(Cell::transposed).collect()
    }
}

/// Applies an operation to each row. A plain loop, because iterators take longer to compile for
/// many N.
#[inline(always)]
fn zip<const N: usize>(
    mut a: CellSet<N>,
    b: CellSet<N>,
    op: impl Fn(u32, u32) -> u32,
) -> CellSet<N> {
    for row in 0..N {
        a.rows[row] = op(a.rows[row], b.rows[row]);
    }
    a
}

impl<const N: usize> BitAnd for CellSet<N> {
    type Output = Self;

    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        zip(self, other, |a, b| a & b)
    }
}

impl<const N: usize> BitOr for CellSet<N> {
    type Output = Self;

    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        zip(self, other, |a, b| a | b)
    }
}

impl<const N: usize> BitOrAssign for CellSet<N> {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl<const N: usize> Sub for CellSet<N> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        zip(self, other, |a, b| a & !b)
    }
}

impl<const N: usize> FromIterator<Cell<N>> for CellSet<N> {
    fn from_iter<I: IntoIterator<Item = Cell<N>>>(cells: I) -> Self {
        let mut set = Self::EMPTY;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

impl<const N: usize> fmt::Debug for CellSet<N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
