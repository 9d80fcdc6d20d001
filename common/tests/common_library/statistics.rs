//! The statistics against published figures and against slow, obvious versions of themselves.

use hex_common::stats::bradley_terry::{ratings, Meeting};
use hex_common::stats::elo::{elo_of_score, normal_cdf, score_of_elo, signed, Pairs};
use hex_common::stats::latency::{percentile, Latencies};
use hex_common::stats::sprt::{SequentialTest, Sprt, Verdict, MIN_PAIRS};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

fn close(got: f64, wanted: f64, tolerance: f64) {
    assert!((got - wanted).abs() <= tolerance, "{got}, not {wanted}");
}

/// The tally with these numbers of pairs lost, split and won.
fn pairs(lost: u64, split: u64, won: u64) -> Pairs {
    Pairs { lost, split, won }
}

/// The other player's results.
fn reversed(of: Pairs) -> Pairs {
    pairs(of.won, of.split, of.lost)
}

/// Log-likelihood ratios that fastchess publishes in its tests (app/tests/sprt_test.cpp, logistic
/// trinomial). A pair's 0, 1 or 2 wins are to us what loss, draw and win are to chess.
#[test]
fn llr_of_published_tallies() {
    let cases = [
        (21404, 21184, 40708, 0.5, 2.5, -1.57),
        (57433, 57030, 106_593, 0.0, 2.0, -2.59),
    ];
    for (won, lost, split, elo0, elo1, llr) in cases {
        let sprt = Sprt::new(elo0, elo1, 0.05, 0.05).unwrap();
        close(sprt.llr(Pairs { lost, split, won }), llr, 0.01);
    }
}

/// Elo, error and superiority that fastchess publishes (app/tests/elo_test.cpp, "EloWDL 2").
#[test]
fn elo_of_published_tallies() {
    let pairs = pairs(96, 111, 136);
    let elo = pairs.elo().unwrap();
    close(elo.elo, 40.70, 0.01);
    close(elo.error(), 30.43, 0.2);
    close(pairs.superiority().unwrap(), 0.9960, 0.0005);
    close(pairs.score().unwrap(), 0.558, 0.0005);
}

/// Wald's bounds: at 5 % the ±2.94 of every chess tester, and with two different errors.
#[test]
fn bounds_of_both_errors() {
    for (alpha, beta, wanted) in [(0.05, 0.05, [-2.944, 2.944]), (0.01, 0.1, [-2.293, 4.500])] {
        let (lower, upper) = Sprt::new(0.0, 10.0, alpha, beta).unwrap().bounds();
        close(lower, wanted[0], 0.001);
        close(upper, wanted[1], 0.001);
    }
}

#[test]
fn no_verdict_before_the_minimum() {
    let sprt = Sprt::new(0.0, 200.0, 0.05, 0.05).unwrap();
    assert_eq!(sprt.verdict(pairs(0, 0, MIN_PAIRS - 1)), Verdict::Open);
    assert_eq!(sprt.verdict(pairs(0, 0, MIN_PAIRS)), Verdict::H1);
    assert_eq!(sprt.verdict(pairs(MIN_PAIRS, 0, 0)), Verdict::H0);
}

/// Equal players: a wide test soon says H0, a narrow one nothing yet.
#[test]
fn even_tallies() {
    let even = pairs(20, 60, 20);
    let verdict = |elo1| Sprt::new(0.0, elo1, 0.05, 0.05).unwrap().verdict(even);
    assert_eq!(verdict(100.0), Verdict::H0);
    assert_eq!(verdict(10.0), Verdict::Open);
}

#[test]
fn nonsense_tests_are_refused() {
    let differences = [(10.0, 0.0), (5.0, 5.0), (f64::NAN, 5.0)];
    let errors = [(0.0, 0.05), (0.05, 0.5)].map(|(alpha, beta)| Sprt::new(0.0, 5.0, alpha, beta));
    let tests = differences.map(|(elo0, elo1)| Sprt::new(elo0, elo1, 0.05, 0.05));
    assert!(tests.iter().chain(&errors).all(Result::is_err));
}

/// Φ at the deviates that every table lists.
#[test]
fn the_normal_distribution() {
    let listed = [
        (0.0, 0.5),
        (1.0, 0.841_344_7),
        (1.959_964, 0.975),
        (-2.575_829, 0.005),
    ];
    for (x, p) in listed {
        close(normal_cdf(x), p, 1e-6);
    }
}

#[test]
fn no_difference_is_told_without_a_minus() {
    let told = [(-0.0, 0), (-0.4, 0), (-0.04, 1), (-0.06, 1), (12.34, 1)];
    let told = told.map(|(elo, decimals)| signed(elo, decimals));
    assert_eq!(told, ["+0", "+0", "+0.0", "-0.1", "+12.3"]);
}

#[test]
fn elo_and_score_are_inverse() {
    close(score_of_elo(400.0), 10.0 / 11.0, 1e-12);
    for elo in [-700.0, -3.0, 0.0, 12.0, 500.0] {
        close(elo_of_score(score_of_elo(elo)), elo, 1e-9);
    }
}

/// Without pairs there is no estimate; with one-sided pairs it is infinite, its interval finite.
#[test]
fn extreme_tallies() {
    assert_eq!(Pairs::default().elo(), None);
    assert_eq!(Pairs::default().superiority(), None);
    let elo = pairs(0, 0, 20).elo().unwrap();
    assert_eq!((elo.elo, elo.high), (f64::INFINITY, f64::INFINITY));
    assert!(elo.low > 200.0 && elo.low < 600.0, "{elo:?}");
    let lost = pairs(20, 0, 0).elo().unwrap();
    assert_eq!((lost.elo, lost.low), (f64::NEG_INFINITY, f64::NEG_INFINITY));
    close(lost.high, -elo.low, 1e-9);
    let elo = pairs(0, 50, 0).elo().unwrap();
    close(elo.elo, 0.0, 1e-9);
    assert!(elo.error() > 1.0 && elo.error() < 15.0, "{elo:?}");
}

/// The interval must cover the truth in about 95 of 100 matches: exact, by summing over every
/// outcome of 12 pairs of independent games at several strengths.
#[test]
fn the_interval_covers() {
    let pairs: u64 = 12;
    for p in [0.5, 0.6, 0.75, 0.9] {
        let class: [f64; 3] = [(1.0 - p) * (1.0 - p), 2.0 * p * (1.0 - p), p * p];
        let mut covered = 0.0;
        for lost in 0..=pairs {
            for split in 0..=pairs - lost {
                let won = pairs - lost - split;
                let counts = [lost, split, won];
                let ways = factorial(pairs) / counts.iter().map(|&n| factorial(n)).product::<f64>();
                let chance: f64 = (0..3).map(|i| class[i].powi(counts[i] as i32)).product();
                let elo = Pairs { lost, split, won }.elo().unwrap();
                let truth = elo_of_score(p);
                if elo.low <= truth && truth <= elo.high {
                    covered += ways * chance;
                }
            }
        }
        assert!(covered > 0.90 && covered < 0.995, "{covered} at {p}");
    }
}

fn factorial(n: u64) -> f64 {
    (1..=n).map(|k| k as f64).product()
}

/// A meeting in which every pair was won twice or lost twice.
fn meeting(a: usize, b: usize, won: u64, lost: u64) -> Meeting {
    let (players, pairs) = ((a, b), pairs(lost, 0, won));
    Meeting { players, pairs }
}

/// Two players who meet at 3 to 1 are 191 Elo apart in the model; the imaginary games pull a
/// little.
#[test]
fn two_players_rated() {
    let [a, b] = ratings(2, &[meeting(0, 1, 300, 100)])[..] else {
        panic!("two ratings")
    };
    close(a.elo - b.elo, 400.0 * 3f64.log10(), 2.0);
    close(a.elo + b.elo, 0.0, 1e-6);
}

/// The table of baseball teams in Agresti, Categorical Data Analysis (1990), fitted by Bradley and
/// Terry's model: log-strengths relative to Baltimore, 1987 season.
#[test]
fn published_ratings() {
    // Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore.
    let wins = [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ];
    let all = (0..7).flat_map(|a| (0..a).map(move |b| meeting(a, b, wins[a][b], wins[b][a])));
    let published = [1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0.0];
    let rated = ratings(7, &all.collect::<Vec<_>>());
    for (player, published) in rated.iter().zip(published) {
        let log_strength = (player.elo - rated[6].elo) * std::f64::consts::LN_10 / 400.0;
        close(log_strength, published, 0.06);
    }
}

#[test]
fn a_winner_of_everything_has_a_finite_rating() {
    let (players, pairs) = ((1, 2), pairs(0, 5, 0));
    let even = Meeting { players, pairs };
    let rated = ratings(3, &[meeting(0, 1, 5, 0), meeting(0, 2, 5, 0), even]);
    let is_sound = rated.iter().all(|r| r.elo.is_finite() && r.error() > 0.0);
    assert!(is_sound, "{rated:?}");
    assert!(rated[0].elo > rated[1].elo + 200.0);
    close(rated[1].elo, rated[2].elo, 1e-6);
}

/// Ratings are differences, so that only pairs between the players make them sure: four times the
/// pairs, half the error.
#[test]
fn errors_of_ratings_fall_with_the_pairs() {
    let errors = |pairs: u64| {
        let all = [(0, 1), (0, 2), (1, 2)].map(|(a, b)| meeting(a, b, pairs, pairs));
        ratings(3, &all)
            .into_iter()
            .map(|rating| rating.error())
            .collect::<Vec<f64>>()
    };
    let (few, many) = (errors(1_000), errors(4_000));
    for (few, many) in few.iter().zip(&many) {
        close(few / many, 2.0, 0.01);
    }
}

/// With two players, the error of a rating is half the one that the pairing's own line reports,
/// however the games of a pair depend on each other.
#[test]
fn ratings_and_pairings_have_the_same_errors() {
    let played = [
        (500, 1000, 500),
        (1000, 0, 1000),
        (10, 1900, 90),
        (30, 60, 300),
    ];
    for (lost, split, won) in played {
        let (players, pairs) = ((0, 1), pairs(lost, split, won));
        let difference = pairs.elo().unwrap().error();
        for rating in ratings(2, &[Meeting { players, pairs }]) {
            close(2.0 * rating.error() / difference, 1.0, 0.03);
        }
    }
}

/// The 95 % interval of a rating covers the truth in about 95 of 100 matches of four players, also
/// if the games of a pair are alike or opposed.
#[test]
fn intervals_of_ratings_cover() {
    const MATCHES: u32 = 250;
    let truth = [-60.0, -20.0, 20.0, 60.0];
    for (correlation, pairs) in [(0.7, 60), (0.0, 60), (-0.4, 60), (0.7, 200)] {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(70);
        let mut covered = 0;
        for _ in 0..MATCHES {
            let all = (0..4).flat_map(|a| (0..a).map(move |b| (a, b)));
            let meetings = all.map(|players @ (a, b)| {
                let score = score_of_elo(truth[a] - truth[b]);
                let pairs = played(score, correlation, pairs, &mut rng);
                Meeting { players, pairs }
            });
            let rated = ratings(4, &meetings.collect::<Vec<_>>());
            let ratings = rated.iter().zip(truth);
            let covers =
                ratings.filter(|(rating, truth)| (rating.low..rating.high).contains(truth));
            covered += covers.count();
        }
        let share = covered as f64 / f64::from(4 * MATCHES);
        assert!(
            (0.92..0.975).contains(&share),
            "{share} at {correlation}, {pairs}"
        );
    }
}

/// This many pairs of games, each won with probability `p`. The correlation is that of the two
/// games of a pair.
fn played(p: f64, correlation: f64, pairs: u64, rng: &mut Xoshiro256PlusPlus) -> Pairs {
    let both = p * (1.0 - p) * correlation;
    let (won, lost) = (p * p + both, (1.0 - p) * (1.0 - p) + both);
    assert!(won >= 0.0 && lost >= 0.0, "there are such pairs");
    let mut played = Pairs::default();
    for _ in 0..pairs {
        played.add(match rng.random::<f64>() {
            drawn if drawn < won => 2,
            drawn if drawn < won + lost => 0,
            _ => 1,
        });
    }
    played
}

/// Games that were under way at the verdict do not take it back.
#[test]
fn the_first_verdict_of_a_test_stands() {
    let mut test = SequentialTest::new(Sprt::new(0.0, 200.0, 0.05, 0.05).unwrap());
    let mut pairs = Pairs::default();
    for _ in 0..MIN_PAIRS {
        assert_eq!(test.verdict(), Verdict::Open);
        pairs.add(2);
        test.observe(pairs);
    }
    assert_eq!(test.verdict(), Verdict::H1);
    let decided = test.to_string();
    assert!(decided.ends_with("[0, 200], H1 accepted"), "{decided}");
    for _ in 0..2 * MIN_PAIRS {
        pairs.add(0);
        test.observe(pairs);
    }
    assert_eq!(test.verdict(), Verdict::H1);
    let told = test.to_string();
    assert!(told.starts_with(&decided), "{told}");
    assert!(told.contains(" after 30 pairs (-"), "{told}");
}

#[test]
fn percentiles_are_nearest_ranks() {
    let numbers: Vec<u32> = (1..=1000).collect();
    let found = [500, 990, 999].map(|permille| percentile(&numbers, permille));
    assert_eq!(found, [500, 990, 999].map(Some));
    assert_eq!(percentile(&[7], 1), Some(7));
    assert_eq!(percentile(&[1, 2, 3], 500), Some(2));
    assert_eq!(percentile::<u32>(&[], 500), None);
    let mut latencies = Latencies::default();
    for ms in 1..=10 {
        latencies.add(Duration::from_millis(ms), Duration::from_millis(8));
    }
    let summary = latencies.summary().unwrap();
    assert_eq!(summary.p50, Duration::from_millis(5));
    assert_eq!(summary.max, Duration::from_millis(10));
    assert_eq!((summary.count, summary.late), (10, 2));
}

proptest! {
    /// The test's likelihoods by plain search over all distributions with the mean demanded.
    #[test]
    fn llr_is_the_best_distribution(lost in 1u64..50, split in 1u64..50, won in 1u64..50) {
        let pairs = Pairs { lost, split, won };
        let sprt = Sprt::new(0.0, 50.0, 0.05, 0.05).unwrap();
        let likelihood = |elo: f64| {
            let mean = score_of_elo(elo);
            let mut best = f64::NEG_INFINITY;
            for step in 1..20_000 {
                // All distributions with this mean: won = w, split = 2(mean - w), lost the rest.
                let w = mean * f64::from(step) / 20_000.0;
                let (s, l) = (2.0 * (mean - w), 1.0 + w - 2.0 * mean);
                if l > 0.0 {
                    let sum = lost as f64 * l.ln() + split as f64 * s.ln() + won as f64 * w.ln();
                    best = best.max(sum);
                }
            }
            best
        };
        let wanted = likelihood(50.0) - likelihood(0.0);
        prop_assert!((sprt.llr(pairs) - wanted).abs() < 1e-3, "{} {wanted}", sprt.llr(pairs));
    }

    /// The other player's view is the mirror image.
    #[test]
    fn views_are_mirrored(lost in 0u64..200, split in 0u64..200, won in 1u64..200) {
        let pairs = Pairs { lost, split, won };
        let (ours, theirs) = (pairs.elo().unwrap(), reversed(pairs).elo().unwrap());
        prop_assert!((ours.low + theirs.high).abs() < 1e-6);
        let sum = pairs.superiority().unwrap() + reversed(pairs).superiority().unwrap();
        prop_assert!((sum - 1.0).abs() < 1e-9);
        prop_assert!(ours.low <= ours.elo && ours.elo <= ours.high);
    }
}
