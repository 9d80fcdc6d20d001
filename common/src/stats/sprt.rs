//! Wald's (1945) sequential probability ratio test on pairs of games: a match stops as soon as one
//! hypothesis is accepted.
//!
//! H0 states that the player is `elo0` stronger, H1 that the player is `elo1` stronger. The
//! log-likelihood ratio is the generalised one (Van den Bergh, "A practical introduction to the
//! GSPRT"): each hypothesis fixes the mean score of a pair, and its likelihood is that of the most
//! likely distribution over 0, ½ and 1 with this mean. With p̂ᵢ the observed shares and s the mean,
//! that distribution is pᵢ = p̂ᵢ/(1 + θ(aᵢ − s)), where θ solves Σ p̂ᵢ(aᵢ − s)/(1 + θ(aᵢ − s)) = 0.
//! Then LLR = n·Σ p̂ᵢ·ln(p₁ᵢ/p₀ᵢ). Empty classes count as `EMPTY_CLASS` pairs, as in fastchess.

use super::elo::{score_of_elo, Pairs};
use anyhow::ensure;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The number of pairs that an empty class counts as, so that its logarithm exists.
const EMPTY_CLASS: f64 = 1e-3;

/// The least number of pairs for a verdict: the test's theory is for large samples.
pub const MIN_PAIRS: u64 = 30;

/// Halvings of the interval in which θ lies; enough for all bits of an `f64`.
const BISECTIONS: usize = 200;

/// A test: two hypotheses and their error rates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No hypothesis is accepted yet.
    Open,
    /// H0: the player is not `elo1` stronger.
    H0,
    /// H1: the player is stronger than `elo0`.
    H1,
}

impl Sprt {
    /// A test of `elo0` against `elo1`, with H0 wrongly rejected in a share `alpha` of matches and
    /// H1 in a share `beta`.
    ///
    /// # Errors
    /// If not `elo0 < elo1`, or a share is not between 0 and ½.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> anyhow::Result<Sprt> {
        ensure!(elo0 < elo1, "elo0 = {elo0} must be less than elo1 = {elo1}");
        for (name, rate) in [("alpha", alpha), ("beta", beta)] {
            ensure!(
                rate > 0.0 && rate < 0.5,
                "{name} = {rate} must lie between 0 and 0.5"
            );
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
        })
    }

    /// The two hypotheses, in Elo.
    pub(crate) fn hypotheses(self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The log-likelihood ratios at or below which H0 and at or above which H1 is accepted.
    pub fn bounds(self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// The log-likelihood ratio of H1 to H0; 0 without pairs.
    pub fn llr(self, pairs: Pairs) -> f64 {
        if pairs.count() == 0 {
            return 0.0;
        }
        let counts = [pairs.lost, pairs.split, pairs.won].map(|n| (n as f64).max(EMPTY_CLASS));
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|count| count / total);
        let [p0, p1] = [self.elo0, self.elo1].map(|elo| most_likely(shares, score_of_elo(elo)));
        total
            * (0..SCORES.len())
                .map(|i| shares[i] * (p1[i] / p0[i]).ln())
                .sum::<f64>()
    }

    /// The hypothesis that the pairs support; [`Verdict::Open`] for less than [`MIN_PAIRS`] pairs.
    pub fn verdict(self, pairs: Pairs) -> Verdict {
        let (llr, (lower, upper)) = (self.llr(pairs), self.bounds());
        if pairs.count() < MIN_PAIRS {
            Verdict::Open
        } else if llr <= lower {
            Verdict::H0
        } else if llr >= upper {
            Verdict::H1
        } else {
            Verdict::Open
        }
    }
}

/// A test during a match. Its first verdict is final: pairs that finish later do not change it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SequentialTest {
    sprt: Sprt,
    /// All pairs.
    pairs: Pairs,
    /// The verdict and the pairs that led to it.
    decision: Option<(Verdict, Pairs)>,
}

impl SequentialTest {
    /// The test before any pair.
    pub fn new(sprt: Sprt) -> SequentialTest {
        SequentialTest {
            sprt,
            pairs: Pairs::default(),
            decision: None,
        }
    }

    /// Sets the results of all pairs so far, one pair more than the last time.
    pub fn observe(&mut self, pairs: Pairs) {
        self.pairs = pairs;
        let verdict = self.sprt.verdict(pairs);
        if self.decision.is_none() && verdict != Verdict::Open {
            self.decision = Some((verdict, pairs));
        }
    }

    /// The test's hypotheses and error rates.
    pub fn sprt(&self) -> Sprt {
        self.sprt
    }

    /// The log-likelihood ratio of [`decisive`](Self::decisive).
    pub fn llr(&self) -> f64 {
        self.sprt.llr(self.decisive())
    }

    /// The pairs at the time of the verdict; all pairs if there is no verdict yet.
    pub fn decisive(&self) -> Pairs {
        self.decision.map_or(self.pairs, |(_, pairs)| pairs)
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        self.decision.map_or(Verdict::Open, |(verdict, _)| verdict)
    }
}

/// `LLR 1.23 (-2.94, 2.94) [0, 10]`, then the accepted hypothesis and the number of pairs.
impl fmt::Display for SequentialTest {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (lower, upper) = self.sprt.bounds();
        let (elo0, elo1) = self.sprt.hypotheses();
        let (pairs, llr) = (self.decisive(), self.llr());
        write!(f, "LLR {llr:.2} ({lower:.2}, {upper:.2}) [{elo0}, {elo1}]")?;
        match self.verdict() {
            Verdict::Open => return Ok(()),
            Verdict::H0 => write!(f, ", H0 accepted")?,
            Verdict::H1 => write!(f, ", H1 accepted")?,
        }
        match self.pairs.count() - pairs.count() {
            0 => Ok(()),
            _ => write!(
                f,
                " after {} pairs ({:.2} with those under way then)",
                pairs.count(),
                self.sprt.llr(self.pairs)
            ),
        }
    }
}

/// The possible scores of a pair.
const SCORES: [f64; 3] = [0.0, 0.5, 1.0];

/// The distribution over [`SCORES`] with this mean that makes the observed shares most likely.
fn most_likely(shares: [f64; 3], mean: f64) -> [f64; 3] {
    let slope = |theta: f64| -> f64 {
        (0..3)
            .map(|i| shares[i] * (SCORES[i] - mean) / (1.0 + theta * (SCORES[i] - mean)))
            .sum()
    };
    // The slope falls from +∞ to −∞ between the two poles.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..BISECTIONS {
        let middle = (low + high) / 2.0;
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let theta = (low + high) / 2.0;
    [0, 1, 2].map(|i| shares[i] / (1.0 + theta * (SCORES[i] - mean)))
}
