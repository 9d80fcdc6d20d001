//! How much memory an engine takes.

use super::room::{in_room, in_room_of};
use crate::record::Side;
use hexbot::bias::{ErrorSum, Pattern};
use hexbot::node::{Node, NodeId};
use hexbot::position_key::PositionKey;

/// The bytes that each node of an engine's tree takes, at most, on boards of `side`: the node, and
/// its share of the tree's tables: one has an entry for each position, one for each pattern around
/// a last move. Without the network a node has statistics of playouts besides, half
/// of its size. What an engine takes besides its tree, some hundreds of kilobytes, is not counted.
/// It has memory for [`Params::max_nodes`] from the beginning.
///
/// [`Params::max_nodes`]: hexbot::params::Params::max_nodes
pub fn node_bytes(side: Side) -> usize {
    in_room!(in_room_of!(side, N => node_bytes_in_room::<N>()), bytes => bytes)
}

/// The same on boards of side N.
const fn node_bytes_in_room<const N: usize>() -> usize {
    // A list of free nodes grows by doubling.
    let free = 2 * size_of::<NodeId>();
    let positions = entry_bytes::<(PositionKey<N>, NodeId)>();
    let patterns = entry_bytes::<(Pattern<N>, ErrorSum)>();
    size_of::<Node<N>>() + free + positions + patterns
}

/// The most that an entry of a hash table takes. The table has a power of two of places, each with
/// a byte beside it; 7/16 to 7/8 of them are in use.
const fn entry_bytes<T>() -> usize {
    (16 * (size_of::<T>() + 1)).div_ceil(7)
}
