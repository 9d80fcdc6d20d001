//! `hex selfplay`: games of the engine against itself, for training its network.

mod game;
mod sample;
pub mod shard;
mod starts;

use crate::shards::Work;
use game::SelfPlayRules;
use hex_common::options;
use hex_common::run_lock;
use hex_common::weights_file::NetworkChoice;
use hex_core::engine::SIDES;
use hex_core::record::Side;
use shard::ShardPlan;
use std::ops::Range;
use std::path::PathBuf;

/// Play games of the engine against itself, to train its network with
///
/// Writes shards: files of positions with what the search thought of each (visits of its moves, win
/// probability) and how the game ended. The positions are those of the game and those that its
/// searches looked at closely. The format stands in docs/training.md.
///
/// The run can be stopped at any time; the same command goes on with the first shard that is
/// missing. A shard depends on the seed, its number and the other options alone, not on the machine
/// or the number of threads.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Folder of the shards
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,

    #[command(flatten)]
    network: NetworkChoice,

    /// Shards in all, those included that are there already
    #[arg(long, default_value_t = 100, value_parser = options::whole(options::COUNT))]
    shards: u64,

    /// Of the shards that are missing play only those with these numbers, from 0, TO not included
    ///
    /// So several machines can share a run.
    #[arg(long, value_name = "FROM..TO", value_parser = options::span)]
    only_shards: Option<Range<u64>>,

    /// Games in each shard
    #[arg(long, default_value_t = 40, value_parser = options::whole(options::COUNT))]
    games: u64,

    /// Side of the board
    #[arg(long, default_value = "11", value_parser = options::side(SIDES))]
    side: Side,

    /// Simulations of a search that is learnt from
    #[arg(long, default_value_t = 800, value_parser = options::whole(32..=*options::SIMULATIONS.end()))]
    simulations: u64,

    /// Simulations of a search that only moves the game on
    #[arg(long, default_value_t = 160, value_parser = options::whole(16..=*options::SIMULATIONS.end()))]
    fast_simulations: u64,

    /// The share of moves with a full search
    #[arg(long, default_value_t = 0.75, value_parser = options::real(options::SHARE))]
    full_share: f64,

    /// The share of the priors that a search that is learnt from deals out among four random cells
    #[arg(long, default_value_t = 0.2, value_parser = options::real(options::SHARE))]
    noise_share: f64,

    /// Learn also from positions of the tree with so many visits
    #[arg(long, default_value_t = 200, value_parser = options::whole(1..=1_000_000_000_u32))]
    tree_visits: u32,

    /// The most stones that are placed at random before a game [default: 8, or as many as leave a
    /// cell]
    #[arg(long, value_name = "NUMBER", value_parser = options::whole(0..=MOST_STONES))]
    random_stones: Option<u32>,

    /// Begin from positions of the games in this folder, one file each, instead of random stones
    ///
    /// Meant for the `sgf` folder of a match: the network learns from positions that another player
    /// brought about.
    #[arg(long, value_name = "FOLDER", conflicts_with = "random_stones")]
    starts: Option<PathBuf>,

    /// So many moves of a game are drawn in proportion to their visits
    #[arg(long, default_value_t = 8, value_parser = options::whole(0..=MOST_STONES))]
    drawn_moves: u32,

    /// A side whose win probability falls below this resigns
    #[arg(long, default_value_t = 0.02, value_parser = options::real(options::RESIGNATIONS))]
    resign: f64,

    /// The share of games that nobody resigns
    #[arg(long, default_value_t = 0.1, value_parser = options::real(options::SHARE))]
    control: f64,

    /// Seed of the first game
    #[arg(long, default_value_t = 1, value_parser = options::whole(options::SEEDS))]
    seed: u64,

    /// Games at the same time [default: the number of cores]
    #[arg(long, value_name = "NUMBER", value_parser = options::whole(options::THREADS))]
    threads: Option<usize>,
}

/// The most stones that a board has room for.
const MOST_STONES: u32 = (*SIDES.end() * *SIDES.end()) as u32;

/// The most stones that are placed at random, unless the board is too small or another number is
/// given.
const RANDOM_STONES: u32 = 8;

/// Plays the shards that are missing.
///
/// # Errors
/// If the engine does not play on such a board, the folder cannot be written, or it holds shards of
/// another run.
pub fn run(args: Args) -> anyhow::Result<()> {
    let rules = args.rules()?;
    let games = args.shards * args.games;
    anyhow::ensure!(
        games <= u64::from(u32::MAX),
        "--shards {} with --games {} are {games} games; choose {} at most in all",
        args.shards,
        args.games,
        u32::MAX
    );
    let _lock = run_lock::folder(&args.out)?;
    let mut missing = Vec::new();
    for number in 0..args.shards {
        let shard = args.shard(number);
        if !shard.is_finished(&args.out)? && args.is_wanted(number) {
            missing.push(shard);
        }
    }
    let wanted = (0..args.shards).filter(|&number| args.is_wanted(number));
    let wanted = wanted.count() as u64;
    let work = Work {
        all: Some(wanted),
        done: wanted - missing.len() as u64,
        threads: args.threads,
    };
    let play = |shard| Ok([play_shard(&shard, &args, &rules)? as u64]);
    let describe = |[samples]: [u64; 1], seconds: f64| {
        format!(
            "{samples} samples, {:.0} a second",
            samples as f64 / seconds
        )
    };
    work.run(missing.into_iter(), play, describe)
}

/// Plays the games of a shard and writes it. Returns its number of samples.
fn play_shard(shard: &ShardPlan, args: &Args, rules: &SelfPlayRules) -> anyhow::Result<usize> {
    let mut bytes = Vec::new();
    let mut samples = 0;
    for game in 0..args.games {
        let number = shard.number * args.games + game;
        let number = u32::try_from(number).expect("all games together have been counted");
        let seed = shard.seed.wrapping_add(game);
        samples += game::play(rules, number, seed, &mut bytes)?;
    }
    shard.write(&args.out, &bytes)?;
    Ok(samples)
}

impl Args {
    fn shard(&self, number: u64) -> ShardPlan {
        let games = number * self.games;
        ShardPlan {
            number,
            side: self.side,
            seed: self.seed.wrapping_add(games),
        }
    }

    /// Is this command to play shard `number`, if it is missing?
    fn is_wanted(&self, number: u64) -> bool {
        let only = self.only_shards.as_ref();
        only.is_none_or(|only| only.contains(&number))
    }

    fn rules(&self) -> anyhow::Result<SelfPlayRules> {
        Ok(SelfPlayRules {
            network: self.network.read()?.network,
            side: self.side,
            simulations: self.simulations,
            fast_simulations: self.fast_simulations,
            full_share: self.full_share,
            noise_share: self.noise_share as f32,
            tree_visits: self.tree_visits,
            random_stones: self.random_stones()?,
            starts: match &self.starts {
                Some(folder) => starts::read(folder, self.side)?,
                None => Vec::new(),
            },
            drawn_moves: self.drawn_moves,
            resign: self.resign as f32,
            control: self.control,
        })
    }

    /// The most random stones; one cell at least stays empty.
    fn random_stones(&self) -> anyhow::Result<u32> {
        let most = self.side.get().pow(2) as u32 - 1;
        let stones = self.random_stones.unwrap_or(RANDOM_STONES.min(most));
        anyhow::ensure!(
            stones <= most,
            "--random-stones {stones}: give 0 to {most} on a board of side {}",
            self.side
        );
        Ok(stones)
    }
}
