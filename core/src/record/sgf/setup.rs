//! Positions that SGF sets up: stones (AB, AW), empty cells (AE), the player to move (PL). A node
//! that sets up stones makes a new beginning: the position with its changes.

use super::reading::point;
use super::scanner::{Property, SgfNode};
use super::SgfError;
use crate::record::{self, AnyCell, Game};
use hexbot::cell::Color;
use std::collections::BTreeMap;

/// Stones that are set up.
pub(crate) type Stones = Vec<(AnyCell, Color)>;

/// Whether a node sets up or removes stones.
pub(crate) fn is_in(node: &SgfNode) -> bool {
    node.properties.iter().any(Property::is_setup)
}

/// The stones of `before` after the setup of a node. The node's moves do not count.
///
/// # Errors
/// If a cell is off the board, or the node puts two stones on it.
pub fn stones(before: &Game, node: &SgfNode) -> Result<Stones, SgfError> {
    let side = before.side();
    let mut stones: Stones = match before.turns() {
        // In the order of the record.
        [] => before.setup().to_vec(),
        _ => record::stones(before.position()).collect(),
    };
    let mut put = BTreeMap::new();
    for property in node.properties.iter().filter(|p| p.is_setup()) {
        let color = match property.name.as_str() {
            "AB" => Some(Color::Red),
            "AW" => Some(Color::Blue),
            _ => None,
        };
        let cell = point(property, &property.value(), side)?;
        if let (Some(Some(owner)), Some(_)) = (put.insert(cell, color), color) {
            let why = format!("{cell} holds a {owner} stone already");
            return Err(property.at.error(why));
        }
        stones.retain(|(known, _)| *known != cell);
        stones.extend(color.map(|color| (cell, color)));
    }
    Ok(stones)
}

/// The error for stones that are set up in one of several variations.
pub(crate) fn refusal(node: &SgfNode) -> SgfError {
    let property = node.properties.iter().find(|p| p.is_setup());
    let property = property.expect("the node sets up stones");
    let (name, value) = (&property.name, property.value());
    property.at.error(format!(
        "{name}[{value}] is in one of several variations, which all have to begin with the same \
         stones; hex convert --to sgf keeps such a record"
    ))
}

/// The player to move after a node, by its PL. `None` if it has no PL, or if another player,
/// `next`, makes the next move: moves count more than PL.
///
/// # Errors
/// If PL names no colour.
pub(crate) fn to_move(node: &SgfNode, next: Option<Color>) -> Result<Option<Color>, SgfError> {
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
            let why = format!("PL[{value}] is not a player; write PL[B] or PL[W]");
            return Err(property.at.error(why));
        }
    };
    Ok((next.is_none_or(|next| next == color)).then_some(color))
}
