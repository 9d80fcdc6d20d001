//! Boards of any side: the bot's own boards and cells with room for the largest side, and the side
//! that is played on.

use hexbot::board::Board;
use hexbot::cell::{Cell, Color};
use hexbot::cell_set::CellSet;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;
use thiserror::Error;

/// A position on a board of any side, see [`Board::of_side`].
pub type AnyBoard = Board<{ Side::MAX }>;

/// A cell of a board of any side. [`Side::contains`] checks whether it is on a given board.
pub type AnyCell = Cell<{ Side::MAX }>;

/// The same cell of a board of any side.
pub fn any_cell<const N: usize>(cell: Cell<N>) -> AnyCell {
    cell.on().expect("no board is larger")
}

/// How many rows (and columns) a board has, [`Side::MIN`] to [`Side::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Side(u8);

/// A board cannot have this many rows.
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

    /// The empty board, Red to move. One board of each side is cached, because placing its surplus
    /// stones takes longer than playing a game.
    pub fn board(self) -> AnyBoard {
        static EMPTY: [OnceLock<AnyBoard>; Side::MAX + 1] =
            [const { OnceLock::new() }; Side::MAX + 1];
        let make = || AnyBoard::of_side(self.get(), CellSet::EMPTY, CellSet::EMPTY, Color::Red);
        let empty = EMPTY[self.get()].get_or_init(|| make().expect("it has no stones"));
        empty.clone()
    }

    /// The position with these stones and this player to move.
    ///
    /// # Panics
    /// If a cell is off the board or gets two stones.
    pub fn position(
        self,
        stones: impl IntoIterator<Item = (AnyCell, Color)>,
        to_move: Color,
    ) -> AnyBoard {
        let mut board = self.board();
        board.set_to_move(to_move);
        for (cell, color) in stones {
            board.set_up(cell, color).expect("one stone a cell");
        }
        board
    }

    /// The side of the board that is played on.
    pub fn of_board<const N: usize>(board: &Board<N>) -> Side {
        Side(board.side() as u8)
    }

    /// All cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = AnyCell> {
        let rows = 0..self.get();
        rows.flat_map(move |row| (0..self.get()).filter_map(move |col| self.cell(row, col)))
    }

    /// The cell at `row` and `col`, both from 0; `None` if and only if it is off the board.
    pub fn cell(self, row: usize, col: usize) -> Option<AnyCell> {
        AnyCell::new(row, col).filter(|&cell| self.contains(cell))
    }

    /// Reads `d4`; lower case only, as CodinGame writes it.
    ///
    /// # Errors
    /// If the text is anything else or the cell is off the board.
    pub fn parse_cell(self, text: &str) -> Result<AnyCell, NotOnBoard> {
        // The largest board has every cell name. Then check whether the cell is on this one.
        let cell = AnyCell::from_str(text).ok();
        cell.filter(|&cell| self.contains(cell))
            .ok_or_else(|| NotOnBoard {
                text: text.chars().take(20).collect(),
                side: self,
            })
    }

    /// Whether the cell is on the board.
    pub fn contains(self, cell: AnyCell) -> bool {
        cell.row() < self.get() && cell.col() < self.get()
    }

    /// The cell after half a turn of the board.
    ///
    /// # Panics
    /// If the cell is off the board.
    pub fn rotated(self, cell: AnyCell) -> AnyCell {
        let last = self.get() - 1;
        let rotated = self.cell(last - cell.row(), last - cell.col());
        rotated.expect("it was on the board")
    }

    /// The first move as which `cell` counts: a cell and its image after half a turn of the board
    /// are the same, and this is the upper one.
    pub fn opening(self, cell: AnyCell) -> AnyCell {
        cell.min(self.rotated(cell))
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

/// The text is not a cell of a board of this side.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{text:?} is not a cell from a1 to {}", last(*.side))]
pub struct NotOnBoard {
    text: String,
    side: Side,
}

fn last(side: Side) -> AnyCell {
    let last = side.get() - 1;
    side.cell(last, last).expect("a board has a last cell")
}

/// All stones of a position, Red's first, row by row.
pub fn stones<const N: usize>(board: &Board<N>) -> impl Iterator<Item = (Cell<N>, Color)> {
    let [red, blue] = Color::ALL.map(|color| board.own_stones(color));
    let own = |cells: CellSet<N>, color| cells.iter().map(move |cell| (cell, color));
    own(red, Color::Red).chain(own(blue, Color::Blue))
}
