//! `hex massplay`: games of the network's policy by the million, for training its network.

mod game;
mod lines;
mod shard;

use crate::shards::Work;
use anyhow::{ensure, Context};
use game::{MassPlayer, MassRules};
use hex_common::options;
use hex_common::run_lock;
use hex_common::weights_file;
use hex_core::engine::network;
use hexbot::network::Network;
use shard::MassShard;
use std::path::PathBuf;
use std::sync::Arc;

/// Play games of the network's policy without search by the million, to train the network with
///
/// Every move is drawn from the policy: hot in the opening, so that all kinds of openings come up,
/// and cool from a ply on that each game draws for itself; or from fast searches there. A small
/// share of the positions is searched as well. Writes shards: files of whole games with the results
/// of those searches. The format stands in docs/training.md.
///
/// Without --shards it plays until it is stopped; the same command goes on with the shards that are
/// missing behind the first one in the folder, as a learner deletes the oldest. The weights file is
/// read anew for every shard, so a learner may replace it meanwhile. A shard depends on the seed,
/// its number, the weights and the other options alone.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Folder of the shards
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,

    /// Play with the network in this file instead of the shipped one
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Stop when the shard before this number, from 0, is finished
    #[arg(long, value_name = "NUMBER", value_parser = options::whole(options::COUNT))]
    shards: Option<u64>,

    /// Games in each shard
    #[arg(long, default_value_t = 4096, value_parser = options::whole(1..=65_536_u32))]
    games: u32,

    /// The most plies at the beginning of a game that are drawn hot
    ///
    /// A game draws the number evenly from 1 to this. Results teach values from there on.
    #[arg(long, default_value_t = 14, value_parser = options::whole(1..=60_u8))]
    hot_plies: u8,

    /// The highest temperature of hot plies: 1 draws moves as likely as the policy thinks they are
    /// best
    ///
    /// A game draws its temperature from 1 to this, high ones as often as low ones.
    #[arg(long, default_value_t = 4.0, value_parser = options::real(TEMPERATURE))]
    hot: f64,

    /// The temperature of later plies
    #[arg(long, default_value_t = 0.6, value_parser = options::real(TEMPERATURE))]
    cool: f64,

    /// Simulations of the search whose visits cool plies are drawn from, at the cool temperature;
    /// 0: they are drawn from the policy
    ///
    /// 32 cost some thirty times as much as the policy alone, and results tell of better play.
    #[arg(
        long,
        default_value_t = 0,
        value_name = "SIMULATIONS",
        value_parser = options::whole(0..=1_000_000_u64)
    )]
    fast_simulations: u64,

    /// The share of positions that are searched, and learnt from as searches
    #[arg(long, default_value_t = 0.008, value_parser = options::real(options::SHARE))]
    search_share: f64,

    /// Simulations of a search
    #[arg(long, default_value_t = 200, value_parser = options::whole(32..=1_000_000_u64))]
    simulations: u64,

    /// The share of the priors that a search deals out among four random cells
    #[arg(long, default_value_t = 0.2, value_parser = options::real(options::SHARE))]
    noise_share: f64,

    /// Learn also from positions of a search's tree with so many visits
    #[arg(long, default_value_t = 60, value_parser = options::whole(1..=1_000_000_u32))]
    tree_visits: u32,

    /// Begin some games with the moves of lines of this file: cells separated by spaces, up to a
    /// tab
    #[arg(long, value_name = "FILE")]
    lines: Option<PathBuf>,

    /// The share of games that begin with moves of a line
    #[arg(long, default_value_t = 0.2, value_parser = options::real(options::SHARE))]
    line_share: f64,

    /// The share of games that begin with 1 to 12 stones on random cells
    #[arg(long, default_value_t = 0.1, value_parser = options::real(options::SHARE))]
    random_share: f64,

    /// A side whose win probability falls below this resigns
    #[arg(long, default_value_t = 0.02, value_parser = options::real(options::RESIGNATIONS))]
    resign: f64,

    /// The share of games that nobody resigns
    #[arg(long, default_value_t = 0.1, value_parser = options::real(options::SHARE))]
    control: f64,

    /// Seed of the first game
    #[arg(long, default_value_t = 1, value_parser = options::whole(options::SEEDS))]
    seed: u64,

    /// Shards at the same time [default: the number of cores]
    #[arg(long, value_name = "NUMBER", value_parser = options::whole(options::THREADS))]
    threads: Option<usize>,
}

/// Temperatures that moves are drawn at.
const TEMPERATURE: std::ops::RangeInclusive<f64> = 0.05..=20.0;

/// Plays shard after shard.
///
/// # Errors
/// If a file cannot be read or the folder cannot be written.
pub fn run(args: Args) -> anyhow::Result<()> {
    let rules = args.rules()?;
    let _lock = run_lock::folder(&args.out)?;
    let there = shard::numbers(&args.out)?;
    let end = args.shards.unwrap_or(u64::MAX);
    // A kill leaves gaps; what is missing before the first shard has been deleted by a learner.
    let first = there.first().map_or(0, |&first| first.min(end));
    let all = first..end;
    let work = Work {
        all: args.shards,
        done: first + there.range(all.clone()).count() as u64,
        threads: args.threads,
    };
    let missing = all.filter(|number| !there.contains(number));
    let play = |number| {
        let shard = play_shard(number, &args, &rules)?;
        Ok([shard.games(), shard.plies(), shard.searches()].map(|count| count as u64))
    };
    let describe = |[games, plies, searches]: [u64; 3], seconds: f64| {
        let pace = games as f64 / seconds * 3600.0;
        let length = plies as f64 / games as f64;
        format!("{games} games, {pace:.0} an hour, {length:.1} plies each, {searches} positions of searches")
    };
    work.run(missing, play, describe)
}

/// Plays the games of a shard and writes it.
fn play_shard(number: u64, args: &Args, rules: &MassRules) -> anyhow::Result<MassShard> {
    let seed = args
        .seed
        .wrapping_add(number.wrapping_mul(u64::from(args.games)));
    let mut shard = MassShard::new(number, seed);
    let mut player = MassPlayer::new(rules, args.network()?, seed)?;
    for _ in 0..args.games {
        shard.add(&player.play());
    }
    shard.write(&args.out)?;
    Ok(shard)
}

impl Args {
    fn network(&self) -> anyhow::Result<Arc<Network>> {
        match &self.weights {
            Some(path) => weights_file::read(path),
            None => network().context("the shipped network is damaged; name one with --weights"),
        }
    }

    fn rules(&self) -> anyhow::Result<MassRules> {
        let (random, line) = (self.random_share, self.line_share);
        ensure!(
            self.lines.is_none() || random + line <= 1.0,
            "--random-share {random} and --line-share {line} are more than all games; choose shares \
             whose sum is at most 1"
        );
        Ok(MassRules {
            hot_plies: self.hot_plies,
            hot: self.hot as f32,
            cool: self.cool as f32,
            fast_simulations: self.fast_simulations,
            search_share: self.search_share,
            simulations: self.simulations,
            noise_share: self.noise_share as f32,
            tree_visits: self.tree_visits,
            lines: match &self.lines {
                Some(path) => lines::read(path)?,
                None => Vec::new(),
            },
            line_share: self.line_share,
            random_share: self.random_share,
            resign: self.resign as f32,
            control: self.control,
        })
    }
}
