//! Reads the contest's input format and reports its errors. It does not build boards.

use super::ContestPlayer;
use hex_common::input::{shortened, InputError, Line, Lines};
use hex_core::record::{AnyCell, Side};
use std::collections::HashMap;

/// The most data sets that an input may announce.
const MOST_DATA_SETS: usize = 100;
/// The largest side that a data set may have.
const LARGEST_SIDE: usize = 21;

/// One position of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DataSet {
    /// Side of the board, 1 to 21.
    pub(crate) side: Side,
    /// The stones, in the order of [`ContestPlayer::ALL`]. No cell appears twice.
    stones: [Vec<AnyCell>; 2],
}

impl DataSet {
    /// The cells of `player`'s stones; no cell appears twice.
    pub fn stones(&self, player: ContestPlayer) -> &[AnyCell] {
        &self.stones[player as usize]
    }
}

/// Reads data sets from lines. All blank lines are skipped, because the line of a player without
/// stones is blank. A player's stones may be on several lines.
pub(crate) struct DataSetReader<'a> {
    lines: &'a mut Lines,
}

impl<'a> DataSetReader<'a> {
    /// A reader of these lines, before the first one is read.
    pub(crate) fn new(lines: &'a mut Lines) -> Self {
        DataSetReader { lines }
    }

    /// Reads the first line: the number of data sets, 1 to 100.
    ///
    /// # Errors
    /// If it is missing or not such a number.
    pub(crate) fn number_of_data_sets(&mut self) -> anyhow::Result<usize> {
        let what = "the number of data sets";
        let line = self.line_with(what)?;
        let [count] = self.numbers(&line, what, [1..=MOST_DATA_SETS])?;
        Ok(count)
    }

    /// Reads the next position.
    ///
    /// # Errors
    /// If the lines are not in the format, a cell is off the board or a cell is listed twice.
    pub(crate) fn next_data_set(&mut self) -> anyhow::Result<DataSet> {
        let what = "the side of the board";
        let line = self.line_with(what)?;
        let [side] = self.numbers(&line, what, [Side::MIN..=LARGEST_SIDE])?;
        let side = Side::try_from(side)?;
        let what = "the numbers of X's and of O's stones";
        let line = self.line_with(what)?;
        let most = side.get() * side.get();
        let counts = self.numbers(&line, what, [0..=most, 0..=most])?;
        let mut owners = HashMap::new();
        let mut stones = [Vec::new(), Vec::new()];
        for player in ContestPlayer::ALL {
            stones[player as usize] =
                self.stones(player, counts[player as usize], side, &mut owners)?;
        }
        Ok(DataSet { side, stones })
    }

    /// Checks that only blank lines are left.
    ///
    /// # Errors
    /// If another line is left.
    pub(crate) fn expect_end(&mut self) -> anyhow::Result<()> {
        let Some(line) = self.next_filled_line()? else {
            return Ok(());
        };
        let problem = format!(
            "{:?} after the last data set; the first line is the number of data sets",
            shortened(line.text.trim())
        );
        Err(self.lines.error(line.number, problem).into())
    }

    /// Reads `count` stones of `player`, and adds them to `owners`, the owners of all cells with
    /// stones.
    fn stones(
        &mut self,
        player: ContestPlayer,
        count: usize,
        side: Side,
        owners: &mut HashMap<AnyCell, ContestPlayer>,
    ) -> anyhow::Result<Vec<AnyCell>> {
        let mut stones = Vec::with_capacity(count);
        while stones.len() < count {
            let line = self.line_with(&format!("{}'s stones", player.name()))?;
            for token in line.text.split_whitespace() {
                let error = |problem: String| self.lines.error(line.number, problem);
                if stones.len() == count {
                    let problem = format!(
                        "{:?} is one stone of {} too many; the data set announces {count}",
                        shortened(token),
                        player.name()
                    );
                    return Err(error(problem).into());
                }
                let point = parse_cell(token, side).map_err(error)?;
                if let Some(owner) = owners.insert(point, player) {
                    let problem = format!("{token} is {}'s already", owner.name());
                    return Err(error(problem).into());
                }
                stones.push(point);
            }
        }
        Ok(stones)
    }

    /// The next line that is not blank; `what` names its expected content.
    fn line_with(&mut self, what: &str) -> anyhow::Result<Line> {
        match self.next_filled_line()? {
            Some(line) => Ok(line),
            None => {
                let end = self.lines.lines_read().max(1);
                let problem = format!("the input ends where {what} should follow");
                Err(self.lines.error(end, problem).into())
            }
        }
    }

    fn next_filled_line(&mut self) -> anyhow::Result<Option<Line>> {
        while let Some(line) = self.lines.next_line()? {
            if !line.text.trim().is_empty() {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// The numbers of a line, one for each range.
    fn numbers<const K: usize>(
        &self,
        line: &Line,
        what: &str,
        ranges: [std::ops::RangeInclusive<usize>; K],
    ) -> Result<[usize; K], InputError> {
        let tokens: Vec<&str> = line.text.split_whitespace().collect();
        let fits = |i: usize| -> Option<usize> {
            tokens[i]
                .parse()
                .ok()
                .filter(|number| ranges[i].contains(number))
        };
        let numbers: Option<Vec<usize>> = (tokens.len() == K)
            .then(|| (0..K).map(fits).collect())
            .flatten();
        numbers
            .and_then(|numbers| numbers.try_into().ok())
            .ok_or_else(|| {
                let (least, most) = (ranges[0].start(), ranges[0].end());
                let problem = format!(
                    "{:?} where {what} should be, {} from {least} to {most}",
                    shortened(line.text.trim()),
                    if K == 1 { "a number" } else { "two numbers" },
                );
                self.lines.error(line.number, problem)
            })
    }
}

/// Reads a cell such as `C2`: the letter, in either case, is the column; the number is the row,
/// from 1.
fn parse_cell(token: &str, side: Side) -> Result<AnyCell, String> {
    side.parse_cell(&token.to_ascii_lowercase()).map_err(|_| {
        let last = (b'A' + side.get() as u8 - 1) as char;
        format!(
            "{:?} is not a cell from A1 to {last}{side}",
            shortened(token)
        )
    })
}
