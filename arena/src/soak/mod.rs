//! `hex soak`: thousands of games of one bot against itself at the judge's time limits, on a busy
//! machine and with the bot stopped at random moments. It shows how often answers are late, and
//! why. This file has the arguments and the run. [`staller`] stops bots, [`game`] plays and watches
//! a game, [`waiting`] measures how long a bot waited for a processor, [`log`] keeps the games,
//! [`report`] has the figures, `page` the charts.

pub mod game;
pub(crate) mod log;
mod page;
pub(crate) mod report;
pub mod staller;
pub mod waiting;

use crate::game_options::GameOptions;
use crate::noise::NoiseWatch;
use crate::player::GameStopped;
use crate::process::{self, StopFlag};
use crate::programs::{self, OnProgramChange, Programs};
use crate::runner::{self, GameSchedule, Next, ResumableRun};
use crate::spec::PlayerSpec;
use anyhow::{bail, Context, Result};
use game::{Setting, SoakGame};
use hex_common::append_log::games;
use hex_common::options;
use hex_common::progress::Progress;
use hex_common::report_page;
use hex_common::system::{self, MachineError};
use log::{SoakHeader, SoakLog};
use report::{LateAnswers, SoakReport};
use staller::Stalls;
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The log's name in the folder.
const LOG: &str = "soak.jsonl";

/// The players of a game: the bot against itself.
const BOT_ALONE: [usize; 2] = [0, 0];

/// The message after Ctrl-C.
const UNFINISHED: &str = "stopped; the same command with --resume goes on";

/// The range of `--stalls`, a second.
const RATES: RangeInclusive<f64> = 0.0..=100.0;

/// The range of `--stall-ms`.
const STALL_MS: RangeInclusive<u64> = 1..=60_000;

/// The end of `--help`.
const EXAMPLES: &str = "\
Examples:
  hex soak --games 3000                          the upload's binary, as ./bundle.sh leaves it
  hex soak ./bot --stalls 1 --stall-ms 5..150    stopped once a second on average, for 5 to 150 ms
  hex soak --games 3000 --resume                 goes on after a stop, a crash or a power cut

docs/arena.md explains the tables.";

/// Stop a bot at random while it plays, and explain late answers.
///
/// The limits are of wall-clock time, like the judge's. The cause of a late answer is a stall of
/// the test, the machine (the bot waited too long for a processor, or a thread that only sleeps was
/// woken late meanwhile), or else the bot.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The bot, a command that speaks CodinGame's protocol
    #[arg(default_value = "target/bundle", value_name = "COMMAND")]
    bot: String,
    /// Games in all, including those in the folder already
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = options::whole(options::COUNT))]
    games: u64,
    /// Games at a time [default: the number of cores, to keep all of them busy]
    #[arg(long, value_name = "N", default_value_t = options::all_cores(), hide_default_value = true, value_parser = options::whole(options::THREADS))]
    threads: usize,
    /// The folder for the log and the reports
    #[arg(long, value_name = "FOLDER", default_value = "results/soak")]
    out: PathBuf,
    /// Continue the run in the folder
    #[arg(long)]
    resume: bool,
    /// How often each bot is stopped on average, in times a second; 0 for never
    #[arg(long, value_name = "RATE", default_value_t = 0.2, value_parser = options::real(RATES))]
    stalls: f64,
    /// How long it is stopped, from the shortest to the longest, in milliseconds
    #[arg(long, value_name = "MIN..MAX", default_value = "1..60", value_parser = span)]
    stall_ms: (u64, u64),
    #[command(flatten)]
    game: GameOptions,
}

fn span(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once("..");
    match parts.map(|(least, most)| (least.parse(), most.parse())) {
        Some((Ok(least), Ok(most)))
            if least <= most && STALL_MS.contains(&least) && STALL_MS.contains(&most) =>
        {
            Ok((least, most))
        }
        _ => Err(format!(
            "{text:?} is not a range such as 1..60, within {} to {}",
            STALL_MS.start(),
            STALL_MS.end()
        )),
    }
}

/// Runs the command.
///
/// # Errors
/// If the bot cannot be started or the folder cannot be used.
pub fn run(args: Args) -> Result<()> {
    if args.stalls > 0.0 {
        system::check_stalls().context("--stalls: this system needs 0")?;
    }
    let setting = args.setting()?;
    let header = args.header(&setting);
    process::prepare_for_games(args.threads)?;
    let startable = setting.bot.check(setting.openings.side());
    startable.with_context(|| format!("{:?}; ./bundle.sh builds the upload's", args.bot))?;
    let (_lock, mut log, mut games) = SoakLog::open_in(&args.out, LOG, &header, args.resume)?;
    if (games.len() as u64) < args.games {
        let (logged, now) = (&log.header().programs, &header.programs);
        programs::check_unchanged(&setting.bot.name, logged, now)?;
    }
    let run = ResumableRun::begin(UNFINISHED)?;
    run.play(|stop| play(&args, &setting, stop, &mut games, &mut log))?;
    let text = write_reports(&args.out, &header, &games)?;
    std::io::stdout().write_all(text.as_bytes())?;
    setting.programs.check(games.len() as u64)?;
    run.end(games.len() as u64 >= args.games)
}

/// Plays the missing games and logs each as it ends.
fn play(
    args: &Args,
    setting: &Setting,
    stop: &StopFlag,
    games: &mut Vec<SoakGame>,
    log: &mut SoakLog,
) -> Result<()> {
    let schedule = WatchedSoak {
        setting,
        watch: NoiseWatch::start()?,
    };
    let done = games.iter().map(|game| game.line.id).collect();
    let missing = runner::missing(0..args.games, done);
    let mut progress = Progress::new("games", args.games, games.len() as u64);
    // Not a whole report after each game, which would take time from the bots.
    let mut late = LateAnswers::default();
    games.iter().for_each(|game| late.add(game));
    let played = runner::run(&schedule, missing, args.threads, stop, |game| {
        log.append(&game)?;
        late.add(&game);
        games.push(game);
        progress.update(games.len() as u64, late.to_string());
        Ok(Next::GoOn)
    });
    progress.finish();
    played
}

/// The games of a run, with a watch for stalls of the machine.
struct WatchedSoak<'a> {
    setting: &'a Setting,
    watch: NoiseWatch,
}

impl GameSchedule for WatchedSoak<'_> {
    type Played = SoakGame;

    fn allows(&self, _id: u64) -> Result<bool, MachineError> {
        self.setting.programs.allow(BOT_ALONE)
    }

    fn play(&self, id: u64, stop: &StopFlag) -> Result<SoakGame, GameStopped> {
        game::play(self.setting, id, stop, &self.watch)
    }
}

/// Writes the reports and returns the one for the terminal.
fn write_reports(folder: &Path, header: &SoakHeader, games: &[SoakGame]) -> Result<String> {
    let report = SoakReport::new(games);
    let text = report.text();
    let page = page::page(header, &report, &text);
    report_page::write(folder, &text, &page)?;
    Ok(text)
}

impl Args {
    fn setting(&self) -> Result<Setting> {
        let bot = PlayerSpec::parse(&self.bot, self.game.limits())?;
        if !bot.is_codingame() {
            bail!(
                "{:?}: give a command that speaks CodinGame's protocol",
                self.bot
            );
        }
        Ok(Setting {
            openings: self.game.openings()?,
            stalls: Stalls {
                rate: self.stalls,
                shortest: Duration::from_millis(self.stall_ms.0),
                longest: Duration::from_millis(self.stall_ms.1),
                seed: self.game.seed,
            },
            programs: Programs::read([bot.files()], OnProgramChange::End),
            bot,
        })
    }

    fn header(&self, setting: &Setting) -> SoakHeader {
        SoakHeader {
            format: games::FORMAT,
            bot: setting.bot.text.clone(),
            side: self.game.side.get(),
            openings: setting.openings.identity(&self.game.openings),
            seed: self.game.seed,
            first_ms: setting.bot.limits.first.as_millis() as u64,
            turn_ms: setting.bot.limits.turn.as_millis() as u64,
            stalls: self.stalls,
            stall_ms: self.stall_ms,
            programs: setting.programs.of(0),
        }
    }
}
