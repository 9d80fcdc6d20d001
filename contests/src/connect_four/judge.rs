//! The rules of Connect Four for a drawing of a board: who is to move, who has won, and whether any
//! game leads to the board.
//!
//! A board is possible if and only if two conditions hold: its stones can be dropped one at a time
//! with alternating colours, and there is no four in a row before the last stone. Removing stones
//! never makes a four in a row. So the second condition concerns only the position before the last
//! stone. For the first condition, a search removes stones from the tops of the columns with
//! alternating colours. The order of the removed stones does not matter for the rest, so it visits
//! each combination of column heights once, at most 7⁷ = 823,543.

use std::fmt;

/// Rows of the board.
pub const ROWS: usize = 6;
/// Columns of the board.
pub const COLUMNS: usize = 7;

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectFourPlayer {
    /// Moves first and is drawn `X`.
    First,
    /// Moves second and is drawn `O`.
    Second,
}

/// A square: empty, or with a stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Square(pub Option<ConnectFourPlayer>);

impl Square {
    /// Reads `.`, `X` or `O`; `None` for every other character.
    pub fn from_char(c: char) -> Option<Self> {
        match c {
            '.' => Some(Square(None)),
            'X' => Some(Square(Some(ConnectFourPlayer::First))),
            'O' => Some(Square(Some(ConnectFourPlayer::Second))),
            _ => None,
        }
    }
}

/// The verdict on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardVerdict {
    /// The game goes on and this player is to move.
    Moves(ConnectFourPlayer),
    /// This player has four in a row.
    Wins(ConnectFourPlayer),
    /// The board is full and neither player has four in a row.
    Draw,
    /// No legal order of play leads to the board.
    Invalid,
}

impl fmt::Display for BoardVerdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            BoardVerdict::Moves(ConnectFourPlayer::First) => "first player moves",
            BoardVerdict::Moves(ConnectFourPlayer::Second) => "second player moves",
            BoardVerdict::Wins(ConnectFourPlayer::First) => "first player wins",
            BoardVerdict::Wins(ConnectFourPlayer::Second) => "second player wins",
            BoardVerdict::Draw => "draw game",
            BoardVerdict::Invalid => "invalid",
        })
    }
}

/// One player's stones. Bit `7 * column + height` is a stone; height 0 is at the bottom. The
/// seventh bit of a column stays empty, so that no line continues from one column into the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Stones(u64);

impl Stones {
    const fn bit(column: usize, height: usize) -> u64 {
        1 << ((ROWS + 1) * column + height)
    }

    /// Returns true if the stones contain four in a row.
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
    stones: [ConnectFourPlayer; ROWS],
    height: usize,
}

impl Column {
    fn top(&self) -> Option<ConnectFourPlayer> {
        Some(self.stones[self.height.checked_sub(1)?])
    }
}

/// A drawing of the board, possible or not.
///
/// ```
/// use hex_contests::connect_four::judge::{
///     BoardVerdict, ConnectFourBoard, ConnectFourPlayer, Square,
/// };
/// let rows = [".......", ".......", ".......", "...X...", "...O...", "...X..."];
/// let squares = rows.map(|row| {
///     let row: Vec<Square> = row.chars().map(|c| Square::from_char(c).unwrap()).collect();
///     row.try_into().unwrap()
/// });
/// let board = ConnectFourBoard::from_rows(&squares);
/// assert_eq!(board.verdict(), BoardVerdict::Moves(ConnectFourPlayer::Second));
/// ```
#[derive(Clone, Debug)]
pub struct ConnectFourBoard {
    /// The columns from the left; `None` if there is a stone above an empty square.
    columns: Option<[Column; COLUMNS]>,
}

impl ConnectFourBoard {
    /// The board with these rows, the top row first.
    pub fn from_rows(rows: &[[Square; COLUMNS]; ROWS]) -> Self {
        let mut columns = [Column {
            stones: [ConnectFourPlayer::First; ROWS],
            height: 0,
        }; COLUMNS];
        for (height, row) in rows.iter().rev().enumerate() {
            for (column, &Square(stone)) in columns.iter_mut().zip(row) {
                let Some(player) = stone else { continue };
                if column.height < height {
                    return ConnectFourBoard { columns: None };
                }
                column.stones[height] = player;
                column.height += 1;
            }
        }
        ConnectFourBoard {
            columns: Some(columns),
        }
    }

    /// Judges the board. The cost is at most about a million steps, a few milliseconds.
    pub fn verdict(&self) -> BoardVerdict {
        match &self.columns {
            Some(columns) => verdict(columns),
            None => BoardVerdict::Invalid,
        }
    }
}

fn verdict(columns: &[Column; COLUMNS]) -> BoardVerdict {
    let count: usize = columns.iter().map(|column| column.height).sum();
    let Some(mover) = last_mover(count) else {
        return BoardVerdict::Moves(ConnectFourPlayer::First);
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
        (false, _) => BoardVerdict::Invalid,
        (true, true) => BoardVerdict::Wins(mover),
        (true, false) if count == ROWS * COLUMNS => BoardVerdict::Draw,
        (true, false) if mover == ConnectFourPlayer::First => {
            BoardVerdict::Moves(ConnectFourPlayer::Second)
        }
        (true, false) => BoardVerdict::Moves(ConnectFourPlayer::First),
    }
}

/// The player of stone number `count`; `None` if and only if `count` is 0.
fn last_mover(count: usize) -> Option<ConnectFourPlayer> {
    match (count, count % 2) {
        (0, _) => None,
        (_, 1) => Some(ConnectFourPlayer::First),
        _ => Some(ConnectFourPlayer::Second),
    }
}

/// The columns whose top stone is `player`'s.
fn columns_where(
    columns: &[Column; COLUMNS],
    player: ConnectFourPlayer,
) -> impl Iterator<Item = usize> + use<'_> {
    (0..COLUMNS).filter(move |&column| columns[column].top() == Some(player))
}

fn without_top(columns: &[Column; COLUMNS], column: usize) -> [Column; COLUMNS] {
    let mut fewer = *columns;
    fewer[column].height -= 1;
    fewer
}

/// Returns true if either player has four in a row.
fn has_four(columns: &[Column; COLUMNS]) -> bool {
    [ConnectFourPlayer::First, ConnectFourPlayer::Second]
        .into_iter()
        .any(|player| {
            let mut stones = Stones::default();
            for (number, column) in columns.iter().enumerate() {
                for height in (0..column.height).filter(|&h| column.stones[h] == player) {
                    stones.0 |= Stones::bit(number, height);
                }
            }
            stones.has_four()
        })
}

/// The stones that are left during the search, the lowest of each column.
#[derive(Clone, Copy)]
struct StonesLeft {
    heights: [u8; COLUMNS],
    count: usize,
    /// The heights as digits of one number; digit c is from 0 to the full height of column c.
    index: usize,
}

/// Returns true if all these stones can be dropped one at a time with alternating colours.
fn can_be_built(columns: &[Column; COLUMNS]) -> bool {
    let mut strides = [1; COLUMNS];
    for column in 1..COLUMNS {
        strides[column] = strides[column - 1] * (columns[column - 1].height + 1);
    }
    let all = StonesLeft {
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
                open.push(StonesLeft {
                    heights,
                    count: rest.count - 1,
                    index,
                });
            }
        }
    }
    false
}
