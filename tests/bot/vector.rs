//! Vector instructions change nothing but the speed: the same source, compiled for AVX2 as the
//! search compiles it and compiled for any x86-64, gives the same bits. The parts that are inlined
//! into the search's loop are compared here; on other machines there is nothing to compare.
#![cfg(target_arch = "x86_64")]

use crate::common::missing::skip;
use crate::common::{changed, random_board, rng};
use hexbot::board::Board;
use hexbot::bridges::Bridges;
use hexbot::cell::Cell;
use hexbot::evaluation::{Evaluation, Evaluator, MoveStats};
use hexbot::params::Params;
use hexbot::playout::PlayoutEvaluator;
use hexbot::search::has_simd;
use hexbot::tree::Tree;

const N: usize = 11;

/// Rounds of a comparison.
const ROUNDS: usize = 300;

/// Why there is nothing to compare.
const NO_VECTORS: &str = "this processor lacks AVX2, POPCNT or BMI1: take another machine";

/// What a position's evaluation consists of, bit by bit.
#[inline(always)]
fn evaluated(board: &Board<N>, seed: u64) -> Vec<u32> {
    let bridges = Bridges::new(board, seed as usize);
    let mut evaluator = PlayoutEvaluator::new(Params::default().bridge_use, rng(seed));
    let evaluation = evaluator.evaluate(board, &bridges);
    let mut bits = vec![evaluation.red_wins.to_bits()];
    let MoveStats::Amaf(amaf) = evaluation.move_stats else {
        panic!("playouts give AMAF statistics");
    };
    for amaf in &amaf {
        for grid in [&amaf.owned, &amaf.won] {
            bits.extend(grid.values().iter().map(|value| value.to_bits()));
        }
    }
    bits
}

#[target_feature(enable = "avx2,popcnt,bmi1")]
fn evaluated_on_vectors(board: &Board<N>, seed: u64) -> Vec<u32> {
    evaluated(board, seed)
}

/// Whether a network has its part in the choice of moves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Network {
    Asked,
    Absent,
}

/// What a network might say: here the playouts lend it their results.
fn with_priors(evaluation: Evaluation<N>) -> Evaluation<N> {
    let MoveStats::Amaf(amaf) = evaluation.move_stats else {
        panic!("playouts give AMAF statistics");
    };
    let mut priors = amaf[0].won;
    let sum: f32 = priors.values().iter().sum();
    priors.values_mut().iter_mut().for_each(|p| *p /= sum + 1.0);
    Evaluation {
        move_stats: MoveStats::Priors(priors),
        ..evaluation
    }
}

/// Chooses moves in one node again and again, and what the node knows in the end, bit by bit.
#[inline(always)]
fn chosen(board: &Board<N>, seed: u64, network: Network) -> (Vec<Cell<N>>, Vec<u32>) {
    let params = &changed(|params: &mut Params| params.max_nodes = 1);
    let mut evaluator = PlayoutEvaluator::new(params.bridge_use, rng(seed));
    let mut tree = Tree::new(params);
    let root = tree.add(board.position()).expect("there is room for one");
    if network == Network::Asked {
        tree.join(root, &board.position(), Cell::from_index(60));
    }
    let mut cells = Vec::new();
    for _ in 0..ROUNDS {
        let cell = tree.node(root).select(params);
        let mut after = board.clone();
        after.play_unchecked(cell);
        let mut evaluation = evaluator.evaluate(&after, &Bridges::new(&after, 1));
        if network == Network::Asked {
            evaluation = with_priors(evaluation);
            tree.node_mut(root).set_evaluation(&evaluation);
        }
        tree.back_up(&[(root, cell)], &evaluation);
        cells.push(cell);
    }
    let node = tree.node(root);
    let values = Cell::all().map(|cell| node.edge_value(cell).to_bits());
    (cells, values.collect())
}

#[target_feature(enable = "avx2,popcnt,bmi1")]
fn chosen_on_vectors(board: &Board<N>, seed: u64, network: Network) -> (Vec<Cell<N>>, Vec<u32>) {
    chosen(board, seed, network)
}

/// Undecided boards of all degrees of filling, with a seed each.
fn boards(count: u64) -> impl Iterator<Item = (u64, Board<N>)> {
    let boards = (0..).map(|seed| (seed, random_board::<N>(&mut rng(seed), 80)));
    let undecided = boards.filter(|(_, board)| board.winner().is_none());
    undecided.take(count as usize)
}

#[test]
fn evaluations_are_the_same_with_vectors() {
    if !has_simd() {
        return skip(NO_VECTORS);
    }
    for (seed, board) in boards(ROUNDS as u64) {
        // SAFETY: the features have been detected.
        let on_vectors = unsafe { evaluated_on_vectors(&board, seed) };
        assert!(
            evaluated(&board, seed) == on_vectors,
            "seed {seed}\n{board}"
        );
    }
}

#[test]
fn choices_are_the_same_with_vectors() {
    if !has_simd() {
        return skip(NO_VECTORS);
    }
    for (seed, board) in boards(20) {
        for network in [Network::Absent, Network::Asked] {
            // SAFETY: the features have been detected.
            let on_vectors = unsafe { chosen_on_vectors(&board, seed, network) };
            let found = chosen(&board, seed, network);
            assert!(found == on_vectors, "seed {seed}\n{board}");
        }
    }
}
