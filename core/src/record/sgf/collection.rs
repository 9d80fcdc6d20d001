//! A whole file of SGF: its games with all their variations and all properties.
//! [`Collection::write`] loses nothing. It changes only spelling: the form of moves and stones, a
//! swap by its meaning, Little Golem's colours and cells.

use super::scanner::{children, Property, Scanner, SgfNode};
use super::tree::{LaterSetup, Reading};
use super::{
    dialect, own_properties, result_text, with_character_set, write_nodes, SgfError, Side,
    SwapMeaning,
};
use crate::record::Outcome;
use std::collections::HashSet;

/// Properties that [`own_properties`] replaces.
const OWN: [&str; 5] = ["FF", "GM", "CA", "AP", "SZ"];

/// The games of a file of SGF, each with all its properties.
pub struct Collection<'a> {
    games: Vec<WholeGame<'a>>,
    /// Notes for the user, one sentence each.
    pub notes: Vec<String>,
}

/// A game with its nodes in the order of the file.
struct WholeGame<'a> {
    side: Side,
    nodes: Vec<SgfNode<'a>>,
    children: Vec<Vec<usize>>,
    /// How the main line ends, if its turns show it.
    outcome: Option<Outcome>,
}

impl<'a> Collection<'a> {
    /// Reads all games in `text`. A swap means `undecided` if its record does not show its meaning.
    ///
    /// # Errors
    /// If one of them is not SGF, not Hex, or a variation is not a legal game; the place is that of
    /// the offending value.
    pub fn parse(
        text: &'a str,
        undecided: Option<SwapMeaning>,
    ) -> Result<Collection<'a>, SgfError> {
        let mut collection = Collection {
            games: Vec::new(),
            notes: Vec::new(),
        };
        let games = Scanner::new(text).games()?;
        let count = games.len();
        for (index, nodes) in games.into_iter().enumerate() {
            let (game, notes) = WholeGame::new(nodes, undecided)?;
            collection.games.push(game);
            collection
                .notes
                .extend(notes.into_iter().map(|note| match count {
                    1 => note,
                    _ => format!("game {}: {note}", index + 1),
                }));
        }
        Ok(collection)
    }

    /// The games as SGF that other programs can read.
    pub fn write(&self) -> String {
        self.games.iter().map(WholeGame::text).collect()
    }
}

impl<'a> WholeGame<'a> {
    /// The game of these nodes, and the notes for the user.
    fn new(
        mut nodes: Vec<SgfNode<'a>>,
        undecided: Option<SwapMeaning>,
    ) -> Result<(WholeGame<'a>, Vec<String>), SgfError> {
        let mut notes = dialect::understand(&mut nodes, undecided)?;
        let reading = Reading::of(&nodes, LaterSetup::Kept)?;
        notes.extend_from_slice(reading.notes());
        let (side, outcome) = (reading.side(), reading.played());
        let left_out: HashSet<(usize, usize)> = reading.left_out.into_iter().collect();
        for (index, node) in nodes.iter_mut().enumerate() {
            let mut numbers = 0..;
            node.properties
                .retain(|_| !left_out.contains(&(index, numbers.next().expect("it is endless"))));
        }
        for node in &mut nodes {
            node.properties.retain(|p| !OWN.contains(&&*p.name));
        }
        for property in nodes.iter_mut().flat_map(|node| &mut node.properties) {
            if property.mover().is_some() || property.is_setup() {
                let plain = property.value().trim().to_ascii_lowercase();
                property.set(&plain);
            }
        }
        let game = WholeGame {
            side,
            children: children(&nodes),
            nodes,
            outcome,
        };
        Ok((game, notes))
    }

    fn text(&self) -> String {
        let mut out = own_properties(self.side);
        let silent = self.silent_ends();
        let children = |index: usize| self.children.get(index).map_or(&[][..], Vec::as_slice);
        write_nodes(&mut out, (), children, |out, index, ()| {
            let node = self.nodes.get(index)?;
            match index {
                0 => self.write_root(out, node),
                _ if silent[index] => return None,
                _ => write_node(out, node),
            }
            Some(())
        });
        with_character_set(out + ")\n")
    }

    /// For each node whether it is one of the empty nodes at a line's end, which can be left out.
    fn silent_ends(&self) -> Vec<bool> {
        let mut silent = vec![false; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().rev() {
            let has_siblings = node.parent.is_some_and(|at| self.children[at].len() > 1);
            let is_end = self.children[index].iter().all(|&child| silent[child]);
            silent[index] = node.properties.is_empty() && is_end && !has_siblings;
        }
        silent
    }

    /// Writes the root, after our own properties. If the record does not state the result, it is
    /// written after the names.
    fn write_root(&self, out: &mut String, root: &SgfNode) {
        let is_first_move = |property: &Property| property.mover().is_some();
        let begins = root.properties.iter().position(is_first_move);
        let (head, moves) = match begins {
            Some(_) => root
                .properties
                .iter()
                .partition(|p| p.is_setup() || is_of_game(p)),
            None => (root.properties.iter().collect(), Vec::new()),
        };
        let head: Vec<&Property> = head;
        let names = head.iter().rposition(|p| ["PB", "PW"].contains(&&*p.name));
        let (names, others) = head.split_at(names.map_or(0, |last| last + 1));
        write_properties(out, names.iter().copied());
        let states_result = self.nodes.iter().flat_map(|node| &node.properties);
        if !states_result.into_iter().any(|p| p.name == "RE") {
            if let Some(outcome) = self.outcome {
                *out += &format!("RE[{}]", result_text(outcome));
            }
        }
        write_properties(out, others.iter().copied());
        write_moves(out, &moves);
    }
}

/// Whether a property of a root with moves is about the game, not about the position after the
/// moves.
fn is_of_game(property: &Property) -> bool {
    const OF_POSITION: [&str; 21] = [
        "B", "W", "C", "N", "LB", "AR", "TR", "SQ", "CR", "MA", "SL", "LN", "DM", "GB", "GW", "HO",
        "UC", "V", "BM", "DO", "PL",
    ];
    !OF_POSITION.contains(&&*property.name)
}

/// Writes one node for each move, because SGF allows one move a node. A node before them has the
/// stones that are set up. All other properties go to the last move's node.
fn write_node(out: &mut String, node: &SgfNode) {
    let has_moves = node.has_move();
    let (setup, others): (Vec<&Property>, Vec<&Property>) = node
        .properties
        .iter()
        .partition(|property| has_moves && property.is_setup());
    if !setup.is_empty() {
        *out += "\n;";
        write_properties(out, setup);
    }
    if has_moves {
        write_moves(out, &others);
    } else {
        *out += "\n;";
        write_properties(out, others);
    }
}

/// Writes each move among these properties as a node. All other properties go to the last one.
fn write_moves(out: &mut String, properties: &[&Property]) {
    let last = properties.iter().rposition(|p| p.mover().is_some());
    let Some(last) = last else {
        return write_properties(out, properties.iter().copied());
    };
    let earlier = properties[..last].iter().filter(|p| p.mover().is_some());
    for property in earlier {
        *out += "\n;";
        write_properties(out, [*property]);
    }
    *out += "\n;";
    let is_left = |(index, p): &(usize, &&Property)| *index == last || p.mover().is_none();
    let left = properties.iter().enumerate().filter(is_left);
    write_properties(out, left.map(|(_, property)| *property));
}

/// Writes properties as they are in the file.
fn write_properties<'p>(out: &mut String, properties: impl IntoIterator<Item = &'p Property<'p>>) {
    let mut before = "";
    for property in properties {
        if before != property.name || !property.goes_on {
            *out += &property.name;
        }
        *out += "[";
        *out += &property.raw;
        *out += "]";
        before = &property.name;
    }
}

/// What a file of SGF contains beside the main line of its first game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SgfContents {
    /// The number of games.
    pub games: usize,
    /// The number of variations of the first game beside its main line.
    pub variations: usize,
    /// The names of all properties in the first game, each once.
    pub properties: Vec<String>,
}

impl SgfContents {
    /// Counts what a text contains. Does not check the moves.
    ///
    /// # Errors
    /// If it is not SGF up to its end.
    pub fn of(text: &str) -> Result<SgfContents, SgfError> {
        let games = Scanner::new(text).games()?;
        let first = &games[0];
        let ends = children(first).iter().filter(|c| c.is_empty()).count();
        let names = first.iter().flat_map(|node| &node.properties);
        let mut seen = HashSet::new();
        let properties = names
            .map(|property| &property.name)
            .filter(|name| seen.insert(*name))
            .cloned()
            .collect();
        Ok(SgfContents {
            games: games.len(),
            variations: ends.saturating_sub(1),
            properties,
        })
    }

    /// The other games and the variations, in words: `1 other game`, `3 variations`.
    pub fn others(&self) -> Vec<String> {
        let counts = [
            (self.games.saturating_sub(1), "other game"),
            (self.variations, "variation"),
        ];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        counts
            .map(|(count, name)| format!("{count} {name}{}", if count == 1 { "" } else { "s" }))
            .collect()
    }
}
