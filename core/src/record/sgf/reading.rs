//! Reads the nodes of a game. This is the only interpreter of SGF's properties: the tree that it
//! makes is a game's main line, a study with its variations, or the proof that a file is sound.

use super::scanner::{Property, SgfGame};
use super::{setup, SgfError};
use crate::record::game::add_remark;
use crate::record::hexworld::LinkToken;
use crate::record::{AnyCell, Ending, GameTree, Move, MoveGrade, Outcome, Side};
use hexbot::cell::Color;

/// Properties that mark cells with a shape, and the labels that they become.
pub(crate) const SHAPES: [(&str, &str); 4] = [("CR", "○"), ("MA", "×"), ("SQ", "□"), ("TR", "△")];

/// Properties that grade a turn, with their values.
pub(crate) const GRADES: [(&str, &str, MoveGrade); 5] = [
    ("TE", "1", MoveGrade::Good),
    ("IT", "", MoveGrade::Interesting),
    ("DO", "", MoveGrade::Doubtful),
    ("BM", "2", MoveGrade::VeryBad),
    ("BM", "1", MoveGrade::Bad),
];

/// The letters for the endings in RE.
pub(crate) const ENDINGS: [(char, Ending); 3] = [
    ('R', Ending::Resignation),
    ('T', Ending::Time),
    ('F', Ending::Forfeit),
];

/// What a record is read for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SgfPurpose {
    /// A game, which has no marks. A faulty one is no error.
    Game,
    /// A tree. All its variations begin with the same stones, so stones that are set up in one of
    /// several variations are an error.
    Tree,
    /// A whole file. Stones that are set up in one of several variations begin a further tree.
    File,
}

/// A node of one of several trees, by the indices of both.
#[derive(Clone, Copy)]
struct Place {
    tree: usize,
    node: usize,
}

/// A reader of a record's nodes. It builds the tree of the record, and further trees that begin
/// with stones set up in a variation.
pub(crate) struct SgfReading<'n> {
    game: &'n SgfGame<'n>,
    side: Side,
    purpose: SgfPurpose,
    /// The first one is the record's own.
    trees: Vec<GameTree>,
    /// The place of each node.
    places: Vec<Place>,
    /// Whether neither the node nor any node before it has siblings.
    in_trunk: Vec<bool>,
    /// Whether the node is on the main line.
    in_main_line: Vec<bool>,
    /// The properties that do not belong to the game, each by the indices of its node and of
    /// itself.
    pub(crate) left_out: Vec<(usize, usize)>,
}

impl<'n> SgfReading<'n> {
    /// Reads a game that [`super::dialect::understand`] has rewritten.
    ///
    /// # Errors
    /// If it is not a legal game of Hex.
    pub(crate) fn of(
        game: &'n SgfGame<'n>,
        purpose: SgfPurpose,
    ) -> Result<SgfReading<'n>, SgfError> {
        let mut in_trunk = Vec::with_capacity(game.nodes.len());
        let mut in_main_line = Vec::with_capacity(game.nodes.len());
        for (index, node) in game.nodes.iter().enumerate() {
            let siblings = node
                .parent
                .map(|parent| (parent, &game.children[parent][..]));
            in_trunk.push(siblings.is_none_or(|(parent, all)| in_trunk[parent] && all.len() == 1));
            let is_main =
                |(parent, all): (usize, &[usize])| in_main_line[parent] && all[0] == index;
            in_main_line.push(siblings.is_none_or(is_main));
        }
        let side = side(game, &in_main_line)?;
        let mut reading = SgfReading {
            game,
            side,
            purpose,
            trees: vec![GameTree::new(side, &[]).expect("there is no stone")],
            places: Vec::with_capacity(game.nodes.len()),
            in_trunk,
            in_main_line,
            left_out: Vec::new(),
        };
        for index in 0..game.nodes.len() {
            reading.node(index)?;
        }
        let played = reading.played();
        let tree = &mut reading.trees[0];
        tree.notes
            .extend(Outcome::contradiction(tree.stated, played));
        Ok(reading)
    }

    /// The record's own tree.
    pub(crate) fn tree(&self) -> &GameTree {
        &self.trees[0]
    }

    /// [`SgfReading::tree`], if no other is needed.
    pub(crate) fn into_tree(self) -> GameTree {
        let mut trees = self.trees.into_iter();
        trees.next().expect("there is a tree")
    }

    /// The outcome of the main line, by its turns.
    pub(crate) fn played(&self) -> Option<Outcome> {
        let last = self.in_main_line.iter().rposition(|&is_main| is_main)?;
        let place = self.places[last];
        self.trees[place.tree].game(place.node).outcome()
    }

    fn node(&mut self, index: usize) -> Result<(), SgfError> {
        let node = &self.game.nodes[index];
        let before = node.parent.map(|parent| self.places[parent]);
        let mut place = before.unwrap_or(Place { tree: 0, node: 0 });
        if setup::is_in(node) {
            place = self.set_up(place, index)?;
        }
        for number in 0..node.properties.len() {
            place.node = self.turn(place, index, number)?;
        }
        let mut below = self.game.children[index].iter();
        let next = below.find_map(|&at| self.game.nodes[at].mover());
        if let Some(color) = setup::to_move(node, next)? {
            place.node = pass_to(&mut self.trees[place.tree], place.node, color);
        }
        // A node's remarks are about the position after its moves.
        for property in &node.properties {
            self.keep(place, index, property)?;
        }
        self.places.push(place);
        Ok(())
    }

    /// Begins the game, or a further tree, with the stones that a node sets up.
    fn set_up(&mut self, before: Place, index: usize) -> Result<Place, SgfError> {
        let (node, tree) = (&self.game.nodes[index], &mut self.trees[before.tree]);
        let is_only = self.in_trunk[index];
        if !is_only && self.purpose == SgfPurpose::Tree {
            return Err(setup::refusal(node));
        }
        let game = tree.visit(before.node);
        let to_move = game.to_move();
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
        let begins_anew = before.node != 0;
        let game = begins_anew.then(|| tree.main_game());
        let moves = game.as_ref().map_or(0, |game| game.turns().len());
        if moves == 0 {
            *anew.node_mut(0) = tree.nodes()[0].clone();
            if let Some(game) = game {
                // With the remark on a resignation before the first move.
                anew.node_mut(0).comment = game.comment;
            }
        }
        if begins_anew && self.purpose != SgfPurpose::File {
            anew.notes.push(format!(
                "stones are set up after move {moves}: the game is read from that position on, its \
                 first moves are left out"
            ));
        }
        *tree = anew;
        Ok(Place { node: 0, ..before })
    }

    /// Adds a turn, if the property is one. Returns the node after it.
    fn turn(&mut self, at: Place, index: usize, number: usize) -> Result<usize, SgfError> {
        let property = &self.game.nodes[index].properties[number];
        let Some(color) = property.mover() else {
            return Ok(at.node);
        };
        let token = token(property, color, self.side)?;
        let tree = &mut self.trees[at.tree];
        let game = tree.visit(at.node);
        let (outcome, to_move) = (game.outcome(), game.to_move());
        let added = match (token, outcome) {
            (LinkToken::Action(action), _) => {
                if color != to_move {
                    // The player of the first move begins.
                    let _ = tree.begin_with(color);
                }
                tree.add_for(at.node, color, action)
            }
            (LinkToken::End(..), Some(Outcome { winner, .. })) => {
                let (name, value) = (&property.name, property.value());
                self.trees[0].notes.push(format!(
                    "{name}[{value}] after the game's end is left out: {winner} has won already"
                ));
                self.left_out.push((index, number));
                Ok(at.node)
            }
            (end, None) => tree.add(at.node, end),
        };
        added.map_err(|error| property.at.error(error.to_string()))
    }

    /// Keeps a property about the game, or a remark or mark on the position at a place. What is
    /// said about the game counts on the main line only.
    fn keep(&mut self, at: Place, index: usize, property: &Property) -> Result<(), SgfError> {
        let value = &*property.value();
        let own = &mut self.trees[0];
        match property.name.as_str() {
            "PB" | "PW" | "RE" if !self.in_main_line[index] => {}
            "PB" => own.players[Color::Red.index()] = value.to_owned(),
            "PW" => own.players[Color::Blue.index()] = value.to_owned(),
            "RE" => own.stated = parse_result(value),
            "C" => add_remark(&mut self.trees[at.tree].node_mut(at.node).comment, value),
            "BL" => self.trees[at.tree].node_mut(at.node).clocks[0] = value.to_owned(),
            "WL" => self.trees[at.tree].node_mut(at.node).clocks[1] = value.to_owned(),
            _ if self.purpose == SgfPurpose::Game => {}
            _ => mark(&mut self.trees[at.tree], at.node, property)?,
        }
        Ok(())
    }
}

/// The board's side, which the main line states; the game must be Hex.
fn side(game: &SgfGame, in_main_line: &[bool]) -> Result<Side, SgfError> {
    let mut side = Side::CODINGAME;
    for (node, &is_main) in game.nodes.iter().zip(in_main_line) {
        for property in &node.properties {
            let value = property.value();
            let value = value.trim();
            let stated = match property.name.as_str() {
                "GM" if value != "11" => {
                    let why = format!("GM[{value}] is another game, Hex is GM[11]");
                    return Err(property.at.error(why));
                }
                "SZ" => match value.split_once(':') {
                    Some((columns, rows)) if columns.trim() != rows.trim() => "",
                    Some((columns, _)) => columns.trim(),
                    None => value,
                },
                _ => continue,
            };
            let stated = stated.parse::<usize>().ok();
            match stated.and_then(|side| Side::try_from(side).ok()) {
                Some(stated) if is_main => side = stated,
                Some(stated) if stated == side => {}
                found => {
                    let why = match found {
                        Some(_) => format!("the main line's board has side {side}"),
                        None => "only square boards of side 1 to 26 are possible".to_owned(),
                    };
                    return Err(property.at.error(format!("SZ[{value}]: {why}")));
                }
            }
        }
    }
    Ok(side)
}

/// Makes `color` the player to move at a node, if need be by a pass. Returns the node after it.
fn pass_to(tree: &mut GameTree, at: usize, color: Color) -> usize {
    let game = tree.visit(at);
    let needs_none = game.to_move() == color || game.outcome().is_some();
    if tree.begin_with(color).is_ok() || needs_none {
        return at;
    }
    let pass = tree.add(at, LinkToken::Action(Move::Pass));
    pass.expect("the game goes on")
}

/// Keeps a mark or a grade.
fn mark(tree: &mut GameTree, at: usize, property: &Property) -> Result<(), SgfError> {
    let (side, value) = (tree.side(), &*property.value());
    let (name, node) = (property.name.as_str(), tree.node_mut(at));
    if let "LB" | "AR" = name {
        let Some((from, what)) = value.split_once(':') else {
            let why = format!("{name}[{value}] has no \":\"");
            return Err(property.at.error(why));
        };
        let from = point(property, from, side)?;
        if name == "LB" {
            node.labels.push((from, what.to_owned()));
        } else {
            node.arrows.push((from, point(property, what, side)?));
        }
    } else if let Some((_, sign)) = SHAPES.iter().find(|(shape, _)| *shape == name) {
        let cell = point(property, value, side)?;
        node.labels.push((cell, (*sign).to_owned()));
    } else {
        // Only BM[2] differs by its value.
        let is_it = |&&(known, text, _): &&(&str, &str, MoveGrade)| {
            known == name && (text != "2" || value.trim() == "2")
        };
        let grade = GRADES.iter().find(is_it).map(|&(_, _, grade)| grade);
        node.grade = grade.or(node.grade);
    }
    Ok(())
}

/// The cell that a property names.
pub(crate) fn point(property: &Property, text: &str, side: Side) -> Result<AnyCell, SgfError> {
    let text = text.trim().to_ascii_lowercase();
    side.parse_cell(&text)
        .map_err(|error| property.at.error(error.to_string()))
}

/// The move in a property B or W of this player, or its defeat.
fn token(property: &Property, color: Color, side: Side) -> Result<LinkToken, SgfError> {
    let text = property.value().trim().to_ascii_lowercase();
    let lost = |ending| Ok(LinkToken::End(color.opponent(), ending));
    match text.as_str() {
        "resign" => lost(Ending::Resignation),
        "forfeit" => lost(Ending::Forfeit),
        _ => match Move::parse(&text, side) {
            Ok(action) => Ok(LinkToken::Action(action)),
            Err(error) => Err(property.at.error(error.to_string())),
        },
    }
}

/// `B+`, `W+R`, `B+Time` and so on; `None` for draws, unknown results and anything else.
fn parse_result(text: &str) -> Option<Outcome> {
    let (who, how) = text.trim().split_once('+')?;
    let winner = match who {
        "B" | "b" => Color::Red,
        "W" | "w" => Color::Blue,
        _ => return None,
    };
    let letter = how.chars().next().map(|c| c.to_ascii_uppercase());
    let known = ENDINGS.iter().find(|(known, _)| Some(*known) == letter);
    let ending = known.map_or(Ending::Unstated, |&(_, ending)| ending);
    Some(Outcome { winner, ending })
}
