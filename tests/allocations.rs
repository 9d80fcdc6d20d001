//! An evaluation allocates nothing: what it needs is kept from the one before.

mod common;

use common::{random_board, rng};
use hexbot::board::Board;
use hexbot::bridges::Bridges;
use hexbot::evaluation::Evaluator;
use hexbot::fallback::FallbackEvaluator;
use hexbot::network::{Network, Scratch};
use hexbot::params::Params;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

const N: usize = 11;

/// Evaluations that are counted.
const EVALUATIONS: u64 = 50;

/// The system's allocator, which counts.
struct Counting;

thread_local! {
    /// The allocations of this thread: tests run side by side.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: all is left to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        System.alloc(layout)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        System.dealloc(memory, layout);
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How many allocations `action` makes.
fn allocations(action: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.get();
    action();
    ALLOCATIONS.get() - before
}

/// Undecided positions of all degrees of filling.
fn boards() -> Vec<Board<N>> {
    let boards = (0..).map(|seed| random_board::<N>(&mut rng(seed), 80));
    let undecided = boards.filter(|board| board.winner().is_none());
    undecided.take(EVALUATIONS as usize).collect()
}

fn shipped() -> Network {
    Network::shipped().expect("a sound file")
}

#[test]
fn allocations_are_counted() {
    assert_eq!(allocations(|| ()), 0);
    let memory = || drop(std::hint::black_box(vec![1; 3]));
    assert_eq!(allocations(memory), 1);
    assert_eq!(allocations(|| (0..5).for_each(|_| memory())), 5);
}

#[test]
fn an_evaluator_allocates_nothing_after_its_first_evaluation() {
    for network in [Some(Arc::new(shipped())), None] {
        let mut evaluator = FallbackEvaluator::<N>::new(&Params::default(), rng(1), network);
        let mut counts = Vec::new();
        for board in boards() {
            let bridges = Bridges::new(&board, 0);
            let evaluate = || {
                std::hint::black_box(evaluator.evaluate(&board, &bridges).red_wins);
            };
            counts.push(allocations(evaluate));
        }
        assert!(counts[1..].iter().all(|&count| count == 0), "{counts:?}");
    }
}

#[test]
fn a_network_allocates_nothing_after_its_first_evaluation() {
    for network in [shipped(), shipped().without_simd()] {
        let mut scratch = Scratch::default();
        let mut evaluate = |board: &Board<N>| {
            std::hint::black_box(network.logits(board, &mut scratch));
        };
        let counts: Vec<usize> = boards()
            .iter()
            .map(|board| allocations(|| evaluate(board)))
            .collect();
        assert!(counts[1..].iter().all(|&count| count == 0), "{counts:?}");
    }
}
