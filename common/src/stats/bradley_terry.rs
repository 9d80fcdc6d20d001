//! One rating for each of several players, from the pairs of games between them.
//!
//! The model of Bradley and Terry (1952): i beats j with probability γᵢ/(γᵢ + γⱼ). Ratings are
//! 400·log10 γ, with mean 0. Hunter's (2004) minorisation-maximisation finds them: γᵢ ← Wᵢ / Σⱼ
//! nᵢⱼ/(γᵢ + γⱼ). Each player also has `PRIOR_GAMES` games, half of them won, against an imaginary
//! average player. So a player who has won (or lost) every game gets a finite rating.
//!
//! Games of a pair are not independent, pairs are (see [`super::elo`]). So the covariances of the
//! ratings are those of White (1982) with pairs as clusters: C·M·C, with C the inverse Fisher
//! information at the maximum, and M the variance of the likelihood's first derivatives. A pair of
//! i and j adds 4k·p(1 − p) to M's entries of both, with p the model's probability and k the design
//! effect of this pairing's pairs. Independent games have k = ½, which makes M the information.
//!
//! Intervals are ±z standard errors of the difference between a rating and the mean. With P the
//! matrix I − 11ᵀ/n, the squares of these errors are (P·C·M·C·P)ᵢᵢ. Without P they would also
//! contain the error of the mean. The imaginary games alone determine the mean, so that error would
//! stay large after any number of games.

use super::elo::{Estimate, Pairs, Z_95};

/// Games of each player against the imaginary average player; half of them count as won.
const PRIOR_GAMES: f64 = 1.0;

/// Rounds of minorisation-maximisation at most; convergence is geometric.
const MAX_ROUNDS: usize = 10_000;

/// Ratings that move by less than this factor have converged.
const TOLERANCE: f64 = 1e-12;

/// The Elo difference of two players whose strengths differ by the factor e.
const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// The pairs of games between two players, from the view of the first one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The players' numbers, from 0.
    pub players: (usize, usize),
    /// The first player's results.
    pub pairs: Pairs,
}

/// Ratings of `n` players, in Elo, with 95 % intervals.
///
/// # Panics
/// If a player of a meeting is not below `n`.
pub fn ratings(n: usize, meetings: &[Meeting]) -> Vec<Estimate> {
    let mut wins = vec![vec![0; n]; n];
    for Meeting { players, pairs } in meetings {
        let (a, b) = *players;
        wins[a][b] += 2 * pairs.won + pairs.split;
        wins[b][a] += 2 * pairs.lost + pairs.split;
    }
    let strengths = strengths(&wins);
    let mean = strengths.iter().map(|s| s.ln()).sum::<f64>() / n.max(1) as f64;
    let covariances = covariances(meetings, &strengths);
    let variances = variances_from_mean(&covariances);
    (0..n)
        .map(|i| {
            let elo = (strengths[i].ln() - mean) * ELO_PER_NAT;
            let error = Z_95 * variances[i].max(0.0).sqrt() * ELO_PER_NAT;
            Estimate {
                elo,
                low: elo - error,
                high: elo + error,
            }
        })
        .collect()
}

fn games(wins: &[Vec<u64>], i: usize, j: usize) -> f64 {
    (wins[i][j] + wins[j][i]) as f64
}

/// The γᵢ; the imaginary player's is 1.
fn strengths(wins: &[Vec<u64>]) -> Vec<f64> {
    let n = wins.len();
    let mut strengths = vec![1.0; n];
    for _ in 0..MAX_ROUNDS {
        let mut moved: f64 = 0.0;
        for i in 0..n {
            let won = PRIOR_GAMES / 2.0 + (0..n).map(|j| wins[i][j] as f64).sum::<f64>();
            let expected = PRIOR_GAMES / (strengths[i] + 1.0)
                + (0..n)
                    .filter(|&j| j != i)
                    .map(|j| games(wins, i, j) / (strengths[i] + strengths[j]))
                    .sum::<f64>();
            let next = won / expected;
            moved = moved.max((next / strengths[i]).ln().abs());
            strengths[i] = next;
        }
        if moved < TOLERANCE {
            break;
        }
    }
    strengths
}

/// The covariances of the ln γ.
fn covariances(meetings: &[Meeting], strengths: &[f64]) -> Matrix {
    let inverse = invert(curvature(meetings, strengths, |_| 2.0));
    let variance = curvature(meetings, strengths, |pairs| 4.0 * pairs.design_effect());
    product(&product(&inverse, &variance), &inverse)
}

/// The sum over all games of p(1 − p), in the places of the ln γ of both players. A pair counts as
/// `weight` games, an imaginary game as one. With two for each pair these are minus the second
/// derivatives of the log-likelihood.
fn curvature(meetings: &[Meeting], strengths: &[f64], weight: impl Fn(Pairs) -> f64) -> Matrix {
    let n = strengths.len();
    let of_game = |a: f64, b: f64| a * b / ((a + b) * (a + b));
    let mut matrix = vec![vec![0.0; n]; n];
    for (i, &strength) in strengths.iter().enumerate() {
        matrix[i][i] = PRIOR_GAMES * of_game(strength, 1.0);
    }
    for &Meeting { players, pairs } in meetings {
        let (a, b) = players;
        let shared = pairs.count() as f64 * weight(pairs) * of_game(strengths[a], strengths[b]);
        matrix[a][a] += shared;
        matrix[b][b] += shared;
        matrix[a][b] -= shared;
        matrix[b][a] -= shared;
    }
    matrix
}

/// Rows of numbers.
type Matrix = Vec<Vec<f64>>;

/// The product of square matrices.
fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Matrix {
    let entry = |row: &[f64], j: usize| row.iter().zip(b).map(|(x, other)| x * other[j]).sum();
    let row = |row: &Vec<f64>| (0..b.len()).map(|j| entry(row, j)).collect();
    a.iter().map(row).collect()
}

/// The variances of numbers less their mean, from the covariances of the numbers.
fn variances_from_mean(covariance: &[Vec<f64>]) -> Vec<f64> {
    let n = covariance.len() as f64;
    let with_mean = |row: &Vec<f64>| row.iter().sum::<f64>() / n;
    let of_mean = covariance.iter().map(with_mean).sum::<f64>() / n;
    let rows = covariance.iter().enumerate();
    rows.map(|(i, row)| row[i] - 2.0 * with_mean(row) + of_mean)
        .collect()
}

/// Gauss-Jordan elimination of a positive definite matrix; no pivoting is needed for those.
fn invert(mut matrix: Matrix) -> Matrix {
    let n = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(u8::from(i == j))));
    }
    for i in 0..n {
        let pivot = matrix[i][i];
        matrix[i].iter_mut().for_each(|x| *x /= pivot);
        let source = matrix[i].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|&(k, _)| k != i) {
            let factor = row[i];
            row.iter_mut()
                .zip(&source)
                .for_each(|(x, s)| *x -= factor * s);
        }
    }
    matrix.into_iter().map(|row| row[n..].to_vec()).collect()
}
