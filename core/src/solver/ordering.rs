//! The order in which a solver tries moves: those that matter most to both colours first.
//!
//! The measure is van Rijswijck's two-distance (*Computer Hex: are bees better than fruitflies?*,
//! 2000). A cell next to an edge has distance 1 from it. Any other cell has distance d + 1 if at
//! least two of its neighbours have distance d or less: the opponent may always take the nearest
//! neighbour away. A cell's score is the sum of its distances from the four edges.

use super::base_cells::BaseCells;
use super::board::SolverBoard;
use super::groups::ColorGroups;
use super::set::Set;
use hexbot::cell::Color;

/// The distance of cells from which no such way leads to the edge.
const FAR: u16 = 40;

/// The cells of `moves`, the most promising one first; equal ones in the order of their numbers.
pub(crate) fn ordered(board: &SolverBoard, moves: Set, base_cells: &BaseCells) -> Vec<usize> {
    let mut scores = [0; Set::CAPACITY];
    for color in Color::ALL {
        add_distances(board, color, base_cells, &mut scores);
    }
    let mut cells: Vec<usize> = moves.iter().collect();
    cells.sort_by_key(|&cell| scores[cell]);
    cells
}

/// Adds to each cell's score its distances from both edges of `color`.
fn add_distances(
    board: &SolverBoard,
    color: Color,
    base_cells: &BaseCells,
    scores: &mut [u16; Set::CAPACITY],
) {
    let groups = board.groups(color);
    let mut neighbors = [Set::EMPTY; Set::CAPACITY];
    for cell in board.empty().iter() {
        neighbors[cell] = groups.neighbors(cell, base_cells.around(cell) & board.empty());
    }
    for edge in edges(groups) {
        let (mut reached, mut distance) = (edge, 1);
        edge.iter().for_each(|cell| scores[cell] += 1);
        let mut left = board.empty() - edge;
        while !left.is_empty() {
            distance += 1;
            let mut next = Set::EMPTY;
            for cell in left.iter() {
                if (neighbors[cell] & reached).has_two() {
                    next |= Set::of(cell);
                }
            }
            if next.is_empty() {
                left.iter().for_each(|cell| scores[cell] += FAR);
                break;
            }
            next.iter().for_each(|cell| scores[cell] += distance);
            reached |= next;
            left -= next;
        }
    }
}

fn edges(groups: &ColorGroups) -> [Set; 2] {
    [groups.start(), groups.end()]
}
