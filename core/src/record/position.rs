//! The stones on a board whose side is known only at run time, for recording and drawing. The rules
//! of connection are [`hexbot::board`]'s.

use super::side::{Point, Side};
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

    /// All stones, Red's first, row by row.
    pub fn all_stones(&self) -> impl Iterator<Item = (Point, Color)> + '_ {
        let own = |color| self.stones(color).map(move |point| (point, color));
        Color::ALL.into_iter().flat_map(own)
    }

    /// Who has joined their edges, if anyone. O(side²).
    pub fn winner(&self) -> Option<Color> {
        // A position has the same winner in the corner of a larger board.
        match self.side.get() {
            ..=11 => self.board::<11>(Color::Red).winner(),
            _ => self.board::<{ Side::MAX }>(Color::Red).winner(),
        }
    }

    /// Returns true if the stone on `point` belongs to a group that joins its player's edges. Costs
    /// as much as the group is large; nothing on an empty point.
    ///
    /// # Panics
    /// If `point` is off the board.
    pub fn joins_edges(&self, point: Point) -> bool {
        let Some(color) = self.at(point) else {
            return false;
        };
        let last = self.side.get() - 1;
        let mut seen = vec![false; self.stones.len()];
        seen[self.index(point)] = true;
        let (mut group, mut edges) = (vec![point], [false; 2]);
        while let Some(stone) = group.pop() {
            let along = match color {
                Color::Red => stone.row(),
                Color::Blue => stone.col(),
            };
            edges[0] |= along == 0;
            edges[1] |= along == last;
            if edges == [true; 2] {
                return true;
            }
            for next in self.neighbours(stone) {
                let index = self.index(next);
                if self.stones[index] == Some(color) && !seen[index] {
                    seen[index] = true;
                    group.push(next);
                }
            }
        }
        false
    }

    /// The cells beside `point` that are on the board.
    fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + '_ {
        const STEPS: [(isize, isize); 6] = [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)];
        STEPS.into_iter().filter_map(move |(rows, cols)| {
            let row = point.row().checked_add_signed(rows)?;
            let col = point.col().checked_add_signed(cols)?;
            Point::new(row, col, self.side)
        })
    }

    /// The position as a board of the bot's, with `to_move` to move, which may have room for more:
    /// see [`Board::of_side`].
    ///
    /// # Panics
    /// If N is less than the position's side.
    pub fn board<const N: usize>(&self, to_move: Color) -> Board<N> {
        let [red, blue] = Color::ALL.map(|color| self.cells(color));
        let board = Board::of_side(self.side.get(), red, blue, to_move);
        board.expect("a cell holds one stone")
    }

    /// The cells of `color`'s stones.
    fn cells<const N: usize>(&self, color: Color) -> CellSet<N> {
        self.stones(color).filter_map(Point::cell).collect()
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
