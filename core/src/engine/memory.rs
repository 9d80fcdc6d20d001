//! How much memory an engine takes.

use super::room::ROOMS;
use crate::record::Side;
use hexbot::bias::{ErrorSum, Pattern};
use hexbot::node::{Node, NodeId};
use hexbot::position_key::PositionKey;

/// The most bytes that one node of an engine's tree takes on boards of `side`. This is the node
/// plus its share of two tables: positions, and patterns around the last move. Not counted are the
/// statistics of playouts, which add half of a node's size without the network, and some hundreds
/// of kilobytes for each engine. An engine reserves memory for [`Params::max_nodes`] when it is
/// made.
///
/// [`Params::max_nodes`]: hexbot::params::Params::max_nodes
pub fn node_bytes(side: Side) -> usize {
    match side.get() {
        side if side <= ROOMS[0] => node_bytes_in_room::<{ ROOMS[0] }>(),
        side if side <= ROOMS[1] => node_bytes_in_room::<{ ROOMS[1] }>(),
        _ => node_bytes_in_room::<{ ROOMS[2] }>(),
    }
}

/// [`node_bytes`] on boards with room for side N.
const fn node_bytes_in_room<const N: usize>() -> usize {
    // A list of free nodes grows by doubling.
    let free = 2 * size_of::<NodeId>();
    let positions = entry_bytes::<(PositionKey<N>, NodeId)>();
    let patterns = entry_bytes::<(Pattern<N>, ErrorSum)>();
    size_of::<Node<N>>() + free + positions + patterns
}

/// The most bytes that an entry of a hash table takes. The standard library's table has a power of
/// two of slots with one extra byte each, and uses 7/16 to 7/8 of them.
const fn entry_bytes<T>() -> usize {
    (16 * (size_of::<T>() + 1)).div_ceil(7)
}
