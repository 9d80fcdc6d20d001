//! The lines of a soak's log, `soak.jsonl`: the first describes the run, every other one a game.

use super::game::{AnswerLine, SoakGame};
use crate::programs::ProgramFile;
use anyhow::{ensure, Result};
use hex_common::append_log::games::{GameLog, RunHeader};
use hex_core::record::Side;
use serde::{Deserialize, Serialize};

/// The log of a soak.
pub(crate) type SoakLog = GameLog<SoakHeader>;

/// The first line: the settings that have to be equal for a run to be resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SoakHeader {
    /// [`games::FORMAT`](hex_common::append_log::games::FORMAT).
    pub(crate) format: u32,
    /// The bot as on the command line.
    pub(crate) bot: String,
    /// The board's side.
    pub(crate) side: usize,
    /// How games begin: [`Openings::identity`](crate::openings::Openings::identity).
    pub(crate) openings: String,
    /// The seed of openings and stalls.
    pub(crate) seed: u64,
    /// Limit of the first answers, in milliseconds.
    pub(crate) first_ms: u64,
    /// Limit of later answers, in milliseconds.
    pub(crate) turn_ms: u64,
    /// The stalls of each bot, times a second.
    pub(crate) stalls: f64,
    /// The shortest and the longest of them, in milliseconds.
    pub(crate) stall_ms: (u64, u64),
    /// The files of the bot's program; empty in older logs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) programs: Vec<ProgramFile>,
}

impl RunHeader for SoakHeader {
    type Game = SoakGame;
    const RUN: &'static str = "run";
    const SAME: &'static str = "bot, limits, openings, seed and stalls";

    fn goes_on(&self, old: &Self) -> bool {
        let programs = self.programs.clone();
        *self
            == SoakHeader {
                programs,
                ..old.clone()
            }
    }

    fn id(game: &SoakGame) -> u64 {
        game.line.id
    }

    fn check(&self, game: &SoakGame) -> Result<()> {
        game.line.check(2, Side::try_from(self.side)?)?;
        let times = |answer: &AnswerLine| {
            [
                answer.limit_ms,
                answer.ms,
                answer.injected_ms,
                answer.machine_ms,
                answer.waited_ms,
            ]
        };
        let mut times = game.answers.iter().flat_map(times);
        ensure!(times.all(|ms| ms >= 0.0), "an answer's time is below 0");
        Ok(())
    }
}
