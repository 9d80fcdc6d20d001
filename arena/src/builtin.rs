//! Our own bot as a player in this process, with its knobs as settings. It uses the referee's time
//! limits, unless the knobs `first-ms` and `turn-ms` give others.

use super::knobs::Knobs;
use super::player::{
    ArenaPlayer, Decision, Failure, Fault, FaultKind, GameStopped, Limits, TimedAnswer,
};
use super::process::StopFlag;
use hex_core::engine::{Engine, Stop, StoppableClock};
use hex_core::record::{Game, Side};
use std::time::Duration;

/// Our bot with these knobs for one game on a board of `side`. When `stop` is set it gives the game
/// up: at once if it searches by the clock, else after the simulations of the answer.
///
/// # Errors
/// If it does not play on boards of this side.
pub(crate) fn start(
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
    bot: Engine,
    /// One clock for the whole game, because the bot keeps readings of it from one answer to the
    /// next.
    clock: StoppableClock,
}

impl ArenaPlayer for Builtin {
    fn answer(&mut self, game: &Game, _limit: Duration) -> Result<TimedAnswer, Failure> {
        let clock = &self.clock;
        if clock.is_stopped() {
            return Err(GameStopped::Interrupted.into());
        }
        // Not `now`, which shows `Duration::MAX` once the clock is stopped.
        let arrival = clock.elapsed();
        let reply = self.bot.reply(game.position(), &[], clock, arrival);
        let time = clock.elapsed() - arrival;
        if clock.is_stopped() {
            return Err(GameStopped::Interrupted.into());
        }
        let Some(reply) = reply else {
            let fault = Fault::new(FaultKind::Silence, "our bot found no move");
            return Err(fault.into());
        };
        // Not counted as answer time: the upload does this after it has sent its answer.
        self.bot.tidy_up(game.position(), reply.action, clock);
        Ok(TimedAnswer {
            decision: Decision::Play(reply.action),
            time,
            message: reply.summary,
        })
    }
}
