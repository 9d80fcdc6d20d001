//! The lines of play that a search expects after each of several moves, read from its tree.

use crate::record::{any_cell, AnyCell};
use hexbot::board::Board;
use hexbot::cell::Cell;
use hexbot::evaluation::Evaluator;
use hexbot::node::Node;
use hexbot::search::Search;
use std::collections::HashMap;

/// A line ends at a position with a smaller share of all simulations than this.
const LEAST_SHARE: f32 = 0.001;

/// A line ends at a position with fewer simulations than this.
const LEAST_VISITS: f32 = 2.0;

/// A line for each of the `count` most visited moves at the root: that move, then the most visited
/// replies. A line has at most `length` moves.
pub(crate) fn lines<const N: usize, E: Evaluator<N>>(
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

/// The indices of the entries with visits, the most visited first. The function is not generic over
/// the board's size, because each copy of a sort adds six kilobytes to the WebAssembly module.
fn most_first(visits: &[f32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..visits.len()).collect();
    order.retain(|&index| visits[index] > 0.0);
    order.sort_by(|&a, &b| visits[b].total_cmp(&visits[a]));
    order
}

/// The most visited move; `None` if no move was visited.
fn most_visited<const N: usize>(board: &Board<N>, node: &Node<N>) -> Option<Cell<N>> {
    let chosen = board
        .empty_cells()
        .iter()
        .filter(|&cell| node.edge_visits(cell) > 0.0);
    chosen.max_by(|&a, &b| node.edge_visits(a).total_cmp(&node.edge_visits(b)))
}
