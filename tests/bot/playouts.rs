//! Playouts and bridges against slow and obvious oracles.

use crate::common::{random_board, rng};
use hexbot::board::Board;
use hexbot::bridges::Bridges;
use hexbot::cell::{Cell, Color};
use hexbot::cell_set::CellSet;
use hexbot::evaluation::Evaluator;
use hexbot::params::BridgeUse;
use hexbot::playout::{PlayoutEvaluator, Playouts, LANES};
use rand::Rng;

/// A random position that nobody has won.
fn undecided<const N: usize>(rng: &mut impl Rng) -> Board<N> {
    loop {
        let board = random_board::<N>(rng, N * N);
        if board.winner().is_none() {
            return board;
        }
    }
}

fn check_playouts<const N: usize>() {
    let mut rng = rng(N as u64);
    for order in 0..60 {
        let board = undecided::<N>(&mut rng);
        let bridges = Bridges::new(&board, order);
        let playouts = Playouts::run(&board, &bridges, BridgeUse::Seen, &mut rng);
        for lane in 0..LANES {
            let red: CellSet<N> = Cell::all()
                .filter(|&cell| playouts.red_cells()[cell] >> lane & 1 == 1)
                .collect();
            let blue = CellSet::FULL - red;
            let full = Board::from_stones(red, blue, Color::Red).unwrap();
            let red_won = playouts.red_wins() >> lane & 1 == 1;
            assert_eq!(
                full.winner() == Some(Color::Red),
                red_won,
                "{board}\n{full}"
            );
            // The stones stay, and the empty cells are shared fairly.
            assert!(
                (board.stones(Color::Red) - red).is_empty(),
                "{board}\n{full}"
            );
            assert!(
                (board.stones(Color::Blue) - blue).is_empty(),
                "{board}\n{full}"
            );
            let empty = board.empty_cells();
            let mover = [red, blue][board.to_move().index()];
            assert_eq!(
                (mover & empty).len(),
                empty.len().div_ceil(2),
                "{board}\n{full}"
            );
            check_bridges_hold(&bridges, &full);
        }
    }
}

/// Of the side whose bridges were looked at first, every pair was shared; which side that was is a
/// coin toss.
fn check_bridges_hold<const N: usize>(bridges: &Bridges<N>, full: &Board<N>) {
    let all_held = |color: Color| {
        bridges
            .pairs(color)
            .iter()
            .all(|pair| pair.iter().any(|&cell| full.at(cell) == Some(color)))
    };
    assert!(all_held(Color::Red) || all_held(Color::Blue), "{full}");
}

#[test]
fn winners_of_playouts_agree_with_union_find() {
    check_playouts::<1>();
    check_playouts::<2>();
    check_playouts::<3>();
    check_playouts::<5>();
    check_playouts::<8>();
    check_playouts::<11>();
    check_playouts::<14>();
    check_playouts::<21>();
}

#[test]
fn amaf_statistics_count_the_lanes() {
    let mut rng = rng(5);
    let board = undecided::<7>(&mut rng);
    let playouts = Playouts::run(&board, &Bridges::new(&board, 0), BridgeUse::Seen, &mut rng);
    let amaf = playouts.amaf();
    for cell in Cell::<7>::all() {
        let mut expected = [[0.0; 2]; 2];
        for lane in 0..LANES {
            let bit = |word: u64| word >> lane & 1 == 1;
            let owner = if bit(playouts.red_cells()[cell]) {
                0
            } else {
                1
            };
            let winner = if bit(playouts.red_wins()) { 0 } else { 1 };
            expected[owner][0] += 1.0 / LANES as f32;
            expected[owner][1] += (owner == winner) as u8 as f32 / LANES as f32;
        }
        for color in Color::ALL {
            let found = [&amaf[color.index()].owned, &amaf[color.index()].won].map(|g| g[cell]);
            assert_eq!(found, expected[color.index()], "{color} {cell}");
        }
    }
}

#[test]
fn playouts_treat_the_two_sides_alike() {
    // The mirrored position with exchanged colours must be worth the same for the other side.
    let mut rng = rng(11);
    for _ in 0..10 {
        let board = undecided::<11>(&mut rng);
        let mut share = |board: &Board<11>| {
            let mut evaluator =
                PlayoutEvaluator::new(BridgeUse::Seen, crate::common::rng(rng.next_u64()));
            let evaluations = (0..400).map(|order| {
                evaluator
                    .evaluate(board, &Bridges::new(board, order))
                    .red_wins
            });
            evaluations.sum::<f32>() / 400.0
        };
        let (here, mirrored) = (share(&board), share(&board.transposed()));
        // 25,600 playouts have a standard error of at most 0.003, were they independent.
        assert!(
            (here - (1.0 - mirrored)).abs() < 0.03,
            "{here} and {mirrored}\n{board}"
        );
    }
}

/// Returns true if `color` wins although the opponent moves first and `color` only ever answers
/// inside pairs. Tries every choice of the opponent in every pair.
fn pairing_wins<const N: usize>(board: &Board<N>, bridges: &Bridges<N>, color: Color) -> bool {
    let pairs = bridges.pairs(color);
    (0..1u32 << pairs.len()).all(|choice| {
        let mut own = board.stones(color);
        for (index, pair) in pairs.iter().enumerate() {
            own.insert(pair[(choice >> index & 1) as usize]);
        }
        let other = CellSet::FULL - own;
        let [red, blue] = if color == Color::Red {
            [own, other]
        } else {
            [other, own]
        };
        Board::from_stones(red, blue, color).unwrap().winner() == Some(color)
    })
}

#[test]
fn what_bridges_call_won_is_won() {
    let mut rng = rng(17);
    let mut proven = 0;
    for order in 0..60_000 {
        let board = undecided::<5>(&mut rng);
        let bridges = Bridges::new(&board, order);
        for color in Color::ALL {
            let pairs = bridges.pairs(color);
            let cells: CellSet<5> = pairs.iter().flatten().copied().collect();
            assert_eq!(cells.len(), 2 * pairs.len(), "pairs overlap\n{board}");
            assert!((cells - board.empty_cells()).is_empty(), "{board}");
        }
        if let Some(winner) = bridges.winner() {
            proven += 1;
            assert!(pairing_wins(&board, &bridges, winner), "{winner}\n{board}");
        }
    }
    assert!(proven > 1000, "only {proven} positions were proven");
}
