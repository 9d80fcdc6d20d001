//! The bot, without its book. Its searches are kept in a log: a line with the conditions, then a
//! line `MOVE WINS MOVES…` for each position.

use super::study::SIDE;
use anyhow::{Context, Result};
use hex_common::append_log::results::KeptResults;
use hex_core::engine::{engine_with, Effort, Task};
use hex_core::record::AnyCell;
use hexbot::network::Network;
use hexbot::params::Params;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BotMove {
    /// The bot's move.
    pub cell: AnyCell,
    /// The win probability of the player to move, 0 to 1.
    pub wins: f32,
}

/// The bot, and its searches so far.
pub(crate) struct BookBot {
    simulations: [u64; 2],
    network: Option<Arc<Network>>,
    path: PathBuf,
    kept: Mutex<KeptResults<Vec<AnyCell>, BotMove>>,
}

fn parse(line: &str) -> Option<(Vec<AnyCell>, BotMove)> {
    let mut words = line.split(' ');
    let cell = |word| SIDE.parse_cell(word).ok();
    let (best, wins) = (cell(words.next()?)?, words.next()?.parse().ok()?);
    let moves = words.map(cell).collect::<Option<_>>()?;
    Some((moves, BotMove { cell: best, wins }))
}

impl BookBot {
    /// After more stones than this the second number of simulations counts.
    const EARLY_STONES: usize = 2;
    /// The seed of each search. Each has an engine of its own, so the order does not matter.
    const SEED: u64 = 1;

    /// A bot with this network. Reads what an earlier run has left beside the book `out`.
    ///
    /// # Errors
    /// If those searches had other conditions or cannot be read or written.
    pub(crate) fn open(
        out: &Path,
        simulations: [u64; 2],
        network: Option<Arc<Network>>,
        name: &str,
    ) -> Result<Self> {
        let mut path = out.as_os_str().to_owned();
        path.push(".searches");
        let path = PathBuf::from(path);
        let [early, later] = simulations;
        let stones = Self::EARLY_STONES;
        let conditions =
            format!("{early} simulations after up to {stones} stones, {later} later, {name}");
        let kept = KeptResults::open(Some(&path), &conditions, &|line| {
            parse(line).with_context(|| format!("{line:?} is not MOVE WINS MOVES…"))
        })?;
        Ok(BookBot {
            simulations,
            network,
            path,
            kept: Mutex::new(kept),
        })
    }

    /// Searches the position after `moves`, unless that has been done.
    ///
    /// # Errors
    /// If the game is over, or the search cannot be kept.
    pub(crate) fn search(&self, moves: &[AnyCell]) -> Result<BotMove> {
        if let Some(&known) = self.kept.lock().expect("no panics").found().get(moves) {
            return Ok(known);
        }
        let line: Vec<String> = moves.iter().map(AnyCell::to_string).collect();
        let line = line.join(" ");
        let mut position = SIDE.board();
        for &cell in moves {
            position.try_play(cell).with_context(|| line.clone())?;
        }
        let [early, later] = self.simulations;
        let is_early = moves.len() <= Self::EARLY_STONES;
        let task = Task::new(Effort::Simulations(if is_early { early } else { later }));
        let mut engine = engine_with(SIDE, &Params::default(), Self::SEED, self.network.clone())?;
        let found = engine.think(&position, &task, &mut |_| {});
        let found = found.with_context(|| format!("{line}: the game is over"))?;
        let (cell, wins) = (found.best, found.win_probability);
        let found = BotMove { cell, wins };
        let mut kept = self.kept.lock().expect("no panics");
        kept.add(moves.to_vec(), found, &format!("{cell} {wins} {line}"))?;
        Ok(found)
    }

    /// Deletes the log.
    ///
    /// # Errors
    /// If that fails.
    pub(crate) fn forget(self) -> Result<()> {
        let deleted = std::fs::remove_file(&self.path);
        deleted.with_context(|| format!("cannot delete {}", self.path.display()))
    }
}
