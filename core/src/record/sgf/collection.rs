//! A whole file of SGF: its games with all their variations and all properties.
//! [`rewrite`] loses nothing. It changes only spelling: the form of moves and stones, a
//! swap by its meaning, Little Golem's colours and cells.

use super::reading::{SgfPurpose, SgfReading};
use super::scanner::{Property, Scanner, SgfGame, SgfNode};
use super::writing::{own_properties, result_text, with_character_set, write_nodes};
use super::{dialect, SgfError, SwapMeaning};
use crate::record::{counted, Outcome, Side};
use std::collections::HashSet;

/// Properties that [`own_properties`] replaces.
const OWN: [&str; 5] = ["FF", "GM", "CA", "AP", "SZ"];

/// Rewrites all games in a file, each with all its properties, so that other programs can read
/// them. Returns the file and the notes for the user, one sentence each. A swap means `undecided`
/// if its record does not show its meaning.
///
/// # Errors
/// If one of the games is not SGF, not Hex, or a variation is not a legal game; the place is that
/// of the offending value.
pub fn rewrite(
    text: &str,
    undecided: Option<SwapMeaning>,
) -> Result<(String, Vec<String>), SgfError> {
    let (mut written, mut notes) = (String::new(), Vec::new());
    let games = games(text)?;
    let count = games.len();
    for (index, game) in games.into_iter().enumerate() {
        let (game, own) = WholeGame::new(game, undecided)?;
        written += &game.text();
        notes.extend(own.into_iter().map(|note| match count {
            1 => note,
            _ => format!("game {}: {note}", index + 1),
        }));
    }
    Ok((written, notes))
}

/// A game with all its properties.
struct WholeGame<'a> {
    side: Side,
    game: SgfGame<'a>,
    /// How the main line ends, if its turns show it.
    outcome: Option<Outcome>,
}

impl<'a> WholeGame<'a> {
    /// The game, and the notes for the user.
    fn new(
        mut game: SgfGame<'a>,
        undecided: Option<SwapMeaning>,
    ) -> Result<(WholeGame<'a>, Vec<String>), SgfError> {
        let mut notes = dialect::understand(&mut game, undecided)?;
        let reading = SgfReading::of(&game, SgfPurpose::File)?;
        let (tree, outcome) = (reading.tree(), reading.played());
        let side = tree.side();
        notes.extend_from_slice(&tree.notes);
        let left_out: HashSet<(usize, usize)> = reading.left_out.into_iter().collect();
        for (index, node) in game.nodes.iter_mut().enumerate() {
            let mut number = 0..;
            node.properties.retain_mut(|property| {
                if property.mover().is_some() || property.is_setup() {
                    let plain = property.value().trim().to_ascii_lowercase();
                    property.set(&plain);
                }
                let number = number.next().expect("it is endless");
                !OWN.contains(&&*property.name) && !left_out.contains(&(index, number))
            });
        }
        let whole = WholeGame {
            side,
            game,
            outcome,
        };
        Ok((whole, notes))
    }

    fn text(&self) -> String {
        let mut out = own_properties(self.side);
        let silent = self.silent_ends();
        let children = |index: usize| self.game.children[index].clone();
        write_nodes(&mut out, (), children, |out, index, ()| {
            let node = self.game.nodes.get(index)?;
            if index > 0 && silent[index] {
                return None;
            }
            self.write_node(out, node);
            Some(())
        });
        with_character_set(out + ")\n")
    }

    /// For each node whether it is one of the empty nodes at a line's end, which can be left out.
    fn silent_ends(&self) -> Vec<bool> {
        let SgfGame { nodes, children } = &self.game;
        let mut silent = vec![false; nodes.len()];
        for (index, node) in nodes.iter().enumerate().rev() {
            let has_siblings = node.parent.is_some_and(|at| children[at].len() > 1);
            let is_end = children[index].iter().all(|&child| silent[child]);
            silent[index] = node.properties.is_empty() && is_end && !has_siblings;
        }
        silent
    }

    /// Writes a node: first the stones that are set up and, in the root, what is about the game,
    /// then a node for each move, because SGF allows one move a node. Our own properties stand
    /// before the root. If the record does not state the result, it is written after the names.
    fn write_node(&self, out: &mut String, node: &SgfNode) {
        let (is_root, has_moves) = (node.parent.is_none(), node.has_move());
        let is_head = |p: &&Property| !has_moves || p.is_setup() || is_root && is_of_game(p);
        let (head, moves): (Vec<&Property>, Vec<_>) = node.properties.iter().partition(is_head);
        if !(is_root || head.is_empty() && has_moves) {
            *out += "\n;";
        }
        let names = head.iter().rposition(|p| ["PB", "PW"].contains(&&*p.name));
        let (names, others) = head.split_at(names.map_or(0, |last| last + 1));
        write_properties(out, names.iter().copied());
        let states_result = || self.game.properties().any(|p| p.name == "RE");
        if let Some(outcome) = self.outcome.filter(|_| is_root && !states_result()) {
            *out += &format!("RE[{}]", result_text(outcome));
        }
        write_properties(out, others.iter().copied());
        write_moves(out, &moves);
    }
}

/// All games in a text, at least one.
fn games(text: &str) -> Result<Vec<SgfGame<'_>>, SgfError> {
    let games = Scanner::new(text).games();
    games.map(|game| game.map(|(_, game)| game)).collect()
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
    pub(crate) games: usize,
    /// The number of variations of the first game beside its main line.
    pub(crate) variations: usize,
    /// The names of all properties in the first game, each once.
    pub(crate) properties: Vec<String>,
}

impl SgfContents {
    /// Counts what a text contains. Does not check the moves.
    ///
    /// # Errors
    /// If it is not SGF up to its end.
    pub fn of(text: &str) -> Result<SgfContents, SgfError> {
        let games = games(text)?;
        let ends = games[0].children.iter().filter(|c| c.is_empty()).count();
        let mut seen = HashSet::new();
        let properties = games[0]
            .properties()
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
        counts.map(|(count, name)| counted(count, name)).collect()
    }
}
