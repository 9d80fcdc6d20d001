//! `hex lab blunders`: counts how often the bot loses a won position, with an exact solver.

mod bot;
mod endgames;
mod openings;
mod report;
mod trial;

use anyhow::Context;
use bot::{Bot, Thinking};
use endgames::Endgames;
use hex_common::append_log::results::KeptResults;
use hex_common::options;
use hex_common::progress::Progress;
use hex_common::run_lock;
use hex_common::weights_file::{NamedNetwork, NetworkChoice};
use hex_common::workers;
use hex_core::engine::SIDES;
use hex_core::record::Side;
use hex_core::solver::MOST_EMPTY;
use hexbot::network::Network;
use openings::{OpeningGames, Resistance};
use report::BlunderReport;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use trial::PortionResult;

/// The most positions of a solver's search; a position that needs more is left out.
const SOLVER_LIMIT: u64 = 2_000_000;

/// The range of `--empty`, which the solver can handle.
const EMPTY_CELLS: RangeInclusive<u16> = 2..=MOST_EMPTY as u16;

/// Count how often the bot loses a won position
///
/// Tests the bot in positions that are won for it by exact proof, but not at sight, and in which
/// not every move wins. A blunder is a move after which the opponent wins by exact proof.
///
/// Without --openings the positions are endgames: stones are placed at random in turn until --empty
/// cells are left, and the game is not decided at sight. With --openings the bot plays games from
/// the start, best on 6×6 or smaller. For each first move it has the winning side. The opponent
/// plays each possible reply, and then random moves after which the game is not decided at sight.
///
/// With --every-reply, for 4×4 and 5×5, the bot plays against all moves of the opponent: no blunder
/// then means that it wins against every opponent.
///
/// With --out the count can be stopped and continues where it was.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Side of the board
    #[arg(long, default_value = "11", value_parser = options::side(SIDES))]
    side: Side,

    /// Empty cells of an endgame
    #[arg(long, default_value_t = 30, value_parser = options::whole(EMPTY_CELLS), conflicts_with = "openings")]
    empty: u16,

    /// Endgames to count
    #[arg(long, default_value_t = 200, value_parser = options::whole(options::COUNT), conflicts_with = "openings")]
    positions: u64,

    /// Play from the start, from all first moves
    #[arg(long)]
    openings: bool,

    /// Answer the bot with every move, not with random ones
    #[arg(long, requires = "openings")]
    every_reply: bool,

    /// The judge's limit for a move, in milliseconds
    #[arg(long, default_value_t = 100, value_parser = options::whole(options::MILLISECONDS))]
    turn_ms: u64,

    /// Simulations a move instead of the clock, which makes the count reproducible
    #[arg(long, value_parser = options::whole(options::SIMULATIONS), conflicts_with = "turn_ms")]
    simulations: Option<u64>,

    /// Play the move that the network's policy likes best, without a search
    #[arg(long, conflicts_with_all = ["turn_ms", "simulations", "playouts_only"])]
    policy_alone: bool,

    #[command(flatten)]
    network: NetworkChoice,

    /// Seed of positions and bot
    #[arg(long, default_value_t = 1, value_parser = options::whole(options::SEEDS))]
    seed: u64,

    /// Keep the results in this file, and skip those that it has already
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Draw each blunder into this folder: the bot's move, and those that would have won
    #[arg(long, value_name = "FOLDER")]
    svg: Option<PathBuf>,

    /// Positions or games at a time [default: one less than this machine has cores]
    #[arg(long, value_name = "N", default_value_t = options::all_but_one(), hide_default_value = true, value_parser = options::whole(options::THREADS))]
    threads: usize,
}

/// Counts and prints the report.
///
/// # Errors
/// If the engine does not play on such a board, the board has fewer cells than `--empty`, the
/// solver cannot handle them, or a file cannot be read or written.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let NamedNetwork { network, name } = args.network.read(args.side)?;
    let first = Worker::new(&args, network.clone())?;
    let conditions = args.conditions(&name);
    let mut store = PortionStore::open(args.out.as_deref(), &conditions, &portion)?;
    let _lock = args.svg.as_deref().map(run_lock::folder).transpose()?;
    examine_missing(first, &args, network, &mut store)?;
    let report = BlunderReport::new(args.side, store.found().values());
    if let Some(folder) = &args.svg {
        report.draw(folder)?;
    }
    Ok(write!(std::io::stdout(), "{conditions}\n{report}")?)
}

/// Examines the portions that are not in the store yet.
fn examine_missing(
    first: Worker,
    args: &Args,
    network: Option<Arc<Network>>,
    store: &mut PortionStore,
) -> anyhow::Result<()> {
    let (count, unit) = first.source.portions();
    let missing: Vec<u64> = (0..count)
        .filter(|&number| !store.found().contains_key(&number))
        .collect();
    let progress = Progress::new(unit, count, count - missing.len() as u64);
    let mut workers = vec![first];
    while workers.len() < args.threads.min(missing.len()) {
        workers.push(Worker::new(args, network.clone())?);
    }
    let (numbers, store) = (missing.into_iter(), Mutex::new(store));
    workers::share_out(progress, numbers, workers, |worker, number| {
        let found = worker.source.examine(number, &mut worker.bot)?;
        let portion = Portion { number, found };
        let line = serde_json::to_string(&portion)?;
        let mut store = store.lock().expect("no panics");
        store.add(number, portion.found, &line)?;
        Ok(String::new())
    })
}

/// The results so far, by the number of the portion.
type PortionStore = KeptResults<u64, PortionResult>;

/// A line of the log.
#[derive(Serialize, Deserialize)]
struct Portion {
    number: u64,
    #[serde(flatten)]
    found: PortionResult,
}

fn portion(line: &str) -> anyhow::Result<(u64, PortionResult)> {
    let portion = serde_json::from_str(line).with_context(|| format!("{line:?} is no result"));
    let Portion { number, found } = portion?;
    Ok((number, found))
}

/// A thread's bot and solver.
struct Worker {
    bot: Bot,
    source: Box<dyn PositionSource>,
}

impl Worker {
    fn new(args: &Args, network: Option<Arc<Network>>) -> anyhow::Result<Self> {
        Ok(Worker {
            bot: Bot::new(args.side, args.thinking(), args.seed, network)?,
            source: args.source()?,
        })
    }
}

/// The source of positions, in numbered portions.
trait PositionSource: Send {
    /// How many portions there are, and their name, for people.
    fn portions(&self) -> (u64, &'static str);

    /// Tests the bot with a portion.
    ///
    /// # Errors
    /// If the portion has no fit position, or one that the solver cannot handle.
    fn examine(&mut self, number: u64, bot: &mut Bot) -> anyhow::Result<PortionResult>;
}

impl Args {
    fn thinking(&self) -> Thinking {
        match self.simulations {
            _ if self.policy_alone => Thinking::PolicyAlone,
            Some(count) => Thinking::Simulations(count),
            None => Thinking::TurnMs(self.turn_ms),
        }
    }

    fn source(&self) -> anyhow::Result<Box<dyn PositionSource>> {
        if self.openings {
            let resistance = if self.every_reply {
                Resistance::Every
            } else {
                Resistance::Random
            };
            let openings = OpeningGames::new(self.side, resistance, self.seed, SOLVER_LIMIT)
                .context("choose a smaller --side")?;
            return Ok(Box::new(openings));
        }
        let (empty, cells) = (usize::from(self.empty), self.side.get().pow(2));
        anyhow::ensure!(
            empty <= cells,
            "a board of side {} has {cells} cells, {empty} of them cannot be empty; choose a smaller --empty",
            self.side
        );
        // Making an endgame checks boards with up to twice as many empty cells.
        let looked_at = (2 * empty).min(cells - 1);
        anyhow::ensure!(
            looked_at <= MOST_EMPTY,
            "--empty {empty}: on a board of side {} give 2 to {}",
            self.side,
            MOST_EMPTY / 2
        );
        Ok(Box::new(Endgames {
            side: self.side,
            empty,
            count: self.positions,
            seed: self.seed,
            limit: SOLVER_LIMIT,
        }))
    }

    /// The conditions of the results, if the bot has the network of this name.
    fn conditions(&self, network: &str) -> String {
        let side = self.side;
        let positions = if self.every_reply {
            format!("{side}×{side} from all first moves against every reply")
        } else if self.openings {
            format!("{side}×{side} from all first moves")
        } else {
            format!("{side}×{side} with {} empty cells", self.empty)
        };
        let thinking = match self.thinking() {
            Thinking::PolicyAlone => "the policy alone".to_owned(),
            Thinking::Simulations(count) => format!("{count} simulations a move"),
            Thinking::TurnMs(limit) => format!("{limit} ms a move"),
        };
        let (seed, limit) = (self.seed, SOLVER_LIMIT);
        format!("{positions}, {thinking}, {network}, seed {seed}, solver limit {limit}")
    }
}
