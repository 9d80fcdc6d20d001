//! The bot whose blunders are counted.

use hex_core::engine::{engine_with, Effort, Engine, Task};
use hex_core::record::{AnyBoard, AnyCell, Side};
use hexbot::network::{Network, Scratch};
use hexbot::params::Params;
use hexbot::settings::Settings;
use std::sync::Arc;
use std::time::Duration;

/// The effort of the bot for a move.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Thinking {
    /// The time that the bot uses with this limit of the judge, in milliseconds.
    TurnMs(u64),
    /// This number of simulations.
    Simulations(u64),
    /// Not at all: the best move by the network's policy.
    PolicyAlone,
}

/// The bot.
pub(crate) struct Bot {
    side: Side,
    thinking: Thinking,
    seed: u64,
    network: Option<Arc<Network>>,
    engine: Engine,
    scratch: Scratch,
}

impl Bot {
    /// A bot for boards of `side`.
    ///
    /// # Errors
    /// If the engine does not play on such boards.
    pub(crate) fn new(
        side: Side,
        thinking: Thinking,
        seed: u64,
        network: Option<Arc<Network>>,
    ) -> anyhow::Result<Self> {
        let engine = engine_with(side, &Params::default(), seed, network.clone())?;
        Ok(Bot {
            side,
            thinking,
            seed,
            network,
            engine,
            scratch: Scratch::default(),
        })
    }

    /// Prepares for the positions of portion `number`. With a number of simulations the bot gets a
    /// new engine, so that its moves do not depend on earlier portions. By the clock it keeps the
    /// engine, whose memory is warm as in the middle of a game.
    pub(crate) fn begin(&mut self, number: u64) {
        if matches!(self.thinking, Thinking::Simulations(_)) {
            let seed = self.seed.wrapping_add(number);
            let new = engine_with(self.side, &Params::default(), seed, self.network.clone());
            self.engine = new.expect("it has played on such boards before");
        }
    }

    /// The bot's move. The position must not be decided by a connection.
    pub(crate) fn choose(&mut self, position: &AnyBoard) -> AnyCell {
        let effort = match self.thinking {
            Thinking::PolicyAlone => return self.best_by_policy(position),
            Thinking::Simulations(count) => Effort::Simulations(count),
            Thinking::TurnMs(limit) => Effort::Time(later_answer(Duration::from_millis(limit))),
        };
        let analysis = self
            .engine
            .think(position, &Task::new(effort), &mut |_| {})
            .expect("nobody has won");
        analysis.best
    }

    fn best_by_policy(&mut self, position: &AnyBoard) -> AnyCell {
        let network = self.network.as_ref().expect("the options ask for one");
        let policy = network.logits(position, &mut self.scratch).policy;
        let cells = position.empty_cells().iter();
        cells
            .max_by_key(|&cell| policy[cell])
            .expect("nobody has won")
    }
}

/// How long the bot searches for any answer but the first one.
fn later_answer(turn_limit: Duration) -> Duration {
    let settings = Settings {
        turn_limit,
        ..Settings::default()
    };
    settings.thinking_time(1, Duration::ZERO)
}
