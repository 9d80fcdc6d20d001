//! How much stronger one player is than another, from pairs of games.
//!
//! A pair is one opening played twice with the colours exchanged. The games of a pair are not
//! independent: an opening that favours Red gives one win each. Pairs are independent. So
//! everything is computed from the numbers of pairs in which a player won none, one or both games.
//! The score s of a pair is 0, ½ or 1.
//!
//! * Elo difference: E = −400·log10(1/μ − 1), with μ the mean score (Elo 1978, logistic form).
//! * Interval: Wilson's (1927) for a proportion, at an effective number of trials n/k. Here k is
//!   the observed variance of a pair's score over μ(1−μ), Kish's (1965) design effect. Independent
//!   games give k = ½. To keep k away from 0 after few pairs, the estimate of k counts one more
//!   pair, with the distribution of two independent games at Laplace's estimate of μ. Unlike the
//!   textbook μ ± zσ/√n, this interval stays inside (0, 1) for one-sided matches. For even matches
//!   both agree.
//! * Likelihood of superiority: Φ((μ − ½)/√(k/4n)), the score test that belongs to the interval. It
//!   is 97.5 % where the interval's lower end is 0.

use serde::{Deserialize, Serialize};

/// The normal deviate of a two-sided 95 % interval.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// A player's results in the finished pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairs {
    /// Pairs with two lost games.
    pub lost: u64,
    /// Pairs with a game won by each side.
    pub split: u64,
    /// Pairs with two won games.
    pub won: u64,
}

/// An Elo difference with its 95 % interval. If one player won every game, the estimate and one end
/// of the interval are infinite; the other end is finite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The most likely difference.
    pub elo: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Estimate {
    /// Half the interval's width.
    pub fn error(self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

impl Pairs {
    /// Counts a pair with `wins` won games, 0 to 2.
    pub fn add(&mut self, wins: u32) {
        match wins {
            0 => self.lost += 1,
            1 => self.split += 1,
            _ => self.won += 1,
        }
    }

    /// The number of pairs.
    pub fn count(self) -> u64 {
        self.lost + self.split + self.won
    }

    /// Mean score, 0 to 1; `None` if and only if there are no pairs.
    pub fn score(self) -> Option<f64> {
        let n = self.count() as f64;
        (n > 0.0).then(|| (self.won as f64 + self.split as f64 / 2.0) / n)
    }

    /// The Elo difference and its interval; `None` if and only if there are no pairs.
    pub fn elo(self) -> Option<Estimate> {
        let mean = self.score()?;
        let (low, high) = wilson_95(mean, self.count() as f64 / self.design_effect());
        Some(Estimate {
            elo: elo_of_score(mean),
            low: elo_of_score(low),
            high: elo_of_score(high),
        })
    }

    /// The probability that the player is the stronger one; `None` if and only if there are no
    /// pairs.
    pub fn superiority(self) -> Option<f64> {
        let mean = self.score()?;
        let error = (self.design_effect() / (4.0 * self.count() as f64)).sqrt();
        Some(normal_cdf((mean - 0.5) / error))
    }

    /// The variance of a pair's score over the variance of one trial with the same mean: ½ if games
    /// are independent.
    pub(crate) fn design_effect(self) -> f64 {
        let smoothed = self.smoothed();
        let mean = smoothed.mean();
        smoothed.variance() / (mean * (1.0 - mean))
    }

    fn smoothed(self) -> Smoothed {
        let games = 2.0 * self.count() as f64;
        let wins = (2 * self.won + self.split) as f64;
        let p = (wins + 1.0) / (games + 2.0);
        Smoothed([
            self.lost as f64 + (1.0 - p) * (1.0 - p),
            self.split as f64 + 2.0 * p * (1.0 - p),
            self.won as f64 + p * p,
        ])
    }
}

/// Weights of the scores 0, ½ and 1, none of them zero.
struct Smoothed([f64; 3]);

impl Smoothed {
    fn total(&self) -> f64 {
        self.0.iter().sum()
    }

    fn mean(&self) -> f64 {
        (self.0[1] / 2.0 + self.0[2]) / self.total()
    }

    fn variance(&self) -> f64 {
        (self.0[1] / 4.0 + self.0[2]) / self.total() - self.mean().powi(2)
    }
}

/// Wilson's (1927) 95 % interval for a probability, from the share of hits and how many trials.
pub(crate) fn wilson_95(share: f64, trials: f64) -> (f64, f64) {
    let z2 = Z_95 * Z_95;
    let scale = 1.0 + z2 / trials;
    let center = (share + z2 / (2.0 * trials)) / scale;
    let variance = share * (1.0 - share) / trials + z2 / (4.0 * trials * trials);
    let half = Z_95 / scale * variance.sqrt();
    // With a share of 0 or 1 the interval ends exactly there; rounding could move it.
    let low = if share == 0.0 { 0.0 } else { center - half };
    let high = if share == 1.0 { 1.0 } else { center + half };
    (low, high)
}

/// An Elo difference as text: with its sign and `decimals` decimals, and no minus before a zero.
pub fn signed(elo: f64, decimals: usize) -> String {
    let unit = 10f64.powi(decimals as i32);
    let rounded = (elo * unit).round() / unit + 0.0;
    format!("{rounded:+.decimals$}")
}

/// The Elo difference at which `score` (0 to 1) is expected.
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The score (0 to 1) expected at an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Φ, the standard normal distribution function.
pub fn normal_cdf(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}
