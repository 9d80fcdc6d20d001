//! One rating for each of several players, from the games between them.
//!
//! The model of Bradley and Terry (1952): i beats j with probability γᵢ/(γᵢ + γⱼ). Ratings are
//! 400·log10 γ, with mean 0. Hunter's (2004) minorisation-maximisation finds them: γᵢ ← Wᵢ / Σⱼ
//! nᵢⱼ/(γᵢ + γⱼ). Each player also has `PRIOR_GAMES` games, half of them won, against an imaginary
//! average player. So a player who has won (or lost) every game gets a finite rating.
//!
//! Intervals are ±z standard errors of the difference between a rating and the mean. With C the
//! inverse Fisher information at the maximum, imaginary games included, and P the matrix I − 11ᵀ/n,
//! the squares of these errors are (PCP)ᵢᵢ. Cᵢᵢ alone would also contain the error of the mean. The
//! imaginary games alone determine the mean, so that error would stay large after any number of
//! games.

use super::elo::{Estimate, Z_95};

/// Games of each player against the imaginary average player; half of them count as won.
const PRIOR_GAMES: f64 = 1.0;

/// Rounds of minorisation-maximisation at most; convergence is geometric.
const MAX_ROUNDS: usize = 10_000;

/// Ratings that move by less than this factor have converged.
const TOLERANCE: f64 = 1e-12;

/// The Elo difference of two players whose strengths differ by the factor e.
const ELO_PER_NAT: f64 = 400.0 / std::f64::consts::LN_10;

/// Ratings of the players, in Elo, with 95 % intervals. `wins[i][j]` is the number of games that i
/// won against j.
///
/// # Panics
/// If `wins` is not square.
pub fn ratings(wins: &[Vec<u64>]) -> Vec<Estimate> {
    let n = wins.len();
    assert!(wins.iter().all(|row| row.len() == n), "a square table");
    let strengths = strengths(wins);
    let mean = strengths.iter().map(|s| s.ln()).sum::<f64>() / n.max(1) as f64;
    let variances = variances_from_mean(&invert(information(wins, &strengths)));
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

/// Minus the second derivatives of the log-likelihood by ln γ.
fn information(wins: &[Vec<u64>], strengths: &[f64]) -> Vec<Vec<f64>> {
    let n = wins.len();
    let weight = |games: f64, a: f64, b: f64| games * a * b / ((a + b) * (a + b));
    let mut matrix = vec![vec![0.0; n]; n];
    for i in 0..n {
        matrix[i][i] = weight(PRIOR_GAMES, strengths[i], 1.0);
        for j in (0..n).filter(|&j| j != i) {
            let shared = weight(games(wins, i, j), strengths[i], strengths[j]);
            matrix[i][i] += shared;
            matrix[i][j] -= shared;
        }
    }
    matrix
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
fn invert(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
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
