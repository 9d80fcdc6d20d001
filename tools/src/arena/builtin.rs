//! Our own bot as a player in this process, with its knobs as settings. It thinks for as long as
//! the referee allows; the knobs `first-ms` and `turn-ms` make it keep other limits than the
//! referee's.

use super::knobs::Knobs;
use super::player::{ArenaPlayer, Decision, Failure, Fault, FaultKind, Limits, TimedAnswer};
use crate::engine::{player, Stop, StoppableClock};
use crate::record::{Game, Side};
use hexbot::budget::Clock;
use std::time::Duration;

/// Our bot with these knobs for one game on a board of `side`.
///
/// # Errors
/// If it does not play on boards of this side.
pub fn start(side: Side, knobs: &Knobs, limits: Limits) -> Result<Box<dyn ArenaPlayer>, Failure> {
    let bot = player::player(side, knobs.settings(limits), knobs.threads());
    let bot = bot.map_err(|why| Fault::new(FaultKind::Crash, why.to_string()))?;
    Ok(Box::new(Builtin(bot)))
}

struct Builtin(Box<dyn player::AnySidePlayer>);

impl ArenaPlayer for Builtin {
    fn answer(&mut self, game: &Game, _limit: Duration) -> Result<TimedAnswer, Failure> {
        let clock = StoppableClock::start(&Stop::never());
        let arrival = clock.now();
        let (position, to_move) = (game.position(), game.to_move());
        let reply = self.0.reply(position, to_move, &[], &clock, arrival);
        let time = clock.now().saturating_sub(arrival);
        let Some(reply) = reply else {
            let fault = Fault::new(FaultKind::Silence, "our bot found no move");
            return Err(fault.into());
        };
        Ok(TimedAnswer {
            decision: Decision::Play(reply.action),
            time,
            message: reply.summary,
        })
    }
}
