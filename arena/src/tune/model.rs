//! Predicts the score of values from the pairs of games so far: a quadratic surface over the
//! parameters' places, by Bayesian linear regression (Bishop, *Pattern recognition and machine
//! learning*, 3.3). The next values follow by Thompson sampling (Thompson 1933; Russo and others,
//! *A tutorial on Thompson sampling*, 2018).
//!
//! With x the places of the values ([`super::parameter`]), the score of a pair against the current
//! values, 0 to 1, is
//!
//! ```text
//! ½ + Σ b(i)·x(i) + Σ b(i, j)·x(i)·x(j)        i ≤ j
//! ```
//!
//! plus a normal error. There is no constant, because both players are equal at x = 0. Each b has a
//! normal prior around 0, so that a few pairs do not predict large gains.

use rand::{Rng, RngExt};
use std::f64::consts::TAU;
use std::ops::RangeInclusive;

/// The prior standard deviation of the score that a single parameter gains or loses half a range
/// away, in scores: about 70 Elo.
const LINEAR_PRIOR: f64 = 0.1;

/// The prior standard deviation of the surface's curvature.
const CURVED_PRIOR: f64 = 0.15;

/// The variance of a pair's score if both games are random. It weighs as much as one pair.
const PRIOR_NOISE: f64 = 0.125;

/// How many random places are candidates for the climb, besides the corners and the middle.
const RANDOM_STARTS: usize = 64;

/// How many of the candidates, the highest ones, are climbed from.
const CLIMBS: usize = 8;

/// Rounds over all parameters in a climb. Each step finds the best value of one parameter exactly.
const ROUNDS: usize = 40;

/// The places of a pair's values and its score, 0, ½ or 1.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoredPlaces {
    /// A place for each parameter.
    pub places: Vec<f64>,
    /// The share of the pair's games that was won.
    pub score: f64,
}

/// The knowledge of the surface: a normal distribution of its coefficients.
#[derive(Clone, Debug)]
pub struct Model {
    /// How many parameters there are.
    dimensions: usize,
    mean: Vec<f64>,
    /// The inverse of the covariance.
    precision: Cholesky,
}

/// A surface: how much more than ½ is scored at each place.
#[derive(Clone, Debug)]
pub struct Surface {
    dimensions: usize,
    coefficients: Vec<f64>,
}

/// An expected score beyond ½ with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gain {
    /// The score beyond ½.
    pub score: f64,
    /// One standard error.
    pub error: f64,
}

/// How many coefficients a surface over this number of parameters has.
pub fn coefficients(dimensions: usize) -> usize {
    dimensions + dimensions * (dimensions + 1) / 2
}

/// The places, and all products of two of them.
fn features(places: &[f64]) -> Vec<f64> {
    let products = places.iter().enumerate().flat_map(|(first, place)| {
        let others = places[first..].iter();
        others.map(move |other| place * other)
    });
    places.iter().copied().chain(products).collect()
}

impl Model {
    /// The model of a surface over `dimensions` parameters, at least 1, after the pairs `played`.
    pub fn new(dimensions: usize, played: &[ScoredPlaces]) -> Self {
        let count = coefficients(dimensions);
        let noise = noise(played);
        let prior = |index| {
            if index < dimensions {
                LINEAR_PRIOR
            } else {
                CURVED_PRIOR
            }
        };
        // The lower triangle. The prior makes the matrix positive definite.
        let mut precision: Vec<Vec<f64>> = (0..count).map(|index| vec![0.0; index + 1]).collect();
        for (index, row) in precision.iter_mut().enumerate() {
            row[index] = prior(index).powi(-2);
        }
        let mut sums = vec![0.0; count];
        for pair in played {
            let features = features(&pair.places);
            for (index, row) in precision.iter_mut().enumerate() {
                let weight = features[index] / noise;
                sums[index] += weight * (pair.score - 0.5);
                for (entry, feature) in row.iter_mut().zip(&features) {
                    *entry += weight * feature;
                }
            }
        }
        let precision = Cholesky::new(precision);
        Model {
            dimensions,
            mean: precision.solve(&sums),
            precision,
        }
    }

    /// The likeliest surface.
    pub fn likeliest(&self) -> Surface {
        self.surface(self.mean.clone())
    }

    /// A random surface, drawn from the distribution.
    pub fn draw(&self, rng: &mut impl Rng) -> Surface {
        let normal = self.mean.iter().map(|_| standard_normal(rng)).collect();
        let away = self.precision.solve_transposed(normal);
        self.surface(
            self.mean
                .iter()
                .zip(away)
                .map(|(mean, away)| mean + away)
                .collect(),
        )
    }

    /// The expected score beyond ½ at these places.
    pub fn gain(&self, places: &[f64]) -> Gain {
        let features = features(places);
        Gain {
            score: dot(&self.mean, &features),
            error: dot(&features, &self.precision.solve(&features)).sqrt(),
        }
    }

    fn surface(&self, coefficients: Vec<f64>) -> Surface {
        Surface {
            dimensions: self.dimensions,
            coefficients,
        }
    }
}

/// The variance of pairs' scores around ½.
fn noise(played: &[ScoredPlaces]) -> f64 {
    let squares = played.iter().map(|pair| (pair.score - 0.5).powi(2));
    (squares.sum::<f64>() + PRIOR_NOISE) / (played.len() as f64 + 1.0)
}

impl Surface {
    /// The score beyond ½ at these places.
    pub fn at(&self, places: &[f64]) -> f64 {
        dot(&self.coefficients, &features(places))
    }

    /// The highest places within the bounds that climbs find. A climb changes one parameter at a
    /// time. They start at the highest of the corners, random places and the middle.
    pub fn highest(&self, bounds: &[RangeInclusive<f64>], rng: &mut impl Rng) -> Vec<f64> {
        let middle = vec![0.0; self.dimensions];
        let random = (0..RANDOM_STARTS).map(|_| random_places(bounds, rng));
        let starts = [middle].into_iter().chain(corners(bounds)).chain(random);
        let mut starts: Vec<Vec<f64>> = starts.collect();
        let by_height = |a: &Vec<f64>, b: &Vec<f64>| self.at(a).total_cmp(&self.at(b));
        starts.sort_by(|a, b| by_height(b, a));
        let climbed = starts.into_iter().take(CLIMBS);
        let climbed = climbed.map(|start| self.climbed(start, bounds));
        climbed.max_by(by_height).expect("there is the middle")
    }

    fn climbed(&self, mut places: Vec<f64>, bounds: &[RangeInclusive<f64>]) -> Vec<f64> {
        for _ in 0..ROUNDS {
            for index in 0..places.len() {
                places[index] = self.best_of_one(&mut places, index, &bounds[index]);
            }
        }
        places
    }

    /// The place of one parameter where the surface is highest, with the others fixed. Along one
    /// parameter the surface is a parabola.
    fn best_of_one(&self, places: &mut [f64], index: usize, bounds: &RangeInclusive<f64>) -> f64 {
        let mut height = |place| {
            places[index] = place;
            self.at(places)
        };
        let [below, here, above] = [-1.0, 0.0, 1.0].map(&mut height);
        let (slope, curvature) = ((above - below) / 2.0, (above + below) / 2.0 - here);
        let (start, end) = (*bounds.start(), *bounds.end());
        if curvature < 0.0 {
            return (-slope / (2.0 * curvature)).clamp(start, end);
        }
        if height(start) > height(end) {
            start
        } else {
            end
        }
    }
}

/// The corners of the bounds: each parameter at the start or at the end of its range.
fn corners(bounds: &[RangeInclusive<f64>]) -> impl Iterator<Item = Vec<f64>> + '_ {
    (0..1u32 << bounds.len()).map(|ends| {
        let places = bounds
            .iter()
            .enumerate()
            .map(|(index, range)| match ends >> index & 1 {
                0 => *range.start(),
                _ => *range.end(),
            });
        places.collect()
    })
}

/// A standard normal number (Box and Muller, *A note on the generation of random normal deviates*,
/// 1958).
fn standard_normal(rng: &mut impl Rng) -> f64 {
    // Above 0, whose logarithm is infinite.
    let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
    radius * (TAU * rng.random::<f64>()).cos()
}

/// Places drawn evenly from the whole range.
pub fn random_places(bounds: &[RangeInclusive<f64>], rng: &mut impl Rng) -> Vec<f64> {
    let drawn = bounds.iter().map(|range| rng.random_range(range.clone()));
    drawn.collect()
}

/// The Cholesky factor L of a symmetric matrix A = L·Lᵀ (Golub and Van Loan, *Matrix computations*,
/// 4.2), for a few dozen coefficients: the lower triangle, row i has i + 1 entries.
#[derive(Clone, Debug)]
struct Cholesky {
    rows: Vec<Vec<f64>>,
}

impl Cholesky {
    /// Factors a symmetric matrix. `rows` is its lower triangle; row i has i + 1 entries. Takes
    /// time proportional to the third power of the number of rows.
    ///
    /// # Panics
    /// If the matrix is not positive definite.
    fn new(mut rows: Vec<Vec<f64>>) -> Self {
        for i in 0..rows.len() {
            let (above, row) = rows.split_at_mut(i);
            let row = &mut row[0];
            for j in 0..i {
                row[j] = (row[j] - dot(&row[..j], &above[j][..j])) / above[j][j];
            }
            let square = row[i] - dot(&row[..i], &row[..i]);
            assert!(square > 0.0, "a matrix that is not positive definite");
            row[i] = square.sqrt();
        }
        Cholesky { rows }
    }

    /// x with A·x = `sums`.
    fn solve(&self, sums: &[f64]) -> Vec<f64> {
        let mut solved: Vec<f64> = Vec::with_capacity(sums.len());
        for (row, sum) in self.rows.iter().zip(sums) {
            let i = solved.len();
            solved.push((sum - dot(&row[..i], &solved)) / row[i]);
        }
        self.solve_transposed(solved)
    }

    /// x with Lᵀ·x = `sums`. If these are independent standard normal numbers, x is drawn from the
    /// normal distribution with covariance A⁻¹.
    fn solve_transposed(&self, mut sums: Vec<f64>) -> Vec<f64> {
        for (i, row) in self.rows.iter().enumerate().rev() {
            sums[i] /= row[i];
            for j in 0..i {
                sums[j] -= row[j] * sums[i];
            }
        }
        sums
    }
}

/// The sum of the products of entries at the same index.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
