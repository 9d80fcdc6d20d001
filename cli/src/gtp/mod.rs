//! `hex gtp`: the bot as a GTP engine, for HexGui and the tools of benzene and GoGui. This file has
//! the arguments and the loop. [`protocol`] has the form of commands and responses, [`commands`]
//! carries commands out, [`session`], [`game`] and [`time_control`] hold the state, and
//! [`graphics`] writes HexGui's drawings.

pub mod commands;
pub mod game;
pub(crate) mod graphics;
pub mod protocol;
pub mod session;
pub(crate) mod time_control;

use anyhow::Context as _;
use game::SwapRule;
use hex_common::input::{Lines, WithoutByteOrderMark};
use hex_common::options;
use hex_common::weights_file;
use hex_common::workers::beside;
use hex_core::engine::strength::Level;
use hex_core::engine::threads::THREADS;
use hex_core::engine::{Effort, Networks, StopSign, SIDES};
use hex_core::record::Side;
use protocol::{LineKind, Request, Response};
use session::{Context, GtpSession, GtpSettings};
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

/// Run the bot as a GTP engine, for HexGui and other controllers
///
/// Black is Red: it moves first and joins top and bottom. A search ends early when the result is
/// certain or the controller sends a line `# interrupt`. `list_commands` lists the commands;
/// docs/protocols.md describes them.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Side of the board until the controller sets it
    #[arg(long, default_value = "11", value_parser = options::side(SIDES))]
    side: Side,

    /// Seconds to search for a move
    #[arg(long, default_value = "5", value_name = "SECONDS", value_parser = options::seconds(options::THINKING_SECONDS))]
    time: Duration,

    /// Search with this many simulations a move instead of by time
    #[arg(long, value_name = "COUNT", value_parser = options::whole(options::SIMULATIONS))]
    simulations: Option<u64>,

    /// Strength, 1 (beginner) to 10 (full); each step is 130 to 230 Elo
    #[arg(long, default_value = "10")]
    level: Level,

    /// The meaning of a swap
    #[arg(long, value_enum, default_value_t = SwapRule::Pieces)]
    swap: SwapRule,

    /// Seed of all random numbers; the last one counts
    #[arg(
        long,
        default_value_t = 1,
        overrides_with = "seed",
        value_parser = options::whole(options::SEEDS)
    )]
    seed: u64,

    /// Has no effect; benzene's tournament scripts pass it to every engine
    #[arg(long, value_name = "FILE", overrides_with = "logfile_name")]
    logfile_name: Option<PathBuf>,

    /// Play with the network in this file instead of the shipped one
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,

    /// Threads that search each move together
    ///
    /// One thread plays the same moves for the same seed and simulations; several do not.
    #[arg(long, default_value = "1", value_name = "N", value_parser = options::whole(THREADS))]
    threads: usize,

    /// Also search while the opponent thinks, at level 10
    #[arg(long)]
    ponder: bool,
}

/// Answers commands from standard input until its end or `quit`.
///
/// # Errors
/// If the engine does not play on such a board, the output is closed, or the input is unreadable.
pub fn run(args: Args) -> anyhow::Result<()> {
    let settings = GtpSettings {
        effort: match args.simulations {
            Some(count) => Effort::Simulations(count),
            None => Effort::Time(args.time),
        },
        level: args.level,
        swap: args.swap,
        seed: args.seed,
        live: false,
        networks: match &args.weights {
            Some(path) => Networks::Single(weights_file::read(path)?),
            None => Networks::Shipped,
        },
        threads: args.threads,
        ponder: args.ponder,
    };
    let session =
        GtpSession::new(args.side, settings).map_err(|failure| anyhow::anyhow!("{}", failure.0))?;
    // Another thread reads standard input, so its lock cannot be taken here.
    let input = WithoutByteOrderMark::new(std::io::BufReader::new(std::io::stdin()));
    serve(session, input, &mut std::io::stdout().lock())
}

/// A command with its number, from 1, or what ends the input before its time.
type Numbered = anyhow::Result<(u64, Request)>;

/// Answers the commands of `input` one after the other. Another thread reads them, so that an
/// interruption arrives while a command runs; it stops the commands before it. Between commands the
/// session may ponder, until the next one has been read.
///
/// # Errors
/// If the output is closed, the thread cannot be started, or the input cannot be read, such as a
/// line of more than [`hex_common::input::MAX_FILE`] bytes. Earlier commands are answered then.
pub fn serve(
    mut session: GtpSession,
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let signs = Signs::default();
    let (sender, receiver) = mpsc::channel();
    let reader_signs = signs.clone();
    beside(move || read_commands(input, &reader_signs, &sender))?;
    for read in receiver {
        let (number, request) = read?;
        let mut written = Ok(());
        let mut show = |text: &str| {
            let result = output.write_all(text.as_bytes());
            written = result.and_then(|()| output.flush());
        };
        let mut context = Context {
            stop: signs.interrupted.for_task(number),
            show: &mut show,
        };
        let response = Response {
            id: request.id,
            result: commands::execute(&mut session, &request, &mut context),
        };
        show(&response.to_string());
        written.context("cannot write to the controller")?;
        if request.name == "quit" && response.result.is_ok() {
            break;
        }
        session.ponder(signs.followed.for_task(number));
    }
    Ok(())
}

/// The reader's signals to commands, by their numbers.
#[derive(Clone, Debug, Default)]
struct Signs {
    /// Stops the commands that the controller interrupts.
    interrupted: StopSign,
    /// Stops pondering after commands that another one, or the end of the input, follows.
    followed: StopSign,
}

/// Reads lines until the input ends or the receiver is closed.
fn read_commands(input: impl BufRead + 'static, signs: &Signs, commands: &mpsc::Sender<Numbered>) {
    let mut lines = Lines::new("standard input", Box::new(input));
    let mut number = 0;
    while let Some(line) = lines.next_line().transpose() {
        let line = match line {
            Ok(line) => line,
            Err(error) => {
                // If the receiver is closed, nobody waits for an error.
                let _ = commands.send(Err(error));
                break;
            }
        };
        match protocol::parse(&line.text) {
            LineKind::Nothing => {}
            LineKind::Interrupt => signs.interrupted.stop_up_to(number),
            LineKind::Command(request) => {
                signs.followed.stop_up_to(number);
                number += 1;
                if commands.send(Ok((number, request))).is_err() {
                    break;
                }
            }
        }
    }
    signs.followed.stop_up_to(u64::MAX);
}
