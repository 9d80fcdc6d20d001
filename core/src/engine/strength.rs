//! Graded strength: levels 1 to 10, each clearly stronger than the one below. Two things make the
//! engine weaker: fewer simulations and, at the lower levels, a choice among the moves that look
//! plausible instead of the best one. `hex lab levels` measures the steps
//! (docs/strength.md). After a change to the engine run it again and adjust `Handicap::TABLE`.

use super::{Analysis, Effort, MoveAnalysis};
use crate::record::AnyCell;
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
    /// How readily worse moves are played, at least 0. A move is played with a probability
    /// proportional to how good it looks, to the power of 1 / `temperature`; at 0 it is the best.
    pub temperature: f32,
}

impl Handicap {
    /// One entry a level, the weakest first.
    const TABLE: [Handicap; 10] = [
        Handicap::new(64, 3.0),
        Handicap::new(64, 2.1),
        Handicap::new(64, 1.5),
        Handicap::new(64, 1.1),
        Handicap::new(64, 0.8),
        Handicap::new(64, 0.5),
        Handicap::new(64, 0.0),
        Handicap::new(180, 0.0),
        Handicap::new(500, 0.0),
        Handicap {
            simulations: None,
            temperature: 0.0,
        },
    ];

    /// A move that looks better than this is always played, such as most answers to intrusions into
    /// bridges; see [`look`]. A limit of a half makes all weak levels nearly equal.
    const OBVIOUS: f32 = 0.75;

    /// A move that looks worse than this share of the best one is never played.
    const LEAST_SHARE: f32 = 0.001;

    const fn new(simulations: u64, temperature: f32) -> Self {
        Handicap {
            simulations: Some(simulations),
            temperature,
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

    /// The move to play after a search: the best one, or one that looks nearly as good. A result
    /// that the search has proven is never spoilt, nor is an obvious move missed.
    pub fn choose(self, analysis: &Analysis, rng: &mut impl Rng) -> AnyCell {
        let visits = analysis.moves.iter().map(|known| known.visits).sum();
        let looks = analysis.moves.iter().map(|known| look(known, visits));
        let most = looks.clone().fold(0.0, f32::max);
        let is_clear = analysis.proof.is_some() || most > Self::OBVIOUS || most <= 0.0;
        if self.temperature <= 0.0 || is_clear {
            return analysis.best;
        }
        let weight = |share: f32| {
            if share < Self::LEAST_SHARE {
                return 0.0;
            }
            share.powf(1.0 / self.temperature)
        };
        let weights = looks.map(|look| weight(look / most));
        let mut left = rng.random::<f32>() * weights.clone().sum::<f32>();
        for (known, weight) in analysis.moves.iter().zip(weights) {
            if left < weight {
                return known.cell;
            }
            left -= weight;
        }
        analysis.best
    }
}

/// How good a move looks, 0 to 1: the mean of its prior, which is what it looks like at first
/// sight, and of its share of all `visits`, which is what the search thinks. 0 for a move that is
/// proven to lose. All moves add up to 1.
fn look(known: &MoveAnalysis, visits: u32) -> f32 {
    known.prior.map_or(0.0, |prior| {
        (prior + known.visits as f32 / visits.max(1) as f32) / 2.0
    })
}
