//! The curve that is fitted to the games of a measurement of first moves.

use hex_lab::openings_command::fit::Fit;
use hex_lab::openings_command::Results;

/// What was measured of an opening.
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
fn games_count_as_much_as_openings_stray() {
    // The same value, and results 0.1 away on either side, with enough games to be significant.
    let results = [result(0.5, 4_000, 10_000), result(0.5, 6_000, 10_000)];
    let fit = Fit::new(results.iter());
    let estimate = fit.estimate(&results[1]);
    assert!((estimate.wins - 0.6).abs() < 1e-3, "{estimate:?}");
    assert!((estimate.error - 0.005).abs() < 2e-4, "{estimate:?}");
    // An opening without games lies on the curve, as uncertain as the others stray.
    let unplayed = fit.estimate(&result(0.5, 0, 0));
    assert!((unplayed.wins - 0.5).abs() < 1e-3, "{unplayed:?}");
    assert!((unplayed.error - 0.1).abs() < 0.01, "{unplayed:?}");
}

#[test]
fn openings_on_the_curve_are_as_sure_as_the_curve() {
    let results = [(0.4, 40), (0.5, 50), (0.6, 60)].map(|(value, wins)| result(value, wins, 100));
    let fit = Fit::new(results.iter());
    let [end, middle] = [&results[0], &results[1]].map(|result| fit.estimate(result));
    assert!((end.wins - 0.4).abs() < 0.01, "{end:?}");
    // 303 games behind the middle of a line, and less than 200 behind its end.
    let of_games = |games: f64| (0.25 / games).sqrt();
    assert!((middle.error - of_games(303.0)).abs() < 0.002, "{middle:?}");
    assert!(
        (of_games(200.0)..of_games(100.0)).contains(&end.error),
        "{end:?}"
    );
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
