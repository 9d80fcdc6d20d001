//! Vocabulary: the two colours, the cells of an N×N board and the six directions between them.
//! Stones and rules are in other modules.

use crate::quoted::quoted;
use std::fmt;
use std::str::FromStr;

/// A player. Red moves first and joins top and bottom, Blue joins left and right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Color {
    /// Moves first, joins the top edge with the bottom edge.
    Red,
    /// Moves second, joins the left edge with the right edge.
    Blue,
}

impl Color {
    /// Both colours, in the order of [`Color::index`].
    pub const ALL: [Color; 2] = [Color::Red, Color::Blue];

    /// The other player.
    pub const fn opponent(self) -> Color {
        match self {
            Color::Red => Color::Blue,
            Color::Blue => Color::Red,
        }
    }

    /// 0 for Red, 1 for Blue.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Color::Red => "red",
            Color::Blue => "blue",
        })
    }
}

/// One of the six steps between neighbouring cells, in circular order: neighbours of a cell in
/// consecutive directions are neighbours of each other.
///
/// ```text
///       N  NE
///      W  ·  E
///       SW  S
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Same row, next column.
    East,
    /// Next row, same column.
    South,
    /// Next row, previous column.
    SouthWest,
    /// Same row, previous column.
    West,
    /// Previous row, same column.
    North,
    /// Previous row, next column.
    NorthEast,
}

impl Direction {
    /// All six, in circular order.
    pub const ALL: [Direction; 6] = [
        Direction::East,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::North,
        Direction::NorthEast,
    ];

    /// The change of (row, column) that one step makes.
    pub const fn step(self) -> (isize, isize) {
        match self {
            Direction::East => (0, 1),
            Direction::South => (1, 0),
            Direction::SouthWest => (1, -1),
            Direction::West => (0, -1),
            Direction::North => (-1, 0),
            Direction::NorthEast => (-1, 1),
        }
    }

    /// The direction that leads back.
    pub const fn opposite(self) -> Direction {
        Direction::ALL[(self as usize + 3) % 6]
    }

    /// The next direction in circular order.
    pub const fn next(self) -> Direction {
        Direction::ALL[(self as usize + 1) % 6]
    }
}

/// A cell of the N×N board, 1 ≤ N ≤ 26. `a1` is at the top left; the letter is the column, the
/// number the row.
///
/// ```
/// use hexbot::cell::Cell;
/// let cell: Cell<11> = "d3".parse().unwrap();
/// assert_eq!((cell.row(), cell.col()), (2, 3));
/// assert_eq!(cell.transposed().to_string(), "c4");
/// assert!("l1".parse::<Cell<11>>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell<const N: usize>(u16);

impl<const N: usize> Cell<N> {
    /// How many cells the board has.
    pub const COUNT: usize = {
        assert!(N >= 1 && N <= 26, "columns are named by one letter");
        N * N
    };

    const NEIGHBORS: [[Neighbors<N>; N]; N] = neighbor_table();

    /// The cell at `row` and `col`, both counted from 0; `None` if and only if it is off the board.
    pub const fn new(row: usize, col: usize) -> Option<Self> {
        if row < N && col < N {
            Some(Cell((row * N + col) as u16))
        } else {
            None
        }
    }

    /// The cell with this [`index`](Self::index).
    ///
    /// # Panics
    /// If `index >= N * N`.
    pub fn from_index(index: usize) -> Self {
        assert!(
            index < Self::COUNT,
            "no cell {index} on a board of side {N}"
        );
        Cell(index as u16)
    }

    /// All cells, row by row.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..Self::COUNT as u16).map(Cell)
    }

    /// Position in row-by-row order, below `N * N`.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Row from the top, from 0.
    #[inline(always)]
    pub const fn row(self) -> usize {
        self.0 as usize / N
    }

    /// Column from the left, from 0.
    #[inline(always)]
    pub const fn col(self) -> usize {
        self.0 as usize % N
    }

    /// The cell mirrored in the long diagonal: rows become columns. `swap-pieces` moves the first
    /// stone there.
    pub const fn transposed(self) -> Self {
        Cell((self.col() * N + self.row()) as u16)
    }

    /// The cell after half a turn of the board, which keeps both players' edges.
    pub const fn rotated(self) -> Self {
        Cell((N * N - 1) as u16 - self.0)
    }

    /// The cell in the same row and column of a board of side M; `None` if and only if it is off
    /// that board.
    pub const fn on<const M: usize>(self) -> Option<Cell<M>> {
        Cell::new(self.row(), self.col())
    }

    /// The neighbour in direction `to`; `None` if and only if it is off the board.
    pub const fn neighbor(self, to: Direction) -> Option<Self> {
        let (rows, cols) = to.step();
        // A step before row or column 0 wraps to a huge number, which `new` refuses.
        Self::new(
            self.row().wrapping_add_signed(rows),
            self.col().wrapping_add_signed(cols),
        )
    }

    /// The two to six neighbours on the board (none on the 1×1 board). O(1), from a table.
    #[inline(always)]
    pub fn neighbors(self) -> &'static [Cell<N>] {
        let table: &'static [[Neighbors<N>; N]; N] = &Self::NEIGHBORS;
        let entry = &table.as_flattened()[self.index()];
        &entry.cells[..entry.count as usize]
    }
}

#[derive(Clone, Copy)]
struct Neighbors<const N: usize> {
    cells: [Cell<N>; 6],
    count: u8,
}

/// The loops are plain because the function is `const`.
const fn neighbor_table<const N: usize>() -> [[Neighbors<N>; N]; N] {
    let mut table = [[Neighbors {
        cells: [Cell(0); 6],
        count: 0,
    }; N]; N];
    let mut index = 0;
    while index < N * N {
        let cell = Cell::<N>(index as u16);
        let entry = &mut table[cell.row()][cell.col()];
        let mut direction = 0;
        while direction < 6 {
            if let Some(neighbor) = cell.neighbor(Direction::ALL[direction]) {
                entry.cells[entry.count as usize] = neighbor;
                entry.count += 1;
            }
            direction += 1;
        }
        index += 1;
    }
    table
}

impl<const N: usize> fmt::Display for Cell<N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.col() as u8) as char, self.row() + 1)
    }
}

impl<const N: usize> fmt::Debug for Cell<N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a cell of this board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellError {
    /// The text, quoted.
    text: String,
    side: usize,
}

impl fmt::Display for CellError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let last = (b'a' + self.side as u8 - 1) as char;
        write!(
            f,
            "{} is not a cell from a1 to {last}{}",
            self.text, self.side
        )
    }
}

impl std::error::Error for CellError {}

impl<const N: usize> FromStr for Cell<N> {
    type Err = CellError;

    /// Reads `d4`; lower case only, as CodinGame writes it.
    fn from_str(text: &str) -> Result<Self, CellError> {
        let parse = || {
            let col = (*text.as_bytes().first()?).checked_sub(b'a')?;
            let digits = text.get(1..)?;
            if digits.len() > 2 || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            let row: usize = digits.parse().ok()?;
            Cell::new(row.checked_sub(1)?, col as usize)
        };
        parse().ok_or_else(|| CellError {
            text: quoted(text),
            side: N,
        })
    }
}
