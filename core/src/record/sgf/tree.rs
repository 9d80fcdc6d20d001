//! Games with variations in SGF, and with marks: LB and AR, and the shapes CR, MA, SQ and TR, which
//! are labels of one sign here.

use super::scanner::{children, Property, Scanner, SgfNode};
use super::{
    after_the_end, dialect, escaped, header, letter, parse_result, point, said, setup, side,
    with_character_set, write_comment, Said, SgfError,
};
use crate::record::game::add_remark;
use crate::record::hexworld::LinkToken;
use crate::record::{Ending, GameTree, Move, Outcome, Side, TreeNode};
use hexbot::cell::Color;
use std::fmt::Write;

/// Properties that mark cells with a shape, and the label that each is here.
const SHAPES: [(&str, &str); 4] = [("CR", "○"), ("MA", "×"), ("SQ", "□"), ("TR", "△")];

/// The first game in `text`, with all its variations. A stone out of turn gets a pass before it.
///
/// # Errors
/// If it is not SGF, not Hex, or a variation is not a legal game; the place is that of the
/// offending value.
pub fn parse(text: &str) -> Result<GameTree, SgfError> {
    let mut nodes = Scanner::new(text).nodes()?;
    let notes = dialect::understand(&mut nodes)?;
    let side = side(nodes.iter().flat_map(|node| &node.properties))?;
    let stones = setup::stones(&nodes, side)?;
    let mut tree = GameTree::new(side, &stones).expect("no stone lies on another");
    tree.notes = notes;
    let children = children(&nodes);
    // Where each node of the record is in the tree.
    let mut places: Vec<usize> = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        let mut at = node.parent.map_or(0, |parent| places[parent]);
        for property in &node.properties {
            at = turn(&mut tree, at, property)?;
        }
        let next = children[index].iter().find_map(|&at| nodes[at].mover());
        at = pass_to(&mut tree, at, node, next)?;
        for property in &node.properties {
            remark(&mut tree, at, side, property)?;
        }
        places.push(at);
    }
    let line = tree.main_line();
    let played = tree.game(line[line.len() - 1]).outcome();
    tree.notes
        .extend(Outcome::contradiction(tree.stated, played));
    tree.add_stated_ending();
    Ok(tree)
}

/// Adds a pass behind the node `at` where PL says that the other player is to move, and `next`, who
/// moves first behind the node, does not say otherwise; returns where the game is then.
fn pass_to(
    tree: &mut GameTree,
    at: usize,
    node: &SgfNode,
    next: Option<Color>,
) -> Result<usize, SgfError> {
    let Some(color) = setup::to_move(node, next)? else {
        return Ok(at);
    };
    let game = tree.visit(at);
    if game.outcome().is_some() || game.to_move() == color {
        return Ok(at);
    }
    let pass = tree.add(at, LinkToken::Action(Move::Pass));
    Ok(pass.expect("the game goes on"))
}

/// Adds a turn behind the node `at`, if the property is one; returns where the game is then.
fn turn(tree: &mut GameTree, at: usize, property: &Property) -> Result<usize, SgfError> {
    let Some(color) = property.mover() else {
        return Ok(at);
    };
    let added = match said(property, tree.side())? {
        Said::Action(action) => tree.add_for(at, color, action),
        Said::End(_) if tree.visit(at).outcome().is_some() => {
            let winner = tree
                .visit(at)
                .outcome()
                .map_or(color, |outcome| outcome.winner);
            tree.notes.push(after_the_end(property, winner));
            Ok(at)
        }
        Said::End(ending) => tree.add(at, LinkToken::End(color.opponent(), ending)),
    };
    added.map_err(|error| property.at.error(error.to_string()))
}

/// Keeps what a property says of the game, or of the position at a node.
fn remark(tree: &mut GameTree, at: usize, side: Side, property: &Property) -> Result<(), SgfError> {
    let value = property.value.as_str();
    match property.name.as_str() {
        "PB" => tree.players[Color::Red.index()] = value.to_string(),
        "PW" => tree.players[Color::Blue.index()] = value.to_string(),
        "RE" => tree.stated = parse_result(value),
        "C" => add_remark(&mut tree.node_mut(at).comment, value),
        "LB" | "AR" => {
            let Some((from, what)) = value.split_once(':') else {
                let why = format!("{}[{value}] has no \":\"", property.name);
                return Err(property.at.error(why));
            };
            let from = point(property, from, side)?;
            if property.name == "LB" {
                tree.node_mut(at).labels.push((from, what.to_string()));
            } else {
                let to = point(property, what, side)?;
                tree.node_mut(at).arrows.push((from, to));
            }
        }
        name => {
            if let Some((_, sign)) = SHAPES.iter().find(|(shape, _)| *shape == name) {
                let cell = point(property, value, side)?;
                tree.node_mut(at).labels.push((cell, (*sign).to_string()));
            }
        }
    }
    Ok(())
}

/// The game with all its variations.
pub fn write(tree: &GameTree) -> String {
    let mut out = header(tree.side(), &tree.players, tree.outcome(), tree.setup());
    enum Part {
        /// A node, its mover and what follows.
        Node(usize, Color),
        Text(&'static str),
    }
    let mut parts = vec![Part::Node(0, Color::Red)];
    while let Some(part) = parts.pop() {
        let (index, color) = match part {
            Part::Node(index, color) => (index, color),
            Part::Text(text) => {
                out += text;
                continue;
            }
        };
        let node = &tree.nodes()[index];
        if let Some(token) = node.token {
            let _ = write!(out, "\n;{}", turn_text(token, color));
        }
        write_remarks(&mut out, node);
        let next = match node.token {
            None | Some(LinkToken::Action(Move::SwapSides)) => color,
            _ => color.opponent(),
        };
        let children = tree.children(index);
        let is_branching = children.len() > 1;
        for &child in children.iter().rev() {
            if is_branching {
                parts.push(Part::Text(")"));
            }
            parts.push(Part::Node(child, next));
            if is_branching {
                parts.push(Part::Text("\n("));
            }
        }
    }
    with_character_set(out + ")\n")
}

fn turn_text(token: LinkToken, mover: Color) -> String {
    match token {
        LinkToken::Action(action) => format!("{}[{action}]", letter(mover)),
        LinkToken::End(winner, Ending::Resignation) => {
            format!("{}[resign]", letter(winner.opponent()))
        }
        LinkToken::End(winner, _) => format!("{}[forfeit]", letter(winner.opponent())),
    }
}

fn write_remarks(out: &mut String, node: &TreeNode) {
    write_comment(out, &node.comment);
    let shape = |label: &str| SHAPES.iter().find(|(_, sign)| *sign == label);
    for (name, sign) in SHAPES {
        let marked = node.labels.iter().filter(|(_, label)| label == sign);
        for (number, (cell, _)) in marked.enumerate() {
            let _ = write!(out, "{}[{cell}]", if number == 0 { name } else { "" });
        }
    }
    let letters = node
        .labels
        .iter()
        .filter(|(_, label)| shape(label).is_none());
    for (number, (cell, label)) in letters.enumerate() {
        let name = if number == 0 { "LB" } else { "" };
        // A colon parts the cell from the label; others are escaped, as FF[4] wants it.
        let label = escaped(label).replace(':', "\\:");
        let _ = write!(out, "{name}[{cell}:{label}]");
    }
    for (number, (from, to)) in node.arrows.iter().enumerate() {
        let _ = write!(out, "{}[{from}:{to}]", if number == 0 { "AR" } else { "" });
    }
}
