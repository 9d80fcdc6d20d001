//! First moves and swaps: right where the winner is proven.

#[path = "../common/first_moves.rs"]
mod first_moves;

use super::solver::published;
use first_moves::{after, first_move, swaps};
use hex_core::record::{AnyCell, Side};
use hex_core::solver::Solver;
use hexbot::cell::Color;
use hexbot::opening;

/// A limit that no opening of these tests reaches.
const PATIENT: u64 = 10_000_000;

/// Compares openings with the solver: Blue swaps those, and only those, that win for Red.
fn compare_with_solver(side: Side, openings: impl Iterator<Item = AnyCell>) {
    let mut solver = Solver::new(&side.board(), PATIENT).unwrap();
    for opening in openings {
        let winner = solver.winner(after(opening, side).position()).unwrap();
        assert_eq!(
            swaps(opening, side),
            winner == Color::Red,
            "{opening} on side {side}"
        );
    }
}

#[test]
fn blue_swaps_what_the_solver_proves_to_win() {
    for side in (2..=5).map(Side::of) {
        compare_with_solver(side, side.cells());
    }
    // All of 6×6 and of 7×7 are below; these take a tenth of a second.
    let seven = Side::of(7);
    let cells = ["d1", "f2", "e3"].map(|cell| seven.parse_cell(cell).unwrap());
    compare_with_solver(seven, cells.into_iter());
}

/// The solver's map of 6×6 is the published one: `all_openings_of_6x6_are_valued_as_published`.
#[test]
#[ignore = "takes minutes"]
fn blue_swaps_what_the_solver_proves_to_win_on_6x6_and_7x7() {
    for side in [6, 7].map(Side::of) {
        compare_with_solver(side, side.cells());
    }
}

#[test]
fn blue_swaps_what_is_published_to_win_and_red_opens_with_what_loses() {
    for side in [6, 7, 8].map(Side::of) {
        let winners = published(side).unwrap().concat();
        for (opening, winner) in side.cells().zip(winners.chars()) {
            let swap = swaps(opening, side);
            assert_eq!(swap, winner == 'r', "{opening} on side {side}");
        }
        assert!(!swaps(first_move(side), side), "side {side}");
    }
}

#[test]
fn values_are_probabilities_and_stay_after_half_a_turn() {
    for side in (1..=19).map(Side::of) {
        let values = |cell| opening::red_wins(cell, side.get());
        for cell in side.cells() {
            assert!((0.0..=1.0).contains(&values(cell)), "{cell} on side {side}");
            assert_eq!(
                values(cell),
                values(side.rotated(cell)),
                "{cell} on side {side}"
            );
        }
        assert!(
            side.get() == 1 || !swaps(first_move(side), side),
            "side {side}"
        );
    }
}
