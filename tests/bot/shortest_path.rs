//! Shortest paths against a slow and obvious oracle, and the move that they suggest.

use crate::common::{diagram, random_board, rng};
use hexbot::board::Board;
use hexbot::cell::{Cell, Color};
use hexbot::cell_set::CellSet;
use hexbot::groups::Edges;
use hexbot::shortest_path::{heuristic_move, Distances};

/// Bellman and Ford's relaxation: moves from the start edge to each cell, repeated until nothing
/// changes.
fn moves_to_win_slowly<const N: usize>(board: &Board<N>, color: Color) -> Option<u16> {
    let cost = |cell| match board.at(cell) {
        None => Some(1),
        Some(stone) => (stone == color).then_some(0),
    };
    let mut best: Vec<Option<u16>> = vec![None; N * N];
    loop {
        let before = best.clone();
        for cell in Cell::<N>::all() {
            let on_edge = Edges::of(cell, N).include(Edges::start(color)).then_some(0);
            let near = cell
                .neighbors()
                .iter()
                .filter_map(|next| before[next.index()]);
            let least = near.chain(on_edge).min();
            best[cell.index()] = least.and_then(|moves| Some(moves + cost(cell)?));
        }
        if best == before {
            break;
        }
    }
    let at_end = |cell: &Cell<N>| Edges::of(*cell, N).include(Edges::end(color));
    let ends = Cell::all().filter(at_end);
    ends.filter_map(|cell| best[cell.index()]).min()
}

fn check_side<const N: usize>() {
    let mut rng = rng(N as u64);
    for _ in 0..60 {
        let board = random_board::<N>(&mut rng, N * N);
        for color in Color::ALL {
            let distances = Distances::new(&board, color);
            let moves = distances.moves_to_win();
            assert_eq!(
                moves,
                moves_to_win_slowly(&board, color),
                "{color}\n{board}"
            );
            let winner = match moves {
                Some(0) => Some(color),
                Some(_) => None,
                None => Some(color.opponent()),
            };
            assert_eq!(winner, board.winner(), "{color}\n{board}");
            check_path(&board, color, &distances);
        }
    }
}

/// The path completes the connection with exactly the moves it promises.
fn check_path<const N: usize>(board: &Board<N>, color: Color, distances: &Distances<N>) {
    let Some(moves) = distances.moves_to_win() else {
        assert_eq!(distances.shortest_path().count(), 0);
        return;
    };
    let path: CellSet<N> = distances.shortest_path().collect();
    let added = path - board.stones(color);
    assert_eq!(added.len(), moves as usize, "{color}\n{board}");
    assert!((added - board.empty_cells()).is_empty(), "{color}\n{board}");
    let mut stones = Color::ALL.map(|color| board.stones(color));
    stones[color.index()] |= added;
    let complete = Board::from_stones(stones[0], stones[1], color).unwrap();
    assert_eq!(complete.winner(), Some(color), "{complete}");
    // A cell is on some shortest path if and only if having it saves a move.
    for cell in board.empty_cells().iter() {
        let mut with = board.with_to_move(color);
        with.play_unchecked(cell);
        let saves = Distances::new(&with, color).moves_to_win() == Some(moves - (moves > 0) as u16);
        let listed = distances.cells_on_shortest_paths().contains(cell);
        assert_eq!(listed, saves && moves > 0, "{color} {cell}\n{board}");
    }
}

#[test]
fn distances_and_paths_agree_with_the_oracle() {
    check_side::<1>();
    check_side::<2>();
    check_side::<3>();
    check_side::<4>();
    check_side::<5>();
    check_side::<7>();
    check_side::<11>();
    check_side::<14>();
    check_side::<21>();
}

#[test]
fn the_heuristic_completes_a_connection_and_stops_the_opponents() {
    let one_short = "
        . . r . .
         . . r . .
          . . . . .
           . b r b .
            . . r . .";
    for to_move in Color::ALL {
        let board: Board<5> = diagram(one_short, to_move);
        let cell = heuristic_move(&board).unwrap().to_string();
        assert!(
            ["c3", "d3"].contains(&cell.as_str()),
            "{to_move} plays {cell}"
        );
    }
}

#[test]
fn the_heuristic_always_has_a_legal_move_while_a_cell_is_empty() {
    let mut rng = rng(7);
    for _ in 0..500 {
        let board = random_board::<4>(&mut rng, 16);
        let cell = heuristic_move(&board);
        assert_eq!(cell.is_none(), board.empty_cells().is_empty(), "{board}");
        assert!(cell.is_none_or(|cell| board.at(cell).is_none()), "{board}");
    }
    let centre = heuristic_move(&Board::<11>::new()).unwrap();
    assert_eq!(centre.to_string(), "f6");
}
