//! `hex connect-four`: reads boards of Connect Four and prints a line with the verdict for each.
//! Here are the arguments and the reader; [`judge`] has the rules.

pub mod judge;

use hex_common::input::{shortened, Line, Lines};
use judge::{ConnectFourBoard, COLUMNS, ROWS};
use std::io::Write;
use std::path::PathBuf;

/// Judge Connect Four boards: whose move, won, drawn or impossible
///
/// A board is six lines of seven characters, the top row first: `.` is an empty square, `X` a stone
/// of the first player, `O` a stone of the second player. Blank lines separate boards. Braces,
/// quotes and commas around rows are ignored, so that `{"…….", …}` can be pasted unchanged.
///
/// The output has one line for each board: `first player moves`, `second player moves`, `first
/// player wins`, `second player wins`, `draw game`, or `invalid` if no legal order of play leads to
/// the board.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The boards; standard input if left out
    file: Option<PathBuf>,
}

/// Judges every board of the input.
///
/// # Errors
/// If the input does not consist of boards. The verdicts of the boards before the error have been
/// printed.
pub fn run(args: Args) -> anyhow::Result<()> {
    let mut lines = Lines::open(args.file.as_deref())?;
    judge_all(&mut lines, &mut std::io::stdout().lock())
}

/// Reads boards until the input ends, and writes a line with the verdict for each.
///
/// # Errors
/// If the input does not consist of boards, or the output cannot be written.
pub fn judge_all(lines: &mut Lines, output: &mut impl Write) -> anyhow::Result<()> {
    let mut boards = 0;
    while let Some(rows) = next_board(lines)? {
        writeln!(output, "{}", ConnectFourBoard::from_rows(&rows).verdict())?;
        boards += 1;
    }
    if boards == 0 {
        let problem = "there is no board; a board is six lines of seven characters . X O";
        return Err(lines.error(lines.lines_read().max(1), problem).into());
    }
    Ok(())
}

type Row = [judge::Square; COLUMNS];

/// The next board's rows; `None` if and only if only blank lines are left.
fn next_board(lines: &mut Lines) -> anyhow::Result<Option<[Row; ROWS]>> {
    let mut rows: Vec<Row> = Vec::new();
    while let Some(line) = lines.next_line()? {
        if line.text.trim().is_empty() {
            if rows.is_empty() {
                continue;
            }
            break;
        }
        for token in tokens(&line.text) {
            if rows.len() == ROWS {
                let problem =
                    "a seventh row; a board has six rows and a blank line between two boards";
                return Err(lines.error(line.number, problem).into());
            }
            rows.push(parse_row(token, lines, &line)?);
        }
        if line.text.contains('}') {
            break;
        }
    }
    if rows.is_empty() {
        return Ok(None);
    }
    let count = rows.len();
    let rows = rows.try_into().map_err(|_| {
        let problem = format!("the board ends after {count} rows; a board has six");
        lines.error(lines.lines_read(), problem)
    })?;
    Ok(Some(rows))
}

/// The rows in a line: all text between blanks, braces, quotes and commas.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || "{}\",".contains(c))
        .filter(|token| !token.is_empty())
}

fn parse_row(token: &str, lines: &Lines, line: &Line) -> anyhow::Result<Row> {
    let squares = token
        .chars()
        .map(|c| {
            judge::Square::from_char(c).ok_or_else(|| {
                let quote = shortened(token);
                let problem = format!("{c:?} in the row {quote:?}; a row is made of . X O");
                lines.error(line.number, problem)
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let length = squares.len();
    squares.try_into().map_err(|_| {
        let quote = shortened(token);
        let problem = format!("the row {quote:?} has {length} squares; a row has {COLUMNS}");
        lines.error(line.number, problem).into()
    })
}
