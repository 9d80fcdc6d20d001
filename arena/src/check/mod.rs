//! `hex check`: checks a bot before its upload. This file has the arguments and the order of the
//! checks. `subject` finds or compiles the program, `protocol`, `probe` and `games`
//! test it, `silence` finds out why it is silent, `slow` makes the processor slower, `list` prints
//! the results.

mod conversation;
mod games;
mod list;
mod probe;
mod processes;
mod protocol;
mod silence;
mod size;
pub mod slow;
mod subject;

use crate::codingame;
use crate::journal::Journal;
use crate::judge;
use crate::player::{ArenaPlayer, Failure, Fault, FaultKind, GameStopped};
use crate::process::{self, BotProcess, StopFlag};
use crate::spec::PlayerSpec;
use anyhow::{bail, Context, Result};
use hex_common::interruption::Interruption;
use hex_common::options;
use hex_common::system::{self, ProcessId};
use hex_common::workers::Background;
use hex_core::record::{Move, Side};
use list::{CheckList, Mark};
use slow::SlowProcessor;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use subject::CheckedBot;

/// The range of `--slow`.
const FACTORS: RangeInclusive<f64> = 1.0..=100.0;

/// The range of `--games`.
const GAMES: RangeInclusive<u64> = 0..=1000;

/// The end of `--help`.
const EXAMPLES: &str = "\
Examples:
  hex check ./mybot
  hex check bot.py                               run by python3
  hex check bot.rs --slow 2                      compiled by rustc, on a processor half as fast
  hex check bot.kt --compile 'kotlinc {source} -include-runtime -d {program}'
  hex check 'java -jar bot.jar' --source Player.java

The exit status is 0 if every check passed, notes included, 1 if one failed, and 2 for bad usage.
docs/codingame.md explains every line.";

/// Check a bot before its upload: protocol, time, memory, size
///
/// Takes about a minute and prints a list: ✓ is fine, ! is worth knowing, ✗ would lose games. The
/// bot gets the examples of the statement, odd input, a long game, and 20 games against the
/// built-in bot at the judge's limits. A bot that fails an example plays no games. If an answer was
/// late because this machine stalled, its game is played again. Close other programs nevertheless,
/// because they can make answers late.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A command, with settings as for `hex match`, or a source file: .rs, .cpp, .c, .py, .js, .rb,
    /// or any other with --compile
    #[arg(value_name = "BOT")]
    bot: String,
    /// The command that compiles BOT, a source file, with {source} and {program} in it
    #[arg(long, value_name = "COMMAND", conflicts_with = "source")]
    compile: Option<String>,
    /// The source file of BOT if BOT is a command, to check its size
    #[arg(long, value_name = "FILE")]
    source: Option<PathBuf>,
    /// Play on a processor that is slower by this factor: judges are 1.5 to 4 times slower than
    /// laptops
    #[arg(long, value_name = "FACTOR", value_parser = options::real(FACTORS))]
    slow: Option<f64>,
    /// Games against the built-in bot, after the long game
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = options::whole(GAMES))]
    games: u64,
    /// Games at a time [default: as many as this machine has cores]
    #[arg(long, value_name = "N", default_value_t = options::all_cores(), hide_default_value = true, value_parser = options::whole(options::THREADS))]
    threads: usize,
}

/// The bot under the checks.
struct CheckRun<'a> {
    spec: PlayerSpec,
    slow: Option<SlowProcessor>,
    threads: usize,
    interruption: &'a Interruption,
    list: CheckList,
}

/// Runs the command.
///
/// # Errors
/// If the arguments make no sense, a signal comes, and as a
/// [`Finding`](hex_common::finding::Finding) if a check failed.
pub fn run(args: Args) -> Result<()> {
    let subject = CheckedBot::new(&args.bot, args.source.as_deref(), args.compile.as_deref())?;
    let slow = args.slow.filter(|&factor| factor > 1.0);
    let slow = slow.map(SlowProcessor::new).transpose()?;
    let interruption = Interruption::watch()?;
    process::prepare_for_games(args.threads)?;
    let folder = tempfile::Builder::new().prefix("hex-check-").tempdir();
    let folder = folder.context("cannot make a temporary folder")?;
    let ended = check(&args, &subject, slow, folder.path(), &interruption);
    system::reap_all();
    ended
}

/// Runs all checks.
fn check(
    args: &Args,
    subject: &CheckedBot,
    slow: Option<SlowProcessor>,
    folder: &Path,
    interruption: &Interruption,
) -> Result<()> {
    let mut list = CheckList::default();
    match &subject.source {
        Some(source) => {
            let (mark, found) = size::judge(source);
            list.add(mark, "size of the source", &found)?;
        }
        None => list.add(
            Mark::Note,
            "size of the source",
            "not known; give --source FILE",
        )?,
    }
    let Some(spec) = player(subject, folder, &mut list)? else {
        return list.end();
    };
    let mut run = CheckRun {
        spec,
        slow,
        threads: args.threads,
        interruption,
        list,
    };
    if !run.try_start()? {
        return run.list.end();
    }
    if protocol::try_examples(&mut run)? {
        protocol::try_odd_input(&mut run)?;
        probe::try_winning(&mut run)?;
        games::try_games(&mut run, args.games)?;
    } else {
        run.list
            .leave_out("no game was played: the bot would lose it");
    }
    run.list.end()
}

/// The player, compiled if need be; `None` if it does not compile.
fn player(subject: &CheckedBot, folder: &Path, list: &mut CheckList) -> Result<Option<PlayerSpec>> {
    if subject.compiler.is_none() {
        return subject.player().map(Some);
    }
    match subject.compiled(folder)? {
        Ok(compiled) => {
            let seconds = compiled.time.as_secs_f64();
            let found = format!("by {} in {seconds:.1} s", compiled.compiler);
            list.add(Mark::Good, "compiles", &found)?;
            Ok(Some(compiled.player))
        }
        Err(complaint) => {
            list.add(Mark::Bad, "compiles", &complaint)?;
            Ok(None)
        }
    }
}

impl CheckRun<'_> {
    /// Checks that the program can be started. Reports how it is slowed down.
    fn try_start(&mut self) -> Result<bool> {
        match self.start_process() {
            Ok(_) => {}
            Err(Failure::Stopped(why)) => return self.stopped(why).map(|()| false),
            Err(Failure::Fault(fault)) => {
                self.list.add(Mark::Bad, "starts", &fault.detail)?;
                return Ok(false);
            }
        }
        let found = match &self.slow {
            Some(slow) => format!("on a processor {}", slow.words()),
            None => "yes".to_owned(),
        };
        self.list.add(Mark::Good, "starts", &found)?;
        Ok(true)
    }

    /// The fault in words, with its cause if that can be found out. A fault that was named before
    /// is only referred to.
    ///
    /// # Errors
    /// If the check was interrupted.
    fn named(&mut self, fault: &Fault) -> Result<String> {
        let is_silence = fault.kind == FaultKind::Silence;
        if self.list.is_known(fault) || is_silence && self.list.knows(FaultKind::Silence) {
            return Ok(format!("{}, as above", fault.kind));
        }
        self.list.remember(fault);
        if fault.detail == judge::ONLY_BLUE_SWAPS {
            return Ok(format!(
                "{fault}; the first line has the bot's colour, here red"
            ));
        }
        let answer = fault
            .line
            .as_deref()
            .filter(|_| fault.kind == FaultKind::Illegal);
        let answer = answer.map(|line| codingame::parse_answer(line, Side::CODINGAME));
        // A cell that is illegal is taken.
        if let Some(Ok((Move::Place(_), _))) = answer {
            return match probe::why_taken(self) {
                Ok(Some(why)) => Ok(format!("{fault}; {why}")),
                Ok(None) => Ok(fault.to_string()),
                Err(failure) => self.failed(failure).map(|()| String::new()),
            };
        }
        Ok(fault.to_string())
    }

    /// The flag that ends every wait.
    fn stop(&self) -> &StopFlag {
        self.interruption.flag()
    }

    /// A new bot for a game; `journal` notes its input and output.
    fn start(&self, journal: &Journal) -> Result<Slowed<Box<dyn ArenaPlayer>>, Failure> {
        let stop = self.stop().clone();
        let mut player = self.spec.start(Side::CODINGAME, stop, journal)?;
        let process = player.process();
        self.slowed(player, process)
    }

    /// A new process of the bot.
    fn start_process(&self) -> Result<Slowed<BotProcess>, Failure> {
        let (stop, journal) = (self.stop().clone(), Journal::default());
        let mut bot = self.spec.start_process(stop, &journal)?;
        let process = bot.id();
        self.slowed(bot, process)
    }

    fn slowed<B>(&self, running: B, process: Option<ProcessId>) -> Result<Slowed<B>, Failure> {
        let held = self
            .slow
            .zip(process)
            .map(|(slow, process)| slow.hold(process));
        Ok(Slowed {
            running,
            _stopper: held.transpose()?,
        })
    }

    /// The error of a check that cannot go on.
    fn failed(&self, failure: Failure) -> Result<()> {
        match failure {
            Failure::Stopped(why) => self.stopped(why),
            Failure::Fault(fault) => bail!("the bot does not start again: {fault}"),
        }
    }

    /// The error after a signal, or of the machine.
    fn stopped(&self, why: GameStopped) -> Result<()> {
        Err(why.error(self.interruption, "the check"))
    }
}

/// A bot that runs, slowed down until it has ended if the check has a slow processor. The order of
/// the fields matters: the bot is dropped first.
struct Slowed<B> {
    running: B,
    _stopper: Option<Background<()>>,
}
