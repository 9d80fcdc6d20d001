//! Converts values of a search to results of games: logistic regression, and the spread of openings
//! around its curve.

use super::Results;

/// The curve `wins = 1 / (1 + exp(-(level + slope · (value − ½))))`, fitted to games by maximum
/// likelihood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    level: f64,
    slope: f64,
    /// The covariance matrix of level and slope: both variances, and the covariance.
    variances: [f64; 2],
    shared: f64,
    /// The variance of openings' win probabilities around the curve, without the part that the
    /// number of games explains.
    spread: f64,
}

/// A win probability and its standard error, both 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpeningEstimate {
    /// The win probability.
    pub wins: f64,
    /// One standard error.
    pub error: f64,
}

impl Fit {
    /// Steps of Newton's method; fewer would reach all digits.
    const STEPS: usize = 50;
    /// Games added to each opening, half of them won. Without them openings that always win or
    /// always lose would make the slope infinite.
    const PRIOR_GAMES: f64 = 1.0;
    /// Keeps a step finite if all openings have the same value.
    const RIDGE: f64 = 1e-6;

    /// The likeliest curve. Without any results it is flat.
    pub fn new<'a>(results: impl Iterator<Item = &'a Results> + Clone) -> Self {
        let mut fit = Fit {
            level: 0.0,
            slope: 0.0,
            variances: [0.0; 2],
            shared: 0.0,
            spread: 0.0,
        };
        for _ in 0..Self::STEPS {
            fit.step(results.clone());
        }
        fit.spread = fit.spread_of(results);
        fit
    }

    /// The estimate for an opening from the curve and its games, weighted by their variances: with
    /// few games it is close to the curve, with many it is close to their result (empirical Bayes
    /// with a normal prior).
    pub fn estimate(&self, result: &Results) -> OpeningEstimate {
        let curve = self.wins(result.value);
        let games = f64::from(result.games) + Self::PRIOR_GAMES;
        let played = (f64::from(result.wins) + Self::PRIOR_GAMES * curve) / games;
        let of_games = curve * (1.0 - curve) / games;
        let trust = self.spread / (self.spread + of_games);
        let of_curve = (1.0 - trust).powi(2) * self.variance(result.value);
        OpeningEstimate {
            wins: curve + trust * (played - curve),
            error: (trust * of_games + of_curve).sqrt(),
        }
    }

    /// The variance of the curve itself at a value.
    fn variance(&self, value: f64) -> f64 {
        let (x, p) = (value - 0.5, self.wins(value));
        let of_logit = self.variances[0] + (2.0 * self.shared + self.variances[1] * x) * x;
        of_logit * (p * (1.0 - p)).powi(2)
    }

    /// The variance of openings around the curve, by the method of moments: with n games each,
    /// `(wins − n·p)²` is `n·p·(1 − p) + n·(n − 1)·spread` in the mean.
    fn spread_of<'a>(&self, results: impl Iterator<Item = &'a Results>) -> f64 {
        let (mut excess, mut pairs) = (0.0, 0.0);
        for result in results {
            let (games, p) = (f64::from(result.games), self.wins(result.value));
            let off = f64::from(result.wins) - games * p;
            excess += off * off - games * p * (1.0 - p);
            pairs += games * (games - 1.0);
        }
        if pairs > 0.0 {
            (excess / pairs).max(0.0)
        } else {
            0.0
        }
    }

    /// The share of games, 0 to 1, that an opening of this value wins.
    pub fn wins(&self, value: f64) -> f64 {
        1.0 / (1.0 + (-self.level - self.slope * (value - 0.5)).exp())
    }

    /// One step of Newton's method: solves the two normal equations for gradient and curvature. The
    /// inverse of the curvature is the covariance.
    fn step<'a>(&mut self, results: impl Iterator<Item = &'a Results>) {
        let (mut gradient, mut mixed) = ([0.0; 2], 0.0);
        let mut curvature = [Self::RIDGE; 2];
        for result in results {
            let games = f64::from(result.games) + Self::PRIOR_GAMES;
            let wins = f64::from(result.wins) + Self::PRIOR_GAMES / 2.0;
            let (x, p) = (result.value - 0.5, self.wins(result.value));
            let weight = games * p * (1.0 - p);
            gradient[0] += wins - games * p;
            gradient[1] += (wins - games * p) * x;
            curvature[0] += weight;
            curvature[1] += weight * x * x;
            mixed += weight * x;
        }
        let determinant = curvature[0] * curvature[1] - mixed * mixed;
        self.variances = [curvature[1] / determinant, curvature[0] / determinant];
        self.shared = -mixed / determinant;
        self.level += self.variances[0] * gradient[0] + self.shared * gradient[1];
        self.slope += self.variances[1] * gradient[1] + self.shared * gradient[0];
    }
}
