//! A game with its variations, as the page holds it: a list of nodes, each with the index of its
//! parent. (A list and not a nest, because readers of JSON end at some depth.)
//!
//! The page lets Red begin, or pass: a pass that is alone behind the root says that Blue begins.

use super::problem::Problem;
use super::view::read_game;
use crate::record::hexworld::{setup_text, LinkToken};
use crate::record::{add_remark, GameTree, Move, Point, Side, TreeNode};
use hexbot::cell::Color;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The most nodes of a tree that is taken.
pub const MAX_NODES: usize = 20_000;

/// A node of the tree. The first is the root, and parents stand before their children.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeView {
    /// The index of the node before it; none for the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    /// As in a HexWorld link; empty for the root.
    #[serde(default, rename = "move", skip_serializing_if = "String::is_empty")]
    token: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    comment: String,
    /// Short texts by cell.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    labels: BTreeMap<String, String>,
    /// From one cell to another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    arrows: Vec<[String; 2]>,
}

/// The pass by which the page lets Blue begin.
const PASS: LinkToken = LinkToken::Action(Move::Pass);

/// The nodes of a tree.
pub fn nodes(tree: &GameTree) -> Vec<NodeView> {
    let has_pass = tree.first() == Color::Blue;
    let pass = has_pass.then(|| NodeView {
        parent: Some(0),
        token: PASS.to_string(),
        ..NodeView::default()
    });
    let view = |node: &TreeNode| NodeView {
        // What stood behind the root stands behind the pass, and everything one further.
        parent: node.parent.map(|parent| parent + usize::from(has_pass)),
        token: node.token.map_or(String::new(), |token| token.to_string()),
        comment: node.comment.clone(),
        labels: node
            .labels
            .iter()
            .map(|(cell, label)| (cell.to_string(), label.clone()))
            .collect(),
        arrows: node
            .arrows
            .iter()
            .map(|(from, to)| [from.to_string(), to.to_string()])
            .collect(),
    };
    let mut views: Vec<NodeView> = tree.nodes().iter().map(view).collect();
    if let Some(pass) = pass {
        views.insert(1, pass);
    }
    views
}

/// The main line of a tree, as the page writes games.
pub fn main_line(tree: &GameTree) -> String {
    let line = tree.main_line();
    let tokens = line.iter().filter_map(|&node| tree.nodes()[node].token);
    let pass = (tree.first() == Color::Blue).then_some(PASS);
    let tokens = pass.into_iter().chain(tokens);
    let moves: String = tokens.map(|token| token.to_string()).collect();
    format!("{}{},{moves}", tree.side(), setup_text(tree.setup()))
}

/// The tree with these nodes; side and stones set up are those of `game`.
///
/// # Errors
/// If a node is no legal turn, or does not stand behind its parent.
pub fn tree(game: &str, nodes: &[NodeView]) -> Result<GameTree, Problem> {
    let (head, _) = game.split_once(',').unwrap_or((game, ""));
    let start = read_game(head)?;
    if nodes.len() > MAX_NODES {
        let why = format!(
            "{} positions are too many, at most {MAX_NODES}",
            nodes.len()
        );
        return Err(Problem::impossible(why));
    }
    let mut tree = GameTree::new(start.side(), start.setup()).map_err(Problem::impossible)?;
    let mut places = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        let wrong = |why: String| Problem::impossible(format!("node {index}: {why}"));
        let at = match node.parent {
            None if index == 0 => 0,
            Some(0) if index == 1 && lets_blue_begin(nodes) => {
                tree.begin_with(Color::Blue).expect("it is the first node");
                0
            }
            Some(parent) if parent < index => {
                add(&mut tree, places[parent], &node.token).map_err(wrong)?
            }
            parent => return Err(wrong(format!("its parent cannot be {parent:?}"))),
        };
        mark(&mut tree, at, node).map_err(wrong)?;
        places.push(at);
    }
    Ok(tree)
}

/// Whether the first node behind the root says who begins: it is a pass without a sibling.
fn lets_blue_begin(nodes: &[NodeView]) -> bool {
    let mut behind_root = nodes.iter().filter(|node| node.parent == Some(0));
    let only = behind_root.next().filter(|_| behind_root.next().is_none());
    only.is_some_and(|only| only.token == PASS.to_string())
}

fn add(tree: &mut GameTree, parent: usize, text: &str) -> Result<usize, String> {
    let read = LinkToken::parse(text, tree.side()).map_err(|error| error.to_string())?;
    match read {
        (token, "") => tree.add(parent, token).map_err(|error| error.to_string()),
        (_, rest) => Err(format!("{rest:.20?} is left over behind the move")),
    }
}

/// Keeps what is said about a position.
fn mark(tree: &mut GameTree, at: usize, node: &NodeView) -> Result<(), String> {
    let side = tree.side();
    let known = tree.node_mut(at);
    if !node.comment.is_empty() {
        add_remark(&mut known.comment, &node.comment);
    }
    for (cell, label) in &node.labels {
        known.labels.push((point(cell, side)?, label.clone()));
    }
    for [from, to] in &node.arrows {
        known.arrows.push((point(from, side)?, point(to, side)?));
    }
    Ok(())
}

fn point(cell: &str, side: Side) -> Result<Point, String> {
    Point::parse(cell, side).map_err(|error| error.to_string())
}
