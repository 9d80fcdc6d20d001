//! Shortest paths on boards whose side is known at run time are the bot's, cell for cell.

use hex_core::paths;
use hex_core::record::{Point, Position, Side};
use hexbot::board::Board;
use hexbot::cell::Color;
use hexbot::shortest_path::{heuristic_move, Distances};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Compares positions with all numbers of stones.
fn check_side<const N: usize>(positions: usize) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(N as u64);
    let points: Vec<Point> = Side::try_from(N).unwrap().points().collect();
    for number in 0..positions {
        let mut position = Position::new(Side::try_from(N).unwrap());
        for _ in 0..number * points.len() * 3 / 2 / positions {
            let point = points[rng.random_range(0..points.len())];
            position.set(point, Some(Color::ALL[rng.random_range(0..2)]));
        }
        for color in Color::ALL {
            let board: Board<N> = position.board(color);
            let distances = Distances::new(&board, color);
            let expected = distances.moves_to_win().map(|moves| {
                let cells: Vec<Point> = distances.shortest_path().map(Point::from).collect();
                (moves, cells)
            });
            let found = paths::shortest_path(&position, color);
            let found = found.map(|path| (path.moves, path.cells));
            assert_eq!(found, expected, "{color}\n{position}");

            let moves = |cell| Some((Point::from(cell), distances.moves_through(cell)?));
            let expected: Vec<_> = board.empty_cells().iter().filter_map(moves).collect();
            let found = paths::moves_through(&position, color);
            assert_eq!(found, expected, "{color}\n{position}");

            let expected = heuristic_move(&board).map(Point::from);
            let found = paths::heuristic_move(&position, color);
            assert_eq!(found, expected, "{color} to move\n{position}");
        }
    }
}

#[test]
fn paths_are_those_of_the_bot() {
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
