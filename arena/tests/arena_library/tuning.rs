//! The surface of `hex tune` against surfaces that are known, and its parameters.

use hex_arena::tune::model::{coefficients, random_places, Gain, Model, ScoredPlaces};
use hex_arena::tune::parameter::Parameter;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::RangeInclusive;

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// Pairs of games at random places whose games are won so often.
fn trials(count: usize, dimensions: usize, wins: impl Fn(&[f64]) -> f64) -> Vec<ScoredPlaces> {
    let mut rng = rng(1);
    let bounds = vec![-1.0..=1.0; dimensions];
    let trial = |_| {
        let places = random_places(&bounds, &mut rng);
        let won = [(); 2].map(|()| rng.random_bool(wins(&places)));
        ScoredPlaces {
            score: won.iter().map(|&won| f64::from(u8::from(won))).sum::<f64>() / 2.0,
            places,
        }
    };
    (0..count).map(trial).collect()
}

/// The highest at (0.4, −0.2), and ½ at the middle.
fn hill(places: &[f64]) -> f64 {
    let height = |x: f64, y: f64| -0.12 * x * x - 0.18 * y * y - 0.08 * x * y;
    0.5 + height(places[0] - 0.4, places[1] + 0.2) - height(-0.4, 0.2)
}

#[test]
fn the_top_of_a_known_hill_is_found() {
    let trials = trials(20_000, 2, hill);
    let model = Model::new(2, &trials);
    let bounds = vec![-1.0..=1.0; 2];
    let top = model.likeliest().highest(&bounds, &mut rng(2));
    let off = [top[0] - 0.4, top[1] + 0.2];
    assert!(off.iter().all(|off| off.abs() < 0.12), "{top:?}");
    for places in [[0.4, -0.2], [0.0, 0.0], [1.0, 1.0], [-0.5, 0.3]] {
        let Gain { score, error } = model.gain(&places);
        let off = score - (hill(&places) - 0.5);
        assert!(off.abs() <= 4.0 * error, "{places:?}: {off} ± {error}");
    }
    let Gain { score, error } = model.gain(&[0.0, 0.0]);
    assert_eq!((score, error), (0.0, 0.0));
}

#[test]
fn more_pairs_tell_more() {
    let trials = trials(1600, 2, hill);
    let error = |count: usize| Model::new(2, &trials[..count]).gain(&[1.0, 1.0]).error;
    // What the prior claims of two slopes and three curvatures, in quadrature.
    let prior = (2.0 * 0.1f64.powi(2) + 3.0 * 0.15f64.powi(2)).sqrt();
    assert!((error(0) - prior).abs() < 1e-9);
    assert!(error(100) < error(0));
    let ratio = error(400) / error(1600);
    assert!((1.7..2.3).contains(&ratio), "four times the pairs: {ratio}");
}

#[test]
fn surfaces_are_drawn_as_likely_as_they_are() {
    let trials = trials(300, 2, hill);
    let model = Model::new(2, &trials);
    let places = [0.7, -0.9];
    let wanted = model.gain(&places);
    let mut rng = rng(3);
    let drawn: Vec<f64> = (0..4000)
        .map(|_| model.draw(&mut rng).at(&places))
        .collect();
    let mean = drawn.iter().sum::<f64>() / 4000.0;
    let variance = drawn.iter().map(|at| (at - mean).powi(2)).sum::<f64>() / 4000.0;
    let off = [mean - wanted.score, variance.sqrt() - wanted.error];
    assert!(
        off.iter().all(|off| off.abs() < 0.08 * wanted.error),
        "{off:?} {wanted:?}"
    );
}

proptest! {
    /// Against a grid of all places.
    #[test]
    fn nothing_is_higher_than_the_highest(
        seed: u64,
        low in proptest::collection::vec(-2.0..0.0f64, 2),
        count in 0..200usize,
    ) {
        let bounds: Vec<RangeInclusive<f64>> = low.iter().map(|&low| low..=low + 2.0).collect();
        let model = Model::new(2, &trials(count, 2, hill));
        let surface = model.draw(&mut rng(seed));
        let top = surface.highest(&bounds, &mut rng(seed));
        prop_assert!(top.iter().zip(&bounds).all(|(place, range)| range.contains(place)));
        let grid = |range: &RangeInclusive<f64>, index: u32| range.start() + 0.1 * f64::from(index);
        for index in 0..21 * 21 {
            let places = [grid(&bounds[0], index / 21), grid(&bounds[1], index % 21)];
            prop_assert!(surface.at(&top) >= surface.at(&places) - 1e-9, "{places:?} {top:?}");
        }
    }

    /// Values come back from their places, and all places have values in the range.
    #[test]
    fn places_and_values_belong_together(
        from in -50i32..50, below in 0..50i32, above in 1..50i32, place in -2.0..2.0f64,
        whole: bool,
    ) {
        let (now, to) = (from + below, from + below + above);
        let end = if whole { ":whole" } else { "" };
        let parameter: Parameter = format!("n={from}..{now}..{to}{end}").parse().unwrap();
        for value in [from, now, to].map(f64::from) {
            prop_assert!((parameter.value(parameter.place(value)) - value).abs() < 1e-9);
        }
        let places = parameter.places();
        prop_assert!((places.end() - places.start() - 2.0).abs() < 1e-9);
        prop_assert_eq!(parameter.place(f64::from(now)), 0.0);
        prop_assert!(parameter.allows(parameter.value(place)));
        prop_assert_eq!(parameter.to_string().parse(), Ok(parameter));
    }
}

#[test]
fn ranges_above_zero_go_by_ratios() {
    let parameter = |text: &str| text.parse::<Parameter>().unwrap();
    assert_eq!(parameter("c=1..4..16").value(0.5), 8.0);
    assert_eq!(parameter("c=0..4..16").value(0.5), 8.0);
    assert_eq!(parameter("c=0..4..16").value(1.0), 12.0);
    assert_eq!(parameter("c=1..4..16").value(0.123), 4.744);
    assert_eq!(parameter("c=1..4..16:whole").value(0.123), 5.0);
}

#[test]
fn coefficients_are_slopes_squares_and_products() {
    assert_eq!([1, 2, 5].map(coefficients), [2, 5, 20]);
}

/// Ranges and what is wrong with them.
const WRONG: &str = r#"
c "c" is not NAME=FROM..NOW..TO, such as c=0.6..1.2..2.4
c=1..2 is not NAME=FROM..NOW..TO
c=1..2..3..4 is not NAME=FROM..NOW..TO
=1..2..3 is not NAME=FROM..NOW..TO
c~d=1..2..3 is not NAME=FROM..NOW..TO
c=1..x..3 is not NAME=FROM..NOW..TO
c=1..2..inf is not NAME=FROM..NOW..TO
c=3..2..1 3, 2 and 1 do not rise; give the least, the current
c=1..4..3 1, 4 and 3 do not rise
c=2..2..2 2, 2 and 2 do not rise
c=1..1.5..2:whole :whole is for whole numbers
"#;

#[test]
fn what_is_no_range_is_told_with_the_cure() {
    for line in WRONG.trim().lines() {
        let (text, wanted) = line.split_once(' ').unwrap();
        let error = text.replace('~', " ").parse::<Parameter>().unwrap_err();
        assert!(error.contains(wanted), "{text}: {error}");
    }
}
