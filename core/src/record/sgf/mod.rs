//! Games in SGF, `FF[4]` with `GM[11]` (<https://www.red-bean.com/sgf/hex.html>): Black is Red.
//!
//! [`parse`] always takes the first variation. It reads SZ, PB, PW, RE, AB, AW, AE, PL, B, W and C,
//! and ignores other properties. [`tree`] has all variations, with marks. A [`Collection`] is a
//! whole file, with all its games and properties. The writers put each move on a line.
//!
//! SGF is in Latin-1 unless it names another character set. So the writers add CA[UTF-8] to a
//! record that is not plain ASCII.
//!
//! Stones that are set up, and PL beside them, make a beginning. If they come after moves, the game
//! begins again from there, and a note says so. Elsewhere a PL out of turn becomes a pass.

mod collection;
mod dialect;
mod scanner;
mod setup;
pub mod tree;

use super::any_board::{AnyCell, Side};
use super::game::{Ending, Game, GameError, Move, Outcome};
pub use collection::{Collection, SgfContents};
pub use dialect::SwapMeaning;
use hexbot::cell::Color;
use scanner::{escaped, Property, Scanner, SgfNode};
use std::fmt::Write;
use thiserror::Error;

/// The text is not a game of Hex in SGF.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {why}")]
pub struct SgfError {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub why: String,
}

/// The game as SGF.
pub fn write(game: &Game) -> String {
    let beginning = Beginning {
        side: game.side(),
        players: &game.players,
        outcome: game.outcome(),
        setup: game.setup(),
        first: game.first(),
    };
    let mut out = beginning.text();
    write_comment(&mut out, &game.comment);
    for turn in game.turns() {
        let _ = write!(out, "\n;{}[{}]", letter(turn.color), turn.action);
        write_comment(&mut out, &turn.comment);
    }
    if let Some(outcome) = game.outcome() {
        let word = match outcome.ending {
            Ending::Resignation => "resign",
            Ending::Time | Ending::Forfeit => "forfeit",
            Ending::Connection | Ending::Unstated => "",
        };
        if !word.is_empty() {
            let _ = write!(out, "\n;{}[{word}]", letter(outcome.winner.opponent()));
        }
    }
    with_character_set(out + ")\n")
}

/// The beginning of every record that we write.
const BEGINNING: &str = "(;FF[4]GM[11]";

/// The record with its character set, unless it is plain ASCII, which is a part of every set.
fn with_character_set(record: String) -> String {
    if record.is_ascii() {
        record
    } else {
        record.replacen(BEGINNING, &format!("{BEGINNING}CA[UTF-8]"), 1)
    }
}

/// The character set that a record names; `None` if it names none or is not SGF.
pub fn character_set(text: &str) -> Option<String> {
    let nodes = Scanner::new(text).main_line().ok()?;
    let mut properties = nodes.iter().flat_map(|node| &node.properties);
    let named = properties.find(|property| property.name == "CA")?;
    Some(named.value().trim().to_owned())
}

fn write_comment(out: &mut String, comment: &str) {
    if !comment.is_empty() {
        let _ = write!(out, "C[{}]", escaped(comment));
    }
}

/// The root of a record, except for remarks.
struct Beginning<'a> {
    side: Side,
    players: &'a [String; 2],
    outcome: Option<Outcome>,
    setup: &'a [(AnyCell, Color)],
    first: Color,
}

/// The properties that every record of ours begins with, and its side.
fn own_properties(side: Side) -> String {
    format!(
        "{BEGINNING}AP[hexbot:{}]SZ[{side}]",
        env!("CARGO_PKG_VERSION")
    )
}

impl Beginning<'_> {
    fn text(&self) -> String {
        let mut out = own_properties(self.side);
        for (property, name) in ["PB", "PW"].iter().zip(self.players) {
            if !name.is_empty() {
                let _ = write!(out, "{property}[{}]", escaped(name));
            }
        }
        if let Some(outcome) = self.outcome {
            let _ = write!(out, "RE[{}]", result_text(outcome));
        }
        for (color, property) in [(Color::Red, "AB"), (Color::Blue, "AW")] {
            let stones = self.setup.iter().filter(|stone| stone.1 == color);
            for (number, (point, _)) in stones.enumerate() {
                let _ = write!(out, "{}[{point}]", if number == 0 { property } else { "" });
            }
        }
        if self.first == Color::Blue {
            out += "PL[W]";
        }
        out
    }
}

/// Writes the root, node 0, and all nodes below it, each variation in parentheses. `write` writes
/// one node. It receives the state that it returned for the node's parent, `first` for the root. It
/// returns `None` to leave out the nodes below.
fn write_nodes<'t, S: Copy>(
    out: &mut String,
    first: S,
    children: impl Fn(usize) -> &'t [usize],
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

/// Whether SGF begins somewhere in the text, perhaps after other words.
pub(super) fn begins_in(text: &str) -> bool {
    scanner::beginning(text).is_some()
}

/// The main line of the first game in `text`.
///
/// # Errors
/// If it is not SGF, not Hex, or not a legal game; the place is that of the offending value.
pub fn parse(text: &str) -> Result<Game, SgfError> {
    parse_with(text, None)
}

/// The text of each game in a file of SGF, up to the first game that cannot be read, and the reason
/// for that.
pub fn texts(text: &str) -> (Vec<&str>, Option<SgfError>) {
    Scanner::new(text).texts()
}

/// [`parse`], where a swap means `undecided` if the record does not show its meaning.
///
/// # Errors
/// As [`parse`].
pub fn parse_with(text: &str, undecided: Option<SwapMeaning>) -> Result<Game, SgfError> {
    let mut nodes: Vec<SgfNode> = Scanner::new(text).main_line()?;
    let notes = dialect::understand(&mut nodes, undecided)?;
    let side = side(nodes.iter().flat_map(|node| &node.properties))?;
    let mut game = Game::new(side);
    game.notes = notes;
    let mut ending = Ends::default();
    for (index, node) in nodes.iter().enumerate() {
        set_up(&mut game, &mut ending, node)?;
        // A node's remarks are about the position after its moves, so they come after all moves.
        for property in &node.properties {
            play(&mut game, &mut ending, property)?;
        }
        let next = nodes.get(index + 1).and_then(SgfNode::mover);
        if let Some(color) = setup::to_move(node, next)? {
            let is_over = ending.winner(&game).is_some();
            if game.begin_with(color).is_err() && color != game.to_move() && !is_over {
                game.play(Move::Pass).expect("the game goes on");
            }
        }
        for property in &node.properties {
            keep(&mut game, &mut ending, property);
        }
    }
    let played = game.outcome().or(ending.played);
    game.notes
        .extend(Outcome::contradiction(ending.stated, played));
    if let Some(outcome) = Outcome::of_record(ending.stated, ending.played) {
        game.end(outcome);
    }
    Ok(game)
}

/// Begins the game with the stones that a node sets up, if it has any. If there were moves, the
/// game begins again.
fn set_up(game: &mut Game, ends: &mut Ends, node: &SgfNode) -> Result<(), SgfError> {
    if !setup::is_in(node) {
        return Ok(());
    }
    let moves = game.turns().len();
    let stones = setup::stones(game, node)?;
    let mut anew = Game::new(game.side());
    for (point, color) in stones {
        let placed = anew.set_up(point, color);
        placed.expect("no stone lies on another");
    }
    let began = anew.begin_with(game.to_move());
    began.expect("there is no move yet");
    std::mem::swap(&mut anew.players, &mut game.players);
    std::mem::swap(&mut anew.notes, &mut game.notes);
    match moves {
        0 => std::mem::swap(&mut anew.comment, &mut game.comment),
        _ => anew.notes.push(begins_anew(moves)),
    }
    ends.played = None;
    *game = anew;
    Ok(())
}

/// The note about stones that are set up after moves.
fn begins_anew(moves: usize) -> String {
    format!(
        "stones are set up after move {moves}: the game is read from that position on, its \
         first moves are left out"
    )
}

/// The end of the game, by the record.
#[derive(Default)]
struct Ends {
    /// By its property RE.
    stated: Option<Outcome>,
    /// By one of its moves, such as `B[resign]`.
    played: Option<Outcome>,
}

impl Ends {
    /// Who has won by a move of the game. RE does not count, because it stands before the moves.
    fn winner(&self, game: &Game) -> Option<Color> {
        let outcome = game.outcome().or(self.played);
        outcome.map(|outcome| outcome.winner)
    }
}

/// The board's side; the game must be Hex.
fn side<'a>(properties: impl IntoIterator<Item = &'a Property<'a>>) -> Result<Side, SgfError> {
    let mut side = Side::CODINGAME;
    for property in properties {
        let value = property.value();
        let value = value.trim();
        match property.name.as_str() {
            "GM" if value != "11" => {
                let why = format!("GM[{value}] is another game, Hex is GM[11]");
                return Err(property.at.error(why));
            }
            "SZ" => {
                let number = match value.split_once(':') {
                    Some((columns, rows)) if columns.trim() != rows.trim() => None,
                    Some((columns, _)) => columns.trim().parse().ok(),
                    None => value.parse::<usize>().ok(),
                };
                let side_or = number.and_then(|number| Side::try_from(number).ok());
                side = side_or.ok_or_else(|| {
                    let why =
                        format!("SZ[{value}]: only square boards of side 1 to 26 are possible");
                    property.at.error(why)
                })?;
            }
            _ => {}
        }
    }
    Ok(side)
}

/// Keeps a property about the game or the current position: names, the result, a remark.
fn keep(game: &mut Game, ends: &mut Ends, property: &Property) {
    let value = &*property.value();
    match property.name.as_str() {
        "PB" => game.players[Color::Red.index()] = value.to_string(),
        "PW" => game.players[Color::Blue.index()] = value.to_string(),
        "RE" => ends.stated = parse_result(value),
        "C" => game.remark(value),
        _ => {}
    }
}

/// The cell that a property names.
fn point(property: &Property, text: &str, side: Side) -> Result<AnyCell, SgfError> {
    let text = text.trim().to_ascii_lowercase();
    side.parse_cell(&text)
        .map_err(|error| property.at.error(error.to_string()))
}

/// The value of a property B or W.
enum MoveOrEnd {
    Move(Move),
    /// The player has lost in this way.
    End(Ending),
}

fn move_or_end(property: &Property, side: Side) -> Result<MoveOrEnd, SgfError> {
    let text = property.value().trim().to_ascii_lowercase();
    match text.as_str() {
        "resign" => Ok(MoveOrEnd::End(Ending::Resignation)),
        "forfeit" => Ok(MoveOrEnd::End(Ending::Forfeit)),
        _ => match Move::parse(&text, side) {
            Ok(action) => Ok(MoveOrEnd::Move(action)),
            Err(error) => Err(property.at.error(error.to_string())),
        },
    }
}

/// Makes the move, if the property is one.
fn play(game: &mut Game, ends: &mut Ends, property: &Property) -> Result<(), SgfError> {
    let Some(color) = property.mover() else {
        return Ok(());
    };
    let value = move_or_end(property, game.side())?;
    if matches!(value, MoveOrEnd::Move(_)) && color != game.to_move() {
        // The player of the first move begins.
        let _ = game.begin_with(color);
    }
    let done = match (ends.winner(game), value) {
        (Some(winner), MoveOrEnd::End(_)) => {
            game.notes.push(after_the_end(property, winner));
            Ok(())
        }
        (Some(winner), _) => Err(GameError::GameOver(winner)),
        (None, MoveOrEnd::Move(action)) => game.play_as(color, action),
        (None, MoveOrEnd::End(ending)) => {
            let winner = color.opponent();
            ends.played = Some(Outcome { winner, ending });
            Ok(())
        }
    };
    done.map_err(|error| property.at.error(error.to_string()))
}

/// The note about a resignation or forfeit after the end of the game.
fn after_the_end(property: &Property, winner: Color) -> String {
    let (name, value) = (&property.name, property.value());
    format!("{name}[{value}] after the game's end is left out: {winner} has won already")
}

fn letter(color: Color) -> char {
    match color {
        Color::Red => 'B',
        Color::Blue => 'W',
    }
}

fn result_text(outcome: Outcome) -> String {
    let how = match outcome.ending {
        Ending::Connection | Ending::Unstated => "",
        Ending::Resignation => "R",
        Ending::Time => "T",
        Ending::Forfeit => "F",
    };
    format!("{}+{how}", letter(outcome.winner))
}

/// `B+`, `W+R`, `B+Time` and so on; `None` for draws, unknown results and anything else.
fn parse_result(text: &str) -> Option<Outcome> {
    let (who, how) = text.trim().split_once('+')?;
    let winner = match who {
        "B" | "b" => Color::Red,
        "W" | "w" => Color::Blue,
        _ => return None,
    };
    let ending = match how.chars().next().map(|c| c.to_ascii_uppercase()) {
        Some('R') => Ending::Resignation,
        Some('T') => Ending::Time,
        Some('F') => Ending::Forfeit,
        _ => Ending::Unstated,
    };
    Some(Outcome { winner, ending })
}
