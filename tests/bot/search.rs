//! The search plays small boards perfectly, finds forced wins and only moves, and keeps its tree.

use crate::common::naive::perfect_winner;
use crate::common::{below, changed, diagram, played, random_cells, rng};
use hexbot::board::Board;
use hexbot::bridges::Bridges;
use hexbot::budget::{Budget, SystemClock};
use hexbot::cell::{Cell, Color};
use hexbot::evaluation::{Evaluation, Evaluator};
use hexbot::fallback::FallbackEvaluator;
use hexbot::network::Network;
use hexbot::params::{Params, TreeReuse};
use hexbot::position_key::PositionKey;
use hexbot::search::{Search, SearchResult};
use hexbot::shortest_path::heuristic_move;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

fn evaluator<const N: usize>(params: &Params, seed: u64) -> FallbackEvaluator<N> {
    let network = Network::shipped().expect("the shipped weights are whole");
    FallbackEvaluator::new(params, rng(seed), Some(Arc::new(network)))
}

/// The shipped evaluator too slow: playouts go on in its place.
#[test]
fn a_network_that_is_too_slow_is_given_up() {
    let mut fallback = evaluator::<11>(&Params::default(), 1);
    assert!(fallback.is_costly());
    fallback.degrade();
    assert!(!fallback.is_costly());
}

/// The search as it is shipped; `Params::playouts_only` leaves the network out.
fn search<const N: usize>(params: Params) -> Search<N, FallbackEvaluator<N>> {
    Search::new(params, evaluator(&params, 1))
}

/// Thinks about a position whose game goes on.
fn think<const N: usize, E: Evaluator<N>>(
    search: &mut Search<N, E>,
    board: &Board<N>,
    simulations: u64,
) -> SearchResult<N> {
    let mut budget = Budget::simulations(SystemClock::start(), simulations);
    search
        .think(board, &mut budget)
        .expect("the game is not over")
}

/// What the search proves must be true. It may stop without a proof only when a single move is left
/// that is not known to lose, because then there is nothing to choose.
fn think_until_proven<const N: usize>(board: &Board<N>, winner: Color) -> SearchResult<N> {
    let mut search = search(Params::default());
    let result = think(&mut search, board, 20_000);
    match result.proof {
        Some(proof) => assert_eq!(proof.winner, winner, "\n{board}"),
        None => assert!(search.root_node().unwrap().is_forced(), "no proof\n{board}"),
    }
    result
}

/// After every first move and every reply the search proves who wins, and its move keeps a win.
fn plays_perfectly<const N: usize>() {
    let mut known = HashMap::new();
    let mut red_openings = 0;
    for opening in Cell::<N>::all() {
        let mut board = Board::new();
        board.play(opening);
        red_openings += (perfect_winner(&board, &mut known) == Color::Red) as usize;
        for reply in board.empty_cells().iter() {
            let mut board = board.clone();
            board.play(reply);
            let winner = perfect_winner(&board, &mut known);
            let result = think_until_proven(&board, winner);
            let mut after = board.clone();
            after.play(result.best);
            let outcome = perfect_winner(&after, &mut known);
            assert_eq!(outcome, winner, "{} spoils\n{board}", result.best);
        }
    }
    assert!(red_openings > 0 && red_openings < Cell::<N>::COUNT);
}

#[test]
fn small_boards_are_played_perfectly() {
    plays_perfectly::<3>();
    plays_perfectly::<4>();
}

#[test]
fn random_positions_of_four_by_four_are_played_perfectly() {
    let mut known = HashMap::new();
    let mut rng = rng(3);
    for _ in 0..300 {
        let mut board = Board::<4>::new();
        let stones = below(&mut rng, 9);
        for cell in random_cells(&mut rng).take(stones) {
            // Refused once the game is over.
            let _ = board.try_play(cell);
        }
        if board.winner().is_none() {
            think_until_proven(&board, perfect_winner(&board, &mut known));
        }
    }
}

#[test]
fn puzzles_are_solved() {
    // The network's search need not prove what it is sure of.
    solve_puzzles(Params::default(), |result| result.win_probability > 0.9);
}

#[test]
fn puzzles_are_solved_by_playouts_alone() {
    solve_puzzles(Params::playouts_only(), |_| false);
}

/// Solves every position of tests/data/puzzles.txt, which describes its format. A win must be
/// proven, or the search must be `sure` of it.
fn solve_puzzles(params: Params, sure: fn(&SearchResult<11>) -> bool) {
    let text = include_str!("../data/puzzles.txt");
    let is_read = |line: &&str| !line.starts_with('#') && !line.trim().is_empty();
    let lines: Vec<&str> = text.lines().filter(is_read).collect();
    let (mut wins, mut only_moves) = (0, 0);
    for puzzle in lines.chunks(12) {
        let words: Vec<&str> = puzzle[0].split_whitespace().collect();
        let [name, color, solutions @ ..] = &words[..] else {
            panic!("no name or no player: {:?}", puzzle[0])
        };
        let to_move = match *color {
            "red" => Color::Red,
            "blue" => Color::Blue,
            other => panic!("{name}: {other} is no player"),
        };
        let board: Board<11> = diagram(&puzzle[1..].join("\n"), to_move);
        let result = think(&mut search(params), &board, 20_000);
        if solutions == ["wins"] {
            let wins_for_certain = result.proof.map(|proof| proof.winner == to_move);
            let found = wins_for_certain.unwrap_or_else(|| sure(&result));
            assert!(found, "{name}: {result}\n{board}");
            assert_eq!(play_on(board, to_move), to_move, "{name}");
            wins += 1;
        } else {
            let is_found = solutions.contains(&&*result.best.to_string());
            assert!(is_found, "{name}: {result}\n{board}");
            only_moves += 1;
        }
    }
    let read = format!("{wins} wins and {only_moves} only moves were read");
    assert!(wins >= 10 && only_moves >= 5, "{read}");
}

/// Plays to the end against an opponent that uses only shortest paths, and returns the winner.
fn play_on(mut board: Board<11>, strong: Color) -> Color {
    let mut player = search(Params::default());
    loop {
        if let Some(winner) = board.winner() {
            return winner;
        }
        let cell = if board.to_move() == strong {
            think(&mut player, &board, 5_000).best
        } else {
            heuristic_move(&board).unwrap()
        };
        board.play(cell);
    }
}

#[test]
fn a_won_game_is_won_without_dawdling() {
    let chain = "
        . . . . . r . . . . .
         . . . . . r . . . . .
          . . . . . r . . . . .
           . . . . . r . . . . .
            . . . . . r . . . . .
             . . . . . . . . . . .
              . . . . r . . . . . .
               . . . . r . . . . . .
                . b b . r . b b . b .
                 . . . . r . . . . . .
                  . . b b . . b b . . .";
    let mut board: Board<11> = diagram(chain, Color::Red);
    let mut moves = 0;
    let mut player = search(Params::default());
    while board.winner().is_none() {
        let result = think(&mut player, &board, 1_000);
        assert_eq!(result.simulations, 0, "time is wasted on a won game");
        board.play(result.best);
        moves += 1;
        if board.winner().is_none() {
            // Blue plays elsewhere.
            let far = board.empty_cells().iter().find(|cell| cell.col() > 8);
            board.play(far.unwrap());
        }
    }
    assert_eq!((board.winner(), moves), (Some(Color::Red), 2));
}

#[test]
fn the_tree_is_found_again_after_two_moves_and_not_for_other_positions() {
    let two_moves_later = |tree| {
        let mut player = search::<5>(changed(|params: &mut Params| params.tree = tree));
        let mut board = Board::new();
        let first = think(&mut player, &board, 3_000);
        board.play(first.best);
        board.play(first.principal_variation[1]);
        think(&mut player, &board, 0);
        (player, board)
    };
    let visits = |player: &Search<5, _>| player.root_node().unwrap().total_visits();
    let (mut player, board) = two_moves_later(TreeReuse::Kept);
    assert!(visits(&player) > 10.0, "nothing was kept");
    // The same stones with the other side to move are another position.
    think(&mut player, &board.with_to_move(Color::Blue), 0);
    assert_eq!(visits(&player), 0.0);
    assert_eq!(visits(&two_moves_later(TreeReuse::Dropped).0), 0.0);
}

#[test]
fn a_win_seen_at_once_leaves_no_root() {
    let mut search: Search<5, _> = search(Params::default());
    think(&mut search, &Board::new(), 50);
    assert!(search.root_node().is_some());
    let result = think(&mut search, &played("c1 a1 c2 a2 c3 a3 c4 a4"), 50);
    assert_eq!(result.simulations, 0);
    assert!(
        search.root_node().is_none(),
        "the node is one of another position"
    );
}

#[test]
fn stirred_priors_send_simulations_where_none_went() {
    let mut search: Search<5, _> = search(Params::default());
    let board = Board::new();
    let corner = Cell::from_index(0);
    search.add_root_noise([corner].into_iter().collect(), 0.3); // nothing has been thought about
    think(&mut search, &board, 30);
    let before = search.root_node().unwrap().prior(corner).unwrap();
    assert_eq!(search.root_node().unwrap().edge_visits(corner), 0.0);
    search.add_root_noise([corner].into_iter().collect(), 0.3);
    let root = search.root_node().unwrap();
    let sum: f32 = Cell::all().filter_map(|cell| root.prior(cell)).sum();
    assert!((sum - 1.0).abs() < 1e-4, "{sum}");
    let expected = 0.7 * before + 0.3;
    assert!((root.prior(corner).unwrap() - expected).abs() < 1e-6);
    think(&mut search, &board, 60);
    assert!(search.root_node().unwrap().edge_visits(corner) > 0.0);
}

/// A position that Red has won by bridges, with Blue to move: one move after the other is proven to
/// lose. When a single move is left, the position must still count as lost.
#[test]
fn a_lost_position_is_told_as_lost_when_one_move_is_left() {
    let board = played::<11>("e7 b3 f5 a2 d9 h5 g3 c9 d10 j1 h1 k5").with_to_move(Color::Blue);
    let mut search = search(Params::default());
    for simulations in [50, 100, 200, 400, 800, 1600] {
        let result = think(&mut search, &board, simulations);
        let is_forced = search.root_node().unwrap().is_forced();
        let lost = result.proof.is_some() || result.win_probability < 0.2;
        let told = result.summary();
        assert!(lost, "{told} after {simulations}, forced: {is_forced}");
    }
}

/// How often each cell of the empty board was visited.
fn visits(params: Params, seed: u64) -> Vec<f32> {
    let mut search = Search::new(params, evaluator::<11>(&params, seed));
    think(&mut search, &Board::new(), 2_000);
    let root = search.root_node().expect("it has thought");
    Cell::all().map(|cell| root.edge_visits(cell)).collect()
}

#[test]
fn the_same_seed_gives_the_same_search() {
    // Playouts draw random numbers, so another seed finds other things.
    let playouts = Params::playouts_only();
    assert_eq!(visits(playouts, 1), visits(playouts, 1));
    assert_ne!(visits(playouts, 1), visits(playouts, 2));
    assert_eq!(visits(Params::default(), 1), visits(Params::default(), 1));
}

#[test]
fn a_full_tree_goes_on_searching() {
    let nodes_after_six_moves = |max_nodes| {
        let mut player = search::<11>(changed(|params: &mut Params| params.max_nodes = max_nodes));
        let mut board = Board::new();
        let mut most = 0;
        for _ in 0..6 {
            let result = think(&mut player, &board, 2_000);
            assert_eq!(result.simulations, 2_000);
            most = most.max(player.positions(0.0).len());
            board.play(result.best);
        }
        most
    };
    // Some nodes of a tree that has made room may be linked by no other.
    let nodes = nodes_after_six_moves(50);
    assert!((26..=50).contains(&nodes), "full, and no fuller: {nodes}");
    assert_eq!(nodes_after_six_moves(1), 1, "the root alone");
    assert!(nodes_after_six_moves(5_000) > 500);
}

/// The shipped evaluator; it records the positions that it evaluates.
struct Noting {
    evaluator: FallbackEvaluator<11>,
    asked: Rc<RefCell<Vec<PositionKey<11>>>>,
}

impl Evaluator<11> for Noting {
    fn evaluate(&mut self, board: &Board<11>, bridges: &Bridges<11>) -> Evaluation<11> {
        self.asked.borrow_mut().push(board.position());
        self.evaluator.evaluate(board, bridges)
    }

    fn is_costly(&self) -> bool {
        self.evaluator.is_costly()
    }
}

#[test]
fn a_search_of_ten_times_its_tree_goes_on_to_new_positions() {
    let params = changed(|params: &mut Params| params.max_nodes = 1_000);
    let asked = Rc::<RefCell<Vec<_>>>::default();
    let noting = Noting {
        evaluator: evaluator(&params, 1),
        asked: asked.clone(),
    };
    let mut search = Search::new(params, noting);
    let board = played("c2 d8 h7 h8");
    let mut different = HashSet::new();
    // Evaluations of the second half, and how many of them are of positions that are new to it.
    let (mut evaluations, mut new) = (0, 0);
    for _ in 0..2 {
        let before = different.len();
        think(&mut search, &board, 5_000);
        let asked = asked.take();
        evaluations = asked.len();
        different.extend(asked);
        new = different.len() - before;
    }
    assert_eq!(search.root_node().unwrap().total_visits(), 10_000.0);
    assert!(search.positions(0.0).len() <= 1_000);
    // Leaves that were freed are evaluated again when the search comes back to them.
    assert!(new * 5 > evaluations, "{new} of {evaluations}");
}

#[test]
fn without_a_simulation_the_shortest_path_is_played() {
    let board = played::<11>("a1 f6");
    let result = think(&mut search(Params::default()), &board, 0);
    assert_eq!(Some(result.best), heuristic_move(&board));
}

#[test]
fn plain_uct_tries_every_move_once_and_then_goes_by_its_formula() {
    let params = Params::plain_uct();
    let mut search = search::<5>(params);
    think(&mut search, &Board::new(), 25);
    let root = search.root_node().unwrap();
    assert!(Cell::all().all(|cell| root.edge_visits(cell) == 1.0));
    search.forget();
    think(&mut search, &Board::new(), 500);
    let root = search.root_node().unwrap();
    let bound = |cell| {
        let visits = root.edge_visits(cell);
        root.edge_value(cell) + params.c_puct * (root.total_visits().ln() / visits).sqrt()
    };
    let highest = Cell::all().map(bound).fold(f32::MIN, f32::max);
    assert!((bound(root.select(&params)) - highest).abs() < 1e-5);
    assert!(
        Cell::all().any(|cell| root.edge_visits(cell) > 25.0),
        "all are visited alike"
    );
}

#[test]
fn moves_get_nodes_with_the_visit_that_is_asked_for() {
    let nodes = |expand_at_visit| {
        let mut search = search::<11>(Params {
            expand_at_visit,
            ..Params::playouts_only()
        });
        think(&mut search, &Board::new(), 1_000);
        let root = search.root_node().unwrap();
        let mut seldom = Cell::all().filter(|&cell| root.edge_visits(cell) < expand_at_visit);
        assert!(seldom.all(|cell| root.child(cell).is_none()));
        search.positions(0.0).len()
    };
    assert!(nodes(5.0) * 2 < nodes(1.0));
}
