//! The log of a match, `games.jsonl`: a first line that says what the match is, then a line a game,
//! each written whole as soon as the game ends. A killed match loses no line but a torn last one.

use crate::arena::player::Fault;
use crate::record::{Ending, Game, Move, Outcome, Side};
use anyhow::{anyhow, bail, Context, Result};
use hexbot::cell::Color;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;

/// The version of the log's format.
pub const FORMAT: u32 = 1;

/// The first line: what has to agree for a match to be resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchHeader {
    /// [`FORMAT`].
    pub format: u32,
    /// The board's side.
    pub side: usize,
    /// The mode of openings, as on the command line.
    pub openings: String,
    /// The seed of openings.
    pub seed: u64,
    /// The players, in order.
    pub players: Vec<PlayerLine>,
    /// `round-robin` or `gauntlet`.
    pub schedule: String,
}

/// A player in the header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerLine {
    /// Its name.
    pub name: String,
    /// As on the command line.
    pub text: String,
    /// Limit of the first answer, in milliseconds.
    pub first_ms: u64,
    /// Limit of later answers, in milliseconds.
    pub turn_ms: u64,
}

/// A color, as the log writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColorName {
    /// [`Color::Red`].
    Red,
    /// [`Color::Blue`].
    Blue,
}

impl From<Color> for ColorName {
    fn from(color: Color) -> Self {
        match color {
            Color::Red => ColorName::Red,
            Color::Blue => ColorName::Blue,
        }
    }
}

impl From<ColorName> for Color {
    fn from(name: ColorName) -> Self {
        match name {
            ColorName::Red => Color::Red,
            ColorName::Blue => Color::Blue,
        }
    }
}

/// A game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// Its number in the schedule, from 0; games 2k and 2k+1 are a pair.
    pub id: u64,
    /// Which opening, from 0; the seed and this number give its moves.
    pub round: u64,
    /// Red's number in the header.
    pub red: usize,
    /// Blue's number in the header.
    pub blue: usize,
    /// Who won.
    pub winner: ColorName,
    /// `connection`, `resignation`, or the class of the loser's fault.
    pub reason: String,
    /// How many of the moves were forced.
    pub opening: usize,
    /// The moves.
    pub moves: Vec<String>,
    /// What each took, in milliseconds; `null` for the forced ones.
    pub times_ms: Vec<Option<f64>>,
    /// What the loser did wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
}

impl GameLine {
    /// The game on a board of `side`, with its outcome.
    ///
    /// # Errors
    /// If the moves are not those of a game.
    pub fn game(&self, side: Side) -> Result<Game> {
        let moves = self.moves.iter().map(|text| Move::parse(text, side));
        let moves = moves.collect::<Result<Vec<_>, _>>()?;
        let mut game = Game::from_moves(side, moves)
            .map_err(|(number, error)| anyhow!("move {number}: {error}"))?;
        game.end(Outcome {
            winner: self.winner.into(),
            ending: match &self.fault {
                None => Ending::Resignation,
                Some(fault) => fault.kind.ending(),
            },
        });
        Ok(game)
    }

    /// The winner's number in the header.
    pub fn winner_index(&self) -> usize {
        match self.winner {
            ColorName::Red => self.red,
            ColorName::Blue => self.blue,
        }
    }
}

/// A log open for more games.
pub struct Log {
    file: File,
}

impl Log {
    /// Begins a log.
    ///
    /// # Errors
    /// If there is one already, or it cannot be written.
    pub fn create(path: &Path, header: &MatchHeader) -> Result<Log> {
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        let file = file.with_context(|| {
            format!(
                "{}: cannot begin a match here; go on with it by --resume, or choose another --out",
                path.display()
            )
        })?;
        let mut log = Log { file };
        log.write(header)?;
        Ok(log)
    }

    /// Opens a log to go on with, and returns the games it has. A torn last line is cut off.
    ///
    /// # Errors
    /// If there is none, it is of another match, or a line in it is broken.
    pub fn resume(path: &Path, header: &MatchHeader) -> Result<(Log, Vec<GameLine>)> {
        let place = path.display();
        let file = OpenOptions::new().read(true).append(true).open(path);
        let mut file = file.with_context(|| format!("{place}: there is no match to resume"))?;
        let mut text = String::new();
        file.read_to_string(&mut text)
            .with_context(|| format!("{place}: not a log"))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64)?;
        let mut log = Log { file };
        let mut lines = text[..whole].lines().enumerate();
        let Some((_, first)) = lines.next() else {
            // Killed before the first line was whole: an empty match.
            log.write(header)?;
            return Ok((log, Vec::new()));
        };
        let old: MatchHeader =
            serde_json::from_str(first).with_context(|| format!("{place}:1: not a header"))?;
        if old != *header {
            bail!("{place}: this is another match; give the same players, openings, seed and limits. \
                   It began with {first}");
        }
        let games = lines
            .map(|(number, line)| {
                serde_json::from_str(line)
                    .with_context(|| format!("{place}:{}: not a game", number + 1))
            })
            .collect::<Result<Vec<GameLine>>>()?;
        Ok((log, games))
    }

    /// Appends a line in one write.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, line: &impl Serialize) -> Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.file
            .write_all(text.as_bytes())
            .context("the log cannot be written")
    }
}
