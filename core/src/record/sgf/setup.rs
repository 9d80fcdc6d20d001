//! What SGF sets up instead of playing it: stones (AB, AW), empty cells (AE), the player to move
//! (PL). A node that sets up stones makes a new beginning: the position with its changes.

use super::scanner::{Property, SgfNode};
use super::{point, SgfError};
use crate::record::{Game, Point, Position};
use hexbot::cell::Color;

/// Stones that are set up.
pub type Stones = Vec<(Point, Color)>;

/// Whether a node sets stones up or takes them away.
pub fn is_in(node: &SgfNode) -> bool {
    node.properties.iter().any(Property::is_setup)
}

/// The stones of `before` after a node has changed them. The node's moves do not count.
///
/// # Errors
/// If a cell is off the board, or the node puts two stones on it.
pub fn stones(before: &Game, node: &SgfNode) -> Result<Stones, SgfError> {
    let side = before.side();
    let mut stones: Stones = match before.turns() {
        // In the order of the record.
        [] => before.setup().to_vec(),
        _ => before.position().all_stones().collect(),
    };
    let mut board = Position::new(side);
    for &(cell, color) in &stones {
        board.set(cell, Some(color));
    }
    // Those of this node.
    let mut put = Position::new(side);
    for property in node.properties.iter().filter(|p| p.is_setup()) {
        let color = match property.name.as_str() {
            "AB" => Some(Color::Red),
            "AW" => Some(Color::Blue),
            _ => None,
        };
        let cell = point(property, &property.value(), side)?;
        if let (Some(owner), Some(_)) = (put.at(cell), color) {
            let why = format!("{cell} holds a {owner} stone already");
            return Err(property.at.error(why));
        }
        if board.at(cell).is_some() {
            stones.retain(|stone| stone.0 != cell);
        }
        stones.extend(color.map(|color| (cell, color)));
        board.set(cell, color);
        put.set(cell, color);
    }
    Ok(stones)
}

/// Why a node's stones are refused where all variations begin with the same ones.
pub fn refusal(node: &SgfNode) -> SgfError {
    let property = node.properties.iter().find(|p| p.is_setup());
    let property = property.expect("the node sets up stones");
    let (name, value) = (&property.name, property.value());
    property.at.error(format!(
        "{name}[{value}] in one of several variations: all of them begin with the same stones; \
         hex convert --to sgf keeps such a record"
    ))
}

/// Who is to move after a node by its PL. `None` if it has none, or if `next`, who moves first in
/// the node behind it, says otherwise: what is played counts more.
///
/// # Errors
/// If PL names no colour.
pub fn to_move(node: &SgfNode, next: Option<Color>) -> Result<Option<Color>, SgfError> {
    let Some(property) = node
        .properties
        .iter()
        .find(|property| property.name == "PL")
    else {
        return Ok(None);
    };
    let value = property.value();
    let color = match value.trim().to_ascii_lowercase().as_str() {
        "b" | "black" => Color::Red,
        "w" | "white" => Color::Blue,
        _ => {
            let why = format!("PL[{value}] is no player, only B and W are");
            return Err(property.at.error(why));
        }
    };
    Ok((next.is_none_or(|next| next == color)).then_some(color))
}
