//! The rules against slow and obvious oracles, and the symmetries of the game.

use crate::common::{half_turn, random_board, random_cells, rng};
use hexbot::board::{Board, IllegalMove};
use hexbot::cell::{Cell, Color, Direction};
use hexbot::cell_set::CellSet;
use hexbot::opening::Answer;
use proptest::prelude::*;

/// Calls a test generic over the side for every side from 1 to 14 and for 21.
macro_rules! for_all_sides {
    ($test:ident) => {
        for_all_sides!($test: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 21)
    };
    ($test:ident: $($side:literal)*) => { $($test::<$side>();)* };
}

/// After swap-pieces Blue has a stone on the mirrored cell, and Red is to move.
#[test]
fn a_swap_mirrors_the_only_stone_and_changes_its_colour() {
    for cell in Cell::<11>::all() {
        let mut board = Board::new();
        board.play(cell);
        let after = Answer::SwapPieces.played_on(&board);
        assert_eq!(after.at(cell.transposed()), Some(Color::Blue), "{cell}");
        assert_eq!(after.empty_cells().len(), Cell::<11>::COUNT - 1, "{cell}");
        assert_eq!(after.to_move(), Color::Red, "{cell}");
    }
}

#[test]
fn union_find_agrees_with_flood_fill_after_every_move() {
    fn check<const N: usize>() {
        let mut rng = rng(N as u64);
        for _ in 0..20 {
            let mut board = Board::<N>::new();
            for cell in random_cells(&mut rng) {
                if board.try_play(cell).is_err() {
                    break;
                }
                assert!(board.is_valid(), "{board}");
            }
        }
    }
    for_all_sides!(check);
}

#[test]
fn any_numbers_of_stones_are_judged_like_flood_fill() {
    fn check<const N: usize>() {
        let mut rng = rng(100 + N as u64);
        for _ in 0..100 {
            let board = random_board::<N>(&mut rng, Cell::<N>::COUNT);
            assert!(board.is_valid(), "{board}");
        }
    }
    for_all_sides!(check);
}

#[test]
fn a_full_board_has_exactly_one_winner() {
    fn check<const N: usize>() {
        let mut rng = rng(200 + N as u64);
        for _ in 0..50 {
            let cells = random_cells(&mut rng);
            let red: CellSet<N> = cells.take(Cell::<N>::COUNT.div_ceil(2)).collect();
            let board = Board::from_stones(red, CellSet::FULL - red, Color::Red).unwrap();
            assert!(board.winner().is_some() && board.is_valid(), "{board}");
        }
    }
    for_all_sides!(check);
}

#[test]
fn mirroring_swaps_the_winner_and_turning_keeps_it() {
    fn check<const N: usize>() {
        let mut rng = rng(300 + N as u64);
        for _ in 0..50 {
            let board = random_board::<N>(&mut rng, Cell::<N>::COUNT);
            let other = board.winner().map(Color::opponent);
            assert_eq!(board.transposed().winner(), other, "{board}");
            assert_eq!(half_turn(&board).winner(), board.winner(), "{board}");
            assert_eq!(board.transposed().transposed(), board);
            assert_eq!(half_turn(&half_turn(&board)), board);
        }
    }
    for_all_sides!(check);
}

#[test]
fn illegal_moves_are_refused_and_change_nothing() {
    let mut board = Board::<2>::new();
    let [a1, a2, b1]: [Cell<2>; 3] = ["a1", "a2", "b1"].map(|name| name.parse().unwrap());
    board.play(a1);
    let before = board.clone();
    let refused = board.try_play(a1);
    assert_eq!(refused, Err(IllegalMove::Occupied(a1, Color::Red)));
    assert_eq!(board, before);
    board.play(b1);
    board.play(a2);
    let refused = board.try_play("b2".parse().unwrap());
    assert_eq!(refused, Err(IllegalMove::GameOver(Color::Red)));
}

#[test]
fn stones_on_the_same_cell_make_no_board() {
    let cell: CellSet<3> = [Cell::new(1, 1).unwrap()].into_iter().collect();
    assert!(Board::from_stones(cell, cell, Color::Red).is_none());
}

#[test]
fn neighbours_are_what_the_statement_says() {
    fn check<const N: usize>() {
        for cell in Cell::<N>::all() {
            let (row, col) = (cell.row() as isize, cell.col() as isize);
            let offsets = [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1)];
            let near = offsets.iter().filter_map(|(r, c)| {
                let (row, col) = (row + r, col + c);
                Cell::new(usize::try_from(row).ok()?, usize::try_from(col).ok()?)
            });
            let mut expected: Vec<_> = near.collect();
            let mut found = cell.neighbors().to_vec();
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{cell}");
        }
    }
    for_all_sides!(check);
}

proptest! {
    #[test]
    fn sets_behave_as_sets(a in any::<[u16; 11]>(), b in any::<[u16; 11]>()) {
        let set = |rows: [u16; 11]| -> CellSet<11> {
            Cell::all().filter(|cell| rows[cell.row()] >> cell.col() & 1 == 1).collect()
        };
        let (a, b) = (set(a), set(b));
        for cell in Cell::all() {
            let (in_a, in_b) = (a.contains(cell), b.contains(cell));
            prop_assert_eq!((a & b).contains(cell), in_a && in_b);
            prop_assert_eq!((a | b).contains(cell), in_a || in_b);
            prop_assert_eq!((a - b).contains(cell), in_a && !in_b);
        }
        prop_assert_eq!(a.len(), a.iter().count());
        prop_assert_eq!(a.is_empty(), a.iter().next().is_none());
        for to in Direction::ALL {
            let stepped: CellSet<11> = a.iter().filter_map(|cell| cell.neighbor(to)).collect();
            prop_assert_eq!(a.stepped(to), stepped);
        }
    }

    #[test]
    fn cells_are_read_as_they_are_written(index in 0usize..121) {
        let cell = Cell::<11>::from_index(index);
        prop_assert_eq!(cell.to_string().parse(), Ok(cell));
    }

    #[test]
    fn no_text_makes_a_cell_panic(text in ".{0,6}") {
        if let Ok(cell) = text.parse::<Cell<11>>() {
            let (letter, number) = text.split_at(1);
            let written = cell.to_string();
            prop_assert_eq!(written.split_at(1), (letter, number.trim_start_matches('0')));
        }
    }
}
