//! `hex match`: games between bots until one can say, with an error, which is stronger.

mod html;
pub mod log;
mod mute;
mod names;
mod progress;
mod records;
mod report;
mod runner;
pub mod schedule;
pub mod tally;

use crate::append_log::games;
use crate::arena::game_options::GameOptions;
use crate::arena::noise::{self, NoiseWatch};
use crate::arena::player::Limits;
use crate::arena::process::StopFlag;
use crate::arena::reaper;
use crate::arena::scoresheet::GameLine;
use crate::arena::spec::{self, PlayerSettings, PlayerSpec};
use crate::aside::tell_line;
use crate::interruption::Interruption;
use crate::options;
use crate::report_page;
use crate::stats::sprt::Sprt;
use anyhow::{bail, Context, Result};
use log::{MatchHeader, MatchLog, PlayerLine};
use progress::MatchProgress;
use runner::{Match, Next};
use schedule::{Schedule, ScheduleKind};
use std::collections::HashSet;
use std::io::Write;
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tally::Tally;

/// Games of each pairing unless --games says otherwise.
const DEFAULT_GAMES: u64 = 100;

/// The most games of a pairing when a test decides how many there are.
const SPRT_GAMES: u64 = 40_000;

/// How many games of a pairing may be asked for.
const GAMES: RangeInclusive<u64> = 2..=1_000_000;

/// How often a test may be wrong. At less it would hardly ever end, at more it would say nothing.
const ERROR_RATES: RangeInclusive<f64> = 0.000_001..=0.499;

/// What a test may compare, in Elo.
const ELO: RangeInclusive<f64> = -2_000.0..=2_000.0;

/// How long the clocks are probed before a match.
const PROBE: Duration = Duration::from_millis(200);

/// A match is over when so many rounds, and as many as there are openings, bring nothing but games
/// that repeat earlier ones. Many, as players with a little chance repeat some by chance.
const IDLE_ROUNDS: u64 = 50;

/// What is said after Ctrl-C.
const UNFINISHED: &str =
    "stopped before the match was over; the same command with --resume goes on";

/// What `--help` ends with.
const EXAMPLES: &str = "\
Examples:
  hex match ./new ./old --sprt 0,10              is the new bot better? stop when it is known
  hex match ./bot 'builtin:simulations=5000 ;; name=small' --games 400 --threads 2 --out results/a
  hex match ./bot 'gtp:mohex --quiet ;; move-ms=1000 ;; param_mohex num_threads 1'
  hex match --players players.toml --schedule gauntlet --games 200

docs/arena.md tells what the numbers mean.";

/// Play bots against each other and say which is stronger, and how sure that is.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The players, two or more
    ///
    /// "COMMAND" speaks CodinGame's protocol, "gtp:COMMAND" speaks GTP, "builtin:KNOB=VALUE,..." is
    /// our bot, "@NAME" is a player of the file given by --players. Settings may follow: "COMMAND
    /// ;; name=NAME ;; first-ms=N ;; turn-ms=N", and lines to send to a GTP engine.
    #[arg(value_name = "PLAYER", required_unless_present = "roster")]
    players: Vec<String>,
    /// A TOML file of players; without PLAYER arguments all of them play
    #[arg(long = "players", value_name = "FILE")]
    roster: Option<PathBuf>,
    /// Games of each pairing, an even number [default: 100, or with --sprt at most 40,000]
    #[arg(long, value_name = "N", value_parser = options::whole(GAMES))]
    games: Option<u64>,
    /// Play only these pairs of games, numbered from 0, TO not included
    ///
    /// So several machines can share a match: games 2N and 2N + 1 are pair N.
    #[arg(long, value_name = "FROM..TO", value_parser = options::span)]
    only_pairs: Option<Range<u64>>,
    /// Games at a time [default: one less than this machine has cores]
    #[arg(long, value_name = "N", value_parser = options::whole(options::THREADS))]
    threads: Option<usize>,
    /// The folder for the log and the reports [default: results/A-vs-B]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Go on with the match that is in the folder
    #[arg(long)]
    resume: bool,
    /// Go on with it, and first play those games again that a stall of the machine has decided
    #[arg(long)]
    replay_stalled: bool,
    /// End the report with the text in this file, such as what clock noise other machines had
    #[arg(long, value_name = "FILE")]
    note: Option<PathBuf>,
    #[command(flatten)]
    game: GameOptions,
    /// Stop as soon as it is known whether the first player is ELO0 or ELO1 stronger, "0,10"
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// How often the test may find a difference that is not there
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = options::real(ERROR_RATES))]
    alpha: f64,
    /// How often the test may miss a difference that is there
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = options::real(ERROR_RATES))]
    beta: f64,
    /// Who plays whom when there are more than two players
    #[arg(long, value_enum, default_value_t = ScheduleKind::RoundRobin)]
    schedule: ScheduleKind,
}

/// Runs the command.
///
/// # Errors
/// If the arguments make no sense or the folder cannot be used.
pub fn run(args: Args) -> Result<()> {
    let plan = args.plan()?;
    reaper::adopt_orphans();
    for player in &plan.players {
        let startable = player.check(plan.openings.side());
        startable.with_context(|| format!("player {:?}", player.name))?;
    }
    let header = args.header(&plan);
    let folder = args.folder(&plan);
    let resume = args.resume || args.replay_stalled;
    let note = args.note()?;
    records::check_folder(&folder)?;
    let (_lock, log, lines) = MatchLog::in_folder(&folder, games::MATCH_LOG, &header, resume)?;
    records::make_folder(&folder)?;
    let interruption = Interruption::watch()?;
    let names: Vec<String> = plan.players.iter().map(|p| p.name.clone()).collect();
    let mut session = MatchRun {
        header,
        names: names::short(&names),
        tally: tally_of(&plan, &lines),
        plan,
        folder,
        log,
        lines,
    };
    let replays = match args.replay_stalled {
        true => session.stalled(),
        false => HashSet::new(),
    };
    let noise = session.play(&replays, args.threads(), interruption.flag())?;
    session.finish(&(noise.map(|noise| noise + "\n").unwrap_or_default() + &note))?;
    let is_done = session.is_over() && (replays.is_empty() || session.stalled().is_empty());
    match interruption.error(UNFINISHED) {
        Some(interrupted) if !is_done => Err(interrupted.into()),
        _ => Ok(()),
    }
}

/// A match being played.
struct MatchRun {
    header: MatchHeader,
    plan: Match,
    /// The players' names, short enough for tables.
    names: Vec<String>,
    folder: PathBuf,
    log: MatchLog,
    /// The finished games, in the order of their ends.
    lines: Vec<GameLine>,
    tally: Tally,
}

impl MatchRun {
    /// The games that a stall of the machine has decided.
    fn stalled(&self) -> HashSet<u64> {
        let stalled = self.lines.iter().filter(|line| line.stalled_ms.is_some());
        stalled.map(|line| line.id).collect()
    }

    /// Plays `replays` again, then what is missing; says how honest the clocks were, if anything
    /// was played.
    fn play(
        &mut self,
        replays: &HashSet<u64>,
        threads: usize,
        stop: &StopFlag,
    ) -> Result<Option<String>> {
        if replays.is_empty() && self.is_over() {
            return Ok(None);
        }
        let before = noise::probe(threads, PROBE);
        if before.is_doubtful() {
            tell_line(format_args!(
                "warning: other programs take time on this machine, answers may seem late; {}",
                report::noise_text(before, None)
            ));
        }
        let watch = NoiseWatch::start();
        if !replays.is_empty() {
            let others = self.plan.games.clone().filter(|id| !replays.contains(id));
            self.play_all_but(&others.collect(), Until::All, threads, (stop, &watch))?;
        }
        if !self.is_over() {
            let done = self.lines.iter().map(|line| line.id).collect();
            self.play_all_but(&done, Until::Decided, threads, (stop, &watch))?;
        }
        Ok(Some(report::noise_text(before, watch.finish())))
    }

    /// Plays all games that are not in `done`; those that the log has are replaced.
    fn play_all_but(
        &mut self,
        done: &HashSet<u64>,
        until: Until,
        threads: usize,
        (stop, watch): (&StopFlag, &NoiseWatch),
    ) -> Result<()> {
        let names = self.names.clone();
        let played = played_here(&self.plan, &self.lines);
        let mut progress = MatchProgress::new(names, self.plan.games_here(), played, &self.tally);
        let MatchRun {
            plan,
            folder,
            log,
            lines,
            tally,
            ..
        } = self;
        let played = runner::run(plan, done, threads, stop, watch, |finished| {
            records::write(folder, &finished)?;
            let line = finished.line;
            match lines.iter().position(|old| old.id == line.id) {
                None => {
                    log.append(&line)?;
                    tally.add(&line);
                    lines.push(line);
                }
                Some(place) => {
                    lines[place] = line;
                    log.replace(lines)?;
                    *tally = tally_of(plan, lines);
                }
            }
            progress.update(tally);
            mute::check(&plan.players, tally, lines)?;
            let is_over = until == Until::Decided && (tally.is_decided() || is_idle(plan, tally));
            anyhow::Ok(if is_over { Next::Finish } else { Next::GoOn })
        });
        progress.finish();
        reaper::reap_all();
        played
    }

    /// Returns true if everything that is to be played here has been, the test knows enough, or
    /// nothing new comes.
    fn is_over(&self) -> bool {
        let (plan, tally) = (&self.plan, &self.tally);
        let is_played = played_here(plan, &self.lines) >= plan.games_here();
        is_played || tally.is_decided() || is_idle(plan, tally)
    }

    /// Prints and writes the reports, which end with `more` lines.
    fn finish(&self, more: &str) -> Result<()> {
        let mut text = report::text(&self.names, &self.tally);
        if is_idle(&self.plan, &self.tally) {
            text += &report::idle_text(&self.tally);
        } else if self.is_over() {
            text += &report::undecided_text(&self.tally);
        }
        text += more;
        // The files are written even if nobody reads the text.
        let printed = std::io::stdout().write_all(text.as_bytes());
        let page = html::page(&html::Contents {
            header: &self.header,
            lines: &self.lines,
            tally: &self.tally,
            text: &text,
        })?;
        report_page::write(&self.folder, &text, &page)?;
        Ok(printed?)
    }
}

/// When no new games are begun.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    /// When all have been played.
    All,
    /// When the test has a verdict or nothing new comes, too.
    Decided,
}

/// What the games of a match add up to.
fn tally_of(plan: &Match, lines: &[GameLine]) -> Tally {
    let limits = plan.players.iter().map(|player| player.limits).collect();
    let mut tally = Tally::new(&plan.schedule, limits, plan.sprt);
    lines.iter().for_each(|line| tally.add(line));
    tally
}

/// How many of the games that are to be played here have been.
fn played_here(plan: &Match, lines: &[GameLine]) -> u64 {
    let ours = lines.iter().filter(|line| plan.games.contains(&line.id));
    ours.count() as u64
}

/// Returns true if players without chance have played all that they can: see [`IDLE_ROUNDS`].
fn is_idle(plan: &Match, tally: &Tally) -> bool {
    let openings = plan.openings.count().unwrap_or(0) as u64;
    tally.idle_pairs >= openings.max(IDLE_ROUNDS) * plan.schedule.pairings().len() as u64
}

impl Args {
    fn sprt(&self) -> Result<Option<Sprt>> {
        let Some(text) = &self.sprt else {
            return Ok(None);
        };
        let parts = text
            .split_once(',')
            .map(|(a, b)| (a.trim().parse(), b.trim().parse()));
        let Some((Ok(elo0), Ok(elo1))) = parts else {
            bail!("--sprt {text:?}: give two numbers, such as 0,10");
        };
        if ![elo0, elo1].iter().all(|elo| ELO.contains(elo)) {
            let (least, most) = (ELO.start(), ELO.end());
            bail!("--sprt {text:?}: give two numbers from {least} to {most}, such as 0,10");
        }
        if self.players.len() > 2 {
            bail!(
                "--sprt compares two players, there are {}",
                self.players.len()
            );
        }
        let sprt = Sprt::new(elo0, elo1, self.alpha, self.beta).context("--sprt")?;
        Ok(Some(sprt))
    }

    fn plan(&self) -> Result<Match> {
        let sprt = self.sprt()?;
        let players = with_distinct_names(self.players(self.game.limits())?);
        let default_games = if sprt.is_some() {
            SPRT_GAMES
        } else {
            DEFAULT_GAMES
        };
        let games = self.games.unwrap_or(default_games);
        if games == 0 || games % 2 == 1 {
            bail!("--games {games}: give an even number above 0, openings are played twice");
        }
        let schedule = Schedule::new(self.schedule, players.len(), games / 2);
        Ok(Match {
            games: self.games_here(&schedule)?,
            schedule,
            openings: self.game.openings()?,
            players,
            sprt,
        })
    }

    /// The numbers of the games that are to be played here.
    fn games_here(&self, schedule: &Schedule) -> Result<Range<u64>> {
        let pairs = schedule.games() / 2;
        let Some(only) = &self.only_pairs else {
            return Ok(0..schedule.games());
        };
        if only.end > pairs {
            let (from, to) = (only.start, only.end);
            bail!(
                "--only-pairs {from}..{to}: the match has {pairs} pairs, give 0..{pairs} at most"
            );
        }
        Ok(2 * only.start..2 * only.end)
    }

    /// What the report ends with.
    fn note(&self) -> Result<String> {
        let Some(path) = &self.note else {
            return Ok(String::new());
        };
        let text = std::fs::read_to_string(path);
        text.with_context(|| format!("--note {}", path.display()))
    }

    fn players(&self, defaults: Limits) -> Result<Vec<PlayerSpec>> {
        let roster = match &self.roster {
            None => Vec::new(),
            Some(path) => spec::roster(path)?,
        };
        let mut players = Vec::new();
        if self.players.is_empty() {
            for settings in &roster {
                players.push(settings.player(defaults)?);
            }
        }
        for text in &self.players {
            players.push(match text.strip_prefix('@') {
                None => PlayerSpec::parse(text, defaults)?,
                Some(name) => {
                    let is_meant = |player: &&PlayerSettings| player.name.as_deref() == Some(name);
                    match roster.iter().filter(is_meant).collect::<Vec<_>>()[..] {
                        [settings] => settings.player(defaults)?,
                        [] => {
                            bail!("{text}: no player of this name in the file given by --players")
                        }
                        _ => bail!(
                            "{text}: several players of this name in the file given by --players"
                        ),
                    }
                }
            });
        }
        if players.len() < 2 {
            bail!("a match needs two players, there is {}", players.len());
        }
        if self.sprt.is_some() && players.len() > 2 {
            bail!("--sprt compares two players, there are {}", players.len());
        }
        Ok(players)
    }

    fn header(&self, plan: &Match) -> MatchHeader {
        let line = |player: &PlayerSpec| PlayerLine {
            name: player.name.clone(),
            text: player.text.clone(),
            first_ms: player.limits.first.as_millis() as u64,
            turn_ms: player.limits.turn.as_millis() as u64,
        };
        MatchHeader {
            format: games::FORMAT,
            side: self.game.side.get(),
            openings: plan.openings.identity(&self.game.openings),
            seed: self.game.seed,
            players: plan.players.iter().map(line).collect(),
            schedule: self.schedule.to_string(),
            sprt: plan.sprt,
        }
    }

    fn folder(&self, plan: &Match) -> PathBuf {
        let names: Vec<String> = plan.players.iter().map(|p| p.name.clone()).collect();
        let default = || Path::new("results").join(names::file_name(&names));
        self.out.clone().unwrap_or_else(default)
    }

    fn threads(&self) -> usize {
        self.threads.unwrap_or_else(options::all_but_one)
    }
}

/// Players of the same name get a number behind it, which makes a name that nobody has.
fn with_distinct_names(mut players: Vec<PlayerSpec>) -> Vec<PlayerSpec> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut shared: HashSet<String> = HashSet::new();
    for player in &players {
        if !taken.insert(player.name.clone()) {
            shared.insert(player.name.clone());
        }
    }
    for player in players.iter_mut().filter(|p| shared.contains(&p.name)) {
        let mut numbered = (1..).map(|number| format!("{}-{number}", player.name));
        let free = numbered.find(|name| !taken.contains(name));
        player.name = free.expect("there are fewer players than numbers");
        taken.insert(player.name.clone());
    }
    players
}
