//! Reads the opponent's moves. Any other input is reported and skipped.

use anyhow::Context;
use hex_common::input::shortened;
use std::io::{self, BufRead, Read};

/// The other program's output, from which moves are read.
///
/// A move is two integers, on one line or on two. A line with anything else is skipped as a whole,
/// so that it cannot shift the numbers after it.
pub struct Opponent<R> {
    reader: R,
    /// A row whose column has not been read yet.
    row: Option<i64>,
}

impl<R: BufRead> Opponent<R> {
    /// The most bytes of a line that are kept. A longer line is not a move, and the rest of it is
    /// skipped while it is read.
    const LONGEST_LINE: u64 = 1000;

    /// An opponent before the first move.
    pub fn new(reader: R) -> Self {
        Opponent { reader, row: None }
    }

    /// The opponent's next row and column, or what is wrong with its line. Blank lines are skipped.
    ///
    /// # Errors
    /// If the opponent's output ends or cannot be read.
    pub fn next_move(&mut self) -> anyhow::Result<Result<(i64, i64), String>> {
        loop {
            let line = self.line().context("cannot read the opponent's moves")?;
            let line = line.context("the opponent's moves end before the game does")?;
            let numbers: Result<Vec<i64>, _> = line.split_whitespace().map(str::parse).collect();
            let row = self.row.take();
            match (row, numbers.as_deref()) {
                (_, Ok([])) => self.row = row,
                (None, Ok(&[row])) => self.row = Some(row),
                (Some(row), Ok(&[col])) | (None, Ok(&[row, col])) => return Ok(Ok((row, col))),
                _ => {
                    let line = shortened(line.trim());
                    return Ok(Err(format!(
                        "{line:?} is not a row and a column, such as 3 10"
                    )));
                }
            }
        }
    }

    /// The next line, cut to [`Self::LONGEST_LINE`]; `None` if and only if the output has ended.
    fn line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let mut limited = self.reader.by_ref().take(Self::LONGEST_LINE);
        if limited.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        } else {
            self.reader.skip_until(b'\n')?;
        }
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }
}
