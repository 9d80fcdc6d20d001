//! Games in SGF with variations and marks: LB and AR, and the shapes CR, MA, SQ and TR, which
//! become labels of one sign. BM, DO, IT and TE are grades of moves.

use super::scanner::{children, escaped, Property, Scanner, SgfNode};
use super::{
    after_the_end, begins_anew, dialect, letter, move_or_end, parse_result, point, setup, side,
    with_character_set, write_comment, write_nodes, Beginning, MoveOrEnd, SgfError,
};
use crate::record::game::add_remark;
use crate::record::hexworld::LinkToken;
use crate::record::{Ending, GameTree, Move, MoveGrade, Outcome, Side, TreeNode};
use hexbot::cell::Color;
use std::fmt::Write;

/// Properties that mark cells with a shape, and the labels that they become.
const SHAPES: [(&str, &str); 4] = [("CR", "○"), ("MA", "×"), ("SQ", "□"), ("TR", "△")];

/// The first game in `text`, with all its variations. A pass is added before a stone out of turn.
///
/// # Errors
/// If it is not SGF, not Hex, or a variation is not a legal game; the place is that of the
/// offending value.
pub fn parse(text: &str) -> Result<GameTree, SgfError> {
    let mut nodes = Scanner::new(text).nodes()?;
    let notes = dialect::understand(&mut nodes, None)?;
    let read = Reading::of(&nodes, LaterSetup::Refused)?;
    let mut tree = read.trees.into_iter().next().expect("there is a tree");
    tree.notes.splice(0..0, notes);
    tree.add_stated_ending();
    Ok(tree)
}

/// How to treat stones that are set up in one of several variations.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LaterSetup {
    /// As an error, because all variations of a tree begin with the same stones.
    Refused,
    /// As the beginning of a further tree.
    Kept,
}

/// A node of one of several trees, by the indices of both.
#[derive(Clone, Copy)]
struct Place {
    tree: usize,
    node: usize,
}

/// A reader of a record's nodes. It builds the tree of the record, and further trees that begin
/// with stones set up in a variation.
pub(super) struct Reading<'n> {
    nodes: &'n [SgfNode<'n>],
    children: Vec<Vec<usize>>,
    side: Side,
    later: LaterSetup,
    /// The first one is the record's own.
    trees: Vec<GameTree>,
    /// The place of each node.
    places: Vec<Place>,
    /// Whether neither the node nor any node before it has siblings.
    in_trunk: Vec<bool>,
    /// The properties that do not belong to the game, each by the indices of its node and of
    /// itself.
    pub left_out: Vec<(usize, usize)>,
}

impl<'n> Reading<'n> {
    /// Reads nodes that [`dialect::understand`] has rewritten.
    ///
    /// # Errors
    /// If they are not a legal game.
    pub fn of(nodes: &'n [SgfNode<'n>], later: LaterSetup) -> Result<Reading<'n>, SgfError> {
        let side = side(nodes.iter().flat_map(|node| &node.properties))?;
        let mut reading = Reading {
            nodes,
            children: children(nodes),
            side,
            later,
            trees: vec![GameTree::new(side, &[]).expect("there is no stone")],
            places: Vec::with_capacity(nodes.len()),
            in_trunk: Vec::with_capacity(nodes.len()),
            left_out: Vec::new(),
        };
        for index in 0..nodes.len() {
            reading.node(index)?;
        }
        let played = reading.played();
        let tree = &mut reading.trees[0];
        tree.notes
            .extend(Outcome::contradiction(tree.stated, played));
        Ok(reading)
    }

    /// The board's side.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Notes for the user, one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.trees[0].notes
    }

    /// The outcome of the main line, by its turns.
    pub fn played(&self) -> Option<Outcome> {
        let mut last = 0;
        while let Some(&next) = self.children.get(last).and_then(|below| below.first()) {
            last = next;
        }
        let place = self.places.get(last)?;
        self.trees[place.tree].game(place.node).outcome()
    }

    fn node(&mut self, index: usize) -> Result<(), SgfError> {
        let node = &self.nodes[index];
        let parent = node.parent;
        let is_only =
            parent.is_none_or(|parent| self.in_trunk[parent] && self.children[parent].len() == 1);
        self.in_trunk.push(is_only);
        let mut place = parent.map_or(Place { tree: 0, node: 0 }, |parent| self.places[parent]);
        if setup::is_in(node) {
            place = self.set_up(place, index)?;
        }
        for number in 0..node.properties.len() {
            place.node = self.turn(place, index, number)?;
        }
        let mut below = self.children[index].iter();
        let next = below.find_map(|&at| self.nodes[at].mover());
        if let Some(color) = setup::to_move(node, next)? {
            place.node = pass_to(&mut self.trees[place.tree], place.node, color);
        }
        for property in &node.properties {
            remark(&mut self.trees[place.tree], place.node, property)?;
            if property.name == "RE" {
                self.trees[0].stated = parse_result(&property.value());
            }
        }
        self.places.push(place);
        Ok(())
    }

    /// Begins the game, or a further tree, with the stones that a node sets up.
    fn set_up(&mut self, before: Place, index: usize) -> Result<Place, SgfError> {
        let (node, tree) = (&self.nodes[index], &mut self.trees[before.tree]);
        let is_only = self.in_trunk[index];
        if !is_only && self.later == LaterSetup::Refused {
            return Err(setup::refusal(node));
        }
        let game = tree.visit(before.node);
        let (moves, to_move) = (game.turns().len(), game.to_move());
        let stones = setup::stones(game, node)?;
        let mut anew = GameTree::new(self.side, &stones).expect("no stone lies on another");
        anew.begin_with(to_move).expect("there is no turn yet");
        if !is_only {
            self.trees.push(anew);
            let tree = self.trees.len() - 1;
            return Ok(Place { tree, node: 0 });
        }
        anew.players = std::mem::take(&mut tree.players);
        anew.notes = std::mem::take(&mut tree.notes);
        anew.stated = tree.stated;
        if moves == 0 {
            *anew.node_mut(0) = tree.nodes()[0].clone();
        } else if self.later == LaterSetup::Refused {
            anew.notes.push(begins_anew(moves));
        }
        *tree = anew;
        Ok(Place { node: 0, ..before })
    }

    /// Adds a turn, if the property is one. Returns the node after it.
    fn turn(&mut self, at: Place, index: usize, number: usize) -> Result<usize, SgfError> {
        let property = &self.nodes[index].properties[number];
        let Some(color) = property.mover() else {
            return Ok(at.node);
        };
        let value = move_or_end(property, self.side)?;
        let tree = &mut self.trees[at.tree];
        let game = tree.visit(at.node);
        let (outcome, to_move) = (game.outcome(), game.to_move());
        let added = match value {
            MoveOrEnd::Move(action) => {
                if color != to_move {
                    // The player of the first move begins.
                    let _ = tree.begin_with(color);
                }
                tree.add_for(at.node, color, action)
            }
            MoveOrEnd::End(ending) => match outcome {
                Some(outcome) => {
                    let note = after_the_end(property, outcome.winner);
                    self.trees[0].notes.push(note);
                    self.left_out.push((index, number));
                    Ok(at.node)
                }
                None => tree.add(at.node, LinkToken::End(color.opponent(), ending)),
            },
        };
        added.map_err(|error| property.at.error(error.to_string()))
    }
}

/// Makes `color` the player to move at a node, if need be by a pass. Returns the node after it.
fn pass_to(tree: &mut GameTree, at: usize, color: Color) -> usize {
    let game = tree.visit(at);
    if game.outcome().is_some() || game.to_move() == color || tree.begin_with(color).is_ok() {
        return at;
    }
    let pass = tree.add(at, LinkToken::Action(Move::Pass));
    pass.expect("the game goes on")
}

/// Keeps a property about the game, or a remark or mark on the position at a node.
fn remark(tree: &mut GameTree, at: usize, property: &Property) -> Result<(), SgfError> {
    let (side, value) = (tree.side(), &*property.value());
    match property.name.as_str() {
        "PB" => tree.players[Color::Red.index()] = value.to_string(),
        "PW" => tree.players[Color::Blue.index()] = value.to_string(),
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
            if let Some(grade) = grade(name, value) {
                tree.node_mut(at).grade = Some(grade);
            }
            if let Some((_, sign)) = SHAPES.iter().find(|(shape, _)| *shape == name) {
                let cell = point(property, value, side)?;
                tree.node_mut(at).labels.push((cell, (*sign).to_string()));
            }
        }
    }
    Ok(())
}

/// The grade of a turn that a property states.
fn grade(name: &str, value: &str) -> Option<MoveGrade> {
    match name {
        "TE" => Some(MoveGrade::Good),
        "IT" => Some(MoveGrade::Interesting),
        "DO" => Some(MoveGrade::Doubtful),
        "BM" if value.trim() == "2" => Some(MoveGrade::VeryBad),
        "BM" => Some(MoveGrade::Bad),
        _ => None,
    }
}

/// The property for a grade.
fn grade_text(grade: MoveGrade) -> &'static str {
    match grade {
        MoveGrade::Good => "TE[1]",
        MoveGrade::Interesting => "IT[]",
        MoveGrade::Doubtful => "DO[]",
        MoveGrade::Bad => "BM[1]",
        MoveGrade::VeryBad => "BM[2]",
    }
}

/// The game with all its variations.
pub fn write(tree: &GameTree) -> String {
    let beginning = Beginning {
        side: tree.side(),
        players: &tree.players,
        outcome: tree.outcome(),
        setup: tree.setup(),
        first: tree.first(),
    };
    let mut out = beginning.text();
    let children = |index| tree.children(index);
    write_nodes(&mut out, tree.first(), children, |out, index, mover| {
        let node = &tree.nodes()[index];
        if let Some(token) = node.token {
            let _ = write!(out, "\n;{}", turn_text(token, mover));
        }
        write_remarks(out, node);
        Some(match node.token {
            None | Some(LinkToken::Action(Move::SwapSides)) => mover,
            _ => mover.opponent(),
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
    out.push_str(node.grade.map_or("", grade_text));
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
        // A colon separates the cell from the label. FF[4] requires that others are escaped.
        let label = escaped(label).replace(':', "\\:");
        let _ = write!(out, "{name}[{cell}:{label}]");
    }
    for (number, (from, to)) in node.arrows.iter().enumerate() {
        let _ = write!(out, "{}[{from}:{to}]", if number == 0 { "AR" } else { "" });
    }
}
