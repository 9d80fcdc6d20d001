//! Positions of recorded games, as beginnings of self-play games.

use anyhow::{ensure, Context};
use hex_common::record_input::read_game;
use hex_core::record::{AnyBoard, Game, Move, Side};
use std::path::Path;

/// Every position in which a stone was placed, from the second stone on, of the games in
/// `folder`.
///
/// # Errors
/// If the folder cannot be read, a file in it is not a record of a game, a game is of another side,
/// or there is no position.
pub fn read(folder: &Path, side: Side) -> anyhow::Result<Vec<AnyBoard>> {
    let cannot = || format!("cannot read the folder {}", folder.display());
    let entries = std::fs::read_dir(folder).with_context(cannot)?;
    let mut files = Vec::new();
    for entry in entries {
        files.push(entry.with_context(cannot)?.path());
    }
    // The system's order is arbitrary, but a seed must give the same games.
    files.sort();
    let mut starts = Vec::new();
    for file in files {
        let name = file.display().to_string();
        let game = read_game(Some(&name), side, None)?;
        ensure!(
            game.side() == side,
            "{name}: a game on side {}, while --side is {side}; give its side by --side",
            game.side()
        );
        starts.extend(positions(&game));
    }
    ensure!(
        !starts.is_empty(),
        "{}: no game with two moves or more to begin from",
        folder.display()
    );
    Ok(starts)
}

fn positions(game: &Game) -> impl Iterator<Item = AnyBoard> + '_ {
    let turns = game.turns().iter().enumerate().skip(1);
    let turns = turns.filter(|(_, turn)| matches!(turn.action, Move::Place(_)));
    turns.map(|(number, turn)| game.position_after(number).with_to_move(turn.color))
}
