//! The move that bridges make a winning one.

mod common;

use common::{random_board, rng};
use hexbot::links::{winning_move, Links};

#[test]
fn winning_moves_win_and_few_are_missed() {
    let (mut there, mut found) = (0, 0);
    for seed in 0..3000 {
        let board = random_board::<9>(&mut rng(seed), 50);
        if Links::new(&board, 0).winner().is_some() {
            continue;
        }
        let wins = |cell| {
            let mut after = board.clone();
            after.play(cell);
            Links::new(&after, 0).winner() == Some(board.to_move())
        };
        let cell = winning_move(&board);
        assert!(cell.is_none_or(wins), "{cell:?}\n{board}");
        there += u32::from(board.empty_cells().iter().any(wins));
        found += u32::from(cell.is_some());
    }
    assert!(there > 100, "{there}");
    assert!(100 * found >= 99 * there, "{found} of {there}");
}
