//! A study: openings with the win rates and priors of a far stronger network. `train/study.py`
//! reads such files to learn from.

use anyhow::Context;
use flate2::read::MultiGzDecoder;
use hex_common::input::{self, shortened, Lines};
use hex_core::record::{AnyCell, Side};
use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::Path;

/// The board of studies and books.
pub const SIDE: Side = Side::CODINGAME;

/// A move whose result the study judges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StudiedMove {
    /// The cell to play on.
    pub(crate) cell: AnyCell,
    /// The stronger network's policy, 0 to 1.
    pub(crate) prior: f64,
    /// The win probability of the player who makes the move, 0 to 1.
    pub wins: f64,
}

/// The judged moves of positions.
#[derive(Debug, Default)]
pub struct Study(BTreeMap<Vec<AnyCell>, StudiedPosition>);

/// A position as the file has it, with Red's win probabilities.
#[derive(Debug)]
struct StudiedPosition {
    wins: f64,
    judged: Vec<StudiedMove>,
}

impl Study {
    /// Reads a study; a file called `….gz` is unpacked.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is no position. The error names the line.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let mut lines = open(path)?;
        let mut positions = BTreeMap::new();
        while let Some(line) = lines.next_line()? {
            let position = parse(&line.text);
            let (moves, position) = position.map_err(|why| lines.error(line.number, why))?;
            positions.insert(moves, position);
        }
        let mut study = Study(positions);
        study.back_up();
        Ok(study)
    }

    /// The judged moves after `moves`; none if the study lacks the position.
    pub fn judged(&self, moves: &[AnyCell]) -> &[StudiedMove] {
        self.0.get(moves).map_or(&[], |position| &position.judged)
    }

    /// Replaces the win probability of a move by the mean of the next position's and of the best
    /// move's there, longer lines first. So what follows counts as far as the study looked, and one
    /// misjudged position alone does not decide. Also changes win probabilities from Red's to those
    /// of the player who moves.
    fn back_up(&mut self) {
        let lines: Vec<Vec<AnyCell>> = self.0.keys().cloned().collect();
        // In the order of the map a line comes after its beginning.
        for moves in lines.iter().rev() {
            let position = self.0.get_mut(moves).expect("its key");
            let red_moves = moves.len() % 2 == 0;
            let better = if red_moves { f64::max } else { f64::min };
            let rates = position.judged.iter().map(|judged| judged.wins);
            let best = rates.reduce(better);
            let wins = best.map_or(position.wins, |best| (position.wins + best) / 2.0);
            if !red_moves {
                for judged in &mut position.judged {
                    judged.wins = 1.0 - judged.wins;
                }
            }
            let (last, before) = moves.split_last().expect("no line is empty");
            let above = self.0.get_mut(before).map(|above| above.judged.iter_mut());
            let same = above.and_then(|mut judged| judged.find(|judged| judged.cell == *last));
            if let Some(judged) = same {
                judged.wins = wins;
            }
        }
    }
}

fn open(path: &Path) -> anyhow::Result<Lines> {
    if path.extension().is_none_or(|extension| extension != "gz") {
        return Lines::open(Some(path));
    }
    let name = path.display().to_string();
    let file = input::open(path, None).with_context(|| format!("cannot open {name}"))?;
    let unpacked = BufReader::new(MultiGzDecoder::new(file));
    Ok(Lines::new(&name, Box::new(unpacked)))
}

/// Reads a line, or says why it is no position.
fn parse(line: &str) -> Result<(Vec<AnyCell>, StudiedPosition), String> {
    let parts: Vec<&str> = line.split('\t').collect();
    let [moves, rate, candidates] = parts[..] else {
        let line = shortened(line);
        return Err(format!(
            "{line:?} is not MOVES TAB RATE TAB CELL:PRIOR:RATE …"
        ));
    };
    let moves = moves.split_whitespace().map(cell);
    let moves = moves.collect::<Result<Vec<AnyCell>, _>>()?;
    if moves.is_empty() {
        return Err("no moves: a position has at least one stone".to_owned());
    }
    let mut judged = Vec::new();
    let mut seen = moves.clone();
    for candidate in candidates.split_whitespace() {
        let parts: Vec<&str> = candidate.split(':').collect();
        let [name, prior, rate] = parts[..] else {
            return Err(format!("{candidate:?} is not CELL:PRIOR:RATE"));
        };
        let (cell, prior) = (cell(name)?, share(prior)?);
        seen.push(cell);
        if !rate.is_empty() {
            let wins = share(rate)?;
            judged.push(StudiedMove { cell, prior, wins });
        }
    }
    let twice = (1..seen.len()).find(|&at| seen[..at].contains(&seen[at]));
    if let Some(at) = twice {
        return Err(format!("{} occurs twice", seen[at]));
    }
    let wins = share(rate)?;
    Ok((moves, StudiedPosition { wins, judged }))
}

fn cell(name: &str) -> Result<AnyCell, String> {
    SIDE.parse_cell(name).map_err(|error| error.to_string())
}

/// Reads thousandths.
fn share(text: &str) -> Result<f64, String> {
    let number = text.parse::<u16>().ok().filter(|&number| number <= 1000);
    let number = number.ok_or_else(|| format!("{text:?} is not a number from 0 to 1000"))?;
    Ok(f64::from(number) / 1000.0)
}
