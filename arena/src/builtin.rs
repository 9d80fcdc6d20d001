//! Our own bot as a player in this process, with its knobs as settings. It thinks for as long as
//! the referee allows; the knobs `first-ms` and `turn-ms` make it keep other limits than the
//! referee's.

use super::knobs::Knobs;
use super::player::{ArenaPlayer, Decision, Failure, Fault, FaultKind, Limits, TimedAnswer};
use super::process::StopFlag;
use hex_core::engine::{player, Stop, StoppableClock};
use hex_core::record::{Game, Side};
use std::time::Duration;

/// Our bot with these knobs for one game on a board of `side`, which is given up when `stop` is
/// set: at once where it thinks by the clock, else after the simulations of the answer.
///
/// # Errors
/// If it does not play on boards of this side.
pub fn start(
    side: Side,
    knobs: &Knobs,
    limits: Limits,
    stop: StopFlag,
) -> Result<Box<dyn ArenaPlayer>, Failure> {
    let bot = knobs.player(side, limits);
    let bot = bot.map_err(|why| Fault::new(FaultKind::Crash, why.to_string()))?;
    let clock = StoppableClock::start(&Stop::by_flag(stop));
    Ok(Box::new(Builtin { bot, clock }))
}

struct Builtin {
    bot: player::AnySidePlayer,
    /// The game's, as what the bot notes of one answer counts for the next.
    clock: StoppableClock,
}

impl ArenaPlayer for Builtin {
    fn answer(&mut self, game: &Game, _limit: Duration) -> Result<TimedAnswer, Failure> {
        let clock = &self.clock;
        if clock.is_stopped() {
            return Err(Failure::Interrupted);
        }
        // Not `now`, which may show the end of all time by now.
        let arrival = clock.elapsed();
        let reply = self.bot.reply(game.position(), &[], clock, arrival);
        let time = clock.elapsed() - arrival;
        if clock.is_stopped() {
            return Err(Failure::Interrupted);
        }
        let Some(reply) = reply else {
            let fault = Fault::new(FaultKind::Silence, "our bot found no move");
            return Err(fault.into());
        };
        // Off the time that counts, as the upload does it when its answer is out.
        self.bot.tidy_up(game.position(), reply.action, clock);
        Ok(TimedAnswer {
            decision: Decision::Play(reply.action),
            time,
            message: reply.summary,
        })
    }
}
