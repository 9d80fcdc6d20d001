//! The exact solver: against brute force, and against published results of small boards.

use hex_core::record::{any_cell, AnyBoard, AnyCell, Side};
use hex_core::solver::{Solver, SolverQuestion, Unsolved};
use hexbot::board::Board;
use hexbot::cell::Color;
use hexbot::cell_set::CellSet;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// A limit that no position of these tests reaches.
const PATIENT: u64 = 10_000_000;

/// What brute force knows: winners by red stones, blue stones and mover.
type Memory<const N: usize> = HashMap<(CellSet<N>, CellSet<N>, Color), Color>;

/// The winner by trying everything.
fn brute_force<const N: usize>(board: &Board<N>, memory: &mut Memory<N>) -> Color {
    if let Some(winner) = board.winner() {
        return winner;
    }
    let mover = board.to_move();
    let [red, blue] = Color::ALL.map(|color| board.stones(color));
    if let Some(&known) = memory.get(&(red, blue, mover)) {
        return known;
    }
    let wins = board.empty_cells().iter().any(|cell| {
        let mut after = board.clone();
        after.play(cell);
        brute_force(&after, memory) == mover
    });
    let winner = if wins { mover } else { mover.opponent() };
    memory.insert((red, blue, mover), winner);
    winner
}

/// A board filled at random up to `empty` cells.
fn filled<const N: usize>(empty: usize, rng: &mut Xoshiro256PlusPlus) -> AnyBoard {
    let side = Side::try_from(N).unwrap();
    let mut cells: Vec<AnyCell> = side.cells().collect();
    let mut stones = Vec::new();
    while cells.len() > empty {
        let cell = cells.swap_remove(rng.random_range(0..cells.len()));
        stones.push((cell, Color::ALL[stones.len() % 2]));
    }
    side.position(stones, Color::Red)
}

/// Compares winners and winning moves on random fillings with both movers.
fn compare_with_brute_force<const N: usize>(empty: usize, positions: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(N as u64);
    for _ in 0..positions {
        let position = filled::<N>(empty, &mut rng);
        let mut solver = Solver::new(&position, PATIENT).unwrap();
        let mut memory = Memory::new();
        for mover in Color::ALL {
            let position = position.with_to_move(mover);
            let board = position.on::<N>();
            let right = brute_force(&board, &mut memory);
            let found = solver.winner(&position).unwrap();
            assert_eq!(found, right, "{mover} to move\n{position}");
            if position.winner().is_some() {
                continue;
            }
            let winning = board.empty_cells().iter().filter(|&cell| {
                let mut after = board.clone();
                after.play(cell);
                brute_force(&after, &mut memory) == mover
            });
            let winning: Vec<AnyCell> = winning.map(any_cell).collect();
            let found = solver.winning_moves(&position).unwrap();
            assert_eq!(found, winning, "{mover} to move\n{position}");
        }
    }
}

#[test]
fn small_boards_are_solved_as_by_brute_force() {
    compare_with_brute_force::<1>(1, 1);
    compare_with_brute_force::<2>(4, 1);
    compare_with_brute_force::<3>(9, 1);
    compare_with_brute_force::<3>(6, 100);
    compare_with_brute_force::<4>(9, 60);
    compare_with_brute_force::<4>(12, 10);
}

#[test]
fn endgames_of_larger_boards_are_solved_as_by_brute_force() {
    compare_with_brute_force::<5>(10, 40);
    compare_with_brute_force::<6>(10, 40);
    compare_with_brute_force::<9>(9, 40);
}

/// A row of `r` and `b` for each row of the board: who wins if Red opens there.
fn opening_map(side: Side) -> Vec<String> {
    let empty = side.board();
    let mut solver = Solver::new(&empty, PATIENT).unwrap();
    let mut winner = |cell: AnyCell| {
        let position = side.position([(cell, Color::Red)], Color::Blue);
        match solver.winner(&position).unwrap() {
            Color::Red => 'r',
            Color::Blue => 'b',
        }
    };
    let rows = 0..side.get();
    rows.map(|row| {
        let cells = (0..side.get()).filter_map(|col| side.cell(row, col));
        cells.map(&mut winner).collect()
    })
    .collect()
}

#[test]
fn all_openings_of_4x4_are_valued_as_by_brute_force() {
    let mut memory = Memory::<4>::new();
    let side = Side::of(4);
    let map = opening_map(side);
    // The other half are these after half a turn, which changes nothing, as the next test shows.
    for point in side.cells().take(8) {
        let mut board = Board::<4>::new();
        board.play(point.on().unwrap());
        let winner = brute_force(&board, &mut memory).to_string();
        assert_eq!(map[point.row()][point.col()..][..1], winner[..1], "{point}");
    }
}

/// HexWiki, "Small boards" and "Swap": a1 and b1 lose on every size from 3 on; and half a turn of
/// the board changes nothing. Nash: some opening wins.
#[test]
fn openings_keep_the_known_theorems() {
    for side in [3, 4, 5].map(Side::of) {
        let map = opening_map(side);
        assert!(map[0].starts_with("bb"), "{map:?}");
        assert!(map.concat().contains('r'), "{map:?}");
        let turned: String = map.concat().chars().rev().collect();
        assert_eq!(turned, map.concat());
    }
}

/// The published winners of all openings of a side, row by row, if there are any.
pub fn published(side: Side) -> Option<Vec<String>> {
    let text = include_str!("../data/solved-openings.txt");
    let (_, rest) = text.split_once(&format!("side {side}\n"))?;
    let rows = rest.lines().take(side.get());
    let rows: Vec<String> = rows.map(|row| row.replace(' ', "")).collect();
    assert!(rows.iter().all(|row| row.len() == side.get()), "{rows:?}");
    Some(rows)
}

#[test]
fn the_published_openings_are_the_same_after_half_a_turn() {
    for side in [6, 7, 8].map(Side::of) {
        let rows = published(side).unwrap().concat();
        assert_eq!(rows.chars().rev().collect::<String>(), rows, "{side}");
    }
}

#[test]
fn all_openings_of_6x6_are_valued_as_published() {
    let side = Side::of(6);
    assert_eq!(Some(opening_map(side)), published(side));
}

#[test]
#[ignore = "takes minutes"]
fn all_openings_of_7x7_are_valued_as_published() {
    let side = Side::of(7);
    assert_eq!(Some(opening_map(side)), published(side));
}

/// What H-search and proof numbers are worth: without them it took 402,771 positions.
#[test]
fn d1_of_7x7_takes_few_positions() {
    let side = Side::of(7);
    let d1 = side.parse_cell("d1").unwrap();
    let position = side.position([(d1, Color::Red)], Color::Blue);
    let mut solver = Solver::new(&position, PATIENT).unwrap();
    assert_eq!(solver.winner(&position), Ok(Color::Blue));
    assert!(solver.searched() < 10_000, "{}", solver.searched());
}

#[test]
fn what_is_known_when_a_search_is_stopped_is_told() {
    let side = Side::of(6);
    let empty = side.board();
    let limited = |most: u64| {
        let watch = move |searched| match searched >= most {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let solver = Solver::new(&empty, PATIENT).unwrap();
        solver.watched(Box::new(watch))
    };
    let mut solver = limited(20);
    assert_eq!(solver.winner(&empty), Err(Unsolved::Stopped));
    assert_eq!(solver.searched_in_all(), 20);
    // A solver without search finds only immediate results; it does not decide a1 in the corner.
    let found = limited(0).appraise(&empty, SolverQuestion::AllMoves);
    assert!(found.unknown.contains(&side.parse_cell("a1").unwrap()));
    let known = published(side).unwrap().concat();
    let found = limited(PATIENT).appraise(&empty, SolverQuestion::AllMoves);
    assert_eq!((found.winner, found.unknown.len()), (Some(Color::Red), 0));
    for (point, winner) in side.cells().zip(known.chars()) {
        let (won, lost) = (&found.winning, &found.losing);
        let list = if winner == 'r' { won } else { lost };
        assert!(list.contains(&point), "{point}");
    }
}

#[test]
fn appraisals_agree_with_brute_force() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    for _ in 0..30 {
        let position = filled::<5>(9, &mut rng);
        let mut memory = Memory::new();
        for mover in Color::ALL {
            let position = position.with_to_move(mover);
            let board = position.on::<5>();
            let right = brute_force(&board, &mut memory);
            for question in [SolverQuestion::Winner, SolverQuestion::AllMoves] {
                let mut solver = Solver::new(&position, PATIENT).unwrap();
                let found = solver.appraise(&position, question);
                assert_eq!(found.winner, Some(right), "{mover} to move\n{position}");
                if position.winner().is_some() {
                    continue;
                }
                let wins = |point: &AnyCell| {
                    let mut after = board.clone();
                    after.play(point.on().unwrap());
                    brute_force(&after, &mut memory.clone()) == mover
                };
                let is_right = found.winning.iter().all(wins) && !found.losing.iter().any(wins);
                assert!(is_right, "{mover} to move\n{position}");
                assert_eq!(found.winning.is_empty(), right != mover);
                assert!(question == SolverQuestion::Winner || found.unknown.is_empty());
            }
        }
    }
}

/// With room for 896 positions 6x6 takes thousands more than are remembered at a time.
#[test]
fn what_is_forgotten_is_searched_again() {
    let side = Side::of(6);
    let empty = side.board();
    let make = || Solver::new(&empty, PATIENT).unwrap();
    let (mut spacious, mut narrow) = (make(), make().remembering(1));
    // Half of them: the others are these after half a turn.
    for point in side.cells().take(18) {
        let position = side.position([(point, Color::Red)], Color::Blue);
        let winner = spacious.winner(&position);
        assert_eq!(narrow.winner(&position), winner, "{point}");
    }
    let searched = [&spacious, &narrow].map(Solver::searched_in_all);
    assert!(searched[0] < searched[1], "{searched:?}");
}

#[test]
fn what_is_too_much_is_refused() {
    let refused = Solver::new(&Side::of(12).board(), PATIENT).err();
    assert_eq!(refused, Some(Unsolved::TooManyCells(144)));
    let empty = Side::of(6).board();
    let mut hasty = Solver::new(&empty, 10).unwrap();
    let answer = hasty.winner(&empty);
    assert_eq!(answer, Err(Unsolved::TooHard(10)));
}

#[test]
#[should_panic(expected = "another base")]
fn a_position_of_another_base_is_refused() {
    let b2 = Side::of(3).parse_cell("b2").unwrap();
    let base = Side::of(3).position([(b2, Color::Red)], Color::Blue);
    let mut solver = Solver::new(&base, PATIENT).unwrap();
    let _ = solver.winner(&Side::of(3).board());
}
