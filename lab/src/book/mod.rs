//! `hex lab book`: chooses an opening book from a study, and writes it as the file that
//! [`hexbot::book`] reads. [`study`] reads the study, [`bot`] searches and keeps the results,
//! [`answers`] looks for what the book could say, and [`choice`] chooses and encodes.

pub mod study;
pub mod bot;
pub mod answers;
pub mod choice;

use answers::{candidates, Roots};
use anyhow::Context;
use bot::BookBot;
use choice::{choose, encoded, ANSWER_BYTES};
use hex_common::options;
use hex_common::weights_file::{NamedNetwork, NetworkChoice};
use hex_core::record::{counted, Side};
use std::io::Write;
use std::path::PathBuf;
use study::Study;

/// Choose an opening book from a study by a stronger network
///
/// The book answers positions of the study that come up often and in which the bot's own move loses
/// much. The bot searches without a book. The study is text, also gzipped, with a line for each
/// position: `MOVES TAB RATE TAB CELL:PRIOR:RATE …`, in thousandths. Rates are Red's win
/// probabilities; that of a move may be empty. The book's answers have two bytes each.
///
/// The searches are kept in FILE.searches until the book is written, so the command can be stopped
/// and continues where it was. `--out src/small.book` or `src/large.book` replaces a book of the
/// bot, which then has to be built again.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The study
    #[arg(value_name = "STUDY")]
    study: PathBuf,

    /// Write the book into this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// The most bytes of the book
    #[arg(long, default_value_t = 1000, value_parser = options::whole(ANSWER_BYTES..=1_000_000))]
    bytes: usize,

    /// Leave out positions that come up in a smaller share of games
    #[arg(long, default_value_t = 2e-4, value_name = "SHARE", value_parser = options::real(options::SHARE))]
    least_reach: f64,

    /// Simulations a search
    #[arg(long, default_value_t = 2458, value_parser = options::whole(options::SIMULATIONS))]
    simulations: u64,

    /// Simulations after one or two stones, where the bot has the time of its first answer
    #[arg(long, default_value_t = 14_000, value_name = "SIMULATIONS", value_parser = options::whole(options::SIMULATIONS))]
    early_simulations: u64,

    #[command(flatten)]
    network: NetworkChoice,

    /// Positions at the same time [default: the number of cores]
    #[arg(long, value_name = "NUMBER", default_value_t = options::all_cores(), hide_default_value = true, value_parser = options::whole(options::THREADS))]
    threads: usize,
}

/// Searches, chooses and writes the book.
///
/// # Errors
/// If the study cannot be read, a file cannot be written, or the kept searches have other
/// conditions.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let NamedNetwork { network, name } = args.network.read(Side::CODINGAME)?;
    let study = Study::read(&args.study)?;
    let simulations = [args.early_simulations, args.simulations];
    let bot = BookBot::open(&args.out, simulations, network, &name)?;
    let search = |moves: &_| bot.search(moves);
    let found = candidates(&study, &Roots::MET, args.least_reach, args.threads, search)?;
    let possible: f64 = found.iter().map(|answer| answer.gain).sum();
    let chosen = choose(found, args.bytes / ANSWER_BYTES);
    let gain: f64 = chosen.iter().map(|answer| answer.gain).sum();
    let out = args.out.display();
    let book = encoded(&chosen);
    std::fs::write(&args.out, &book).with_context(|| format!("cannot write {out}"))?;
    bot.forget()?;
    Ok(writeln!(
        std::io::stdout(),
        "{out}: {}, {} bytes, {:.2} of {:.2} % of win rate a game",
        counted(chosen.len(), "answer"),
        book.len(),
        100.0 * gain,
        100.0 * possible
    )?)
}
