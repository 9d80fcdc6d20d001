//! Writes trees of games, each turn on a line.

use super::reading::{ENDINGS, GRADES, SHAPES};
use super::scanner::escaped;
use crate::record::hexworld::LinkToken;
use crate::record::{Ending, GameTree, Outcome, Side, TreeNode};
use hexbot::cell::Color;
use std::fmt::Write;

/// The beginning of every record that we write.
const BEGINNING: &str = "(;FF[4]GM[11]";

/// The record with its character set, unless it is plain ASCII, which is a part of every set.
pub(crate) fn with_character_set(record: String) -> String {
    if record.is_ascii() {
        record
    } else {
        record.replacen(BEGINNING, &format!("{BEGINNING}CA[UTF-8]"), 1)
    }
}

/// The properties that every record of ours begins with, and its side.
pub(crate) fn own_properties(side: Side) -> String {
    format!(
        "{BEGINNING}AP[hexbot:{}]SZ[{side}]",
        env!("CARGO_PKG_VERSION")
    )
}

/// The root of a record, except for remarks.
fn beginning(tree: &GameTree) -> String {
    let mut out = own_properties(tree.side());
    for (property, name) in ["PB", "PW"].iter().zip(&tree.players) {
        if !name.is_empty() {
            let _ = write!(out, "{property}[{}]", escaped(name));
        }
    }
    if let Some(outcome) = tree.outcome() {
        let _ = write!(out, "RE[{}]", result_text(outcome));
    }
    for (color, property) in [(Color::Red, "AB"), (Color::Blue, "AW")] {
        let stones = tree.setup().iter().filter(|stone| stone.1 == color);
        write_values(&mut out, property, stones.map(|(cell, _)| cell.to_string()));
    }
    if tree.first() == Color::Blue {
        out += "PL[W]";
    }
    out
}

/// Writes a property with these values; nothing if there are none.
fn write_values(out: &mut String, property: &str, values: impl Iterator<Item = String>) {
    for (number, value) in values.enumerate() {
        let name = if number == 0 { property } else { "" };
        let _ = write!(out, "{name}[{value}]");
    }
}

/// The game with all its variations, without the passes that nobody made.
pub fn write_tree(tree: &GameTree) -> String {
    let mut out = beginning(tree);
    let nodes = tree.nodes();
    let children = |index| {
        let made = |&child: &usize| match nodes[child].is_implied {
            true => tree.children(child).to_vec(),
            false => vec![child],
        };
        tree.children(index).iter().flat_map(made).collect()
    };
    write_nodes(&mut out, tree.first(), children, |out, index, mover| {
        let node = &nodes[index];
        let is_out_of_turn = node.parent.is_some_and(|parent| nodes[parent].is_implied);
        let mover = if is_out_of_turn {
            mover.opponent()
        } else {
            mover
        };
        if let Some(token) = node.token {
            let _ = write!(out, "\n;{}", turn_text(token, mover));
        }
        write_remarks(out, node);
        Some(match node.token {
            Some(LinkToken::Action(action)) => action.next_mover(mover),
            _ => mover,
        })
    });
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
    for (name, value, _) in GRADES
        .iter()
        .filter(|(_, _, grade)| node.grade == Some(*grade))
    {
        let _ = write!(out, "{name}[{value}]");
    }
    for (property, seconds) in ["BL", "WL"].iter().zip(&node.clocks) {
        if !seconds.is_empty() {
            let _ = write!(out, "{property}[{}]", escaped(seconds));
        }
    }
    if !node.comment.is_empty() {
        let _ = write!(out, "C[{}]", escaped(&node.comment));
    }
    for (name, sign) in SHAPES {
        let marked = node.labels.iter().filter(|(_, label)| label == sign);
        write_values(out, name, marked.map(|(cell, _)| cell.to_string()));
    }
    let is_shape = |label: &str| SHAPES.iter().any(|(_, sign)| *sign == label);
    let letters = node.labels.iter().filter(|(_, label)| !is_shape(label));
    // A colon separates the cell from the label. FF[4] requires that others are escaped.
    let label = |text: &str| escaped(text).replace(':', "\\:");
    let letters = letters.map(|(cell, text)| format!("{cell}:{}", label(text)));
    write_values(out, "LB", letters);
    let arrows = node.arrows.iter().map(|(from, to)| format!("{from}:{to}"));
    write_values(out, "AR", arrows);
}

fn letter(color: Color) -> char {
    match color {
        Color::Red => 'B',
        Color::Blue => 'W',
    }
}

pub(crate) fn result_text(outcome: Outcome) -> String {
    let known = ENDINGS.iter().find(|(_, ending)| *ending == outcome.ending);
    let how = known.map_or(String::new(), |(letter, _)| letter.to_string());
    format!("{}+{how}", letter(outcome.winner))
}

/// Writes the root, node 0, and all nodes below it, each variation in parentheses. `write` writes
/// one node. It receives the state that it returned for the node's parent, `first` for the root. It
/// returns `None` to leave out the nodes below.
pub(crate) fn write_nodes<S: Copy>(
    out: &mut String,
    first: S,
    children: impl Fn(usize) -> Vec<usize>,
    mut write: impl FnMut(&mut String, usize, S) -> Option<S>,
) {
    enum Part<S> {
        Node(usize, S),
        Text(&'static str),
    }
    let mut parts = vec![Part::Node(0, first)];
    while let Some(part) = parts.pop() {
        let (index, state) = match part {
            Part::Node(index, state) => (index, state),
            Part::Text(text) => {
                *out += text;
                continue;
            }
        };
        let Some(state) = write(out, index, state) else {
            continue;
        };
        let children = children(index);
        let is_branching = children.len() > 1;
        for &child in children.iter().rev() {
            if is_branching {
                parts.push(Part::Text(")"));
            }
            parts.push(Part::Node(child, state));
            if is_branching {
                parts.push(Part::Text("\n("));
            }
        }
    }
}
