//! A winner who is to move gets a winning move, whatever the solver has seen or forgotten.

use hex_core::record::{parse_game, Point, Position, Side};
use hex_core::solver::{Solver, SolverQuestion};
use hexbot::cell::Color;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;

/// A limit that no position of these tests reaches.
const PATIENT: u64 = 10_000_000;

/// Winners by the stones of a position, row by row, and by who is to move.
type Winners = HashMap<(Vec<Option<Color>>, Color), Color>;

/// The stones row by row.
fn stones(position: &Position) -> Vec<Option<Color>> {
    let points = position.side().points();
    points.map(|point| position.at(point)).collect()
}

/// The empty cells row by row.
fn empty(position: &Position) -> Vec<Point> {
    let points = position.side().points();
    points
        .filter(|&point| position.at(point).is_none())
        .collect()
}

/// The position with one more stone.
fn after(position: &Position, point: Point, color: Color) -> Position {
    let mut next = position.clone();
    next.set(point, Some(color));
    next
}

/// The winner by trying everything.
fn exhaustive(position: &Position, mover: Color, known: &mut Winners) -> Color {
    if let Some(winner) = position.winner() {
        return winner;
    }
    let key = (stones(position), mover);
    if let Some(&winner) = known.get(&key) {
        return winner;
    }
    let mut moves = empty(position).into_iter();
    let wins = |point| exhaustive(&after(position, point, mover), mover.opponent(), known) == mover;
    let winner = if moves.any(wins) {
        mover
    } else {
        mover.opponent()
    };
    known.insert(key, winner);
    winner
}

/// A position without a winner: as many stones as `fillings` of ten cells get, of random colours.
fn random_position(side: Side, fillings: u32, rng: &mut Xoshiro256PlusPlus) -> Position {
    loop {
        let mut position = Position::new(side);
        for point in side.points() {
            if rng.random_range(0..10) < fillings {
                let color = Color::ALL[rng.random_range(0..2)];
                position.set(point, Some(color));
            }
        }
        if position.winner().is_none() {
            return position;
        }
    }
}

/// Asks a new solver for the winner. A winner who is to move must come with moves that keep the
/// win; `winner_after` is the judge of that. Returns the winner.
fn winner_with_move(
    position: &Position,
    mover: Color,
    mut winner_after: impl FnMut(&Position, Color) -> Color,
) -> Color {
    let mut solver = Solver::new(position, PATIENT).unwrap();
    let found = solver.appraise(position, mover, SolverQuestion::Winner);
    let winner = found.winner.expect("no limit is reached");
    assert_eq!(
        found.winning.is_empty(),
        winner != mover,
        "{winner} wins, {mover} is to move\n{position}"
    );
    for &point in &found.winning {
        let next = after(position, point, mover);
        let kept = winner_after(&next, mover.opponent());
        assert_eq!(kept, mover, "{point} by {mover}\n{position}");
    }
    winner
}

#[test]
fn small_boards_get_moves_that_an_exhaustive_search_confirms() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(54);
    for (side, fillings, positions) in [(3, 2, 200), (3, 4, 300), (4, 5, 60), (4, 7, 400)] {
        for _ in 0..positions {
            let position = random_position(Side::of(side), fillings, &mut rng);
            let mut known = Winners::new();
            for mover in Color::ALL {
                let winner = winner_with_move(&position, mover, |next, turn| {
                    exhaustive(next, turn, &mut known)
                });
                assert_eq!(winner, exhaustive(&position, mover, &mut known));
            }
        }
    }
}

#[test]
fn larger_boards_get_moves_that_a_new_search_confirms() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(55);
    for (side, fillings, positions) in [(5, 3, 500), (6, 3, 1000), (7, 4, 1000)] {
        for _ in 0..positions {
            let position = random_position(Side::of(side), fillings, &mut rng);
            for mover in Color::ALL {
                winner_with_move(&position, mover, |next, turn| {
                    let mut solver = Solver::new(next, PATIENT).unwrap();
                    solver.winner(next, turn).unwrap()
                });
            }
        }
    }
}

/// The positions of a user's report: the first ended `hex solve` with a panic, the second was
/// called joined.
#[test]
fn reported_positions_get_their_moves() {
    let panicked = include_str!("../data/solver/panics-red-to-move.txt");
    let joined = include_str!("../data/solver/says-joined-blue-to-move.txt");
    for (text, mover) in [(panicked, Color::Red), (joined, Color::Blue)] {
        let game = parse_game(text, Side::CODINGAME).unwrap();
        let winner = winner_with_move(game.position(), mover, |next, turn| {
            let mut solver = Solver::new(next, PATIENT).unwrap();
            solver.winner(next, turn).unwrap()
        });
        assert_eq!(winner, mover);
    }
}

/// A search that is stopped too early to name a winning move does not claim a winner.
#[test]
fn a_hasty_solver_claims_no_win_without_a_move() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(56);
    for limit in [0, 1, 2, 5, 20] {
        for _ in 0..200 {
            let position = random_position(Side::of(6), 3, &mut rng);
            for mover in Color::ALL {
                let mut solver = Solver::new(&position, limit).unwrap();
                let found = solver.appraise(&position, mover, SolverQuestion::Winner);
                let claims = found.winner == Some(mover);
                assert_eq!(claims, !found.winning.is_empty(), "{mover}\n{position}");
            }
        }
    }
}
