//! Playouts and bridges against slow and obvious oracles.

use crate::common::{played, random_board, rng};
use hexbot::board::Board;
use hexbot::bridges::Bridges;
use hexbot::cell::{Cell, Color};
use hexbot::cell_set::CellSet;
use hexbot::evaluation::Evaluator;
use hexbot::params::BridgeUse;
use hexbot::playout::{PlayoutEvaluator, Playouts, LANES};
use rand::Rng;

/// A random position without a winner.
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
            let is_red = |cell: &Cell<N>| playouts.red_cells()[*cell] >> lane & 1 == 1;
            let red: CellSet<N> = Cell::all().filter(is_red).collect();
            let full = Board::from_stones(red, CellSet::FULL - red, Color::Red).unwrap();
            let red_won = playouts.red_wins() >> lane & 1 == 1;
            let is_true = red_won == (full.winner() == Some(Color::Red));
            // The stones stay, and the empty cells are shared fairly.
            let lost = Color::ALL.map(|color| board.stones(color) - full.stones(color));
            let empty = board.empty_cells();
            let share = (full.stones(board.to_move()) & empty).len();
            let is_fair = share == empty.len().div_ceil(2);
            let is_kept = lost.iter().all(|lost| lost.is_empty());
            assert!(is_true && is_kept && is_fair, "{red_won}, {board}\n{full}");
            check_bridges_hold(&bridges, &full);
        }
    }
}

/// Of the side whose bridges were looked at first, every pair was shared; which side that was is a
/// coin toss.
fn check_bridges_hold<const N: usize>(bridges: &Bridges<N>, full: &Board<N>) {
    let all_held = Color::ALL.map(|color| {
        let is_held = |pair: &[Cell<N>; 2]| pair.map(|cell| full.at(cell)).contains(&Some(color));
        bridges.pairs(color).iter().all(is_held)
    });
    assert!(all_held.contains(&true), "{full}");
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
            let blue = |word: u64| (!word >> lane & 1) as usize;
            let owner = blue(playouts.red_cells()[cell]);
            let winner = blue(playouts.red_wins());
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
            let seed = crate::common::rng(rng.next_u64());
            let mut evaluator = PlayoutEvaluator::new(BridgeUse::Seen, seed);
            let mut wins = |order| {
                evaluator
                    .evaluate(board, &Bridges::new(board, order))
                    .red_wins
            };
            (0..400).map(&mut wins).sum::<f32>() / 400.0
        };
        let (here, mirrored) = (share(&board), share(&board.transposed()));
        // 25,600 playouts have a standard error of at most 0.003, were they independent.
        assert!(
            (here + mirrored - 1.0).abs() < 0.03,
            "{here} {mirrored}\n{board}"
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
        let mut stones = [CellSet::FULL - own; 2];
        stones[color.index()] = own;
        let full = Board::from_stones(stones[0], stones[1], color).unwrap();
        full.winner() == Some(color)
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

/// Which of the empty cells always go to different owners: the pairs that were dealt.
fn dealt_in_pairs<const N: usize>(
    board: &Board<N>,
    bridge_use: BridgeUse,
    rng: &mut impl Rng,
) -> Vec<[Cell<N>; 2]> {
    let playouts = Playouts::run(board, &Bridges::none(board), bridge_use, rng);
    let red = playouts.red_cells();
    let mut pairs = Vec::new();
    for a in board.empty_cells().iter() {
        let later = board.empty_cells().iter().filter(|b| b.index() > a.index());
        pairs.extend(later.filter(|&b| red[a] == !red[b]).map(|b| [a, b]));
    }
    pairs
}

/// In a full board but for two bridges the cells of each are dealt to different owners, however the
/// shuffle goes; if intrusions are not answered, any two of the four cells make a pair.
#[test]
fn intrusions_are_answered_in_playouts() {
    // Each pair has closed neighbours on both sides, and two directions of the six are tried.
    let mut rng = rng(23);
    for (first, second) in [(["b2", "c1"], ["e4", "e5"]), (["b3", "c3"], ["d5", "e4"])] {
        let cells = |pair: [&str; 2]| pair.map(|cell| cell.parse::<Cell<6>>().expect("a cell"));
        let pairs = [cells(first), cells(second)];
        let empty: CellSet<6> = pairs.iter().flatten().copied().collect();
        let red: CellSet<6> = Cell::all().filter(|cell| cell.index() % 2 == 0).collect();
        let (red, blue) = (red - empty, CellSet::FULL - red - empty);
        let board = Board::from_stones(red, blue, Color::Red).expect("no cell has two stones");
        let mut others = 0;
        for _ in 0..40 {
            let dealt = dealt_in_pairs(&board, BridgeUse::Seen, &mut rng);
            let mut expected = pairs;
            expected.iter_mut().for_each(|pair| pair.sort());
            expected.sort();
            assert_eq!(dealt, expected, "{board}");
            others += (dealt_in_pairs(&board, BridgeUse::Ignored, &mut rng) != expected) as u32;
        }
        assert!(others > 10, "only {others} of 40 deals were others");
    }
}

/// The two cells before a stone on the third row, if the five cells between it and the edge are
/// empty: found by looking at each stone for itself.
fn third_row_pairs_by_hand<const N: usize>(board: &Board<N>, color: Color) -> Vec<[Cell<N>; 2]> {
    // As seen from Red's upper edge; the others are mirrored or turned into it.
    let at = |row: usize, col: usize, is_far: bool| {
        let cell = Cell::<N>::new(row, col).expect("a cell of the board");
        let cell = if is_far { cell.rotated() } else { cell };
        match color {
            Color::Red => cell,
            Color::Blue => cell.transposed(),
        }
    };
    let mut pairs = Vec::new();
    for is_far in [false, true] {
        for col in 0..N - 2 {
            let cell = |row, col| at(row, col, is_far);
            let between = [(1, col), (1, col + 1), (0, col), (0, col + 1), (0, col + 2)];
            let mut between = between
                .map(|(row, col)| board.at(cell(row, col)))
                .into_iter();
            let is_free = between.all(|stone| stone.is_none());
            if board.at(cell(2, col)) == Some(color) && is_free {
                pairs.push([cell(1, col), cell(1, col + 1)]);
            }
        }
    }
    pairs
}

#[test]
fn third_row_pairs_stand_before_stones() {
    let mut rng = rng(29);
    let mut found = 0;
    for order in 0..2_000 {
        let board = undecided::<9>(&mut rng);
        let bridges = Bridges::new(&board, order);
        for color in Color::ALL {
            let mut taken: CellSet<9> = bridges.pairs(color).iter().flatten().copied().collect();
            let by_hand = third_row_pairs_by_hand(&board, color);
            for pair in bridges.third_row_pairs(color) {
                found += 1;
                let [a, b] = *pair;
                let is_known = by_hand.contains(pair) || by_hand.contains(&[b, a]);
                assert!(is_known, "{a} {b} of {color}\n{board}");
                for cell in [a, b] {
                    assert!(!taken.contains(cell), "{a} {b}\n{board}");
                    taken.insert(cell);
                }
            }
        }
    }
    assert!(found > 400, "only {found} pairs");
    // A stone alone has its pair.
    let board = played::<9>("d3");
    let pairs = Bridges::new(&board, 0).third_row_pairs(Color::Red).to_vec();
    assert_eq!(pairs.len(), 1, "{pairs:?}");
}
