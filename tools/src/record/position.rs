//! The stones on a board whose side is known only at run time, for recording and drawing. The rules
//! of connection are [`hexbot::board`]'s.

use super::side::{Point, Side};
use crate::with_side;
use hexbot::board::Board;
use hexbot::cell::Color;
use hexbot::cell_set::CellSet;
use std::fmt;

/// Stones on a board, in any number.
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    side: Side,
    stones: Vec<Option<Color>>,
}

impl Position {
    /// The empty board.
    pub fn new(side: Side) -> Self {
        Position {
            side,
            stones: vec![None; side.get() * side.get()],
        }
    }

    /// The board's side.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The stone on `point`, if any.
    ///
    /// # Panics
    /// If `point` is off the board.
    pub fn at(&self, point: Point) -> Option<Color> {
        self.stones[self.index(point)]
    }

    /// Puts a stone on `point`, or takes it away, whatever was there.
    ///
    /// # Panics
    /// If `point` is off the board.
    pub fn set(&mut self, point: Point, stone: Option<Color>) {
        let index = self.index(point);
        self.stones[index] = stone;
    }

    /// The points with a stone of `color`, row by row.
    pub fn stones(&self, color: Color) -> impl Iterator<Item = Point> + '_ {
        self.side
            .points()
            .filter(move |&point| self.at(point) == Some(color))
    }

    /// Who has joined their edges, if anyone. O(side²).
    pub fn winner(&self) -> Option<Color> {
        with_side!(self.side, N => self.winner_on::<N>())
    }

    fn winner_on<const N: usize>(&self) -> Option<Color> {
        self.board::<N>(Color::Red).winner()
    }

    /// The position as a board of the bot's, with `to_move` to move. Cells off that board are left
    /// out; pass this position's own side.
    pub fn board<const N: usize>(&self, to_move: Color) -> Board<N> {
        let [red, blue] = Color::ALL.map(|color| {
            self.stones(color)
                .filter_map(Point::cell::<N>)
                .collect::<CellSet<N>>()
        });
        Board::from_stones(red, blue, to_move).expect("a cell holds one stone")
    }

    fn index(&self, point: Point) -> usize {
        assert!(
            point.row() < self.side.get() && point.col() < self.side.get(),
            "{point} is off the board of side {}",
            self.side
        );
        point.row() * self.side.get() + point.col()
    }
}

/// Rows of `.`, `r` and `b` with spaces between, as CodinGame sends them.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for row in self.stones.chunks(self.side.get()) {
            for (col, stone) in row.iter().enumerate() {
                f.write_str(if col == 0 { "" } else { " " })?;
                f.write_str(match stone {
                    None => ".",
                    Some(Color::Red) => "r",
                    Some(Color::Blue) => "b",
                })?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
