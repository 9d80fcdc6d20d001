//! Graded strength: levels 1 to 10, each clearly stronger than the one below. Two things make the
//! engine weaker: fewer simulations and, at the lowest levels, a share of random moves. `hex lab
//! levels` measures the steps: 130 to 230 Elo each with network v (docs/strength.md). After a
//! change to the engine run it again and adjust `Handicap::TABLE`.

use super::{Analysis, Effort};
use crate::record::{AnyBoard, AnyCell};
use hexbot::params::OpeningBook;
use rand::{Rng, RngExt};
use std::fmt;
use std::str::FromStr;

/// A grade of strength, 1 to 10.
///
/// ```
/// use hex_core::engine::strength::Level;
/// let level: Level = "5".parse().unwrap();
/// assert_eq!(level.handicap().simulations, Some(64));
/// assert_eq!(Level::STRONGEST.handicap().simulations, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

impl Level {
    /// The weakest level.
    pub(crate) const MIN: u8 = 1;
    /// The strongest level: the engine without a handicap.
    pub const MAX: u8 = Self::MIN + Handicap::TABLE.len() as u8 - 1;
    /// The engine without a handicap.
    pub const STRONGEST: Level = Level(Self::MAX);

    /// All levels, the weakest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Level> {
        (Self::MIN..=Self::MAX).map(Level)
    }

    /// The opening book of this level. Only the strongest level has one.
    pub fn opening_book(self) -> OpeningBook {
        match self {
            Level::STRONGEST => OpeningBook::Used,
            _ => OpeningBook::Ignored,
        }
    }

    /// How the engine is weakened at this level.
    pub fn handicap(self) -> Handicap {
        Handicap::TABLE[(self.0 - Self::MIN) as usize]
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The text is not a level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a level from {min} to {max}", min = Level::MIN, max = Level::MAX)]
pub struct LevelError(String);

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        let number = text.parse().ok();
        number
            .filter(|number| (Self::MIN..=Self::MAX).contains(number))
            .map(Level)
            .ok_or_else(|| LevelError(text.chars().take(20).collect()))
    }
}

/// How the engine is weakened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Handicap {
    /// The most simulations a move; `None` sets no limit.
    pub simulations: Option<u64>,
    /// The share of moves that are played at random, 0 to 1.
    pub random_moves: f64,
}

impl Handicap {
    /// One entry a level, the weakest first.
    const TABLE: [Handicap; 10] = [
        Handicap::new(64, 0.31),
        Handicap::new(64, 0.25),
        Handicap::new(64, 0.19),
        Handicap::new(64, 0.135),
        Handicap::new(64, 0.09),
        Handicap::new(64, 0.045),
        Handicap::new(64, 0.0),
        Handicap::new(180, 0.0),
        Handicap::new(500, 0.0),
        Handicap {
            simulations: None,
            random_moves: 0.0,
        },
    ];

    const fn new(simulations: u64, random_moves: f64) -> Self {
        Handicap {
            simulations: Some(simulations),
            random_moves,
        }
    }

    /// The effort within the limit of simulations, at most `effort`. A limit of simulations
    /// replaces a time limit.
    pub fn limit(self, effort: Effort) -> Effort {
        match (self.simulations, effort) {
            (None, effort) => effort,
            (Some(most), Effort::Simulations(wanted)) => Effort::Simulations(wanted.min(most)),
            (Some(most), Effort::Time(_)) => Effort::Simulations(most),
        }
    }

    /// The move to play in `position` after a search of it: the best one, or sometimes a random
    /// one.
    pub fn choose(self, analysis: &Analysis, position: &AnyBoard, rng: &mut impl Rng) -> AnyCell {
        if self.random_moves > 0.0 && rng.random_bool(self.random_moves) {
            let cells: Vec<AnyCell> = position.empty_cells().iter().collect();
            return cells[rng.random_range(0..cells.len())];
        }
        analysis.best
    }
}
