//! Positions of recorded games, as beginnings of self-play games.

use anyhow::{ensure, Context};
use hex_common::games_input::{self, NamedGame, Reading};
use hex_common::record_input::show_notes;
use hex_core::record::{AnyBoard, Game, Move, Side};
use std::path::Path;

/// Every position in which a stone was placed, from the second stone on, of the games in
/// `folder`, in the order of [`games_input`].
///
/// # Errors
/// If the folder cannot be read, a file in it is not a record of a game, a game is of another side,
/// or there is no position.
pub(crate) fn read(folder: &Path, side: Side) -> anyhow::Result<Vec<AnyBoard>> {
    let reading = Reading {
        side,
        undecided: None,
    };
    let mut games = games_input::games(&[folder.to_owned()], reading)?;
    let mut starts = Vec::new();
    for NamedGame { name, game } in games.by_ref() {
        let game = game.with_context(|| name.clone())?;
        ensure!(
            game.side() == side,
            "{name}: a game on side {}, while --side is {side}; give its side by --side",
            game.side()
        );
        starts.extend(positions(&game));
    }
    show_notes("lab selfplay", &games.take_notes());
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
