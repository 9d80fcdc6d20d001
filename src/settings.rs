//! The bot's settings, which the environment may change for experiments: seed, simulations, time
//! limits.

use crate::params::{Params, MAX_LIMIT_CUT};
use crate::quoted::quoted;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::str::FromStr;
use std::time::Duration;

/// The settings of a bot. [`Settings::default`] has CodinGame's limits.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Seed of all random numbers; `None` for a random one.
    pub seed: Option<u64>,
    /// The number of simulations a move, 1 or more; `None` to search by the clock.
    pub simulations: Option<u64>,
    /// The judge's limit for the first answer.
    pub first_limit: Duration,
    /// The judge's limit for every later answer.
    pub turn_limit: Duration,
    /// The tunables of the search.
    pub params: Params,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seed: None,
            simulations: None,
            first_limit: Duration::from_millis(1000),
            turn_limit: Duration::from_millis(100),
            params: Params::default(),
        }
    }
}

impl Settings {
    /// Reads `HEXBOT_SEED`, `HEXBOT_SIMULATIONS` (a move), `HEXBOT_FIRST_MS` and `HEXBOT_TURN_MS`
    /// through `variable`, which returns a variable's value if it is set. Ignores values that are
    /// out of range; the second result has a warning for each, on a line of its own.
    pub fn from_environment(variable: impl Fn(&str) -> Option<String>) -> (Self, String) {
        let mut warnings = String::new();
        let mut read = |name: &str, least: u64, most: u64| {
            let text = variable(name)?;
            let value = u64::from_str(text.trim())
                .ok()
                .filter(|value| (least..=most).contains(value));
            if value.is_none() {
                warnings += &format!(
                    "{name}={} is ignored: a whole number from {least} to {most} is needed\n",
                    quoted(&text)
                );
            }
            value
        };
        let default = Self::default();
        let settings = Settings {
            seed: read("HEXBOT_SEED", 0, u64::MAX),
            simulations: read("HEXBOT_SIMULATIONS", 1, u64::MAX),
            first_limit: read("HEXBOT_FIRST_MS", 1, 86_400_000)
                .map_or(default.first_limit, Duration::from_millis),
            turn_limit: read("HEXBOT_TURN_MS", 1, 86_400_000)
                .map_or(default.turn_limit, Duration::from_millis),
            params: default.params,
        };
        (settings, warnings)
    }

    /// A generator of random numbers with the seed.
    pub fn rng(&self) -> Xoshiro256PlusPlus {
        let from_system = || RandomState::new().build_hasher().finish();
        Xoshiro256PlusPlus::seed_from_u64(self.seed.unwrap_or_else(from_system))
    }

    /// How long to search for the answer with this number, from 0: the judge's limit less the
    /// margin and the `lag` of earlier answers, but at least half of the limit.
    pub fn thinking_time(&self, answer: usize, lag: Duration) -> Duration {
        let (limit, margin) = match answer {
            0 => (self.first_limit, self.params.first_margin),
            _ => (self.turn_limit, self.params.margin),
        };
        limit
            .saturating_sub(margin + lag)
            .max(limit / MAX_LIMIT_CUT)
    }
}
