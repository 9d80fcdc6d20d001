//! The lines of a match's log, `games.jsonl`: the first describes the match, every other one a
//! game. A line is replaced only when its game is played again.

use crate::programs::{self, ProgramChange, ProgramFile};
use crate::scoresheet::GameLine;
use anyhow::Result;
use hex_common::append_log::games::{GameLog, RunHeader};
use hex_common::stats::sprt::Sprt;
use hex_core::record::Side;
use serde::{Deserialize, Serialize};

/// The log of a match.
pub(crate) type MatchLog = GameLog<MatchHeader>;

/// The first line: the settings that have to be equal for a match to be resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchHeader {
    /// [`games::FORMAT`](hex_common::append_log::games::FORMAT).
    pub format: u32,
    /// The board's side.
    pub side: usize,
    /// How games begin: [`Openings::identity`](crate::openings::Openings::identity).
    pub openings: String,
    /// The seed of openings.
    pub seed: u64,
    /// The players, in order.
    pub players: Vec<PlayerLine>,
    /// `round-robin` or `gauntlet`.
    pub schedule: String,
    /// The test that ends the match, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// The programs that changed during the match, as `--changed-programs` allows. The players'
    /// lines have the latest versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<ProgramChange>,
}

/// A player in the header.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerLine {
    /// Its name.
    pub name: String,
    /// As on the command line.
    pub text: String,
    /// Limit of the first answer, in milliseconds.
    pub first_ms: u64,
    /// Limit of later answers, in milliseconds.
    pub turn_ms: u64,
    /// The files of its program; empty in older logs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<ProgramFile>,
}

impl MatchHeader {
    /// The names of Red and Blue in a game.
    pub(crate) fn names_of(&self, line: &GameLine) -> [&str; 2] {
        [line.red, line.blue].map(|player| &*self.players[player].name)
    }

    /// The header without the players' programs.
    fn without_programs(&self) -> MatchHeader {
        let mut header = self.clone();
        header.changes.clear();
        for player in &mut header.players {
            player.programs.clear();
        }
        header
    }

    /// The programs that differ from those in `now`, the header that would be written now. `games`
    /// of the match have ended.
    pub(crate) fn changes_since(&self, now: &MatchHeader, games: u64) -> Vec<ProgramChange> {
        let players = self.players.iter().zip(&now.players);
        let changes = players.filter_map(|(old, new)| {
            programs::difference(&old.name, &old.programs, &new.programs, games)
        });
        changes.collect()
    }
}

impl RunHeader for MatchHeader {
    type Game = GameLine;
    const RUN: &'static str = "match";
    const SAME: &'static str = "players, openings, seed, limits and test";

    fn goes_on(&self, old: &Self) -> bool {
        self.without_programs() == old.without_programs()
    }

    fn id(game: &GameLine) -> u64 {
        game.id
    }

    fn check(&self, game: &GameLine) -> Result<()> {
        game.check(self.players.len(), Side::try_from(self.side)?)
    }
}
