//! What the search makes of an evaluator that gives priors, as a network does: what they change,
//! and that it can do without. The evaluator here is an impostor whose answers the tests choose.

use crate::common::{changed, played, rng};
use crate::impostor::impostor;
use hexbot::board::Board;
use hexbot::bridges::Bridges;
use hexbot::budget::{Budget, SystemClock};
use hexbot::cell::{Cell, Color};
use hexbot::evaluation::{Evaluation, Evaluator, MoveStats};
use hexbot::fallback::FallbackEvaluator;
use hexbot::grid::Grid;
use hexbot::network::Network;
use hexbot::node::Proof;
use hexbot::params::Params;
use hexbot::position_key::PositionKey;
use hexbot::search::Search;
use hexbot::tree::Tree;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

#[test]
fn praise_and_blame_are_heard() {
    // So that moves not looked at yet are expected to be better than the one that is blamed.
    let params = changed(|params: &mut Params| params.fpu_reduction = 0.1);
    let choose = |wins| {
        let mut search = Search::new(params, impostor(wins, Duration::ZERO));
        let mut budget = Budget::simulations(SystemClock::start(), 1000);
        let result = search.think(&Board::new(), &mut budget);
        result.expect("a move").best
    };
    let favourite = "b1".parse().expect("a cell");
    assert_eq!(choose(0.9), favourite);
    assert_ne!(choose(0.1), favourite, "however high the prior is");
}

/// The parameters for a tree with this number of nodes.
fn room_for(max_nodes: usize) -> Params {
    changed(|params: &mut Params| params.max_nodes = max_nodes)
}

#[test]
fn a_value_stays_the_mean_after_millions_of_visits() {
    let mut tree = Tree::<3>::new(&room_for(1));
    let root = tree.add(Board::new().position()).expect("room");
    let node = tree.node_mut(root);
    let [better, worse] = ["b2", "a1"].map(|cell| cell.parse().expect("a cell"));
    let likely = [(better, 0.7), (better, 0.7), (worse, 0.3)];
    let seen = likely.map(|(cell, wins)| (cell, Evaluation::of(wins, Color::Red)));
    // More than an f32 can count: of both moves together, then of one of them.
    for millions in [20, 40] {
        for (cell, evaluation) in seen.iter().cycle().take(20_000_000) {
            node.add_visit(*cell, None, evaluation);
        }
        let counts = likely.map(|(cell, _)| f64::from(node.edge_visits(cell)));
        let mean = (0.7 * counts[0] + 0.3 * counts[2]) / (counts[0] + counts[2]);
        let value = f64::from(node.value());
        assert!(
            (value - mean).abs() < 1e-4,
            "{value}, not {mean}, {millions}"
        );
    }
}

#[test]
fn a_good_move_that_was_found_late_is_played() {
    let board = Board::<7>::new();
    let params = Params::default();
    let mut tree = Tree::<7>::new(&room_for(2));
    let root = tree.add(board.position()).expect("room");
    let evaluation = impostor(0.5, Duration::ZERO).evaluate(&board, &Bridges::none(&board));
    tree.node_mut(root).set_evaluation(&evaluation);
    let mut visit = |cell: &str, times, red_wins| {
        let move_stats = MoveStats::Nothing;
        let evaluation = Evaluation {
            red_wins,
            move_stats,
        };
        let path = [(root, cell.parse().expect("a cell"))];
        (0..times).for_each(|_| tree.back_up(&path, &evaluation));
        let best = tree.node(root).best_move(&params);
        best.expect("a move").to_string()
    };
    assert_eq!(visit("a1", 600, 0.5), "a1");
    assert_eq!(visit("b2", 80, 1.0), "a1", "too few visits, however good");
    assert_eq!(visit("c3", 200, 0.52), "a1", "not certainly better");
    assert_eq!(visit("d4", 200, 0.7), "d4", "fewer visits and better");
}

#[test]
fn every_node_has_priors_and_was_asked_for_once() {
    let impostor = impostor(0.5, Duration::ZERO);
    let asked = impostor.asked.clone();
    let mut search = Search::new(Params::default(), impostor);
    let mut budget = Budget::simulations(SystemClock::start(), 1000);
    search.think(&Board::new(), &mut budget);
    let positions = search.positions(0.0);
    assert!(positions.len() > 500, "{}", positions.len());
    assert_eq!(asked.get() as usize, positions.len());
    let favourite = "b1".parse().expect("a cell");
    for (board, node) in positions {
        assert!(node.statistics.has_lasting_value());
        if board.at(favourite).is_none() && node.proof().is_none() {
            assert!(node.prior(favourite).is_none_or(|prior| prior > 0.9));
        }
    }
}

#[test]
fn a_missing_network_leaves_the_playouts() {
    let principal_variation = |network: Option<Arc<Network>>, params| {
        let fallback = FallbackEvaluator::new(&params, rng(1), network);
        let mut search = Search::<11, _>::new(params, fallback);
        let mut budget = Budget::simulations(SystemClock::start(), 1000);
        let result = search.think(&Board::new(), &mut budget);
        result.expect("a move").principal_variation
    };
    let network = Network::shipped().ok().map(Arc::new);
    assert!(network.is_some());
    let without = principal_variation(None, Params::default());
    let playouts = principal_variation(network.clone(), Params::playouts_only());
    assert_eq!(without, playouts);
    assert_ne!(without, principal_variation(network, Params::default()));
}

fn cell(name: &str) -> Cell<7> {
    name.parse().expect("a cell")
}

/// An evaluation that expects nothing of any move.
fn evaluation(red_wins: f32) -> Evaluation<7> {
    let move_stats = MoveStats::Priors(Grid::filled(0.0));
    Evaluation {
        red_wins,
        move_stats,
    }
}

/// The position after some moves.
fn after(moves: &str) -> PositionKey<7> {
    played(moves).position()
}

#[test]
fn a_position_has_one_node_however_it_is_reached() {
    let params = changed(|params: &mut Params| params.bias_correction = 0.0);
    let mut search = Search::new(params, impostor(0.5, Duration::ZERO));
    let mut budget = Budget::simulations(SystemClock::start(), 2000);
    search.think(&Board::new(), &mut budget);
    let positions = search.positions(0.0);
    let edges = positions.iter().map(|(board, node)| {
        let moves = board.empty_cells().iter();
        moves.filter(|&cell| node.child(cell).is_some()).count()
    });
    let (edges, count) = (edges.sum::<usize>(), positions.len());
    let keys: HashSet<_> = positions
        .iter()
        .map(|(board, _)| board.position())
        .collect();
    assert_eq!(keys.len(), count);
    assert!(
        edges > count + 50,
        "{edges} moves lead to {count} positions"
    );
}

#[test]
fn a_move_that_is_behind_catches_up_and_hears_what_is_known() {
    let mut tree = Tree::<7>::new(&room_for(10));
    let [root, first, second, shared] =
        ["", "a1", "c3", "a1 b2 c3"].map(|moves| tree.add(after(moves)).expect("room"));
    let late = tree.add(after("c3 b2")).expect("room");
    for id in [root, first, second, late] {
        tree.node_mut(id).set_evaluation(&evaluation(0.5));
    }
    tree.node_mut(shared).set_evaluation(&evaluation(0.9));
    // Known by another way: nothing leads there from `late` until it is looked for.
    assert_eq!(tree.node(late).child(cell("a1")), None);
    let found = tree.child_or_transposition(late, cell("a1"), after("c3 b2 a1"));
    assert_eq!(found, Some(shared));
    assert!(tree.edge_is_stale(late, cell("a1"), shared));
    tree.back_up(&[(late, cell("a1"))], &Evaluation::of(0.0, Color::Red));
    let is_stale = tree.edge_is_stale(late, cell("a1"), shared);
    assert!(!is_stale, "one visit, one evaluation");
    // What is known of the position counts, not what was said to be backed up.
    assert!((tree.node(late).edge_value(cell("a1")) - 0.9).abs() < 1e-6);
    // Two visits of a loss behind it: the mean of 0.9 and twice 0 is 0.3 for Red.
    for _ in 0..2 {
        tree.back_up(&[(shared, cell("g7"))], &Evaluation::of(0.0, Color::Red));
    }
    let for_blue = tree.node(shared).value();
    assert!((for_blue - 0.7).abs() < 1e-6, "Blue moves there");
    assert!(tree.edge_is_stale(late, cell("a1"), shared));
    tree.back_up(&[(late, cell("a1"))], &Evaluation::of(0.0, Color::Red));
    assert!((tree.node(late).edge_value(cell("a1")) - 0.3).abs() < 1e-6);
}

#[test]
fn what_can_still_come_up_is_kept() {
    let mut tree = Tree::<7>::new(&room_for(4));
    let boards = ["", "a1", "a1 b2", "c3 b2 a1"].map(after);
    for board in boards {
        assert!(tree.add(board).is_some());
    }
    assert!(tree.add(after("d4")).is_none(), "it is full");
    tree.retain_reachable_from(&boards[2]);
    let known = |tree: &Tree<7>| boards.each_ref().map(|board| tree.find(board).is_some());
    assert_eq!(known(&tree), [false, false, true, true]);
    assert_eq!(tree.nodes_in_use(), 2);
    let new = tree.add(after("a1 b2 d4"));
    assert!(new.is_some(), "there is room again");
    assert_ne!(new, tree.find(&boards[2]));
    assert_ne!(new, tree.find(&boards[3]));
}

#[test]
fn a_full_tree_frees_what_was_least_visited_and_its_edges_forget_nothing() {
    let mut tree = Tree::<7>::new(&room_for(5));
    let positions = ["", "a1", "b2", "c3", "a1 b2"].map(after);
    let ids = positions.map(|position| tree.add(position).expect("room"));
    let [root, a1, b2, c3, in_hand] = ids;
    for id in ids {
        tree.node_mut(id).set_evaluation(&evaluation(0.5));
    }
    for (name, child, visits) in [("a1", a1, 6), ("b2", b2, 3), ("c3", c3, 1)] {
        tree.node_mut(root).set_child(cell(name), child);
        let path = [(root, cell(name)), (child, cell("g7"))];
        tree.back_up(&path[..1], &evaluation(0.5));
        (1..visits).for_each(|_| tree.back_up(&path, &evaluation(0.8)));
    }
    assert!(tree.is_full());
    tree.free_least_visited(|id| id == root || id == in_hand);
    let known = positions.map(|position| tree.find(&position).is_some());
    assert_eq!(known, [true, true, false, false, true]);
    let [linked, unlinked] = ["a1", "b2"].map(|name| tree.node(root).child(cell(name)));
    assert_eq!([linked, unlinked], [Some(a1), None]);
    // One evaluation of 0.5 and two of 0.8 stay three, and the next is the fourth: it is made by a
    // new node, whose single evaluation the edge does not take over.
    let b2 = tree.add(after("b2")).expect("there is room again");
    tree.node_mut(b2).set_evaluation(&evaluation(0.1));
    tree.node_mut(root).set_child(cell("b2"), b2);
    let path = [(root, cell("b2")), (b2, cell("g7"))];
    let value = |tree: &Tree<7>| tree.node(root).edge_value(cell("b2"));
    tree.back_up(&path[..1], &evaluation(0.1));
    assert!((value(&tree) - 2.2 / 4.0).abs() < 1e-6);
    tree.back_up(&path, &evaluation(0.8));
    assert!((value(&tree) - 3.0 / 5.0).abs() < 1e-6);
    // A proof of the new node counts at once.
    let (winner, plies) = (Color::Blue, 1);
    let proof = Proof { winner, plies };
    tree.node_mut(b2).apply_proof(cell("f6"), proof);
    tree.back_up(&path[..1], &Evaluation::of(1.0, Color::Blue));
    assert_eq!(value(&tree), 0.0);
}

#[test]
fn what_the_network_was_wrong_by_is_taken_from_like_positions() {
    let mut tree = Tree::<7>::new(&Params {
        bias_correction: 0.5,
        ..room_for(5)
    });
    let evaluation = evaluation(0.6);
    let add = |tree: &mut Tree<7>, first, last| {
        let position = after(&format!("{first} {last}"));
        let id = tree.add(position).expect("room");
        tree.node_mut(id).set_evaluation(&evaluation);
        tree.join(id, &position, cell(last));
        id
    };
    let value = |tree: &Tree<7>, id| (tree.node(id).value() * 1000.0).round();
    // Red moves; e5 is the last move, and a1 and g1 are too far away to make a difference.
    let seen = add(&mut tree, "a1", "e5");
    assert_eq!(value(&tree, seen), 600.0);
    let loses = Evaluation::of(0.0, Color::Red);
    for _ in 0..16 {
        tree.back_up(&[(seen, cell("c3"))], &loses);
    }
    let new = add(&mut tree, "g1", "e5");
    // It was half as far off as the other.
    assert_eq!(value(&tree, new), 300.0);
    let other_stones = add(&mut tree, "e6", "e5");
    let other_place = add(&mut tree, "a1", "c5");
    assert_eq!(value(&tree, other_stones), 600.0);
    assert_eq!(value(&tree, other_place), 600.0);
    // The weight of 16 visits is 8, of one it is 1: 0.6 was too much by (8 · 0.6 - 1 · 0.4) / 9.
    tree.back_up(&[(new, cell("c3"))], &Evaluation::of(1.0, Color::Red));
    let corrected: f32 = 0.6 - 0.5 * (8.0 * 0.6 - 0.4) / 9.0;
    assert_eq!(value(&tree, new), ((corrected + 1.0) * 500.0).round());
    // A freed node takes its results with it.
    let keeps = after("g1 e5");
    tree.retain_reachable_from(&keeps);
    tree.back_up(&[(new, cell("c3"))], &Evaluation::of(1.0, Color::Red));
    let corrected: f32 = 0.6 + 0.5 * 0.4;
    let expected = (corrected + 2.0) / 3.0;
    assert_eq!(value(&tree, new), (expected * 1000.0).round());
}
