//! The lines of a tuning's log, `pairs.jsonl`: the first describes the tuning, every other one a
//! pair of games.

use super::parameter::Parameter;
use crate::programs::ProgramFile;
use anyhow::{anyhow, ensure, Result};
use hex_common::append_log::games::{GameLog, RunHeader};
use serde::{Deserialize, Serialize};

/// The log of a tuning.
pub(crate) type TuneLog = GameLog<TuneHeader>;

/// The first line: the settings that have to be equal for a tuning to be resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TuneHeader {
    /// [`games::FORMAT`](hex_common::append_log::games::FORMAT).
    pub(crate) format: u32,
    /// The player as on the command line.
    pub(crate) player: String,
    /// The parameters as on the command line, in order.
    pub(crate) vary: Vec<String>,
    /// The board's side.
    pub(crate) side: usize,
    /// How games begin: [`Openings::identity`](crate::openings::Openings::identity).
    pub(crate) openings: String,
    /// The seed of openings and values.
    pub(crate) seed: u64,
    /// Limit of the first answers, in milliseconds.
    pub(crate) first_ms: u64,
    /// Limit of later answers, in milliseconds.
    pub(crate) turn_ms: u64,
    /// The files of the player's program; empty in older logs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) programs: Vec<ProgramFile>,
}

/// A pair of games: the same opening with both colours, by the tried values against the current
/// ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedPair {
    /// The number of the pair, which determines its opening.
    pub id: u64,
    /// The tried value of each parameter, in the header's order.
    pub values: Vec<f64>,
    /// How many of the two games the tried values won.
    pub wins: u32,
    /// For each game lost by a fault: the loser and the fault.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
}

impl RunHeader for TuneHeader {
    type Game = TunedPair;
    const RUN: &'static str = "tuning";
    const GAME: &'static str = "pair";
    const SAME: &'static str = "player, parameters, openings, seed and limits";

    fn goes_on(&self, old: &Self) -> bool {
        let programs = self.programs.clone();
        *self
            == TuneHeader {
                programs,
                ..old.clone()
            }
    }

    fn id(pair: &TunedPair) -> u64 {
        pair.id
    }

    fn check(&self, pair: &TunedPair) -> Result<()> {
        let (values, parameters) = (pair.values.len(), self.vary.len());
        ensure!(
            values == parameters,
            "{values} values for {parameters} parameters"
        );
        for (text, &value) in self.vary.iter().zip(&pair.values) {
            let parameter: Parameter = text.parse().map_err(|why| anyhow!("{why}"))?;
            ensure!(parameter.allows(value), "{value} is not in {text}");
        }
        let wins = pair.wins;
        ensure!(wins <= 2, "{wins} games won of 2");
        Ok(())
    }
}
