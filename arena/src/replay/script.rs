//! A recorded game in the form of CodinGame's judge, and the turns of one player in it.

use anyhow::{anyhow, bail, ensure};
use hex_core::record::{Ending, Game, Move};
use hexbot::cell::Color;

/// The game, and the turns to replay.
#[derive(Clone, Debug)]
pub struct ReplayTurns {
    /// The game, only with moves that the judge has.
    pub game: Game,
    /// The player's name; empty if the record has none.
    pub(crate) name: String,
    /// The player's colour in the judge's game.
    pub color: Color,
    /// The player's turns, in order.
    pub due: Vec<Due>,
}

/// A turn of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// The number of moves before it.
    pub ply: usize,
    /// The recorded move; `None` if the record ends before it.
    pub(crate) recorded: Option<Move>,
}

impl ReplayTurns {
    /// The turns of `player`: a name in the record, `red` or `blue` for the colour at the
    /// beginning, or 1 or 2 for the first or second player to move.
    ///
    /// # Errors
    /// If there is no such player or turn, or the record has moves that the judge does not have.
    pub fn new(recorded: &Game, player: &str) -> anyhow::Result<ReplayTurns> {
        let color = color_of(recorded, player)?;
        let game = as_judged(recorded)?;
        let turns = game.turns().iter().enumerate();
        let own = turns.filter(|(_, turn)| turn.color == color);
        let mut due: Vec<Due> = own
            .map(|(ply, turn)| Due {
                ply,
                recorded: Some(turn.action),
            })
            .collect();
        let is_won = |game: &Game| {
            let outcome = game.outcome();
            outcome.is_some_and(|outcome| outcome.ending == Ending::Connection)
        };
        if !is_won(&game) && game.to_move() == color {
            due.push(Due {
                ply: game.turns().len(),
                recorded: None,
            });
        }
        ensure!(!due.is_empty(), "{player} has no turn in this game");
        Ok(ReplayTurns {
            name: recorded.players[color.index()].clone(),
            game,
            color,
            due,
        })
    }
}

/// The colour of a player in the judge's game, in which players never change colours.
fn color_of(game: &Game, player: &str) -> anyhow::Result<Color> {
    let is_called = |color: &Color| game.players[color.index()] == player;
    let called: Vec<Color> = Color::ALL.into_iter().filter(is_called).collect();
    let first = game.first();
    match (&called[..], &*player.to_ascii_lowercase()) {
        (&[color], _) => Ok(color),
        (_, "red") => Ok(Color::Red),
        (_, "blue") => Ok(Color::Blue),
        (_, "1") => Ok(first),
        (_, "2") => Ok(first.opponent()),
        ([_, ..], _) => bail!("--player {player:?}: both players are called so; give red or blue"),
        ([], _) => {
            let names = game.players.iter().filter(|name| !name.is_empty());
            let mut known: Vec<String> = names.map(|name| format!("{name:?}")).collect();
            known.push("red, blue, 1 or 2".to_owned());
            bail!(
                "--player {player:?} is not in this game; give {}",
                known.join(", ")
            )
        }
    }
}

/// The game in the judge's moves. The judge mirrors the stone when Blue swaps. A record in which
/// the players change sides is mirrored from the swap on.
fn as_judged(recorded: &Game) -> anyhow::Result<Game> {
    let mut game = recorded.after(0);
    let mut is_mirrored = false;
    for (number, turn) in (1..).zip(recorded.turns()) {
        let (color, action) = match turn.action {
            Move::Place(cell) if is_mirrored => {
                (turn.color.opponent(), Move::Place(cell.transposed()))
            }
            Move::SwapSides => {
                is_mirrored = true;
                (turn.color, Move::SwapPieces)
            }
            Move::Pass => {
                bail!("move {number} is a pass, which CodinGame's judge does not know")
            }
            action => (turn.color, action),
        };
        let turn = game.to_move();
        ensure!(
            color == turn,
            "move {number} is {color}'s, but it is {turn}'s turn: this is a study, not a game"
        );
        game.play(action)
            .map_err(|error| anyhow!("move {number}: {error}"))?;
    }
    if let Some(mut outcome) = recorded.outcome() {
        if is_mirrored {
            outcome.winner = outcome.winner.opponent();
        }
        game.end(outcome);
    }
    Ok(game)
}
