//! Evaluates positions on boards of many sides and prints a sum over all logits, which must be the
//! same on every processor. A program of its own that needs nothing but the library, so that a bare
//! rustc compiles it for another system, and a module of the tests.

use hexbot::board::Board;
use hexbot::cell::Cell;
use hexbot::network::{Network, Scratch};

/// Positions of every side.
const POSITIONS: usize = 20;

#[allow(dead_code, reason = "the tests use this file as a module")]
fn main() {
    println!("{}", evaluate_all());
}

/// The sum over all positions of all sides.
pub fn evaluate_all() -> u64 {
    let network = Network::shipped().expect("the shipped network is sound");
    let sums = [
        evaluate::<3>(&network),
        evaluate::<8>(&network),
        evaluate::<11>(&network),
        evaluate::<14>(&network),
        evaluate::<19>(&network),
    ];
    sums.into_iter().fold(0, append)
}

/// The sum over the positions of a game on boards of side N.
fn evaluate<const N: usize>(network: &Network) -> u64 {
    let (mut scratch, mut sum) = (Scratch::default(), 0);
    let mut board = Board::<N>::default();
    for _ in 0..POSITIONS {
        let logits = network.logits(&board, &mut scratch);
        let all = logits.policy.values().iter().chain([&logits.value]);
        sum = all.fold(sum, |sum, &logit| append(sum, logit as u64));
        // The sum chooses the next move: where one logit differs another game is played.
        let empty: Vec<Cell<N>> = board.empty_cells().iter().collect();
        board.play(empty[(sum >> 32) as usize % empty.len()]);
        if board.winner().is_some() {
            board = Board::default();
        }
    }
    sum
}

/// The sum with a number more. Its upper half depends on all numbers.
fn append(sum: u64, number: u64) -> u64 {
    sum.wrapping_add(number)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(29)
}
