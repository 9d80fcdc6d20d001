//! Reads the header and the turns of CodinGame's judge. [`crate::player::Reply`] writes the
//! answers.
//!
//! The reader never fails. It reports malformed input with its line, and makes an assumption that
//! keeps the answer legal: a missing or unreadable cell counts as an opponent's stone, so the bot
//! does not play there.

use crate::board::Board;
use crate::cell::{Cell, Color};
use crate::cell_set::CellSet;
use crate::quoted::quoted;
use std::io::BufRead;

/// The side of CodinGame's board.
pub const SIDE: usize = 11;

/// The largest side that is accepted.
const MAX_SIDE: usize = 26;

/// The first line: the board's side and our colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Rows and columns of the judge's board.
    pub side: usize,
    /// Our colour.
    pub color: Color,
}

/// One turn.
#[derive(Clone)]
pub struct Turn<const N: usize> {
    /// The position, with us to move. It depends only on the rows.
    pub board: Board<N>,
    /// Cells that could not be read. On `board` they hold opponent's stones.
    pub unreadable: CellSet<N>,
}

/// The mark of one cell in a row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Empty,
    Stone(Color),
    Unreadable,
}

impl Mark {
    fn of(text: char) -> Mark {
        match text {
            '.' => Mark::Empty,
            'r' => Mark::Stone(Color::Red),
            'b' => Mark::Stone(Color::Blue),
            _ => Mark::Unreadable,
        }
    }
}

/// Reads the judge's text line by line.
pub struct Reader<R> {
    input: R,
    line_number: usize,
    /// A line that was read, but belongs to the next part.
    put_back: Option<String>,
    warnings: Vec<String>,
}

impl<R: BufRead> Reader<R> {
    /// Reads from `input`.
    pub fn new(input: R) -> Self {
        Reader {
            input,
            line_number: 0,
            put_back: None,
            warnings: Vec::new(),
        }
    }

    /// The warnings since the last call, a line each: the malformed input and the assumption. Only
    /// the first few, because the judge keeps little.
    pub fn report(&mut self) -> String {
        const SHOWN: usize = 4;
        let mut report: String = self
            .warnings
            .iter()
            .take(SHOWN)
            .map(|warning| format!("{warning}\n"))
            .collect();
        if self.warnings.len() > SHOWN {
            report += &format!("and {} more\n", self.warnings.len() - SHOWN);
        }
        self.warnings.clear();
        report
    }

    /// Waits for the header and reads it. `None` if and only if the input ends before it.
    pub fn header(&mut self) -> Option<Header> {
        let line = self.next_line()?;
        let mut tokens = line.split_whitespace();
        let side = tokens.next().unwrap_or_default();
        let color = tokens
            .next()
            .map(str::to_owned)
            .or_else(|| self.color_on_its_own_line());
        Some(Header {
            side: match side.parse() {
                Ok(SIDE) => SIDE,
                Ok(side) if (1..=MAX_SIDE).contains(&side) => {
                    self.warn(format!("the board has side {side} instead of {SIDE}"));
                    side
                }
                _ => {
                    self.warn(format!("{} is no board size; assumed {SIDE}", quoted(side)));
                    SIDE
                }
            },
            color: match color.as_deref().map(str::to_ascii_lowercase).as_deref() {
                Some("red") => Color::Red,
                Some("blue") => Color::Blue,
                other => {
                    let other = quoted(other.unwrap_or_default());
                    self.warn(format!("{other} is neither red nor blue; assumed red"));
                    Color::Red
                }
            },
        })
    }

    fn color_on_its_own_line(&mut self) -> Option<String> {
        let line = self.next_line()?;
        match line.trim() {
            color @ ("red" | "blue") => Some(color.to_owned()),
            _ => {
                self.put_back(line);
                None
            }
        }
    }

    /// Waits until the first line of a turn has arrived. False if and only if the input ends before
    /// it.
    pub fn wait(&mut self) -> bool {
        let line = self.next_line();
        let arrived = line.is_some();
        self.put_back = line;
        self.line_number -= arrived as usize;
        arrived
    }

    /// Reads one turn: the last move and the rows. The last move is ignored, because the rows
    /// contain the whole position. A board of another side than N is read into the top left corner;
    /// cells outside either board count as unreadable.
    pub fn turn<const N: usize>(&mut self, header: Header) -> Turn<N> {
        self.skip_last_move::<N>(header.side);
        let mut board_cells = [CellSet::EMPTY; 2];
        let mut unreadable = CellSet::FULL;
        for row in 0..header.side {
            let Some(marks) = self.row(header.side, row) else {
                break;
            };
            for (col, mark) in marks.into_iter().enumerate() {
                let Some(cell) = Cell::<N>::new(row, col) else {
                    continue;
                };
                match mark {
                    Mark::Empty => unreadable.remove(cell),
                    Mark::Stone(color) => {
                        unreadable.remove(cell);
                        board_cells[color.index()].insert(cell);
                    }
                    Mark::Unreadable => {}
                }
            }
        }
        board_cells[header.color.opponent().index()] |= unreadable;
        let [red, blue] = board_cells;
        let board = Board::from_stones(red, blue, header.color);
        Turn {
            board: board.expect("every cell was read once"),
            unreadable,
        }
    }

    /// Reads the line with the last move. Puts it back if it is a row.
    fn skip_last_move<const N: usize>(&mut self, side: usize) {
        let Some(line) = self.next_line() else { return };
        let text = line.trim();
        if matches!(text, "empty" | "swap-pieces") || is_cell(text, side) {
            return;
        }
        if line
            .chars()
            .all(|c| c.is_whitespace() || Mark::of(c) != Mark::Unreadable)
        {
            self.warn("the last move is missing; the rows are trusted".to_owned());
            self.put_back(line);
        } else {
            let text = quoted(text);
            self.warn(format!("{text} is no last move; the rows are trusted"));
        }
    }

    /// Reads a row of `side` cells. `None` if the turn has no further row.
    fn row(&mut self, side: usize, row: usize) -> Option<Vec<Mark>> {
        let number = row + 1;
        let Some(line) = self.next_line() else {
            self.warn(format!(
                "the input ends before row {number}; took the rest as occupied"
            ));
            return None;
        };
        if matches!(line.trim(), "empty" | "swap-pieces") || is_cell(line.trim(), side) {
            self.warn(format!(
                "row {number} is missing; took the rest as occupied"
            ));
            self.put_back(line);
            return None;
        }
        let mut marks = Vec::with_capacity(side);
        for token in line.split_whitespace() {
            let all_readable = token.chars().all(|c| Mark::of(c) != Mark::Unreadable);
            if all_readable {
                marks.extend(token.chars().map(Mark::of));
            } else {
                marks.push(Mark::Unreadable);
                let (cell, token) = (marks.len(), quoted(token));
                self.warn(format!(
                    "row {number}, cell {cell}: {token} is none of . r b; took it as occupied"
                ));
            }
        }
        if marks.len() != side {
            let count = marks.len();
            self.warn(format!(
                "row {number} has {count} cells instead of {side}; took missing ones as occupied"
            ));
            marks.truncate(side);
        }
        Some(marks)
    }

    /// The next line that is not blank; `None` at the end of the input.
    fn next_line(&mut self) -> Option<String> {
        if self.put_back.is_some() {
            self.line_number += 1;
            return self.put_back.take();
        }
        loop {
            let mut bytes = Vec::new();
            match self.input.read_until(b'\n', &mut bytes) {
                Ok(0) | Err(_) => return None,
                Ok(_) => self.line_number += 1,
            }
            if !bytes.trim_ascii().is_empty() {
                return Some(String::from_utf8_lossy(&bytes).into_owned());
            }
        }
    }

    fn put_back(&mut self, line: String) {
        self.line_number -= 1;
        self.put_back = Some(line);
    }

    fn warn(&mut self, what: String) {
        self.warnings
            .push(format!("line {}: {what}", self.line_number));
    }
}

/// Returns true if the text names a cell of a board of `side`.
fn is_cell(text: &str, side: usize) -> bool {
    text.parse::<Cell<MAX_SIDE>>()
        .is_ok_and(|cell| cell.row() < side && cell.col() < side)
}
