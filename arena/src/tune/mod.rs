//! `hex tune`: finds good values for several numbers of a bot at once, by pairs of games against
//! the current values.

pub mod games;
pub mod log;
pub mod model;
mod page;
pub mod parameter;
pub(crate) mod report;

use crate::game_options::GameOptions;
use crate::process;
use crate::programs::{self, OnProgramChange, ProgramFile, Programs};
use crate::runner::{self, Next, ResumableRun};
use anyhow::{bail, Context, Result};
use games::{TunedPairs, Tuning, TRIED};
use hex_common::append_log::games as game_log;
use hex_common::options;
use hex_common::progress::Progress;
use hex_common::report_page;
use log::{TuneHeader, TuneLog, TunedPair};
use parameter::Parameter;
use report::TuneReport;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The log's name in the folder.
const LOG: &str = "pairs.jsonl";

/// The range of `--games`.
const GAMES: RangeInclusive<u64> = 2..=1_000_000;

/// The most parameters; the surface has a term for each pair of them.
const MOST_PARAMETERS: usize = 10;

/// How many sets of values between the ends of the ranges are checked before the games.
const VALUES_CHECKED: usize = 100;

/// If all games of this many pairs in a row were lost by faults, the player cannot play.
const FAULTY_PAIRS: usize = 4;

/// The message after Ctrl-C.
const UNFINISHED: &str = "stopped before all pairs were played; the same command with --resume \
                          goes on";

/// The end of `--help`, where clap would turn `{n}` into a line break.
const EXAMPLES: &str = "\
Examples:
  hex tune 'builtin:simulations=1000,c-puct={c},fpu-reduction={f}' \\
      --vary c=0.6..1.2..2.4 --vary f=0..0.4..0.8 --games 4000 --threads 2 --out results/tune
  hex tune './bot --samples {s}' --vary s=2..8..32:whole --games 2000

docs/arena.md explains the numbers.";

/// Find good values for several numbers of a bot at once
///
/// In each pair of games, one opening with both colours, the bot with new values plays against the
/// bot with its current ones. The command fits a quadratic surface to the results, and draws the
/// next values where the surface may be highest. At the end it prints the best values and their
/// expected gain, which a `hex match` has to confirm.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The player as for hex match, with {NAME} in place of each value
    player: String,
    /// A number to vary: its least, current and largest value; :whole for whole numbers
    ///
    /// A range that ends at values some 50 Elo worse than the best is wide enough.
    #[arg(long, required = true, value_name = "NAME=FROM..NOW..TO[:whole]")]
    vary: Vec<Parameter>,
    /// Games in all, an even number, including those in the folder already
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = options::whole(GAMES))]
    games: u64,
    /// Games at a time [default: one less than this machine has cores]
    #[arg(long, value_name = "N", default_value_t = options::all_but_one(), hide_default_value = true, value_parser = options::whole(options::THREADS))]
    threads: usize,
    /// The folder for the log and the reports
    #[arg(long, value_name = "FOLDER", default_value = "results/tune")]
    out: PathBuf,
    /// Continue the tuning in the folder
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    game: GameOptions,
}

/// Runs the command.
///
/// # Errors
/// If the arguments contradict each other, the player cannot be started or the folder cannot be
/// used.
pub fn run(args: Args) -> Result<()> {
    let tuning = args.tuning()?;
    process::prepare_for_games(args.threads)?;
    check(&tuning)?;
    let player = tuning.player(TRIED, &tuning.now())?;
    let programs = Programs::read([player.files()], OnProgramChange::End);
    let header = args.header(&tuning, programs.of(0));
    let (_lock, mut log, pairs) = TuneLog::open_in(&args.out, LOG, &header, args.resume)?;
    let total = args.games / 2;
    if (pairs.len() as u64) < total {
        let logged = &log.header().programs;
        programs::check_unchanged(&tuning.text, logged, &header.programs)?;
    }
    let run = ResumableRun::begin(UNFINISHED)?;
    let mut progress = Progress::new("pairs", total, pairs.len() as u64);
    let mut wins = report::wins(&pairs);
    let done = pairs.iter().map(|pair| pair.id).collect();
    let missing = runner::missing(0..total, done);
    let schedule = TunedPairs::new(&tuning, &programs, pairs);
    let receive = |pair: TunedPair| {
        log.append(&pair)?;
        wins += u64::from(pair.wins);
        schedule.add(pair);
        let pairs = schedule.finished();
        progress.update(pairs.len() as u64, report::score_text(wins, pairs.len()));
        check_faults(&pairs).map(|()| Next::GoOn)
    };
    let played = run.play(|stop| runner::run(&schedule, missing, args.threads, stop, receive));
    progress.finish();
    played?;
    let pairs = schedule.finished();
    write_reports(&args.out, &tuning, &pairs)?;
    programs.check(2 * pairs.len() as u64)?;
    run.end(pairs.len() as u64 >= total)
}

/// Checks that the player can be started with the current values and with those at the ends of the
/// ranges, and that it accepts values in between.
fn check(tuning: &Tuning) -> Result<()> {
    let end = |end: fn(&RangeInclusive<f64>) -> &f64| -> Vec<f64> {
        let parameters = tuning.parameters.iter();
        parameters
            .map(|parameter| *end(parameter.range()))
            .collect()
    };
    let ends = [RangeInclusive::start, RangeInclusive::end].map(end);
    for values in [&tuning.now(), &ends[0], &ends[1]] {
        let player = tuning.player(TRIED, values)?;
        let startable = player.check(tuning.openings.side());
        startable.with_context(|| format!("player {:?}", tuning.text_with(values)))?;
    }
    for values in tuning.values_within(VALUES_CHECKED) {
        let player = tuning.player(TRIED, &values);
        player.context("a value between the ends; whole numbers need :whole behind the range")?;
    }
    Ok(())
}

/// Checks that at least one game of the last pairs was not lost by a fault.
///
/// # Errors
/// If all were: names the last fault.
fn check_faults(pairs: &[TunedPair]) -> Result<()> {
    let mut last = pairs.iter().rev().take(FAULTY_PAIRS);
    if pairs.len() < FAULTY_PAIRS || !last.all(|pair| pair.faults.len() == 2) {
        return Ok(());
    }
    let fault = &pairs[pairs.len() - 1].faults[0];
    bail!(
        "the last {} games were all lost by faults ({fault}): fix the player and start again with \
         another --out",
        2 * FAULTY_PAIRS
    );
}

/// Prints and writes the reports.
fn write_reports(folder: &Path, tuning: &Tuning, pairs: &[TunedPair]) -> Result<()> {
    let report = TuneReport::new(tuning, pairs);
    let text = report.text();
    // The files are written even if the output is closed.
    let printed = std::io::stdout().write_all(text.as_bytes());
    report_page::write(folder, &text, &page::page(&report, &text))?;
    Ok(printed?)
}

impl Args {
    fn tuning(&self) -> Result<Tuning> {
        if self.games % 2 == 1 {
            bail!(
                "--games {}: give an even number, openings are played twice",
                self.games
            );
        }
        let count = self.vary.len();
        if count > MOST_PARAMETERS {
            bail!("--vary is given {count} times: give it at most {MOST_PARAMETERS} times");
        }
        for (index, parameter) in self.vary.iter().enumerate() {
            let (name, placeholder) = (&parameter.name, parameter.placeholder());
            if self.vary[..index].iter().any(|other| other.name == *name) {
                bail!("--vary {name} is given twice: give it once");
            }
            if !self.player.contains(&placeholder) {
                let player = &self.player;
                bail!("--vary {name}: write {placeholder} in place of its value in {player:?}");
            }
        }
        Ok(Tuning {
            text: self.player.clone(),
            parameters: self.vary.clone(),
            openings: self.game.openings()?,
            limits: self.game.limits(),
            seed: self.game.seed,
            arguments: self.game.arguments(),
        })
    }

    fn header(&self, tuning: &Tuning, programs: Vec<ProgramFile>) -> TuneHeader {
        TuneHeader {
            format: game_log::FORMAT,
            player: self.player.clone(),
            vary: self.vary.iter().map(Parameter::to_string).collect(),
            side: self.game.side.get(),
            openings: tuning.openings.identity(&self.game.openings),
            seed: self.game.seed,
            first_ms: self.game.first_ms,
            turn_ms: self.game.turn_ms,
            programs,
        }
    }
}
