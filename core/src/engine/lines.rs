//! What a search expects after each of several moves, read off its tree.

use crate::record::{any_cell, AnyCell};
use hexbot::board::Board;
use hexbot::cell::Cell;
use hexbot::evaluation::Evaluator;
use hexbot::node::Node;
use hexbot::search::Search;
use std::collections::HashMap;

/// A line ends where fewer than this share of all simulations have been, or fewer than so many.
const LEAST_SHARE: f32 = 0.001;
const LEAST_VISITS: f32 = 2.0;

/// The moves that were chosen most after each of the `count` moves chosen most at the root, that
/// move first; at most `length` each.
pub fn lines<const N: usize, E: Evaluator<N>>(
    search: &Search<N, E>,
    count: usize,
    length: usize,
) -> Vec<Vec<AnyCell>> {
    let Some(root) = search.root_node() else {
        return Vec::new();
    };
    let least = (LEAST_SHARE * root.total_visits()).max(LEAST_VISITS);
    let positions = search.positions(least);
    let Some((root_board, _)) = positions.first() else {
        return Vec::new();
    };
    let nodes = positions
        .iter()
        .map(|(board, node)| (board.position(), *node));
    let nodes: HashMap<_, &Node<N>> = nodes.collect();
    let moves: Vec<Cell<N>> = root_board.empty_cells().iter().collect();
    let visits: Vec<f32> = moves.iter().map(|&cell| root.edge_visits(cell)).collect();
    let moves = most_first(&visits).into_iter().map(|index| moves[index]);
    let line = |first: Cell<N>| {
        let (mut board, mut line) = (root_board.clone(), vec![any_cell(first)]);
        board.play_unchecked(first);
        while line.len() < length {
            let Some(next) = nodes
                .get(&board.position())
                .and_then(|node| most_visited(&board, node))
            else {
                break;
            };
            board.play_unchecked(next);
            line.push(any_cell(next));
        }
        line
    };
    moves.take(count).map(line).collect()
}

/// The indices of what was visited at all, the most visited first. (For all boards, as a sort
/// weighs six kilobytes in a page's engine.)
fn most_first(visits: &[f32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..visits.len()).collect();
    order.retain(|&index| visits[index] > 0.0);
    order.sort_by(|&a, &b| visits[b].total_cmp(&visits[a]));
    order
}

/// The move that was chosen most; `None` if none was.
fn most_visited<const N: usize>(board: &Board<N>, node: &Node<N>) -> Option<Cell<N>> {
    let chosen = board
        .empty_cells()
        .iter()
        .filter(|&cell| node.edge_visits(cell) > 0.0);
    chosen.max_by(|&a, &b| node.edge_visits(a).total_cmp(&node.edge_visits(b)))
}
