//! The tables of first moves in the bot's source are what its measurements say.

#[path = "../../../core/tests/common/first_moves.rs"]
mod first_moves;

use first_moves::{first_move, sides, swaps, PROVEN};
use hex_common::solved_openings;
use hex_core::record::Side;
use hex_lab::openings_command::store;
use hex_lab::openings_command::OpeningMap;
use hexbot::cell::Color;
use hexbot::opening;
use std::path::{Path, PathBuf};

/// What `hex solve --openings --out` wrote. Of side 8 there is only what others published.
#[test]
fn blue_swaps_what_is_proven_to_win_and_red_opens_with_what_loses() {
    for side in PROVEN.filter(|&side| side < 8).map(Side::of) {
        let log = docs(&format!("solved-{side}.txt"));
        let winners = solved_openings::read(&log, side).unwrap();
        for opening in side.cells() {
            let winner = winners[&opening.min(side.rotated(opening))];
            let swap = swaps(opening, side);
            assert_eq!(swap, winner == Color::Red, "{opening} on side {side}");
        }
        assert!(!swaps(first_move(side), side), "side {side}");
    }
}

/// A log of `hex lab openings`.
fn docs(file: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    root.join("docs/openings").join(file)
}

/// A table in the bot's source is what the command makes of its log.
#[test]
fn tables_are_what_their_logs_say() {
    let folder = tempfile::tempdir().unwrap();
    for side in sides() {
        let log = docs(&format!("{side}.txt"));
        let Ok(text) = std::fs::read_to_string(&log) else {
            assert!((16..=18).contains(&side.get()), "side {side} has no log");
            continue;
        };
        let conditions = text.lines().next().unwrap();
        // The store opens its log to go on with it.
        let copy = folder.path().join(format!("{side}.txt"));
        std::fs::write(&copy, &text).unwrap();
        let store = store::open(Some(&copy), side, conditions).unwrap();
        let winner = |cell| match swaps(cell, side) {
            true => Color::Red,
            false => Color::Blue,
        };
        let proven = PROVEN.contains(&(side.get() as u8));
        let cells = side.cells().filter(|_| proven);
        let winners = cells.map(|cell| (cell, winner(cell))).collect();
        let map = OpeningMap::new(store.found(), &winners, side);
        for opening in side.cells() {
            let measured = 100.0 * map.estimate(opening).wins;
            let wins = 100.0 * f64::from(opening::red_wins(opening, side.get()));
            assert!((wins - measured).abs() < 0.501, "{opening} on side {side}");
        }
    }
}
