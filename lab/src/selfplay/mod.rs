//! `hex lab selfplay`: games of the engine against itself, for training its network. There are two
//! kinds: `search` plays few games well, `policy` plays many different games. This file has the
//! common parts: the options, and the list of missing shards.

mod policy;
mod rules;
pub mod search;
mod shards;

use anyhow::{ensure, Context};
use hex_common::options;
use hex_common::progress::Progress;
use hex_common::run_lock;
use hex_common::weights_file::NetworkChoice;
use hex_common::workers;
use hex_core::record::Side;
use policy::shard::PolicyShard;
use rules::CommonRules;
use search::shard::ShardPlan;
use shards::PlayedShard;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

/// Play games of the engine against itself, to train its network with
///
/// Without --policy, searches for every move, and writes shards of positions with the search's
/// results (visits of moves, win probability) and the game's result. The positions are those of the
/// game, and those of its search trees with many visits.
///
/// With --policy, plays millions of games: moves are drawn from the network's policy, at a high
/// temperature in the opening for many different openings, and at a low one from a random ply on. A
/// small share of the positions is searched too. Writes shards of whole games with the results of
/// these searches. train/shards.md describes both formats.
///
/// The run can be stopped at any time; the same command continues with the missing shards. A shard
/// depends only on the seed, its number, the weights and the other options, not on the machine or
/// the number of threads. The weights file is read again for every shard, so a learner may replace
/// it meanwhile.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Folder of the shards
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,

    #[command(flatten)]
    network: NetworkChoice,

    /// Draw moves from the network's policy, on 11×11, and write whole games
    #[arg(long, conflicts_with = "playouts_only")]
    policy: bool,

    /// Shards in all, including those in the folder already; without it, play until stopped
    ///
    /// With --policy, shards before the first one in the folder count as played, because a learner
    /// deletes the oldest.
    #[arg(long, value_parser = options::whole(options::COUNT))]
    shards: Option<u64>,

    /// Play only missing shards with these numbers, from 0, TO not included
    ///
    /// So several machines can share a run.
    #[arg(long, value_name = "FROM..TO", value_parser = options::span)]
    only_shards: Option<Range<u64>>,

    /// Games in each shard [default: 40, with --policy 4096]
    #[arg(long, value_parser = options::whole(options::COUNT))]
    games: Option<u64>,

    /// Simulations of a search for training data [default: 800, with --policy 200]
    #[arg(long, value_parser = options::whole(32..=*options::SIMULATIONS.end()))]
    simulations: Option<u64>,

    /// Simulations of a search only for the next move [default: 160, with --policy 0]
    ///
    /// With --policy, cool plies are drawn from the visits of such searches, at the cool
    /// temperature, or with 0 from the policy. 32 cost about thirty times as much as the policy,
    /// and games are played better. Without --policy, give at least 16.
    #[arg(long, value_parser = options::whole(0..=*options::SIMULATIONS.end()))]
    fast_simulations: Option<u64>,

    /// The share of the priors that a search for training data spreads over four random cells
    #[arg(long, default_value_t = 0.2, value_parser = options::real(options::SHARE))]
    noise_share: f64,

    /// Also write positions of the tree with this many visits [default: 200, with --policy 60]
    #[arg(long, value_name = "VISITS", value_parser = options::whole(1..=1_000_000_000_u32))]
    tree_visits: Option<u32>,

    /// A side whose win probability falls below this resigns
    #[arg(long, default_value_t = 0.02, value_parser = options::real(options::RESIGNATIONS))]
    resign: f64,

    /// The share of games without resignation
    #[arg(long, default_value_t = 0.1, value_parser = options::real(options::SHARE))]
    control: f64,

    /// Seed of the first game
    #[arg(long, default_value_t = 1, value_parser = options::whole(options::SEEDS))]
    seed: u64,

    /// Shards at the same time [default: the number of cores]
    #[arg(long, value_name = "NUMBER", default_value_t = options::all_cores(), hide_default_value = true, value_parser = options::whole(options::THREADS))]
    threads: usize,

    #[command(flatten)]
    of_search: search::SearchOptions,

    #[command(flatten)]
    of_policy: policy::PolicyOptions,
}

/// Plays the shards that are missing.
///
/// # Errors
/// If the options contradict each other, a file cannot be read, the folder cannot be written, or it
/// contains shards of another run.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    // Read the file before making the folder, so that an error leaves nothing behind.
    args.network.networks()?;
    if args.policy {
        args.play_by_policy()
    } else {
        args.play_by_search()
    }
}

impl Args {
    fn play_by_search(&self) -> anyhow::Result<()> {
        let rules = self.of_search.rules(self.common_rules())?;
        let all = self.shards.map_or(0, |shards| shards * self.games());
        ensure!(
            all <= u64::from(u32::MAX),
            "--shards {} with --games {} are {all} games; choose {} at most in all",
            self.shards.unwrap_or_default(),
            self.games(),
            u32::MAX
        );
        let _lock = run_lock::folder(&self.out)?;
        let plan = |number| ShardPlan {
            number,
            side: self.of_search.side,
            seed: self.first_seed(number),
        };
        let finished = shards::finished(&self.out, ShardPlan::name)?;
        for &number in finished.range(..self.shards.unwrap_or(u64::MAX)) {
            plan(number).is_finished(&self.out)?;
        }
        self.make_missing(0, &finished, ShardPlan::name, |number| {
            let network = self.network.networks()?.on(self.of_search.side);
            search::play_shard(&plan(number), self.games(), &rules, network)
        })
    }

    fn play_by_policy(&self) -> anyhow::Result<()> {
        let rules = self.of_policy.rules(self.common_rules())?;
        let _lock = run_lock::folder(&self.out)?;
        let finished = shards::finished(&self.out, PolicyShard::name)?;
        // Gaps come from a kill. Shards before the first one have been deleted by a learner.
        let first = finished.first().copied().unwrap_or(0);
        self.make_missing(first, &finished, PolicyShard::name, |number| {
            let network = self.network.networks()?.on(Side::CODINGAME);
            let network =
                network.context("the shipped network is damaged; name one with --weights")?;
            policy::play_shard(self.first_seed(number), self.games(), &rules, network)
        })
    }

    /// Makes the shards that are missing, from number `first` on, by `make`, and writes them.
    fn make_missing(
        &self,
        first: u64,
        finished: &BTreeSet<u64>,
        name: fn(u64) -> String,
        make: impl Fn(u64) -> anyhow::Result<PlayedShard> + Sync,
    ) -> anyhow::Result<()> {
        let all = 0..self.shards.unwrap_or(u64::MAX);
        let only = self.only_shards.as_ref().unwrap_or(&all);
        let end = all.end.min(only.end);
        let start = first.max(only.start).min(end);
        let total = (end < u64::MAX).then_some(end - start);
        let progress = Progress::new("shards", total, finished.range(start..end).count() as u64);
        let missing = (start..end).filter(|number| !finished.contains(number));
        let (started, sum) = (Instant::now(), Mutex::new(PlayedShard::default()));
        let workers = vec![(); self.threads];
        workers::share_out(progress, missing, workers, |(), number| {
            let shard = make(number)?;
            shards::write(&self.out.join(name(number)), &shard.bytes)?;
            let mut sum = sum.lock().expect("no panics");
            sum.add(&shard);
            Ok(sum.describe(started.elapsed().as_secs_f64()))
        })
    }

    /// The seed of the first game of shard `number`.
    fn first_seed(&self, number: u64) -> u64 {
        self.seed.wrapping_add(number.wrapping_mul(self.games()))
    }

    fn games(&self) -> u64 {
        self.games.unwrap_or(self.by_kind(40, 4096))
    }

    fn common_rules(&self) -> CommonRules {
        CommonRules {
            simulations: self.simulations.unwrap_or(self.by_kind(800, 200)),
            fast_simulations: self.fast_simulations.unwrap_or(self.by_kind(160, 0)),
            noise_share: self.noise_share as f32,
            tree_visits: self.tree_visits.unwrap_or(self.by_kind(200, 60)),
            resign: self.resign as f32,
            control: self.control,
        }
    }

    /// The default of the games by search, or of those by the policy.
    fn by_kind<T>(&self, search: T, policy: T) -> T {
        if self.policy {
            policy
        } else {
            search
        }
    }
}
