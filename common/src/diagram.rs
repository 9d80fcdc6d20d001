//! Boards drawn as text for a terminal, with the names of rows and columns.

use hex_core::record::{Point, Position};
use std::fmt;

/// A board to draw.
///
/// ```
/// use hex_common::diagram::Diagram;
/// use hex_core::record::{Point, Position, Side};
/// use hexbot::cell::Color;
/// let side = Side::try_from(3).unwrap();
/// let mut position = Position::new(side);
/// position.set(Point::parse("b2", side).unwrap(), Some(Color::Red));
/// let drawn = Diagram::new(&position).with_stones(['X', 'O']).to_string();
/// assert_eq!(drawn, "  a b c\n1  . . .\n 2  . X .\n  3  . . .\n");
/// ```
#[derive(Clone, Debug)]
pub struct Diagram<'a> {
    position: &'a Position,
    stones: [char; 2],
    last: Option<Point>,
}

impl<'a> Diagram<'a> {
    /// A drawing with `r` and `b` for the stones.
    pub fn new(position: &'a Position) -> Self {
        Diagram {
            position,
            stones: ['r', 'b'],
            last: None,
        }
    }

    /// Draws the stones as these characters, in the order of [`hexbot::cell::Color::index`].
    pub fn with_stones(self, stones: [char; 2]) -> Self {
        Diagram { stones, ..self }
    }

    /// Marks the stone of the last move with brackets, if there was one.
    pub fn with_last_move(self, last: Option<Point>) -> Self {
        Diagram { last, ..self }
    }

    fn stone(&self, point: Point) -> char {
        match self.position.at(point) {
            Some(color) => self.stones[color.index()],
            None => '.',
        }
    }
}

/// A line of column letters, then a line a row: each one further in than the row above, so that
/// neighbouring cells are neighbours in the drawing.
impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let side = self.position.side();
        let width = side.to_string().len();
        write!(f, "{:width$}", "")?;
        for column in ('a'..='z').take(side.get()) {
            write!(f, " {column}")?;
        }
        writeln!(f)?;
        for row in 0..side.get() {
            write!(f, "{:row$}{:>width$} ", "", row + 1)?;
            for point in (0..side.get()).filter_map(|col| Point::new(row, col, side)) {
                let is_last = self.last == Some(point);
                let before_is_last =
                    point.col() > 0 && self.last == Point::new(row, point.col() - 1, side);
                let before = match (is_last, before_is_last) {
                    (true, _) => '[',
                    (_, true) => ']',
                    _ => ' ',
                };
                write!(f, "{before}{}", self.stone(point))?;
            }
            let closes = self.last == Point::new(row, side.get() - 1, side) && self.last.is_some();
            writeln!(f, "{}", if closes { "]" } else { "" })?;
        }
        Ok(())
    }
}
