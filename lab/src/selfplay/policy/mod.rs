//! Millions of games on 11×11 whose moves are drawn from the network's policy or from short
//! searches.

mod game;
mod lines;
pub(crate) mod shard;

use super::rules::CommonRules;
use super::shards::PlayedShard;
use anyhow::ensure;
use game::{PolicyPlayer, PolicyRules};
use hex_common::options;
use hexbot::network::Network;
use shard::PolicyShard;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

/// The options of only these games.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "With --policy")]
#[group(id = "games_by_policy", requires = "policy")]
pub(crate) struct PolicyOptions {
    /// The temperature of plies after the hot ones at the beginning of a game
    #[arg(long, value_name = "TEMPERATURE", default_value_t = 0.6, value_parser = options::real(TEMPERATURES))]
    cool: f64,

    /// The share of positions that are searched for training data
    #[arg(long, value_name = "SHARE", default_value_t = 0.008, value_parser = options::real(options::SHARE))]
    search_share: f64,

    /// Begin some games with lines of this file: cells separated by spaces, up to a tab
    #[arg(long, value_name = "FILE")]
    lines: Option<PathBuf>,

    /// The share of games that begin with moves of a line
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = options::real(options::SHARE))]
    line_share: f64,

    /// The share of games that begin with 1 to 12 stones on random cells
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = options::real(options::SHARE))]
    random_share: f64,
}

/// The range of temperatures.
const TEMPERATURES: RangeInclusive<f64> = 0.05..=20.0;

impl PolicyOptions {
    /// The rules that these options describe.
    ///
    /// # Errors
    /// If the sum of the shares is above 1, or the lines cannot be read.
    pub(crate) fn rules(&self, common: CommonRules) -> anyhow::Result<PolicyRules<'_>> {
        let (random, line) = (self.random_share, self.line_share);
        ensure!(
            self.lines.is_none() || random + line <= 1.0,
            "--random-share {random} and --line-share {line} exceed all games; choose shares \
             whose sum is at most 1"
        );
        Ok(PolicyRules {
            common,
            options: self,
            lines: match &self.lines {
                Some(path) => lines::read(path)?,
                None => Vec::new(),
            },
        })
    }
}

/// Plays the games of a shard, the first with this seed.
///
/// # Errors
/// Never on 11×11, the only side so far.
pub(crate) fn play_shard(
    seed: u64,
    games: u64,
    rules: &PolicyRules,
    network: Arc<Network>,
) -> anyhow::Result<PlayedShard> {
    let mut shard = PolicyShard::new(seed);
    let mut player = PolicyPlayer::new(rules, network, seed)?;
    for _ in 0..games {
        shard.add(&player.play());
    }
    Ok(PlayedShard {
        bytes: shard.bytes(),
        games,
        plies: shard.plies() as u64,
        positions: shard.searches() as u64,
    })
}
