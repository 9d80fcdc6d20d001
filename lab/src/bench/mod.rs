//! `hex lab bench`: searches fixed positions with a fixed seed and a fixed number of simulations,
//! and prints the speed and a signature of the results.
//!
//! The signature covers everything that affects a search's result: board, bridges, network,
//! playouts and their random numbers, tree, selection, expansion, proofs, and the reuse of the tree
//! for the next move. All positions are searched with the network, and then without.
//!
//! It does not cover the opening table, the clock and CodinGame's protocol. It is the same in every
//! build, optimised or not, with vector instructions or without: these searches do not depend on
//! time, and their arithmetic is IEEE 754's in a fixed order.

mod signature;

pub use signature::Signature;

use anyhow::{bail, Context};
use hex_common::{input, options};
use hex_core::engine::{network, network_code, Stop, StoppableClock};
use hex_core::record::{move_list, Side};
use hexbot::board::Board;
use hexbot::budget::Budget;
use hexbot::fallback::FallbackEvaluator;
use hexbot::params::Params;
use hexbot::search::Search;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The side of the positions.
const N: usize = 11;

/// The seed of every position's search.
const SEED: u64 = 1;

/// Simulations of each search: enough for deep trees and for proofs, few enough for debug builds.
const SIMULATIONS: u64 = 800;

/// The label of the signature, on the last line of the output and in the recorded file.
const LABEL: &str = "Bench: ";

/// The text of the positions.
const POSITIONS: &str = include_str!("positions.txt");

/// Measure the search's speed, and its signature: a number that changes with its behaviour
///
/// Searches fixed positions one after the other on one thread, with a fixed seed and a fixed number
/// of simulations. The last line, `Bench: N`, is the same on every machine, and changes only when
/// the search behaves differently.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Simulations of each search; another number gives another signature
    #[arg(long, default_value_t = SIMULATIONS, value_parser = options::whole(options::SIMULATIONS))]
    simulations: u64,

    /// Compare the signature with the one in this file, and fail if it differs
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,

    /// Write the signature into this file
    #[arg(long, value_name = "FILE", conflicts_with = "check")]
    record: Option<PathBuf>,
}

/// A position and its name.
#[derive(Clone, Debug)]
pub struct BenchPosition {
    /// Its name in the output.
    pub name: String,
    /// The position.
    pub board: Board<N>,
}

/// The simulations and the time of searches.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    simulations: u64,
    time: Duration,
}

impl Cost {
    fn plus(self, other: Cost) -> Cost {
        Cost {
            simulations: self.simulations + other.simulations,
            time: self.time + other.time,
        }
    }

    /// Simulations, time and speed.
    fn report(self) -> String {
        let (simulations, milliseconds) = (self.simulations, self.time.as_secs_f64() * 1000.0);
        let speed = simulations as f64 / self.time.as_secs_f64().max(f64::MIN_POSITIVE);
        format!("{simulations} simulations in {milliseconds:.1} ms, {speed:.0} a second")
    }
}

/// Runs the bench.
///
/// # Errors
/// If the signature differs from the expected one, or a file cannot be read or written.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let expected = args.check.as_deref().map(recorded).transpose()?;
    let mut output = std::io::stdout().lock();
    let (mut signature, mut total) = (Signature::new(), Cost::default());
    let positions = positions()?;
    writeln!(output, "network    {}", network_code())?;
    for position in &positions {
        let params = Params::default();
        let cost = think(&position.board, args.simulations, &params, &mut signature);
        total = total.plus(cost);
        writeln!(output, "{:10} {}", position.name, cost.report())?;
        output.flush()?;
    }
    writeln!(output, "all        {}", total.report())?;
    let params = Params::playouts_only();
    let costs = positions
        .iter()
        .map(|position| think(&position.board, args.simulations, &params, &mut signature));
    let by_playouts = costs.fold(Cost::default(), Cost::plus);
    writeln!(output, "playouts   {}", by_playouts.report())?;
    let found = signature.number();
    writeln!(output, "{LABEL}{found}")?;
    if let Some(path) = &args.record {
        let text = format!("{LABEL}{found}\n");
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    match (expected, args.check) {
        (Some(expected), Some(path)) if expected != found => {
            let path = path.display();
            bail!(
                "the signature is {found}, but {path} has {expected}: the search behaves \
                 differently. If you intend that, prove that it plays better and record the new \
                 signature with `hex lab bench --record {path}`"
            )
        }
        _ => Ok(()),
    }
}

/// The positions of the bench.
///
/// # Errors
/// If their text is malformed. The error names the position.
pub fn positions() -> anyhow::Result<Vec<BenchPosition>> {
    let lines = POSITIONS.lines().filter(|line| !line.starts_with('#'));
    lines.map(position).collect()
}

fn position(line: &str) -> anyhow::Result<BenchPosition> {
    let (name, moves) = line
        .split_once(':')
        .with_context(|| format!("a name and a colon are missing: {line:?}"))?;
    let game = move_list::parse(moves, Side::CODINGAME).with_context(|| name.to_owned())?;
    Ok(BenchPosition {
        name: name.to_owned(),
        board: game.position().on(),
    })
}

/// Searches a position, and then, with the same tree, the position two moves later. Adds both
/// searches to the signature.
fn think(board: &Board<N>, simulations: u64, params: &Params, signature: &mut Signature) -> Cost {
    let rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut search = Search::new(
        *params,
        FallbackEvaluator::new(params, rng, network(Side::CODINGAME)),
    );
    let mut board = board.clone();
    let mut cost = Cost::default();
    // The engine's own clock type, so that the search is not compiled for another one.
    let clock = StoppableClock::start(&Stop::never());
    for _ in 0..2 {
        let mut budget = Budget::simulations(&clock, simulations);
        let Some(analysis) = search.think(&board, &mut budget) else {
            break;
        };
        signature.add_search(&analysis, search.root_node());
        cost = cost.plus(Cost {
            simulations: analysis.simulations,
            time: analysis.elapsed,
        });
        for &cell in analysis.principal_variation.iter().take(2) {
            // The principal variation may end with a win on the board.
            if board.try_play(cell).is_err() {
                break;
            }
        }
    }
    cost
}

/// The signature in a file, from the last line with the label.
fn recorded(path: &Path) -> anyhow::Result<u32> {
    let name = path.display();
    let text = input::read_text(path).with_context(|| format!("cannot read {name}"))?;
    let cure = format!("record one with `hex lab bench --record {name}`");
    let line = text.lines().rev().find(|line| line.starts_with(LABEL));
    let line = line.with_context(|| format!("{name} has no line `{LABEL}N`; {cure}"))?;
    let number = line[LABEL.len()..].trim();
    number.parse().with_context(|| {
        format!("{name}: {number:?} is not a signature, a whole number below 2^32; {cure}")
    })
}
