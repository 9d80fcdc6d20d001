//! What the value of a search is worth in games: logistic regression.

use super::Results;

/// The curve `wins = 1 / (1 + exp(-(level + slope · (value − ½))))`, fitted to games by maximum likelihood.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    level: f64,
    slope: f64,
}

impl Fit {
    /// Steps of Newton's method; it has converged to all digits long before.
    const STEPS: usize = 50;
    /// Games added to each opening, half of them won: without them openings that always win and always
    /// lose would make the slope infinite.
    const PRIOR_GAMES: f64 = 1.0;
    /// Keeps a step finite where all openings have one value.
    const RIDGE: f64 = 1e-6;

    /// The likeliest curve. Without any results it is flat.
    pub fn new<'a>(results: impl Iterator<Item = &'a Results> + Clone) -> Self {
        let mut fit = Fit {
            level: 0.0,
            slope: 0.0,
        };
        for _ in 0..Self::STEPS {
            fit.step(results.clone());
        }
        fit
    }

    /// The share of games, 0 to 1, that an opening of this value wins.
    pub fn wins(&self, value: f64) -> f64 {
        1.0 / (1.0 + (-self.level - self.slope * (value - 0.5)).exp())
    }

    /// One step of Newton's method: solves the two normal equations for gradient and curvature.
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
        self.level += (curvature[1] * gradient[0] - mixed * gradient[1]) / determinant;
        self.slope += (curvature[0] * gradient[1] - mixed * gradient[0]) / determinant;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(value: f64, wins: u32, games: u32) -> Results {
        Results { wins, games, value }
    }

    #[test]
    fn the_curve_goes_through_what_it_was_made_from() {
        // Two openings determine two parameters, but for the prior game.
        let results = [result(0.45, 3_000, 10_000), result(0.55, 8_000, 10_000)];
        let fit = Fit::new(results.iter());
        assert!((fit.wins(0.45) - 0.3).abs() < 1e-3, "{fit:?}");
        assert!((fit.wins(0.55) - 0.8).abs() < 1e-3, "{fit:?}");
    }

    #[test]
    fn extremes_and_nothing_give_a_finite_curve() {
        let extremes = [result(0.4, 0, 10), result(0.6, 10, 10)];
        let fit = Fit::new(extremes.iter());
        assert!(fit.wins(0.4) > 0.0 && fit.wins(0.4) < 0.1, "{fit:?}");
        assert_eq!(Fit::new([].iter()).wins(0.7), 0.5);
        let one = [result(0.5, 7, 10)];
        assert!((Fit::new(one.iter()).wins(0.5) - 7.5 / 11.0).abs() < 1e-3);
    }
}
