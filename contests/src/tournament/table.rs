//! The rules of the championship: 14×14, rows and columns counted from 0, white first, and the pie
//! rule by repeating the first move. White joins the first row with the last, as Red does.

use hex_core::record::{AnyBoard, AnyCell, Side};
use hexbot::cell::Color;
use std::fmt;

/// The championship's board.
pub const SIDE: Side = Side::of(14);

/// A player of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TablePlayer {
    /// This program.
    Us,
    /// The opponent.
    Them,
}

impl TablePlayer {
    fn other(self) -> TablePlayer {
        match self {
            TablePlayer::Us => TablePlayer::Them,
            TablePlayer::Them => TablePlayer::Us,
        }
    }
}

/// A game: the stones, the player of white, and the player to move. [`Table::play`] changes them
/// together.
#[derive(Clone, Debug)]
pub struct Table {
    position: AnyBoard,
    white: TablePlayer,
    moves: usize,
    last: Option<AnyCell>,
}

impl Table {
    /// The empty board; `first` plays white and begins.
    pub fn new(first: TablePlayer) -> Self {
        Table {
            position: SIDE.board(),
            white: first,
            moves: 0,
            last: None,
        }
    }

    /// The stones.
    pub fn position(&self) -> &AnyBoard {
        &self.position
    }

    /// The player whose turn it is.
    pub fn to_move(&self) -> TablePlayer {
        self.player(self.position.to_move())
    }

    /// Returns true before the first move.
    pub(crate) fn is_empty(&self) -> bool {
        self.moves == 0
    }

    /// The number of cells without a stone.
    pub(crate) fn empty_cells(&self) -> usize {
        self.position.empty_cells().len()
    }

    /// The stone that the player to move may swap.
    pub fn swappable(&self) -> Option<AnyCell> {
        self.last.filter(|_| self.moves == 1)
    }

    /// Who has won; `None` while the game goes on.
    pub fn winner(&self) -> Option<Winner> {
        let color = self.position.winner()?;
        Some(Winner {
            color,
            player: self.player(color),
        })
    }

    fn player(&self, color: Color) -> TablePlayer {
        match color {
            Color::Red => self.white,
            Color::Blue => self.white.other(),
        }
    }

    /// [`play`](Self::play) by row and column.
    ///
    /// # Errors
    /// If there is no such cell or it has a stone; then nothing changes.
    pub fn play_at(&mut self, row: i64, col: i64) -> Result<(), String> {
        let [r, c] = [row, col].map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        let point = SIDE.cell(r, c).ok_or_else(|| {
            let last = SIDE.get() - 1;
            format!("{row} {col} is off the board, rows and columns go from 0 to {last}")
        })?;
        self.play(point)
    }

    /// Plays a cell for the player to move. The cell of the first stone is a swap: the players
    /// exchange colours. The stone stays white, and black stays to move.
    ///
    /// # Errors
    /// If the cell has a stone; then nothing changes.
    pub fn play(&mut self, point: AnyCell) -> Result<(), String> {
        if self.swappable() == Some(point) {
            self.white = self.white.other();
            self.moves += 1;
            return Ok(());
        }
        let to_move = self.position.to_move();
        let placed = self.position.set_up(point, to_move);
        placed.map_err(|_| format!("{} {} holds a stone already", point.row(), point.col()))?;
        self.position.set_to_move(to_move.opponent());
        self.moves += 1;
        self.last = Some(point);
        Ok(())
    }
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Winner {
    /// The winning colour.
    pub(crate) color: Color,
    /// The player of this colour.
    pub player: TablePlayer,
}

impl fmt::Display for Winner {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let color = match self.color {
            Color::Red => "White (b)",
            Color::Blue => "Black (p)",
        };
        let player = match self.player {
            TablePlayer::Us => "this program",
            TablePlayer::Them => "the opponent",
        };
        write!(f, "{color} has won: {player}")
    }
}

/// The board with `b` for white stones and `p` for black stones, and the last stone in brackets.
/// Rows and columns have numbers, and each row is indented more than the row above.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "  ")?;
        (0..SIDE.get()).try_for_each(|col| write!(f, "{col:>3}"))?;
        writeln!(f)?;
        for row in 0..SIDE.get() {
            write!(f, "{:indent$}{row:>2} ", "", indent = row * 3 / 2)?;
            for point in (0..SIDE.get()).filter_map(|col| SIDE.cell(row, col)) {
                let stone = match self.position.at(point) {
                    None => '.',
                    Some(Color::Red) => 'b',
                    Some(Color::Blue) => 'p',
                };
                if self.last == Some(point) {
                    write!(f, "[{stone}]")?;
                } else {
                    write!(f, " {stone} ")?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
