//! Measures the speed of the network's evaluation, on the same positions on every machine.

use hex_core::engine::network;
use hex_core::record::Side;
use hexbot::board::Board;
use hexbot::cell::Cell;
use hexbot::network::{Network, Scratch};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The side of the board.
const N: usize = 11;

/// The most stones of a position, and so the number of positions of a game.
const STONES: usize = 60;

/// Evaluates `positions` positions of random games. Returns the sum of all logits, which is the
/// same on every machine.
pub fn evaluate(positions: u32) -> u32 {
    let network = network(Side::CODINGAME).expect("the shipped network is sound");
    evaluate_by(&network, positions)
}

/// The same with another network.
pub fn evaluate_by(network: &Network, positions: u32) -> u32 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut scratch, mut sum) = (Scratch::default(), 0u32);
    let mut board = Board::<N>::default();
    for position in 0..positions as usize {
        if position % STONES == 0 || board.winner().is_some() {
            board = Board::default();
        }
        let empty: Vec<Cell<N>> = board.empty_cells().iter().collect();
        board.play(empty[(rng.next_u64() % empty.len() as u64) as usize]);
        let logits = network.logits(&board, &mut scratch);
        let all = logits.policy.values().iter().chain([&logits.value]);
        sum = all.fold(sum, |sum, &logit| {
            sum.wrapping_mul(31).wrapping_add(logit as u32)
        });
    }
    sum
}
