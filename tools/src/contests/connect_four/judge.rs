//! The rules of Connect Four as far as a finished drawing of the board tells: who is to move, who
//! has won, and whether any game leads to the board at all.
//!
//! A board is possible if and only if its stones can be dropped one at a time, the players taking
//! turns, without anybody having four in a row before the last stone. Removing stones never makes a
//! four, so the second half of that needs a look at one position alone, the one before the last
//! stone. The first half is a question about seven stacks: can they be taken down from the top,
//! colours alternating? How the stones taken so far were ordered does not matter for the rest, so
//! the search visits each combination of column heights once, at most 7⁷ = 823,543 of them.

use std::fmt;

/// Rows of the board.
pub const ROWS: usize = 6;
/// Columns of the board.
pub const COLUMNS: usize = 7;

/// Who drops a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Moves first and is drawn `X`.
    First,
    /// Moves second and is drawn `O`.
    Second,
}

/// A square: empty, or with a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Square(pub Option<Player>);

impl Square {
    /// Reads `.`, `X` or `O`; `None` for every other character.
    pub fn from_char(c: char) -> Option<Self> {
        match c {
            '.' => Some(Square(None)),
            'X' => Some(Square(Some(Player::First))),
            'O' => Some(Square(Some(Player::Second))),
            _ => None,
        }
    }
}

/// What can be said of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The game goes on and this player is to move.
    Moves(Player),
    /// This player has four in a row.
    Wins(Player),
    /// The board is full and nobody has four in a row.
    Draw,
    /// No legal order of play leads to the board.
    Invalid,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Verdict::Moves(Player::First) => "first player moves",
            Verdict::Moves(Player::Second) => "second player moves",
            Verdict::Wins(Player::First) => "first player wins",
            Verdict::Wins(Player::Second) => "second player wins",
            Verdict::Draw => "draw game",
            Verdict::Invalid => "invalid",
        })
    }
}

/// One player's stones; bit `7 * column + height` is a stone, height 0 at the bottom. The seventh
/// bit of a column stays empty, so that lines do not run on from one column into the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Stones(u64);

impl Stones {
    const fn bit(column: usize, height: usize) -> u64 {
        1 << ((ROWS + 1) * column + height)
    }

    /// Are four in a row anywhere?
    fn has_four(self) -> bool {
        // Steps to the next square up, to the right, down right and up right.
        const STEPS: [usize; 4] = [1, ROWS + 1, ROWS, ROWS + 2];
        STEPS.into_iter().any(|step| {
            let pairs = self.0 & self.0 >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }
}

/// The stones of a column from the bottom.
#[derive(Clone, Copy, Debug)]
struct Column {
    stones: [Player; ROWS],
    height: usize,
}

impl Column {
    fn top(&self) -> Option<Player> {
        Some(self.stones[self.height.checked_sub(1)?])
    }
}

/// A drawing of the board, possible or not.
///
/// ```
/// use hex_tools::contests::connect_four::judge::{Board, Player, Square, Verdict};
/// let rows = [".......", ".......", ".......", "...X...", "...O...", "...X..."];
/// let squares = rows.map(|row| {
///     let row: Vec<Square> = row.chars().map(|c| Square::from_char(c).unwrap()).collect();
///     row.try_into().unwrap()
/// });
/// assert_eq!(Board::from_rows(&squares).verdict(), Verdict::Moves(Player::Second));
/// ```
#[derive(Clone, Debug)]
pub struct Board {
    /// The columns from the left; `None` if a stone floats above an empty square.
    columns: Option<[Column; COLUMNS]>,
}

impl Board {
    /// The board with these rows, the top row first.
    pub fn from_rows(rows: &[[Square; COLUMNS]; ROWS]) -> Self {
        let mut columns = [Column {
            stones: [Player::First; ROWS],
            height: 0,
        }; COLUMNS];
        for (height, row) in rows.iter().rev().enumerate() {
            for (column, &Square(stone)) in columns.iter_mut().zip(row) {
                let Some(player) = stone else { continue };
                if column.height < height {
                    return Board { columns: None };
                }
                column.stones[height] = player;
                column.height += 1;
            }
        }
        Board {
            columns: Some(columns),
        }
    }

    /// Judges the board. At most about a million steps, a few milliseconds.
    pub fn verdict(&self) -> Verdict {
        match &self.columns {
            Some(columns) => verdict(columns),
            None => Verdict::Invalid,
        }
    }
}

fn verdict(columns: &[Column; COLUMNS]) -> Verdict {
    let count: usize = columns.iter().map(|column| column.height).sum();
    let Some(mover) = last_mover(count) else {
        return Verdict::Moves(Player::First);
    };
    let is_over = has_four(columns);
    let possible = if is_over {
        columns_where(columns, mover).any(|column| {
            let before = without_top(columns, column);
            !has_four(&before) && can_be_built(&before)
        })
    } else {
        can_be_built(columns)
    };
    match (possible, is_over) {
        (false, _) => Verdict::Invalid,
        (true, true) => Verdict::Wins(mover),
        (true, false) if count == ROWS * COLUMNS => Verdict::Draw,
        (true, false) if mover == Player::First => Verdict::Moves(Player::Second),
        (true, false) => Verdict::Moves(Player::First),
    }
}

/// Who dropped stone number `count`; `None` if and only if there is none.
fn last_mover(count: usize) -> Option<Player> {
    match (count, count % 2) {
        (0, _) => None,
        (_, 1) => Some(Player::First),
        _ => Some(Player::Second),
    }
}

/// The columns whose top stone is `player`'s.
fn columns_where(
    columns: &[Column; COLUMNS],
    player: Player,
) -> impl Iterator<Item = usize> + use<'_> {
    (0..COLUMNS).filter(move |&column| columns[column].top() == Some(player))
}

fn without_top(columns: &[Column; COLUMNS], column: usize) -> [Column; COLUMNS] {
    let mut fewer = *columns;
    fewer[column].height -= 1;
    fewer
}

/// Has anybody four in a row?
fn has_four(columns: &[Column; COLUMNS]) -> bool {
    [Player::First, Player::Second].into_iter().any(|player| {
        let mut stones = Stones::default();
        for (number, column) in columns.iter().enumerate() {
            for height in (0..column.height).filter(|&h| column.stones[h] == player) {
                stones.0 |= Stones::bit(number, height);
            }
        }
        stones.has_four()
    })
}

/// Some of the stones, the lowest of each column, while the stacks are taken down.
#[derive(Clone, Copy)]
struct Rest {
    heights: [u8; COLUMNS],
    count: usize,
    /// The heights as digits of one number; digit c counts to column c's full height.
    index: usize,
}

/// Can all these stones be dropped one at a time, the players taking turns?
fn can_be_built(columns: &[Column; COLUMNS]) -> bool {
    let mut strides = [1; COLUMNS];
    for column in 1..COLUMNS {
        strides[column] = strides[column - 1] * (columns[column - 1].height + 1);
    }
    let all = Rest {
        heights: columns.map(|column| column.height as u8),
        count: columns.iter().map(|column| column.height).sum(),
        index: (0..COLUMNS).map(|c| columns[c].height * strides[c]).sum(),
    };
    let mut seen = vec![false; all.index + 1];
    let mut open = vec![all];
    while let Some(rest) = open.pop() {
        let Some(mover) = last_mover(rest.count) else {
            return true;
        };
        for column in 0..COLUMNS {
            let Some(top) = (rest.heights[column] as usize).checked_sub(1) else {
                continue;
            };
            let index = rest.index - strides[column];
            if columns[column].stones[top] == mover && !seen[index] {
                seen[index] = true;
                let mut heights = rest.heights;
                heights[column] -= 1;
                open.push(Rest {
                    heights,
                    count: rest.count - 1,
                    index,
                });
            }
        }
    }
    false
}
