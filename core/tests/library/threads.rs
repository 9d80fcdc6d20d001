//! Several threads on one tree: the same proofs as by one, nothing left of virtual losses, no
//! position in two hands, an end within 20 ms, and a panic that ends all.

#[path = "../../../tests/common/naive.rs"]
mod naive;

use hex_core::engine::shared::{Leaf, NextLeaf, SharedSearch};
use hex_core::engine::threads::{self, simulate, LeafEvaluators, Portion, THREADS};
use hex_core::engine::{engine, network, player, Effort, Stop, StopSign, StoppableClock, Task};
use hex_core::record::Side;
use hexbot::board::Board;
use hexbot::bridges::Bridges;
use hexbot::budget::{Budget, Clock};
use hexbot::cell::{Cell, Color};
use hexbot::evaluation::{Evaluation, Evaluator, MoveStats};
use hexbot::fallback::FallbackEvaluator;
use hexbot::grid::Grid;
use hexbot::network::Network;
use hexbot::node::Node;
use hexbot::params::Params;
use hexbot::search::Search;
use hexbot::settings::Settings;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{mpsc, Arc};
use std::time::{Duration, Instant};

/// For tests that are not about time.
const PATIENCE: Duration = Duration::from_secs(300);

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// The shipped evaluator.
fn shipped<const N: usize>(seed: u64) -> FallbackEvaluator<N> {
    let network = Network::shipped().ok().map(Arc::new);
    FallbackEvaluator::new(&Params::default(), rng(seed), network)
}

fn evaluators<const N: usize, E: Evaluator<N> + 'static>(
    evaluator: fn(u64) -> E,
) -> LeafEvaluators<N, E> {
    let mut seed = 1;
    let more = move || {
        seed += 1;
        evaluator(seed)
    };
    LeafEvaluators::new(&Params::default(), more)
}

fn clock() -> StoppableClock {
    StoppableClock::start(&Stop::never())
}

/// A search that has the board as its root and has run no simulation.
fn rooted<const N: usize, E: Evaluator<N>>(
    evaluator: impl Fn(u64) -> E,
    board: &Board<N>,
) -> Search<N, E> {
    let mut search = Search::new(Params::default(), evaluator(1));
    search.think(board, &mut Budget::simulations(&clock(), 0));
    search
}

fn portion(simulations: u64) -> Portion {
    Portion {
        time: None,
        simulations,
    }
}

/// Says of every position that its result is open, with the same priors for all moves: quick, and
/// the tree has to find everything out.
struct Clueless;

impl<const N: usize> Evaluator<N> for Clueless {
    fn evaluate(&mut self, board: &Board<N>, _: &Bridges<N>) -> Evaluation<N> {
        let (mut priors, moves) = (Grid::filled(0.0), board.empty_cells());
        for cell in moves.iter() {
            priors[cell] = 1.0 / moves.len() as f32;
        }
        Evaluation {
            move_stats: MoveStats::Priors(priors),
            ..Evaluation::of(0.5, Color::Red)
        }
    }

    fn is_costly(&self) -> bool {
        true
    }
}

fn clueless(_: u64) -> Clueless {
    Clueless
}

/// All that a search has learnt of a root's moves, to the last bit.
fn learnt<const N: usize>(node: &Node<N>) -> Vec<(u32, u32, Option<u32>)> {
    let bits = |cell| {
        (
            node.edge_visits(cell).to_bits(),
            node.edge_value(cell).to_bits(),
            node.prior(cell).map(f32::to_bits),
        )
    };
    Cell::all().map(bits).collect()
}

/// One thread with the lock finds what the bot's search finds, with the network and without.
#[test]
fn one_thread_is_the_search_of_the_bot() {
    let (simulations, mut rng) = (40, rng(40));
    for stones in (0..=70).step_by(7) {
        let board = random_position::<11>(&mut rng, stones..=stones);
        let mut own = Search::new(Params::default(), shipped(1));
        let mut budget = Budget::simulations(clock(), simulations);
        let expected = own.think(&board, &mut budget).unwrap();
        let (mut search, mut evaluators) = (rooted(shipped, &board), evaluators(shipped));
        let (evaluators, portion) = (evaluators.first(1), portion(simulations));
        let found = threads::think(&mut search, evaluators, &board, &clock(), portion).unwrap();
        assert_eq!(found.best, expected.best, "{board}");
        assert_eq!(found.proof, expected.proof, "{board}");
        assert_eq!(found.simulations, expected.simulations, "{board}");
        let [found, expected] = [&search, &own].map(|search| search.root_node().map(learnt));
        assert_eq!(found, expected, "{board}");
    }
}

/// A position with a number of stones and without a winner.
fn random_position<const N: usize>(
    rng: &mut Xoshiro256PlusPlus,
    stones: RangeInclusive<usize>,
) -> Board<N> {
    loop {
        let mut board = Board::new();
        for _ in 0..rng.random_range(stones.clone()) {
            let moves: Vec<Cell<N>> = board.empty_cells().iter().collect();
            if board.winner().is_none() {
                board.play(moves[rng.random_range(0..moves.len())]);
            }
        }
        if board.winner().is_none() {
            return board;
        }
    }
}

/// Searches of small boards prove the same winners on any number of threads, at the root and in all
/// positions of their trees. What exhaustive search says is right, and what one thread says.
#[test]
fn many_threads_prove_what_one_thread_proves() {
    const N: usize = 4;
    let (mut rng, mut known) = (rng(7), HashMap::new());
    let (mut roots, mut proven) = (0, HashSet::new());
    for round in 0..30 {
        let board: Board<N> = random_position(&mut rng, 2..=7);
        let winner = naive::perfect_winner(&board, &mut known);
        for threads in [1, 2, 4, 8] {
            let (mut search, mut evaluators) = (rooted(clueless, &board), evaluators(clueless));
            let evaluators = evaluators.first(threads);
            let portion = portion(200_000);
            let found = threads::think(&mut search, evaluators, &board, &clock(), portion).unwrap();
            match found.proof {
                Some(proof) => assert_eq!(proof.winner, winner, "round {round}\n{board}"),
                // It stops, too, when one move alone is left that does not lose for certain.
                None => assert!(search.root_node().unwrap().is_forced(), "{board}"),
            }
            roots += usize::from(found.proof.is_some());
            for (position, node) in search.positions(0.0) {
                let Some(proof) = node.proof() else { continue };
                let winner = naive::perfect_winner(&position, &mut known);
                assert_eq!(proof.winner, winner, "{threads} threads\n{position}");
                proven.insert(format!("{position}"));
            }
        }
    }
    assert!(roots > 90, "{roots} roots were proven");
    assert!(proven.len() > 150, "{} positions were", proven.len());
}

/// Every simulation is one visit of the root, and a node has as many visits as its moves together:
/// no virtual loss is left, and no leaf was added twice.
#[test]
fn visits_add_up_after_a_search_by_many_threads() {
    const N: usize = 5;
    let board = Board::<N>::new();
    for threads in [1, 2, 5, 16] {
        let (mut search, mut evaluators) = (rooted(clueless, &board), evaluators(clueless));
        let evaluators = evaluators.first(threads);
        let tally = simulate(&mut search, evaluators, &board, &clock(), portion(3000));
        let root = search.root_node().unwrap();
        assert_eq!(root.total_visits() as u64, tally.simulations);
        assert!(root.proof().is_some() || tally.simulations == 3000);
        let mut positions = HashSet::new();
        for (position, node) in search.positions(0.0) {
            let visits: f32 = Cell::all().map(|cell| node.edge_visits(cell)).sum();
            assert_eq!(node.total_visits(), visits, "\n{position}");
            assert!((0.0..=1.0).contains(&node.value()), "{}", node.value());
            assert!(positions.insert(format!("{position}")), "twice\n{position}");
        }
        assert!(positions.len() as u64 <= tally.leaves + 1);
        assert!(positions.len() > 1000 || root.proof().is_some());
    }
}

/// Threads on a tree that is full again and again: what they have in hand is not freed under them,
/// and every node is that of its position.
#[test]
fn a_full_tree_makes_room_under_many_threads() {
    const N: usize = 7;
    let (board, max_nodes) = (Board::<N>::new(), 150);
    let params = Params {
        max_nodes,
        ..Params::default()
    };
    for threads in [1, 2, 5, 16] {
        let mut search = Search::new(params, shipped(1));
        search.think(&board, &mut Budget::simulations(&clock(), 0));
        let mut evaluators = evaluators(shipped);
        let evaluators = evaluators.first(threads);
        let tally = simulate(&mut search, evaluators, &board, &clock(), portion(2000));
        let root = search.root_node().unwrap();
        assert_eq!(root.total_visits(), 2000.0);
        assert_eq!(tally.simulations, 2000);
        let positions = search.positions(0.0);
        assert!(positions.len() <= max_nodes);
        for (position, node) in positions {
            let visits: f32 = Cell::all().map(|cell| node.edge_visits(cell)).sum();
            assert_eq!(node.total_visits(), visits, "\n{position}");
            assert_eq!(node.mover(), position.to_move());
            let open = |&cell: &Cell<N>| node.prior(cell).is_some() || node.edge_visits(cell) > 0.0;
            let of_position = |cell| position.at(cell).is_none();
            assert!(Cell::all().filter(open).all(of_position), "\n{position}");
        }
    }
}

/// A choice with virtual losses leaves the node as it was, to the last bit, and goes elsewhere.
#[test]
fn virtual_losses_leave_no_trace_in_a_node() {
    const N: usize = 5;
    let (board, params) = (Board::<N>::new(), Params::default());
    let mut node = Node::new(&board.position());
    node.set_evaluation(&Clueless.evaluate(&board, &Bridges::none(&board)));
    let mut rng = rng(3);
    for _ in 0..200 {
        let cell = node.select(&params);
        node.add_visit(cell, None, &Evaluation::of(rng.random(), Color::Red));
    }
    let before = (learnt(&node), node.total_visits(), node.value().to_bits());
    let favourite = node.select(&params);
    assert_eq!(node.select_with_losses(&[], &params), favourite);
    let mut lost = Vec::new();
    let mut chosen = HashSet::new();
    for _ in 0..40 {
        let cell = node.select_with_losses(&lost, &params);
        chosen.insert(cell.index());
        lost.push(cell);
        let after = (learnt(&node), node.total_visits(), node.value().to_bits());
        assert_eq!(after, before);
    }
    assert!(chosen.len() > 3, "40 losses move the choice: {chosen:?}");
}

/// Takes leaves without bringing any back until there is none left that is in no hand.
#[test]
fn no_position_is_in_two_hands() {
    const N: usize = 3;
    let mut rng = rng(5);
    let mut most = 0;
    for _ in 0..200 {
        let board: Board<N> = random_position(&mut rng, 0..=3);
        let mut search = rooted(clueless, &board);
        let mut evaluator = rooted(clueless, &board);
        let Some(mut shared) = SharedSearch::new(&mut search, &board, 1000) else {
            continue;
        };
        let mut budget = Budget::simulations(clock(), u64::MAX);
        let mut hands: Vec<Leaf<N>> = Vec::new();
        loop {
            match shared.next_leaf() {
                NextLeaf::Leaf(leaf) => {
                    let same = |other: &Leaf<N>| other.board() == leaf.board();
                    assert!(!hands.iter().any(same), "\n{}", leaf.board());
                    hands.push(leaf);
                    most = most.max(hands.len());
                }
                NextLeaf::Again => {}
                NextLeaf::Missed | NextLeaf::Done => {
                    let Some(leaf) = hands.pop() else { break };
                    let found = evaluator.evaluate_leaf(leaf.board(), leaf.depth(), &mut budget);
                    shared.absorb(&leaf, found);
                }
            }
        }
        assert!(search.root_node().unwrap().total_visits() > 0.0 || board.winner().is_some());
    }
    assert!(most >= 5, "at most {most} leaves were in hand");
}

/// Evaluates like [`Clueless`], and panics at the evaluation with this number, whoever makes it.
struct Fragile {
    left: Arc<AtomicU64>,
}

impl<const N: usize> Evaluator<N> for Fragile {
    fn evaluate(&mut self, board: &Board<N>, bridges: &Bridges<N>) -> Evaluation<N> {
        assert_ne!(self.left.fetch_sub(1, Ordering::SeqCst), 1, "as ordered");
        Clueless.evaluate(board, bridges)
    }
}

#[test]
fn a_panic_of_one_thread_ends_all_of_them() {
    const N: usize = 5;
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for threads in [1, 2, 7] {
            let board = Board::<N>::new();
            let fragile = |left| Fragile {
                left: Arc::new(AtomicU64::new(left)),
            };
            let mut search = rooted(|_| fragile(u64::MAX), &board);
            let left = fragile(200).left;
            let fragile = move || Fragile { left: left.clone() };
            let mut evaluators = LeafEvaluators::new(&Params::default(), fragile);
            let evaluators = evaluators.first(threads);
            let endless = portion(u64::MAX);
            let run = || simulate(&mut search, evaluators, &board, &clock(), endless);
            let panic = catch_unwind(AssertUnwindSafe(run)).err().unwrap();
            let said = panic.downcast_ref::<String>().cloned().unwrap_or_default();
            sender.send(said).unwrap();
            // The search can be used again once it is emptied.
            search.forget();
            let again = search.think(&board, &mut Budget::simulations(&clock(), 10));
            assert!(again.is_some());
        }
    });
    for _ in 0..3 {
        let said = receiver.recv_timeout(PATIENCE).expect("it does not hang");
        assert!(said.contains("as ordered"), "{said:?}");
    }
}

/// The time that plain threads need to end after a flag is set: the cost of the machine's load.
fn plain_threads_end(threads: usize) -> Duration {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let count = || {
            let mut rounds = 0_u64;
            while !stop.load(Ordering::Relaxed) {
                rounds = std::hint::black_box(rounds + 1);
            }
        };
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(count)).collect();
        std::thread::sleep(Duration::from_millis(60));
        let told = Instant::now();
        stop.store(true, Ordering::Relaxed);
        for thread in running {
            thread.join().unwrap();
        }
        told.elapsed()
    })
}

/// How long a search needs.
fn search_ends(threads: usize, effort: Effort) -> Duration {
    let mut engine = engine(Side::CODINGAME, &Params::default(), 1).unwrap();
    let sign = StopSign::default();
    let task = Task {
        stop: sign.for_task(1),
        threads,
        ..Task::new(effort)
    };
    let search = std::thread::spawn(move || {
        let position = Side::CODINGAME.board();
        let thought = engine.think(&position, &task, &mut |_| {});
        let ended = Instant::now();
        assert!(thought.unwrap().simulations > 0);
        ended
    });
    std::thread::sleep(Duration::from_millis(60));
    let told = Instant::now();
    sign.stop_up_to(1);
    search.join().unwrap().duration_since(told)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// A search ends at most 20 ms later than plain threads do which look at nothing but a flag: the
/// medians of some tries in turns, so that the machine's load concerns both.
#[test]
fn a_stop_is_answered_within_20_ms() {
    let limit = match cfg!(debug_assertions) {
        // Evaluations are slow without optimisation, and one is finished.
        true => Duration::from_millis(500),
        false => Duration::from_millis(20),
    };
    for effort in [
        Effort::Time(Duration::from_secs(3600)),
        Effort::Simulations(u64::MAX),
    ] {
        for threads in [1, 4, 16] {
            let tries = (0..5).map(|_| (search_ends(threads, effort), plain_threads_end(threads)));
            let (search, plain): (Vec<_>, Vec<_>) = tries.unzip();
            let (search, plain) = (median(search), median(plain));
            println!("{threads} threads, {effort:?}: {search:?}; plain threads: {plain:?}");
            assert!(
                search <= plain + limit,
                "{threads} threads: {search:?}, {plain:?}"
            );
        }
    }
}

/// A fixed number of simulations is run exactly on any number of threads, and the result is
/// plausible.
#[test]
fn an_engine_thinks_on_many_threads() {
    let mut engine = engine(Side::of(7), &Params::default(), 1).unwrap();
    let position = Side::of(7).board();
    let mut before = 0;
    for threads in [3, 1, *THREADS.end()] {
        let task = Task {
            threads,
            ..Task::new(Effort::Simulations(300))
        };
        let thought = engine.think(&position, &task, &mut |_| {}).unwrap();
        let visits: u32 = thought.moves.iter().map(|known| known.visits).sum();
        assert_eq!(thought.simulations, 300);
        // The tree stays, whoever works on it.
        assert_eq!(visits, before + 300);
        before = visits;
    }
}

/// Red's first move comes from a table, but the search still uses its time, on one thread and on
/// several.
#[test]
fn a_player_thinks_on_behind_its_first_move() {
    let settings = Settings {
        first_limit: Duration::from_millis(300),
        ..Settings::default()
    };
    let (side, planned) = (Side::of(11), settings.thinking_time(0, Duration::ZERO));
    for threads in [1, 2] {
        let mut player = player(side, settings.clone(), threads, network(side)).unwrap();
        let clock = StoppableClock::start(&Stop::never());
        let arrival = clock.now();
        let reply = player.reply(&side.board(), &[], &clock, arrival);
        let took = clock.now() - arrival;
        assert!(
            took >= planned,
            "{threads} threads: {took:?} of {planned:?}"
        );
        let reply = reply.expect("an answer");
        assert_eq!((&*reply.action.to_string(), &*reply.summary), ("c2", ""));
    }
}
