//! The input that CodinGame's judge sends to a player: once `11 red`, then on each turn the last
//! move (`empty`, a cell or `swap-pieces`) and the rows of the board.

use crate::record::{AnyCell, Game, GameError, Move, RecordError, Side};
use hexbot::cell::Color;
use std::fmt::{Display, Write};

/// The header and the turn of the player to move.
pub fn write(game: &Game) -> String {
    header(game) + &turn(game)
}

/// The line that comes before a player's first turn: the side of the board and the player's colour.
pub fn header(game: &Game) -> String {
    format!("{} {}\n", game.side(), game.to_move())
}

/// The text of a turn: the last move, then the rows. The last move is `empty` if there is none, or
/// if it is one that CodinGame does not have.
pub fn turn(game: &Game) -> String {
    let last = game.turns().last().map(|turn| turn.action);
    let mut text = match last {
        Some(action @ (Move::Place(_) | Move::SwapPieces)) => format!("{action}\n"),
        Some(Move::SwapSides | Move::Pass) | None => "empty\n".to_owned(),
    };
    for line in game.position().to_string().lines() {
        let _ = writeln!(text, "{}", line.trim_start());
    }
    text
}

/// The line before the rows of a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LastMove {
    Empty,
    Swap,
    Cell(AnyCell),
}

impl LastMove {
    fn of(line: &str) -> Option<LastMove> {
        match line.trim() {
            "empty" => Some(LastMove::Empty),
            "swap-pieces" => Some(LastMove::Swap),
            // The largest board has every cell name.
            cell => cell.parse().ok().map(LastMove::Cell),
        }
    }
}

/// A line with its number, from 1.
type Numbered<'a> = (usize, &'a str);

/// The lines that are not blank.
fn lines(text: &str) -> impl Iterator<Item = Numbered<'_>> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| (index + 1, line))
}

/// Whether the text begins like the judge's input: with the header, or with a last move and a row.
pub(crate) fn begins(text: &str) -> bool {
    let mut lines = lines(text).map(|(_, line)| line);
    let (Some(first), second) = (lines.next(), lines.next()) else {
        return false;
    };
    let is_row = |line: &str| {
        line.split_whitespace()
            .all(|word| stones_of(word).is_some())
    };
    let follows = second.is_some_and(is_row);
    header_of(first, second).is_some() || LastMove::of(first).is_some() && follows
}

/// The side, the colour and the number of lines that they take. Some judges write the colour on a
/// line of its own.
fn header_of(first: &str, second: Option<&str>) -> Option<(usize, Color, usize)> {
    let words: Vec<&str> = first.split_whitespace().collect();
    let (side, color, lines) = match (&words[..], second) {
        (&[side, color], _) => (side, color, 1),
        (&[side], Some(color)) => (side, color.trim(), 2),
        _ => return None,
    };
    let color = match color {
        "red" => Color::Red,
        "blue" => Color::Blue,
        _ => return None,
    };
    Some((side.parse().ok()?, color, lines))
}

/// The squares that a word of a row shows, each with its stone; `None` if the word has other signs.
pub(in crate::record) fn stones_of(word: &str) -> Option<Vec<Option<Color>>> {
    let squares = word.chars().map(|c| match c {
        '.' => Some(None),
        'r' => Some(Some(Color::Red)),
        'b' => Some(Some(Color::Blue)),
        _ => None,
    });
    squares.collect()
}

/// The position of a turn, for the player who receives it. Its last move becomes a turn of the
/// game, so that Blue may swap; all other stones are set up. If there are several turns, only the
/// last one counts.
///
/// # Errors
/// If a line is malformed, rows are missing, or the last move contradicts the stones.
pub fn parse(text: &str) -> Result<Game, RecordError> {
    let mut reader = Reader {
        lines: lines(text).collect(),
        at: 0,
    };
    let header = reader.header()?;
    let mut turns = 0;
    let mut turn = reader.turn(header.map(|(side, _)| side))?;
    while reader.at < reader.lines.len() {
        turn = reader.turn(Some(turn.side))?;
        turns += 1;
    }
    let mut game = turn.game(header.map(|(_, color)| color))?;
    if turns > 0 {
        let note = format!("of {} turns the last one is read", turns + 1);
        game.notes.push(note);
    }
    Ok(game)
}

struct Reader<'a> {
    lines: Vec<Numbered<'a>>,
    /// How many of them have been read.
    at: usize,
}

/// A turn as the text has it.
struct TurnInput {
    /// The line of the last move.
    line: usize,
    last: LastMove,
    side: Side,
    stones: Vec<(AnyCell, Color)>,
}

fn error(line: usize, why: impl Display) -> RecordError {
    RecordError::new(format!("line {line}: {why}"))
}

/// How much of a malformed line an error shows, in characters.
const SHOWN: usize = 40;

fn shown(line: &str) -> String {
    line.trim().chars().take(SHOWN).collect()
}

impl<'a> Reader<'a> {
    /// The header, if there is one.
    fn header(&mut self) -> Result<Option<(Side, Color)>, RecordError> {
        let Some(&(line, first)) = self.lines.first() else {
            return Err(error(1, "the input is empty"));
        };
        let second = self.lines.get(1).map(|&(_, second)| second);
        let Some((side, color, lines)) = header_of(first, second) else {
            return Ok(None);
        };
        self.at = lines;
        let side = Side::try_from(side).map_err(|why| error(line, why))?;
        Ok(Some((side, color)))
    }

    /// The next line. If it is missing, the error calls it `what`.
    fn next(&mut self, what: &str) -> Result<Numbered<'a>, RecordError> {
        let last = self.lines.last().map_or(1, |&(line, _)| line);
        let found = self.lines.get(self.at).copied();
        self.at += 1;
        found.ok_or_else(|| error(last, format!("the text ends before {what}")))
    }

    /// The last move and the rows. If the side is unknown, it is the length of the first row.
    fn turn(&mut self, side: Option<Side>) -> Result<TurnInput, RecordError> {
        let (line, text) = self.next("the last move")?;
        let last = LastMove::of(text).ok_or_else(|| {
            let why = format!(
                "{:?} is not a last move: a cell, empty or swap-pieces",
                shown(text)
            );
            error(line, why)
        })?;
        let mut turn = TurnInput {
            line,
            last,
            side: side.unwrap_or(Side::CODINGAME),
            stones: Vec::new(),
        };
        let mut row = 0;
        while row == 0 || row < turn.side.get() {
            let (line, text) = self.next(&format!("row {}", row + 1))?;
            let squares = squares(line, text)?;
            if row == 0 && side.is_none() {
                turn.side = Side::try_from(squares.len()).map_err(|why| error(line, why))?;
            }
            if squares.len() != turn.side.get() {
                let (count, side) = (squares.len(), turn.side);
                let why = format!("{count} cells, where a row of side {side} has {side}");
                return Err(error(line, why));
            }
            for (col, square) in squares.into_iter().enumerate() {
                let stone = turn.side.cell(row, col).zip(square);
                turn.stones.extend(stone);
            }
            row += 1;
        }
        Ok(turn)
    }
}

/// The squares of a row; blanks are skipped.
fn squares(line: usize, text: &str) -> Result<Vec<Option<Color>>, RecordError> {
    let mut squares = Vec::new();
    for word in text.split_whitespace() {
        let of_word = stones_of(word);
        squares.extend(of_word.ok_or_else(|| {
            let why = format!("{:?} is not a row of . r b", shown(word));
            error(line, why)
        })?);
    }
    Ok(squares)
}

impl TurnInput {
    /// The game that ends in this position.
    fn game(&self, player: Option<Color>) -> Result<Game, RecordError> {
        let to_move = self.to_move(player)?;
        if let Some(player) = player.filter(|&player| player != to_move) {
            let why = format!(
                "after this move {to_move} is to move, but the header says that we are {player}"
            );
            return Err(error(self.line, why));
        }
        let built = match self.last {
            LastMove::Empty => self.set_up(None, to_move),
            LastMove::Swap => self.swapped(),
            LastMove::Cell(cell) => self.set_up(Some(cell), to_move),
        };
        built.map_err(|why| error(self.line, why))
    }

    /// The player to move, by the last move or, without one, by the header or the stones.
    fn to_move(&self, player: Option<Color>) -> Result<Color, RecordError> {
        let count = |color| self.stones.iter().filter(|stone| stone.1 == color).count();
        let (red, blue) = (count(Color::Red), count(Color::Blue));
        match self.last {
            LastMove::Empty if red > blue => Ok(player.unwrap_or(Color::Blue)),
            LastMove::Empty => Ok(player.unwrap_or(Color::Red)),
            LastMove::Swap if (red, blue) == (0, 1) => Ok(Color::Red),
            LastMove::Swap => {
                let why = format!(
                    "after swap-pieces one blue stone is on the board, not {red} red and {blue} blue"
                );
                Err(error(self.line, why))
            }
            LastMove::Cell(cell) => {
                let stone = self.stones.iter().find(|stone| stone.0 == cell);
                let why = || format!("the last move is {cell}, but the rows have no stone there");
                let stone = stone.ok_or_else(|| error(self.line, why()))?;
                Ok(stone.1.opponent())
            }
        }
    }

    /// Sets up all stones but the last one, and plays that. If the others win already, sets it up
    /// too, because no move follows a win.
    fn set_up(&self, last: Option<AnyCell>, to_move: Color) -> Result<Game, GameError> {
        let mut game = Game::new(self.side);
        let others = self.stones.iter().filter(|stone| Some(stone.0) != last);
        for &(cell, color) in others {
            game.set_up(cell, color)?;
        }
        match last {
            Some(cell) if game.outcome().is_none() => {
                game.begin_with(to_move.opponent())?;
                game.play(Move::Place(cell))?;
            }
            Some(cell) => {
                game.set_up(cell, to_move.opponent())?;
                game.begin_with(to_move)?;
            }
            None => game.begin_with(to_move)?,
        }
        Ok(game)
    }

    /// The game after a swap. The first stone was on the mirrored cell.
    fn swapped(&self) -> Result<Game, GameError> {
        let mut game = Game::new(self.side);
        if let Some((cell, _)) = self.stones.first() {
            game.play(Move::Place(cell.transposed()))?;
            game.play(Move::SwapPieces)?;
        }
        Ok(game)
    }
}
