//! Boards whose side is known only at run time: the side itself and its cells. Everything that runs
//! inside a search uses the side as a type instead ([`hexbot::cell::Cell`]).

use hexbot::cell::Cell;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How many rows (and columns) a board has, [`Side::MIN`] to [`Side::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side(u8);

/// No board has this many rows.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a board of side {0} is not possible, choose a side from {min} to {max}", min = Side::MIN, max = Side::MAX)]
pub struct SideError(pub usize);

impl Side {
    /// The smallest side.
    pub const MIN: usize = 1;
    /// The largest side: columns are named by one letter.
    pub const MAX: usize = 26;
    /// CodinGame's board.
    pub const CODINGAME: Side = Side(11);

    /// The side with this many rows, for constants.
    ///
    /// # Panics
    /// If there is no such board.
    pub const fn of(rows: u8) -> Side {
        assert!(Side::MIN <= rows as usize && rows as usize <= Side::MAX);
        Side(rows)
    }

    /// Rows (and columns) of the board.
    pub const fn get(self) -> usize {
        self.0 as usize
    }

    /// All cells, row by row.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.0).flat_map(move |row| (0..self.0).map(move |col| Point { row, col }))
    }
}

impl TryFrom<usize> for Side {
    type Error = SideError;

    fn try_from(side: usize) -> Result<Side, SideError> {
        if (Side::MIN..=Side::MAX).contains(&side) {
            Ok(Side(side as u8))
        } else {
            Err(SideError(side))
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A cell of a board whose side is known only at run time. It prints as `d4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    row: u8,
    col: u8,
}

/// The text is not a cell.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text:?} is not a cell from a1 to {last}")]
pub struct PointError {
    text: String,
    last: Point,
}

impl Point {
    /// The cell at `row` and `col`, both from 0; `None` if and only if it is off a board of `side`.
    pub fn new(row: usize, col: usize, side: Side) -> Option<Point> {
        (row < side.get() && col < side.get()).then_some(Point {
            row: row as u8,
            col: col as u8,
        })
    }

    /// Reads `d4`; lower case only, as CodinGame writes it.
    ///
    /// # Errors
    /// If the text is anything else or the cell is off a board of `side`.
    pub fn parse(text: &str, side: Side) -> Result<Point, PointError> {
        // The largest board knows every cell name; what remains is whether it fits on this one.
        let cell: Option<Cell<{ Side::MAX }>> = Cell::from_str(text).ok();
        cell.and_then(|cell| Point::new(cell.row(), cell.col(), side))
            .ok_or_else(|| PointError {
                text: text.chars().take(20).collect(),
                last: Point {
                    row: side.0 - 1,
                    col: side.0 - 1,
                },
            })
    }

    /// Row from the top, from 0.
    pub const fn row(self) -> usize {
        self.row as usize
    }

    /// Column from the left, from 0.
    pub const fn col(self) -> usize {
        self.col as usize
    }

    /// The cell mirrored at the long diagonal, as `swap-pieces` does it.
    pub const fn transposed(self) -> Point {
        Point {
            row: self.col,
            col: self.row,
        }
    }

    /// The cell after half a turn of a board of `side`.
    pub const fn rotated(self, side: Side) -> Point {
        Point {
            row: side.0 - 1 - self.row,
            col: side.0 - 1 - self.col,
        }
    }

    /// The same cell on a board whose side is a type; `None` if and only if it is off that board.
    pub fn cell<const N: usize>(self) -> Option<Cell<N>> {
        Cell::new(self.row(), self.col())
    }
}

impl<const N: usize> From<Cell<N>> for Point {
    fn from(cell: Cell<N>) -> Point {
        Point {
            row: cell.row() as u8,
            col: cell.col() as u8,
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.col) as char, self.row + 1)
    }
}
