//! The referee of one game: starts the players, requests moves in turn, checks times against the
//! limits, decides the result.

use super::journal::Journal;
use super::noise::LateAnswer;
use super::player::{ArenaPlayer, Decision, Failure, Fault, FaultKind, GameStopped, Limits};
use super::process::StopFlag;
use super::spec::PlayerSpec;
use hex_core::record::{Ending, Game, Move, Outcome};
use hexbot::cell::Color;
use std::time::{Duration, Instant};

/// A player in a game.
pub(crate) struct Seat<'a> {
    /// The player.
    pub(crate) player: &'a mut dyn ArenaPlayer,
    /// The player's time limits.
    pub(crate) limits: Limits,
}

/// A game that has been decided.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    /// The moves and the outcome.
    pub(crate) game: Game,
    /// How long each move took, one entry for each turn; `None` for moves of the opening.
    pub(crate) times: Vec<Option<Duration>>,
    /// The loser's fault; `None` if the winner joined their edges or the loser resigned.
    pub(crate) fault: Option<Fault>,
    /// The late answer, if that was the loser's fault.
    pub(crate) late: Option<LateAnswer>,
}

impl Judged {
    /// Who won.
    ///
    /// # Panics
    /// If the game has no outcome.
    pub(crate) fn winner(&self) -> Color {
        self.game.outcome().expect("it is decided").winner
    }
}

/// Continues `game` to its end. `seats` are in the order of [`Color::index`].
///
/// # Errors
/// If the game was stopped.
///
/// # Panics
/// If the game is over already.
pub(crate) fn play(mut game: Game, seats: &mut [Seat; 2]) -> Result<Judged, GameStopped> {
    let mut times = vec![None; game.turns().len()];
    let mut answered = [false; 2];
    assert!(game.outcome().is_none(), "nothing to play");
    let mut late = None;
    let fault = loop {
        if game.outcome().is_some() {
            break None;
        }
        let color = game.to_move();
        let seat = &mut seats[color.index()];
        let is_first = !std::mem::replace(&mut answered[color.index()], true);
        let limit = if is_first {
            seat.limits.first
        } else {
            seat.limits.turn
        };
        let asked = Instant::now();
        match turn(&mut game, seat, limit) {
            Ok(_) if game.turns().len() == times.len() => break None,
            Ok(time) => {
                let left = limit.saturating_sub(time).as_secs_f64();
                game.set_clock(color, format!("{left:.3}"));
                times.push(Some(time));
            }
            Err(Failure::Stopped(why)) => return Err(why),
            Err(Failure::Fault(fault)) => {
                let over = Instant::now();
                // Silence is never put down to a stall: we wait long after the limit, and any
                // busy moment of the machine would excuse a bot that hangs.
                let is_late = fault.kind == FaultKind::Timeout;
                late = is_late.then_some(LateAnswer { asked, over, limit });
                game.end(Outcome {
                    winner: color.opponent(),
                    ending: fault.kind.ending(),
                });
                break Some(fault);
            }
        }
    };
    Ok(Judged {
        game,
        times,
        fault,
        late,
    })
}

/// One turn of the player to move.
fn turn(game: &mut Game, seat: &mut Seat, limit: Duration) -> Result<Duration, Failure> {
    let answer = seat.player.answer(game, limit)?;
    let said = answer.decision.to_string();
    if answer.time > limit {
        return Err(late(answer.time, limit).with_line(&said).into());
    }
    play_answer(game, answer.decision)?;
    game.remark(answer.message);
    Ok(answer.time)
}

/// The fault of an answer that took longer than its limit.
pub(crate) fn late(time: Duration, limit: Duration) -> Fault {
    let (took, allowed) = (time.as_secs_f64() * 1e3, limit.as_millis());
    let detail = format!("answered after {took:.1} ms, the limit is {allowed} ms");
    Fault::new(FaultKind::Timeout, detail).with_time(time)
}

/// What is wrong with a swap by Red.
pub(crate) const ONLY_BLUE_SWAPS: &str = "only Blue may swap, on turn 2";

/// Plays a player's decision.
///
/// # Errors
/// If the rules of CodinGame's game forbid it; the game is then unchanged.
pub(crate) fn play_answer(game: &mut Game, answer: Decision) -> Result<(), Fault> {
    let illegal = |why: String| Fault::new(FaultKind::Illegal, why).with_line(&answer.to_string());
    match answer {
        Decision::Resign => game.end(Outcome {
            winner: game.to_move().opponent(),
            ending: Ending::Resignation,
        }),
        Decision::Play(Move::SwapPieces) if game.to_move() != Color::Blue => {
            return Err(illegal(ONLY_BLUE_SWAPS.to_string()));
        }
        Decision::Play(action @ (Move::Place(_) | Move::SwapPieces)) => game
            .play(action)
            .map_err(|error| illegal(error.to_string()))?,
        Decision::Play(action) => {
            return Err(illegal(format!("{action} is not a move of this game")));
        }
    }
    Ok(())
}

/// Continues `game` with a new player for Red and one for Blue, each with its journal. A player
/// whose program cannot be run loses.
///
/// # Errors
/// If the game was stopped.
pub(crate) fn start_and_play(
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
            let [red_limits, blue_limits] = specs.map(|spec| spec.limits);
            let seat = |player, limits| Seat { player, limits };
            let (red, blue) = (
                seat(red.as_mut(), red_limits),
                seat(blue.as_mut(), blue_limits),
            );
            play(game, &mut [red, blue])
        }
        (Err(failure), _) => not_started(game, Color::Red, failure),
        (_, Err(failure)) => not_started(game, Color::Blue, failure),
    }
}

/// The game that the player of `color` lost because it could not be started.
///
/// # Errors
/// If the game was stopped.
pub(crate) fn not_started(
    mut game: Game,
    color: Color,
    why: Failure,
) -> Result<Judged, GameStopped> {
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
