//! Perft: how many games there are of each length. The figures are known from flood-fill programs
//! in Python and C++; counting them needs every move, every refusal and every winner to be right.

use hexbot::board::Board;

/// Number of positions `plies` moves away, with repetition, and how many of them are won.
/// A won game stops.
fn perft<const N: usize>(board: &Board<N>, plies: usize) -> (u64, u64) {
    if plies == 0 {
        return (1, board.winner().is_some() as u64);
    }
    if board.winner().is_some() {
        return (0, 0);
    }
    let cells = board.empty_cells();
    cells.iter().fold((0, 0), |(nodes, wins), cell| {
        let mut after = board.clone();
        after.play(cell);
        let (more_nodes, more_wins) = perft(&after, plies - 1);
        (nodes + more_nodes, wins + more_wins)
    })
}

/// Runs every line of tests/data/perft.txt: side, ply, nodes, wins.
#[test]
fn counts_agree_with_the_known_ones() {
    let lines = include_str!("../data/perft.txt").lines();
    let cases = lines.filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for case in cases {
        let numbers = case.split_whitespace().map(|n| n.parse::<u64>().unwrap());
        let [side, plies, nodes, wins] = numbers.collect::<Vec<_>>()[..] else {
            panic!("four numbers: {case:?}")
        };
        let found = match side {
            2 => perft(&Board::<2>::new(), plies as usize),
            3 => perft(&Board::<3>::new(), plies as usize),
            4 => perft(&Board::<4>::new(), plies as usize),
            _ => panic!("no such side here: {case:?}"),
        };
        assert_eq!(found, (nodes, wins), "{case:?}");
        count += 1;
    }
    assert!(count > 15, "only {count} cases were found");
}
