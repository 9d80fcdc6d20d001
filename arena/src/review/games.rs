//! Finds the games to review: records in any format, alone or many together, and folders of `hex
//! match`.

use crate::scoresheet::{GameLine, FORCED};
use anyhow::{ensure, Context, Result};
use hex_common::aside::tell_line;
use hex_common::fnv;
use hex_common::games_input::{self, NamedGame, Reading};
use hex_common::input;
use hex_common::match_folder;
use hex_common::record_input::{read_game, show_notes};
use hex_core::engine;
use hex_core::record::{Ending, Game, Side};
use serde::Deserialize;
use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A game to review.
#[derive(Clone, Debug)]
pub struct RecordedGame {
    /// How people call it: the file, or the match and the game's number.
    pub name: String,
    /// The game.
    pub game: Game,
    /// How many of its first moves nobody has chosen.
    pub given: usize,
    /// What each move took, in milliseconds, where it is known.
    pub times_ms: Vec<Option<f64>>,
    /// What the loser did wrong, if that has ended the game.
    pub fault: Option<String>,
}

impl RecordedGame {
    /// The game as a record has it, with what the remarks of `hex match` say of its moves.
    fn of_record(name: String, game: Game) -> RecordedGame {
        let remarks = || game.turns().iter().map(|turn| turn.comment.as_str());
        RecordedGame {
            name,
            given: remarks().take_while(|remark| *remark == FORCED).count(),
            times_ms: remarks().map(milliseconds).collect(),
            fault: fault_of(&game),
            game,
        }
    }

    /// What distinguishes the game's analysis from that of others: the same moves from the same
    /// beginning have the same number.
    pub(crate) fn id(&self) -> u64 {
        let game = &self.game;
        let mut text = format!("{} {}", game.side(), game.first());
        for (cell, color) in game.setup() {
            let _ = write!(text, " {color}+{cell}");
        }
        for turn in game.turns() {
            let _ = write!(text, " {}:{}", turn.color, turn.action);
        }
        fnv::extended(fnv::OFFSET_BASIS, text.as_bytes())
    }
}

/// The games that the arguments name, in their order: the folder of a match, what
/// [`hex_common::games_input`] reads, and links. Of many games together those that cannot be read
/// are reported and left out.
///
/// # Errors
/// If a record that is named alone cannot be read, or there is no game.
pub(crate) fn find(paths: &[PathBuf]) -> Result<Vec<RecordedGame>> {
    let mut found = Vec::new();
    for path in paths {
        if path.join(match_folder::LOG).is_file() {
            found.extend(of_match(path)?);
        } else if path.exists() {
            found.extend(of_path(path)?);
        } else {
            found.push(of_text(path)?);
        }
    }
    ensure!(!found.is_empty(), "there is no game to review");
    let notes = found.iter().flat_map(|RecordedGame { name, game, .. }| {
        let notes = game.notes.iter();
        notes.map(move |note| format!("{name}: {note}"))
    });
    show_notes("review", &notes.collect::<Vec<String>>());
    Ok(found)
}

/// The games of a file, a folder or a zip.
fn of_path(path: &Path) -> Result<Vec<RecordedGame>> {
    let mut found = Vec::new();
    let mut games = games_input::games(&[path.to_owned()], Reading::default())?;
    for NamedGame { name, game } in games.by_ref() {
        match game.and_then(check) {
            Ok(game) => {
                let name = name.strip_prefix(&parent(path)).unwrap_or(&name).to_owned();
                found.push(RecordedGame::of_record(name, game));
            }
            Err(error) if games_input::holds_many(path) => {
                tell_line(format_args!("hex review: left out: {name}: {error:#}"));
            }
            Err(error) => return Err(error.context(name)),
        }
    }
    show_notes("review", &games.take_notes());
    ensure!(!found.is_empty(), "{}: no game is there", path.display());
    Ok(found)
}

/// What stands before the last part of a path.
fn parent(path: &Path) -> String {
    let parent = path.parent().map(|parent| parent.display().to_string());
    match parent.unwrap_or_default() {
        none if none.is_empty() => none,
        parent => parent + "/",
    }
}

/// The game that an argument is itself, such as a link, or that comes from standard input.
fn of_text(text: &Path) -> Result<RecordedGame> {
    let name = text
        .to_str()
        .with_context(|| format!("{text:?} is no name in UTF-8"))?;
    let game = read_game(Some(name), Side::CODINGAME, None)?;
    let game = check(game).with_context(|| name.to_owned())?;
    Ok(RecordedGame::of_record(name.to_owned(), game))
}

/// The game, if there is something to review.
fn check(game: Game) -> Result<Game> {
    check_side(game.side())?;
    ensure!(!game.turns().is_empty(), "the game has no move");
    Ok(game)
}

/// Checks that the engine plays on boards of this side.
fn check_side(side: Side) -> Result<(), engine::SideNotPlayed> {
    let is_played = engine::SIDES.contains(&side.get());
    is_played.then_some(()).ok_or(engine::SideNotPlayed(side))
}

/// What is needed of the first line of a match's log.
#[derive(Deserialize)]
struct MatchBeginning {
    side: usize,
    players: Vec<MatchPlayer>,
}

#[derive(Deserialize)]
struct MatchPlayer {
    name: String,
}

/// The games of a match, in the order of their numbers. A match that runs may have a torn last
/// line, which is left out.
fn of_match(folder: &Path) -> Result<Vec<RecordedGame>> {
    let path = folder.join(match_folder::LOG);
    let place = path.display();
    let mut text = String::new();
    let read = input::open(&path, Some(folder)).and_then(|mut log| log.read_to_string(&mut text));
    read.with_context(|| place.to_string())?;
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let mut lines = whole.lines();
    let first = lines.next().unwrap_or_default();
    let header: MatchBeginning = serde_json::from_str(first)
        .with_context(|| format!("{place}, line 1: not the log of a match"))?;
    let side = Side::try_from(header.side).with_context(|| format!("{place}, line 1"))?;
    check_side(side).with_context(|| place.to_string())?;
    let mut games = Vec::new();
    for (number, line) in lines.enumerate() {
        let read = of_line(line, side, &header.players);
        let (id, mut game) = read.with_context(|| format!("{place}, line {}", number + 2))?;
        let folder = folder.file_name().unwrap_or_default().to_string_lossy();
        game.name = format!("{folder} game {id}");
        games.push((id, game));
    }
    games.sort_by_key(|(id, _)| *id);
    Ok(games.into_iter().map(|(_, game)| game).collect())
}

fn of_line(line: &str, side: Side, players: &[MatchPlayer]) -> Result<(u64, RecordedGame)> {
    let line: GameLine = serde_json::from_str(line).context("not a game of this match")?;
    line.check(players.len(), side)?;
    let mut game = line.game(side)?;
    game.players = [line.red, line.blue].map(|player| players[player].name.clone());
    let recorded = RecordedGame {
        name: String::new(),
        game,
        given: line.opening,
        times_ms: line.times_ms,
        fault: line.fault.map(|fault| fault.to_string()),
    };
    Ok((line.id, recorded))
}

/// The time that a remark of `hex match` begins with: `12.3 ms`.
fn milliseconds(remark: &str) -> Option<f64> {
    let time: f64 = remark.split_once(" ms")?.0.parse().ok()?;
    (time.is_finite() && time >= 0.0).then_some(time)
}

/// What a record says of the fault that has ended its game.
fn fault_of(game: &Game) -> Option<String> {
    let outcome = game.outcome()?;
    let what = match outcome.ending {
        Ending::Time => "time",
        Ending::Forfeit => "forfeit",
        Ending::Connection | Ending::Resignation | Ending::Unstated => return None,
    };
    let last = game.turns().last().map(|turn| turn.comment.as_str());
    let remark = last.filter(|remark| milliseconds(remark).is_none() && *remark != FORCED);
    let remarks = [remark.unwrap_or_default(), &game.comment];
    let remark = remarks.into_iter().find(|remark| !remark.is_empty());
    Some(remark.map_or(what.to_owned(), |remark| format!("{what}: {remark}")))
}
