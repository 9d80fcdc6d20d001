//! If the player to move has won, the solver returns a winning move, for any contents of its table.

use hex_core::record::{parse_game, AnyBoard, AnyCell, Side};
use hex_core::solver::{Solver, SolverQuestion};
use hexbot::cell::Color;
use hexbot::position_key::PositionKey;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;

/// A limit that no position of these tests reaches.
const PATIENT: u64 = 10_000_000;

/// Winners of positions.
type Winners = HashMap<PositionKey<{ Side::MAX }>, Color>;

/// The position after a move.
fn after(position: &AnyBoard, cell: AnyCell) -> AnyBoard {
    let mut next = position.clone();
    next.play(cell);
    next
}

/// The winner by trying everything.
fn exhaustive(position: &AnyBoard, known: &mut Winners) -> Color {
    if let Some(winner) = position.winner() {
        return winner;
    }
    let (key, mover) = (position.position(), position.to_move());
    if let Some(&winner) = known.get(&key) {
        return winner;
    }
    let mut moves = position.empty_cells().iter();
    let wins = |cell| exhaustive(&after(position, cell), known) == mover;
    let winner = if moves.any(wins) {
        mover
    } else {
        mover.opponent()
    };
    known.insert(key, winner);
    winner
}

/// A position without a winner: as many stones as `fillings` of ten cells get, of random colours.
fn random_position(side: Side, fillings: u32, rng: &mut Xoshiro256PlusPlus) -> AnyBoard {
    loop {
        let mut position = side.board();
        for point in side.cells() {
            if rng.random_range(0..10) < fillings {
                let color = Color::ALL[rng.random_range(0..2)];
                position.set_up(point, color).unwrap();
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
    position: &AnyBoard,
    mut winner_after: impl FnMut(&AnyBoard) -> Color,
) -> Color {
    let mover = position.to_move();
    let mut solver = Solver::new(position, PATIENT).unwrap();
    let found = solver.appraise(position, SolverQuestion::Winner);
    let winner = found.winner.expect("no limit is reached");
    assert_eq!(
        found.winning.is_empty(),
        winner != mover,
        "{winner} wins, {mover} is to move\n{position}"
    );
    for &point in &found.winning {
        let kept = winner_after(&after(position, point));
        assert_eq!(kept, mover, "{point} by {mover}\n{position}");
    }
    winner
}

#[test]
fn small_boards_get_moves_that_an_exhaustive_search_confirms() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(54);
    for (side, fillings, positions) in [(3, 2, 100), (3, 4, 100), (4, 5, 10), (4, 7, 100)] {
        for _ in 0..positions {
            let position = random_position(Side::of(side), fillings, &mut rng);
            let mut known = Winners::new();
            for mover in Color::ALL {
                let position = position.with_to_move(mover);
                let winner = winner_with_move(&position, |next| exhaustive(next, &mut known));
                assert_eq!(winner, exhaustive(&position, &mut known));
            }
        }
    }
}

#[test]
fn larger_boards_get_moves_that_a_new_search_confirms() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(55);
    for (side, fillings, positions) in [(5, 3, 100), (6, 3, 200), (7, 4, 200)] {
        for _ in 0..positions {
            let position = random_position(Side::of(side), fillings, &mut rng);
            for mover in Color::ALL {
                winner_with_move(&position.with_to_move(mover), |next| {
                    let mut solver = Solver::new(next, PATIENT).unwrap();
                    solver.winner(next).unwrap()
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
        let winner = winner_with_move(&game.position().with_to_move(mover), |next| {
            let mut solver = Solver::new(next, PATIENT).unwrap();
            solver.winner(next).unwrap()
        });
        assert_eq!(winner, mover);
    }
}

/// A search that is stopped too early to name a winning move does not claim a winner.
#[test]
fn a_hasty_solver_claims_no_win_without_a_move() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(56);
    for limit in [0, 1, 2, 5, 20] {
        for _ in 0..40 {
            let position = random_position(Side::of(6), 3, &mut rng);
            for mover in Color::ALL {
                let mut solver = Solver::new(&position, limit).unwrap();
                let found = solver.appraise(&position.with_to_move(mover), SolverQuestion::Winner);
                let claims = found.winner == Some(mover);
                assert_eq!(claims, !found.winning.is_empty(), "{mover}\n{position}");
            }
        }
    }
}
