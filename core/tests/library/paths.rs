//! Shortest paths on a board in the corner of the largest are those on a board of the side itself,
//! cell for cell.

use hex_core::record::{any_cell, AnyCell, Side};
use hexbot::board::Board;
use hexbot::cell::Color;
use hexbot::shortest_path::{heuristic_move, Distances};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// What distances say, in cells of any board.
fn findings<const N: usize>(
    board: &Board<N>,
    color: Color,
) -> (Option<u16>, Vec<AnyCell>, Vec<(AnyCell, u16)>) {
    let distances = Distances::new(board, color);
    let path = distances.shortest_path().map(any_cell).collect();
    let through = |cell| Some((any_cell(cell), distances.moves_through(cell)?));
    let through = board.empty_cells().iter().filter_map(through).collect();
    (distances.moves_to_win(), path, through)
}

/// Compares positions with all numbers of stones.
fn check_side<const N: usize>(positions: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(N as u64);
    let side = Side::try_from(N).unwrap();
    let cells: Vec<AnyCell> = side.cells().collect();
    for number in 0..positions {
        let mut position = side.board();
        for _ in 0..number * cells.len() * 3 / 2 / positions {
            // Where a stone lies already, it stays.
            let cell = cells[rng.random_range(0..cells.len())];
            let _ = position.set_up(cell, Color::ALL[rng.random_range(0..2)]);
        }
        for color in Color::ALL {
            let position = position.with_to_move(color);
            let board: Board<N> = position.on();
            assert_eq!(
                findings(&position, color),
                findings(&board, color),
                "{color}\n{position}"
            );
            let expected = heuristic_move(&board).map(any_cell);
            let found = heuristic_move(&position);
            assert_eq!(found, expected, "{color} to move\n{position}");
        }
    }
}

#[test]
fn paths_in_the_corner_are_those_of_the_side() {
    check_side::<1>(3);
    check_side::<2>(100);
    check_side::<3>(300);
    check_side::<4>(300);
    check_side::<7>(300);
    check_side::<10>(300);
    check_side::<11>(300);
    check_side::<19>(100);
    check_side::<26>(50);
}
