//! One game from start to end: starts the players, runs the referee, ends the players.

use super::journal::Journal;
use super::judge::{self, Judged, Seat};
use super::player::{Failure, Fault, GameStopped};
use super::process::StopFlag;
use super::spec::PlayerSpec;
use hex_core::record::{Ending, Game, Outcome};
use hexbot::cell::Color;

/// Continues `game` with a new player for Red and one for Blue, each with its journal. A player
/// whose program cannot be run loses.
///
/// # Errors
/// If the game was stopped.
pub fn play(
    specs: [&PlayerSpec; 2],
    mut game: Game,
    stop: &StopFlag,
    journals: &[Journal; 2],
) -> Result<Judged, GameStopped> {
    game.players = specs.map(|spec| spec.name.clone());
    let red = specs[0].start(game.side(), stop.clone(), &journals[0]);
    let blue = specs[1].start(game.side(), stop.clone(), &journals[1]);
    match (red, blue) {
        (Ok(mut red), Ok(mut blue)) => {
            let mut seats = [
                Seat {
                    player: red.as_mut(),
                    limits: specs[0].limits,
                },
                Seat {
                    player: blue.as_mut(),
                    limits: specs[1].limits,
                },
            ];
            judge::play(game, &mut seats)
        }
        (Err(failure), _) => not_started(game, Color::Red, failure),
        (_, Err(failure)) => not_started(game, Color::Blue, failure),
    }
}

/// The game that the player of `color` lost because it could not be started.
///
/// # Errors
/// If the game was stopped.
pub fn not_started(mut game: Game, color: Color, why: Failure) -> Result<Judged, GameStopped> {
    let fault: Fault = match why {
        Failure::Stopped(why) => return Err(why),
        Failure::Fault(fault) => fault,
    };
    game.end(Outcome {
        winner: color.opponent(),
        ending: Ending::Forfeit,
    });
    Ok(Judged {
        times: vec![None; game.turns().len()],
        game,
        fault: Some(fault),
        late: None,
    })
}
