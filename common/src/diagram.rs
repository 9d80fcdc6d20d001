//! Draws boards as text for a terminal, with the names of rows and columns.

use hex_core::record::{AnyBoard, AnyCell, Side};
use std::fmt;

/// A board to draw.
///
/// ```
/// use hex_common::diagram::Diagram;
/// use hex_core::record::Side;
/// use hexbot::cell::Color;
/// let side = Side::of(3);
/// let position = side.position([(side.parse_cell("b2").unwrap(), Color::Red)], Color::Blue);
/// let drawn = Diagram::new(&position).with_stones(['X', 'O']).to_string();
/// assert_eq!(drawn, "  a b c\n1  . . .\n 2  . X .\n  3  . . .\n");
/// ```
#[derive(Clone, Debug)]
pub struct Diagram<'a> {
    position: &'a AnyBoard,
    stones: [char; 2],
    last: Option<AnyCell>,
}

impl<'a> Diagram<'a> {
    /// A drawing with `r` and `b` for the stones.
    pub fn new(position: &'a AnyBoard) -> Self {
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
    pub fn with_last_move(self, last: Option<AnyCell>) -> Self {
        Diagram { last, ..self }
    }

    fn stone(&self, point: AnyCell) -> char {
        match self.position.at(point) {
            Some(color) => self.stones[color.index()],
            None => '.',
        }
    }
}

/// A line of column letters, then one line for each row. Each row is indented one more than the row
/// above, so that neighbouring cells are neighbours in the drawing.
impl fmt::Display for Diagram<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let side = Side::of_board(self.position);
        let width = side.to_string().len();
        write!(f, "{:width$}", "")?;
        for column in ('a'..='z').take(side.get()) {
            write!(f, " {column}")?;
        }
        writeln!(f)?;
        for row in 0..side.get() {
            write!(f, "{:row$}{:>width$} ", "", row + 1)?;
            for point in (0..side.get()).filter_map(|col| side.cell(row, col)) {
                let is_last = self.last == Some(point);
                let before_is_last =
                    point.col() > 0 && self.last == side.cell(row, point.col() - 1);
                let before = match (is_last, before_is_last) {
                    (true, _) => '[',
                    (_, true) => ']',
                    _ => ' ',
                };
                write!(f, "{before}{}", self.stone(point))?;
            }
            let closes = self.last == side.cell(row, side.get() - 1) && self.last.is_some();
            writeln!(f, "{}", if closes { "]" } else { "" })?;
        }
        Ok(())
    }
}
