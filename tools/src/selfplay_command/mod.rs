//! `hex selfplay`: games of the engine against itself, for training its network.

mod game;
mod sample;
mod shard;
mod starts;

use crate::engine::network;
use crate::record::Side;
use crate::record_input::parse_side;
use crate::weights_file;
use anyhow::Context;
use game::Rules;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use shard::Shard;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Play games of the engine against itself, to train its network with
///
/// Writes shards: files of positions with what the search thought of each (visits of its moves, win
/// probability) and how the game ended. The positions are those of the game and those that its
/// searches looked at closely. The format stands in docs/network.md.
///
/// The run can be stopped at any time; the same command goes on with the first shard that is missing.
/// A shard depends on the seed, its number and the other options alone, not on the machine or the number of threads.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Folder of the shards
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,

    /// Play with the network in this file instead of the shipped one
    #[arg(long, value_name = "FILE", conflicts_with = "playouts_only")]
    weights: Option<PathBuf>,

    /// Play without a network
    #[arg(long)]
    playouts_only: bool,

    /// Shards in all, those included that are there already
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    shards: u64,

    /// Games in each shard
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// Side of the board
    #[arg(long, default_value = "11", value_parser = parse_side)]
    side: Side,

    /// Simulations of a search that is learnt from
    #[arg(long, default_value_t = 800, value_parser = clap::value_parser!(u64).range(32..))]
    simulations: u64,

    /// Simulations of a search that only moves the game on
    #[arg(long, default_value_t = 160, value_parser = clap::value_parser!(u64).range(16..))]
    fast_simulations: u64,

    /// The share of moves with a full search
    #[arg(long, default_value_t = 0.75, value_parser = share)]
    full_share: f64,

    /// The share of the priors that a search that is learnt from deals out among four random cells
    #[arg(long, default_value_t = 0.2, value_parser = share)]
    stirred: f64,

    /// Learn also from positions of the tree with so many visits
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    tree_visits: u32,

    /// The most stones that are placed at random before a game
    #[arg(long, default_value_t = 8)]
    random_stones: u32,

    /// Begin from positions of the games in this folder, one file each, instead of random stones
    ///
    /// Meant for the `sgf` folder of a match: the network learns from positions that another player
    /// brought about.
    #[arg(long, value_name = "FOLDER", conflicts_with = "random_stones")]
    starts: Option<PathBuf>,

    /// So many moves of a game are drawn in proportion to their visits
    #[arg(long, default_value_t = 8)]
    drawn_moves: u32,

    /// A side whose win probability falls below this resigns
    #[arg(long, default_value_t = 0.02, value_parser = share)]
    resign: f64,

    /// The share of games that nobody resigns
    #[arg(long, default_value_t = 0.1, value_parser = share)]
    control: f64,

    /// Seed of the first game
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Games at the same time [default: the number of cores]
    #[arg(long, value_name = "NUMBER")]
    threads: Option<NonZeroUsize>,
}

/// Reads a number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err(format!("{text:?} is not a number from 0 to 1")),
    }
}

/// Plays the shards that are missing.
///
/// # Errors
/// If the engine does not play on such a board, the folder cannot be written, or it holds shards of
/// another run.
pub fn run(args: Args) -> anyhow::Result<()> {
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let rules = args.rules()?;
    let mut missing = Vec::new();
    for number in 0..args.shards {
        let shard = args.shard(number);
        if !shard.is_finished(&args.out)? {
            missing.push(shard);
        }
    }
    let progress = Progress::new(args.shards, missing.len() as u64);
    let next = AtomicU64::new(0);
    let failure = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..args.threads() {
            scope.spawn(|| {
                let shard = || missing.get(next.fetch_add(1, Ordering::Relaxed) as usize);
                while let (Some(shard), None) = (shard(), &*failure.lock().expect("no panics")) {
                    match play_shard(shard, &args, &rules) {
                        Ok(samples) => progress.add(samples as u64),
                        Err(error) => *failure.lock().expect("no panics") = Some(error),
                    }
                }
            });
        }
    });
    progress.finish();
    failure.into_inner().expect("no panics").map_or(Ok(()), Err)
}

/// Plays the games of a shard and writes it. Returns its number of samples.
fn play_shard(shard: &Shard, args: &Args, rules: &Rules) -> anyhow::Result<usize> {
    let mut bytes = Vec::new();
    let mut samples = 0;
    for game in 0..args.games {
        let number = shard.number as u32 * args.games + game;
        let seed = shard.seed.wrapping_add(u64::from(game));
        samples += game::play(rules, number, seed, &mut bytes)?;
    }
    shard.write(&args.out, &bytes)?;
    Ok(samples)
}

impl Args {
    fn shard(&self, number: u64) -> Shard {
        let games = number * u64::from(self.games);
        Shard {
            number,
            side: self.side,
            seed: self.seed.wrapping_add(games),
        }
    }

    fn rules(&self) -> anyhow::Result<Rules> {
        let network = match &self.weights {
            _ if self.playouts_only => None,
            Some(path) => Some(weights_file::read(path)?),
            None => network(),
        };
        Ok(Rules {
            network,
            side: self.side,
            simulations: self.simulations,
            fast_simulations: self.fast_simulations,
            full_share: self.full_share,
            stirred: self.stirred as f32,
            tree_visits: self.tree_visits,
            random_stones: self.random_stones,
            starts: match &self.starts {
                Some(folder) => starts::read(folder, self.side)?,
                None => Vec::new(),
            },
            drawn_moves: self.drawn_moves,
            resign: self.resign as f32,
            control: self.control,
        })
    }

    fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism();
        self.threads
            .or_else(|| cores().ok())
            .map_or(1, NonZeroUsize::get)
    }
}

/// How far the run is, on standard error: a bar on a terminal, plain lines in a pipe.
struct Progress {
    bar: ProgressBar,
    started: Instant,
    state: Mutex<(u64, Instant)>,
}

/// How often a line is printed where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

impl Progress {
    fn new(shards: u64, missing: u64) -> Self {
        let bar = ProgressBar::with_draw_target(Some(shards), ProgressDrawTarget::stderr());
        let template = "{wide_bar} {pos}/{len} shards, {elapsed}\n{msg}";
        bar.set_style(ProgressStyle::with_template(template).expect("the template is right"));
        bar.set_position(shards - missing);
        Progress {
            bar,
            started: Instant::now(),
            state: Mutex::new((0, Instant::now())),
        }
    }

    /// One more shard is finished.
    fn add(&self, samples: u64) {
        let mut state = self.state.lock().expect("no panics");
        state.0 += samples;
        self.bar.inc(1);
        let pace = state.0 as f64 / self.started.elapsed().as_secs_f64();
        let message = format!("{} samples, {pace:.0} a second", state.0);
        if !std::io::stderr().is_terminal() && state.1.elapsed() >= LINE_EVERY {
            state.1 = Instant::now();
            let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
            eprintln!("{done}/{all} shards: {message}");
        }
        self.bar.set_message(message);
    }

    fn finish(self) {
        self.bar.finish_and_clear();
    }
}
