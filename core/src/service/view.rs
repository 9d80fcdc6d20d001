//! The page's view of a game: stones, the player to move, the winning chain, the shortest paths.
//! All of it is derived from the game's moves, in the form of a HexWorld link, `11,a2:sf6`.

use super::problem::Problem;
use crate::record::codingame::turn_input;
use crate::record::{self, hexworld, AnyBoard, AnyCell, ColorName, Ending, Game, Outcome, Side};
use hexbot::cell::Color;
use hexbot::shortest_path::Distances;
use serde::Serialize;
use std::ops::RangeInclusive;

/// The sides that the page offers.
pub const SIDES: RangeInclusive<usize> = 3..=19;

/// The longest game that is read, in bytes. A full board of side 19 has 361 moves of up to 3 bytes;
/// the rest leaves room for passes and stones set up.
pub(crate) const MAX_GAME: usize = 7 << 10;

/// Reads a game as the page writes it.
///
/// # Errors
/// If it cannot be read or is too long, or the page does not offer its side.
pub fn read_game(text: &str) -> Result<Game, Problem> {
    if text.len() > MAX_GAME {
        let why = format!(
            "a game of {} bytes is too long, at most {MAX_GAME} are accepted",
            text.len()
        );
        return Err(Problem::impossible(why));
    }
    let game = hexworld::parse(text).map_err(Problem::impossible)?;
    offered(game.side())?;
    Ok(game)
}

/// The side, if the page offers it.
///
/// # Errors
/// If it does not.
pub fn offered(side: Side) -> Result<Side, Problem> {
    if SIDES.contains(&side.get()) {
        return Ok(side);
    }
    let (first, last) = (SIDES.start(), SIDES.end());
    let why = format!("a board of side {side} is not offered, only sides {first} to {last}");
    Err(Problem::impossible(why))
}

/// A position and what follows from the rules.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    side: usize,
    stones: Vec<StoneView>,
    to_move: ColorName,
    may_swap: bool,
    outcome: Option<OutcomeView>,
    /// The stones that join the winner's edges; empty without such a winner.
    chain: Vec<String>,
    /// The shortest path of each player.
    paths: Paths,
    /// The game on HexWorld's board.
    link: String,
    /// The input that CodinGame's judge would send to the player to move.
    turn_input: String,
}

#[derive(Debug, Serialize)]
struct StoneView {
    cell: String,
    color: ColorName,
    /// The number of the move that put it there, from 1.
    number: usize,
}

#[derive(Debug, Serialize)]
struct OutcomeView {
    winner: ColorName,
    ending: &'static str,
}

#[derive(Debug, Serialize)]
struct Paths {
    red: Option<PathView>,
    blue: Option<PathView>,
}

/// A shortest path to a win if the opponent never moved.
#[derive(Debug, Serialize)]
struct PathView {
    /// How many stones it needs.
    moves: u16,
    /// The cells for these stones.
    cells: Vec<String>,
}

impl View {
    /// The view of a game.
    pub fn of(game: &Game) -> View {
        let found = connections(game.position());
        let [red, blue] = found.paths;
        View {
            side: game.side().get(),
            stones: stones(game),
            to_move: game.to_move().into(),
            may_swap: game.may_swap(),
            outcome: game.outcome().map(|outcome| OutcomeView {
                winner: outcome.winner.into(),
                ending: ending_name(outcome.ending),
            }),
            chain: names(found.chain),
            paths: Paths { red, blue },
            link: hexworld::write(game),
            turn_input: turn_input::write(game),
        }
    }
}

fn ending_name(ending: Ending) -> &'static str {
    match ending {
        Ending::Connection => "connection",
        Ending::Resignation => "resignation",
        Ending::Time | Ending::Forfeit => "forfeit",
        Ending::Unstated => "unstated",
    }
}

/// Who won and how, for people.
pub fn sentence(outcome: Outcome) -> String {
    let how = match outcome.ending {
        Ending::Connection => " by joining the edges",
        Ending::Resignation => ", the other resigned",
        Ending::Time => " on time",
        Ending::Forfeit => " by the other's fault",
        Ending::Unstated => "",
    };
    let winner = match outcome.winner {
        Color::Red => "Red",
        Color::Blue => "Blue",
    };
    format!("{winner} won{how}")
}

fn stones(game: &Game) -> Vec<StoneView> {
    let numbers = game.move_numbers();
    let view = |(cell, color): (AnyCell, Color)| StoneView {
        cell: cell.to_string(),
        color: color.into(),
        number: numbers.get(&cell).copied().unwrap_or(0),
    };
    record::stones(game.position()).map(view).collect()
}

struct ConnectionView {
    chain: Vec<AnyCell>,
    paths: [Option<PathView>; 2],
}

fn connections(position: &AnyBoard) -> ConnectionView {
    let mut chain = Vec::new();
    let paths = Color::ALL.map(|color| {
        let distances = Distances::new(position, color);
        let moves = distances.moves_to_win()?;
        if moves == 0 {
            chain.extend(distances.shortest_path());
        }
        let missing = |cell: &AnyCell| position.at(*cell).is_none();
        Some(PathView {
            moves,
            cells: names(distances.shortest_path().filter(missing)),
        })
    });
    ConnectionView { chain, paths }
}

/// The names of cells.
pub fn names(cells: impl IntoIterator<Item = AnyCell>) -> Vec<String> {
    cells.into_iter().map(|cell| cell.to_string()).collect()
}
