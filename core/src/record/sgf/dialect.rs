//! Rewrites the SGF of other programs into the form that the readers expect: both meanings of a
//! swap, a swap set up as stones, and Little Golem's cells and colours. It works on nodes, so the
//! reader knows one form only.

use super::scanner::{Property, SgfGame, SgfNode};
use super::SgfError;
use crate::record::{AnyCell, Move, Side};
use hexbot::cell::Color;

const PIECES: &str = "swap-pieces";
const SIDES: &str = "swap-sides";

/// The meaning of a swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwapMeaning {
    /// The first stone is mirrored and becomes Blue's; Red moves next.
    Pieces,
    /// The stone stays Red's and the players change sides, so that Blue moves next.
    Sides,
}

/// Rewrites the nodes of a record. Returns notes for the user, one sentence each. If the next move
/// does not show the meaning of a swap, it means `undecided`. With `None`, the meaning depends on
/// the program that wrote the record.
///
/// # Errors
/// If a move of a record of Little Golem is not a cell of two letters; the place is that of the
/// move.
pub(crate) fn understand(
    game: &mut SgfGame,
    undecided: Option<SwapMeaning>,
) -> Result<Vec<String>, SgfError> {
    let mut notes = Vec::new();
    little_golem(game, &mut notes)?;
    let SgfGame { nodes, children } = game;
    for index in 0..nodes.len() {
        if swap_from_stones(nodes, children, index) {
            continue;
        }
        let Some((place, color)) = swap_in(&nodes[index]) else {
            continue;
        };
        let meaning = match next_mover(nodes, children, index) {
            Some(next) if next == color => SIDES,
            Some(_) => PIECES,
            None => match undecided {
                Some(SwapMeaning::Pieces) => PIECES,
                Some(SwapMeaning::Sides) => SIDES,
                None => by_program(nodes, &mut notes),
            },
        };
        let meaning = if is_ours(nodes) { PIECES } else { meaning };
        nodes[index].properties[place].set(meaning);
    }
    Ok(notes)
}

/// The index of the property of a node that is a swap of either meaning, and the player who swaps.
fn swap_in(node: &SgfNode) -> Option<(usize, Color)> {
    let swap = |property: &Property| {
        let value = property.value();
        let value = value.trim();
        let is_one = value.eq_ignore_ascii_case("swap") || value.eq_ignore_ascii_case(PIECES);
        property.mover().filter(|_| is_one)
    };
    let mut properties = node.properties.iter().enumerate();
    properties.find_map(|(place, property)| Some((place, swap(property)?)))
}

/// The player who makes the next move after a node, on its main line; `None` if there is no move.
fn next_mover(nodes: &[SgfNode], children: &[Vec<usize>], index: usize) -> Option<Color> {
    let mut at = index;
    loop {
        at = *children[at].first()?;
        if nodes[at].has_move() {
            return nodes[at].mover();
        }
    }
}

/// The name of the program that wrote the record; empty if the record does not state it.
fn program(nodes: &[SgfNode]) -> String {
    let mut properties = nodes.iter().take(1).flat_map(|node| &node.properties);
    properties
        .find(|property| property.name == "AP")
        .map_or(String::new(), |property| property.value().trim().to_owned())
}

/// Whether we wrote the record. Our own records name the meaning of a swap.
fn is_ours(nodes: &[SgfNode]) -> bool {
    program(nodes).starts_with("hexbot")
}

/// How the property AP begins in records of programs whose swap mirrors the stone.
const MODERN: [&str; 3] = ["hexbot", "hexgui:", "playhex"];

/// The meaning of a swap that no move follows. In HexGui up to 0.9 and in benzene the players
/// change sides.
fn by_program(nodes: &[SgfNode], notes: &mut Vec<String>) -> &'static str {
    let name = program(nodes).to_ascii_lowercase();
    let version = name.strip_prefix("hexgui:0.");
    let minor = version.map(|rest| rest.split('.').next().unwrap_or(rest));
    let is_old = minor.is_some_and(|minor| minor.parse::<u32>().is_ok_and(|minor| minor <= 9));
    if is_old || name.contains("benzene") {
        return SIDES;
    }
    if !MODERN.iter().any(|known| name.starts_with(known)) {
        notes.push(format!(
            "nothing after the swap shows its meaning; it is read as {PIECES} (the stone is \
             mirrored), not as {SIDES}"
        ));
    }
    PIECES
}

/// Recognizes a swap that an editor without swaps writes as setup: the first stone is removed and
/// its mirror image placed, and Blue does not move next. Moves behind the setup may share its node.
fn swap_from_stones(nodes: &mut [SgfNode], children: &[Vec<usize>], index: usize) -> bool {
    let cell = |property: &Property| {
        let text = property.value().trim().to_ascii_lowercase();
        wide().parse_cell(&text).ok()
    };
    let Some(parent) = nodes[index].parent else {
        return false;
    };
    let is_first = nodes[parent].parent.is_none_or(|root| root == 0);
    let first: Vec<&Property> = nodes[parent].properties.iter().filter(is_move).collect();
    let &[first] = &first[..] else {
        return false;
    };
    let Some(stone) = cell(first).filter(|_| is_first && first.name == "B") else {
        return false;
    };
    let node = &nodes[index].properties;
    let stones = |name: &str| -> Vec<Option<AnyCell>> {
        node.iter().filter(|p| p.name == name).map(cell).collect()
    };
    let mut moves = node.iter().filter(is_move);
    let placed = if stones("AW").is_empty() { "W" } else { "AW" };
    let is_alone = placed == "AW" || moves.clone().count() == 1;
    let next = moves.find(|p| p.name != placed).and_then(Property::mover);
    let next = next.or_else(|| next_mover(nodes, children, index));
    let is_swap = stones("AE") == [Some(stone)]
        && stones(placed) == [Some(stone.transposed())]
        && stones("AB").is_empty()
        && is_alone
        && next != Some(Color::Blue);
    if is_swap {
        let properties = &mut nodes[index].properties;
        let at = properties
            .iter()
            .position(|property| property.name == placed);
        let mut swap = properties.remove(at.expect("it has been found"));
        swap.name = "W".to_owned();
        swap.set(PIECES);
        properties.retain(|property| property.name != "AE");
        properties.insert(0, swap);
    }
    is_swap
}

fn is_move(property: &&Property) -> bool {
    property.mover().is_some()
}

/// The properties of a turn and its player, in pairs. Little Golem's Black is Blue here.
const PAIRS: [(&str, &str); 6] = [
    ("B", "W"),
    ("AB", "AW"),
    ("BL", "WL"),
    ("OB", "OW"),
    ("TB", "TW"),
    ("GB", "GW"),
];

/// Little Golem's records: White begins and is Red here, and a cell is two letters, `ll` for l12.
/// PB is nevertheless the player who begins, and RE names the winner in the same way: in
/// `RE[B];…;B[resign]` PB has won, because PW resigned.
fn little_golem(game: &mut SgfGame, notes: &mut Vec<String>) -> Result<(), SgfError> {
    let mut moves = game.properties().filter(|p| p.mover().is_some());
    let Some(first) = moves.next() else {
        return Ok(());
    };
    if first.name != "W" || letters(&first.value()).is_none() {
        return Ok(());
    }
    let is_resigned = moves.last().is_some_and(Property::is_end);
    for node in &mut game.nodes {
        for property in &mut node.properties {
            let other = PAIRS.iter().find_map(|&(one, two)| match &*property.name {
                name if name == one => Some(two),
                name if name == two => Some(one),
                _ => None,
            });
            if let Some(other) = other {
                property.name = other.to_owned();
            }
            let value = property.value().trim().to_ascii_uppercase();
            if property.name == "RE" && ["B", "W"].contains(&&*value) {
                property.set(&format!("{value}+{}", if is_resigned { "R" } else { "" }));
            }
            if property.mover().is_some() || property.is_setup() {
                read_letters(property)?;
            }
        }
    }
    notes.push("a record of Little Golem: White moves first and is Red here".to_owned());
    Ok(())
}

/// Rewrites the cell of a property in a record of Little Golem. Words are left unchanged.
fn read_letters(property: &mut Property) -> Result<(), SgfError> {
    let text = property.value().trim().to_ascii_lowercase();
    let is_word = text == "swap" || text == "resign" || Move::parse(&text, wide()).is_ok();
    match letters(&text) {
        Some(point) => property.set(&point.to_string()),
        None if is_word => {}
        None => {
            let why = format!(
                "{:?} is not a cell of Little Golem, where a cell is two letters such as ll",
                property.value()
            );
            return Err(property.at.error(why));
        }
    }
    Ok(())
}

/// The side of the largest board, which has all cells.
fn wide() -> Side {
    Side::of(Side::MAX as u8)
}

/// The cell that two letters name, its column first.
fn letters(text: &str) -> Option<AnyCell> {
    let &[column, row] = text.trim().as_bytes() else {
        return None;
    };
    let number = |letter: u8| {
        let letter = letter.to_ascii_lowercase();
        letter
            .is_ascii_lowercase()
            .then(|| usize::from(letter - b'a'))
    };
    wide().cell(number(row)?, number(column)?)
}
