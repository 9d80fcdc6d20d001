//! What SGF sets up instead of playing it: stones (AB, AW), empty cells (AE), the player to move
//! (PL). Games here have stones set up before their first move alone, and Red begins; so another
//! player to move is a pass, and stones set up later are refused.

use super::scanner::{children, Property, SgfNode};
use super::{point, SgfError};
use crate::record::{Point, Position, Side};
use hexbot::cell::Color;

/// Stones that are set up.
pub type Stones = Vec<(Point, Color)>;

/// The stones before the first move: those of the first nodes, as far as none of them moves and
/// each has one child. The indices of these nodes come with them.
///
/// # Errors
/// If a cell is off the board or taken already, or if another node sets up stones.
pub fn stones(nodes: &[SgfNode], side: Side) -> Result<Stones, SgfError> {
    let mut stones = Stones::new();
    let mut board = Position::new(side);
    let children = children(nodes);
    let mut first = Some(0).filter(|_| !nodes.is_empty());
    let mut number_of_first = 0;
    while let Some(index) = first {
        let moves = nodes[index]
            .properties
            .iter()
            .position(|property| property.mover().is_some());
        let until = moves.unwrap_or(nodes[index].properties.len());
        for property in &nodes[index].properties[..until] {
            put(&mut stones, &mut board, property)?;
        }
        refuse(nodes, index, until)?;
        number_of_first = index + 1;
        first = match (moves, &children[index][..]) {
            (None, &[only]) => Some(only),
            _ => None,
        };
    }
    (number_of_first..nodes.len()).try_for_each(|index| refuse(nodes, index, 0))?;
    Ok(stones)
}

/// Puts a stone on the board or takes it away, if the property says so.
fn put(stones: &mut Stones, board: &mut Position, property: &Property) -> Result<(), SgfError> {
    let color = match property.name.as_str() {
        "AB" => Some(Color::Red),
        "AW" => Some(Color::Blue),
        "AE" => None,
        _ => return Ok(()),
    };
    let cell = point(property, &property.value, board.side())?;
    if let (Some(owner), Some(_)) = (board.at(cell), color) {
        let why = format!("{cell} holds a {owner} stone already");
        return Err(property.at.error(why));
    }
    stones.retain(|stone| stone.0 != cell);
    stones.extend(color.map(|color| (cell, color)));
    board.set(cell, color);
    Ok(())
}

/// Refuses stones set up in a node, from a property on.
fn refuse(nodes: &[SgfNode], index: usize, from: usize) -> Result<(), SgfError> {
    let is_setup = |property: &&Property| matches!(property.name.as_str(), "AB" | "AW" | "AE");
    let Some(property) = nodes[index].properties[from..].iter().find(is_setup) else {
        return Ok(());
    };
    let mut moves = 0;
    let mut at = Some(index);
    while let Some(node) = at {
        let own = nodes[node]
            .properties
            .iter()
            .filter(|property| property.mover().is_some());
        moves += own.count();
        at = nodes[node].parent;
    }
    let (name, value) = (&property.name, &property.value);
    let place = match moves {
        0 => "in one of several variations".to_owned(),
        moves => format!("after move {moves}"),
    };
    let why = format!(
        "{name}[{value}] {place}: stones can be set up before the first move alone, and are the \
         same for all variations"
    );
    Err(property.at.error(why))
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
    let color = match property.value.trim().to_ascii_lowercase().as_str() {
        "b" | "black" => Color::Red,
        "w" | "white" => Color::Blue,
        _ => {
            let why = format!("PL[{}] is no player, only B and W are", property.value);
            return Err(property.at.error(why));
        }
    };
    Ok((next.is_none_or(|next| next == color)).then_some(color))
}
