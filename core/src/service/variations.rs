//! A game with its variations in the page's form: a list of nodes, each with the index of its
//! parent. It is a flat list because readers of JSON limit the depth of nesting.
//!
//! In the page Red begins or passes: a pass that is the root's only child means that Blue begins.

use super::problem::{check_nodes, Problem, MAX_NODES};
use super::view::read_game;
use crate::record::hexworld::{setup_text, LinkToken};
use crate::record::{add_remark, AnyCell, GameTree, Move, MoveGrade, Side, TreeNode};
use hexbot::cell::Color;
use hexbot::quoted::quoted;
use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A node of the tree. The first is the root, and parents stand before their children.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeView {
    /// The index of its parent; none for the root.
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
    /// The grade of the turn as a sign, such as `?!`; empty without one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    grade: String,
}

/// The nodes of a tree as they were sent. Nodes beyond [`MAX_NODES`] are counted, but not kept.
#[derive(Debug, Default)]
pub struct NodeList {
    nodes: Vec<NodeView>,
    count: usize,
}

impl NodeList {
    /// Whether no node was sent.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

impl<'de> Deserialize<'de> for NodeList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(NodeList::default())
    }
}

impl<'de> Visitor<'de> for NodeList {
    type Value = NodeList;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of nodes")
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut sent: A) -> Result<NodeList, A::Error> {
        while self.nodes.len() < MAX_NODES {
            let Some(node) = sent.next_element()? else {
                break;
            };
            self.nodes.push(node);
        }
        self.count = self.nodes.len();
        while sent.next_element::<IgnoredAny>()?.is_some() {
            self.count += 1;
        }
        Ok(self)
    }
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
        // The pass takes index 1, so all other indices move up by one.
        parent: node.parent.map(|parent| parent + usize::from(has_pass)),
        token: node.token.map_or(String::new(), |token| token.to_string()),
        comment: node.comment.clone(),
        labels: labels(node),
        arrows: node
            .arrows
            .iter()
            .map(|(from, to)| [from.to_string(), to.to_string()])
            .collect(),
        grade: node
            .grade
            .map_or(String::new(), |grade| grade.sign().to_owned()),
    };
    let mut views: Vec<NodeView> = tree.nodes().iter().map(view).collect();
    if let Some(pass) = pass {
        views.insert(1, pass);
    }
    views
}

/// The labels of a node by cell. Inserts one by one, because collecting into a map would add the
/// code of a sort to the WebAssembly module.
fn labels(node: &TreeNode) -> BTreeMap<String, String> {
    let mut labels = BTreeMap::new();
    for (cell, label) in &node.labels {
        labels.insert(cell.to_string(), label.clone());
    }
    labels
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

/// The tree with these nodes, with the side and the stones set up of `game`. Takes time
/// proportional to the number of nodes, in any order.
///
/// # Errors
/// If there are too many nodes, or one is not a legal turn or does not follow its parent.
pub fn tree(game: &str, list: &NodeList) -> Result<GameTree, Problem> {
    let (head, _) = game.split_once(',').unwrap_or((game, ""));
    let start = read_game(head)?;
    check_nodes(list.count)?;
    let mut tree = GameTree::new(start.side(), start.setup()).map_err(Problem::impossible)?;
    let nodes = &list.nodes;
    let behind = behind(nodes)?;
    // A pass that is the root's only child means that Blue begins.
    let only = behind.first().filter(|behind| behind.len() == 1);
    let blue_begins = only.is_some_and(|only| nodes[only[0]].token == PASS.to_string());
    let mut places = vec![0; nodes.len()];
    // Depth first: going to the next node costs the tree one step for each turn in between.
    let mut waiting: Vec<usize> = (0..nodes.len().min(1)).collect();
    while let Some(index) = waiting.pop() {
        let node = &nodes[index];
        let wrong = |why| wrong(index, why);
        if index == 1 && blue_begins {
            tree.begin_with(Color::Blue).expect("it is the first node");
        } else if let Some(parent) = node.parent {
            places[index] = add(&mut tree, places[parent], &node.token).map_err(wrong)?;
        }
        mark(&mut tree, places[index], node).map_err(wrong)?;
        waiting.extend(behind[index].iter().rev());
    }
    Ok(tree)
}

/// The children of each node, in order.
fn behind(nodes: &[NodeView]) -> Result<Vec<Vec<usize>>, Problem> {
    let mut behind = vec![Vec::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        match node.parent {
            None if index == 0 => {}
            Some(parent) if parent < index => behind[parent].push(index),
            Some(parent) => {
                let why =
                    format!("its parent cannot be node {parent}, which does not stand before");
                return Err(wrong(index, why));
            }
            None => return Err(wrong(index, "it has no parent".to_owned())),
        }
    }
    Ok(behind)
}

fn wrong(index: usize, why: String) -> Problem {
    Problem::impossible(format!("node {index}: {why}"))
}

fn add(tree: &mut GameTree, parent: usize, text: &str) -> Result<usize, String> {
    let read = LinkToken::parse(text, tree.side()).map_err(|error| error.to_string())?;
    match read {
        (token, "") => tree.add(parent, token).map_err(|error| error.to_string()),
        (_, rest) => Err(format!("{} is left over after the move", quoted(rest))),
    }
}

/// Adds the remark, the grade and the marks of a node.
fn mark(tree: &mut GameTree, at: usize, node: &NodeView) -> Result<(), String> {
    let side = tree.side();
    let known = tree.node_mut(at);
    if !node.comment.is_empty() {
        add_remark(&mut known.comment, &node.comment);
    }
    if !node.grade.is_empty() {
        let grade = MoveGrade::of_sign(&node.grade);
        let why = || format!("{} is not a grade of a move", quoted(&node.grade));
        known.grade = Some(grade.ok_or_else(why)?);
    }
    for (cell, label) in &node.labels {
        known.labels.push((point(cell, side)?, label.clone()));
    }
    for [from, to] in &node.arrows {
        known.arrows.push((point(from, side)?, point(to, side)?));
    }
    Ok(())
}

fn point(cell: &str, side: Side) -> Result<AnyCell, String> {
    side.parse_cell(cell).map_err(|error| error.to_string())
}
