//! How fast the parts of the bot are, each on its own: `cargo bench` (a few seconds once compiled).
//! Whole searches are measured by `hex lab bench`.
//!
//! Where a row says `simd`, the code is compiled as the search runs it on a machine with AVX2;
//! `portable` is what other machines run. A batch of playouts counts as 64 items.

use divan::counter::ItemsCount;
use divan::Bencher;
use hexbot::board::Board;
use hexbot::book;
use hexbot::bridges::Bridges;
use hexbot::budget::{Budget, SystemClock};
use hexbot::cell::{Cell, Color};
use hexbot::network::{Network, Scratch};
use hexbot::params::Params;
use hexbot::playout::{PlayoutEvaluator, Playouts, LANES};
use hexbot::search::Search;
use hexbot::shortest_path::{heuristic_move, Distances};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const N: usize = 11;

/// Simulations of a search that is measured.
const SIMULATIONS: u64 = 1000;

/// The boards that parts are measured on.
const BOARDS: [&str; 3] = ["empty", "middle", "late"];

/// Moves of a game of the bot against itself.
const GAME: &str =
    "a2 f9 b10 b9 c9 d7 e7 d8 e8 e6 f6 f5 g5 h3 g4 g3 f4 f3 e4 e3 i3 h4 i4 h5 i5 h6 \
                    i6 h8 h7 d9 e9 e10 d10 j1 k1 j2 k2 j3 k3 j4 i2 i1 k4 j5 h2 h1 g2 g1";

fn main() {
    divan::main();
}

fn rng() -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(1)
}

/// One of [`BOARDS`].
fn board(name: &str) -> Board<N> {
    let moves = match name {
        "empty" => 0,
        "middle" => 20,
        _ => 48,
    };
    let mut board = Board::new();
    for word in GAME.split_whitespace().take(moves) {
        board.play(word.parse().expect("the game is made of cells"));
    }
    board
}

/// All cells in random order.
fn shuffled_cells(rng: &mut impl Rng) -> Vec<Cell<N>> {
    let mut cells: Vec<Cell<N>> = Cell::all().collect();
    for last in (1..cells.len()).rev() {
        cells.swap(last, rng.next_u64() as usize % (last + 1));
    }
    cells
}

/// A batch of playouts with its winners, as the search runs it.
#[divan::bench(args = BOARDS)]
fn playouts_simd(bencher: Bencher, name: &str) {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt,bmi1")]
    fn run(board: &Board<N>, bridges: &Bridges<N>, rng: &mut Xoshiro256PlusPlus) -> Playouts<N> {
        Playouts::run(board, bridges, Params::default().bridge_use, rng)
    }
    #[cfg(target_arch = "x86_64")]
    if hexbot::search::has_simd() {
        let (board, mut rng) = (board(name), rng());
        let bridges = Bridges::new(&board, 0);
        // SAFETY: the features have just been detected.
        let bencher = bencher.counter(ItemsCount::new(LANES));
        bencher.bench_local(|| unsafe { run(&board, &bridges, &mut rng) });
    }
}

/// The same for any machine.
#[divan::bench(args = BOARDS)]
fn playouts_portable(bencher: Bencher, name: &str) {
    let (board, mut rng) = (board(name), rng());
    let bridges = Bridges::new(&board, 0);
    bencher
        .counter(ItemsCount::new(LANES))
        .bench_local(|| Playouts::run(&board, &bridges, Params::default().bridge_use, &mut rng));
}

/// What the statistics of a batch cost on top.
#[divan::bench]
fn playout_statistics(bencher: Bencher) {
    let board = board("middle");
    let (bridges, bridge_use) = (Bridges::new(&board, 0), Params::default().bridge_use);
    let playouts = Playouts::run(&board, &bridges, bridge_use, &mut rng());
    bencher
        .counter(ItemsCount::new(LANES))
        .bench_local(|| divan::black_box(&playouts).amaf());
}

/// A batch from a full board: hardly more than the win check of 64 boards (equal ones).
#[divan::bench]
fn win_check_by_flood(bencher: Bencher) {
    let boards = |rng: &mut Xoshiro256PlusPlus| {
        let cells = shuffled_cells(rng);
        let (red, blue) = cells.split_at(cells.len().div_ceil(2));
        let [red, blue] = [red, blue].map(|cells| cells.iter().copied().collect());
        Board::from_stones(red, blue, Color::Blue).expect("a cell is drawn once")
    };
    let (mut draws, mut rng) = (rng(), rng());
    bencher
        .counter(ItemsCount::new(LANES))
        .with_inputs(|| {
            let board = boards(&mut draws);
            let bridges = Bridges::new(&board, 0);
            (board, bridges)
        })
        .bench_local_refs(|(board, bridges)| {
            Playouts::run(board, bridges, Params::default().bridge_use, &mut rng).red_wins()
        });
}

/// A whole random game by union-find: 121 moves, then who has won.
#[divan::bench]
fn win_check_by_union_find(bencher: Bencher) {
    let mut rng = rng();
    bencher
        .with_inputs(|| shuffled_cells(&mut rng))
        .bench_local_refs(|cells| {
            let mut board = Board::<N>::new();
            cells.iter().for_each(|&cell| board.play_unchecked(cell));
            board.winner()
        });
}

/// A move with its checks; the copy of the board is not counted.
#[divan::bench(args = BOARDS)]
fn board_move(bencher: Bencher, name: &str) {
    let (board, mut rng) = (board(name), rng());
    let empty: Vec<Cell<N>> = board.empty_cells().iter().collect();
    bencher
        .with_inputs(|| (board.clone(), empty[rng.next_u64() as usize % empty.len()]))
        .bench_local_refs(|(board, cell)| board.try_play(*cell).is_ok());
}

/// A copy of a board: what each simulation begins with.
#[divan::bench]
fn board_copy(bencher: Bencher) {
    let board = board("middle");
    bencher.bench_local(|| divan::black_box(&board).clone());
}

/// A search from scratch; an item is a simulation.
#[divan::bench(args = BOARDS, sample_count = 20, sample_size = 1)]
fn simulation(bencher: Bencher, name: &str) {
    let (board, params) = (board(name), Params::default());
    bencher
        .counter(ItemsCount::new(SIMULATIONS))
        .with_inputs(|| Search::new(params, PlayoutEvaluator::new(params.bridge_use, rng())))
        .bench_local_refs(|search| {
            let mut budget = Budget::simulations(SystemClock::start(), SIMULATIONS);
            search.think(&board, &mut budget)
        });
}

/// The bridges of a position.
#[divan::bench(args = BOARDS)]
fn bridges(bencher: Bencher, name: &str) {
    let board = board(name);
    bencher.bench_local(|| Bridges::new(divan::black_box(&board), 0).winner());
}

/// How far one side is from its goal.
#[divan::bench(args = BOARDS)]
fn shortest_path(bencher: Bencher, name: &str) {
    let board = board(name);
    bencher.bench_local(|| Distances::new(divan::black_box(&board), Color::Red).moves_to_win());
}

/// The move that is played when the search has nothing to say.
#[divan::bench(args = BOARDS)]
fn fallback_move(bencher: Bencher, name: &str) {
    let board = board(name);
    bencher.bench_local(|| heuristic_move(divan::black_box(&board)));
}

/// A look into the opening book, which has only the empty board.
#[divan::bench(args = BOARDS)]
fn opening_book(bencher: Bencher, name: &str) {
    let board = board(name);
    bencher.bench_local(|| book::answer(divan::black_box(&board)));
}

fn shipped() -> Network {
    Network::shipped().expect("a sound file")
}

fn evaluate(bencher: Bencher, name: &str, network: Network) {
    let (board, mut scratch) = (board(name), Scratch::default());
    let temperature = Params::default().policy_temperature;
    bencher.bench_local(|| {
        let logits = network.logits(divan::black_box(&board), &mut scratch);
        (
            logits.wins(),
            logits.priors(board.empty_cells(), temperature),
        )
    });
}

/// What the shipped network says of a position: with AVX2, if this machine has it. The more
/// activations are 0, the faster it is.
#[divan::bench(args = BOARDS)]
fn network_simd(bencher: Bencher, name: &str) {
    evaluate(bencher, name, shipped());
}

/// The same for any machine.
#[divan::bench(args = BOARDS)]
fn network_portable(bencher: Bencher, name: &str) {
    evaluate(bencher, name, shipped().without_simd());
}

/// From the packed text to the network.
#[divan::bench]
fn network_unpacking(bencher: Bencher) {
    bencher.bench_local(|| Network::shipped().is_ok());
}
