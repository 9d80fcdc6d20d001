//! `hex match`: games between bots that measure, with an error, which one is stronger.

mod args;
mod html;
pub mod log;
mod names;
mod records;
mod report;
pub mod schedule;
mod summary;
pub mod tally;

use crate::noise::{self, NoiseWatch};
use crate::process::{self, StopFlag};
use crate::programs::{ProgramChange, CURE};
use crate::runner::{self, Next, ResumableRun};
use crate::scoresheet::GameLine;
use anyhow::{bail, Context, Result};
pub use args::Args;
use hex_common::aside::tell_line;
use hex_common::match_folder;
use hex_common::report_page;
use hex_core::record::counted;
use log::{MatchHeader, MatchLog};
use report::{MatchProgress, ReportNotes, WITH_LEAVE};
use schedule::{Match, WatchedMatch};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;
use summary::{ClockNoise, EndedBy};
use tally::Tally;

/// How long clock noise is measured before a match.
const PROBE: Duration = Duration::from_millis(200);

/// A match is over when this many rounds, and at least one for each opening, contained only repeats
/// of earlier games. The number is large because players with some randomness may repeat games by
/// chance.
const IDLE_ROUNDS: u64 = 50;

/// The message after Ctrl-C.
const UNFINISHED: &str =
    "stopped before the match was over; the same command with --resume goes on";

/// Runs the command.
///
/// # Errors
/// If the arguments make no sense or the folder cannot be used.
pub fn run(args: Args) -> Result<()> {
    let plan = args.plan()?;
    process::prepare_for_games(args.threads)?;
    for player in &plan.players {
        let startable = player.check(plan.openings.side());
        startable.with_context(|| format!("player {:?}", player.name))?;
    }
    let header = args.header(&plan);
    let folder = args.folder(&plan);
    let note = args.note()?;
    records::check_folder(&folder)?;
    let resume = args.resume || args.replay_stalled;
    let (_lock, log, lines) = MatchLog::open_in(&folder, match_folder::LOG, &header, resume)?;
    records::make_folder(&folder)?;
    let run = ResumableRun::begin(UNFINISHED)?;
    let names: Vec<String> = plan.players.iter().map(|p| p.name.clone()).collect();
    let mut session = MatchRun {
        header: log.header().clone(),
        names: names::short(&names),
        tally: tally_of(&plan, &lines),
        plan,
        folder,
        keeps_all_logs: args.logs,
        log,
        lines,
    };
    let replays = if args.replay_stalled {
        session.stalled()
    } else {
        Replays::new()
    };
    session.compare_programs(&header, &replays)?;
    let noise = run.play(|stop| session.play(&replays, args.threads, stop))?;
    let changes = session.programs_noticed();
    session.finish(noise, changes.first(), &note)?;
    if let Some(change) = changes.first() {
        let games = counted(change.games, "game");
        bail!("{change} during the match: {games} kept, {CURE}{WITH_LEAVE}");
    }
    let is_done = session.is_over() && (replays.is_empty() || session.stalled().is_empty());
    run.end(is_done)
}

/// A match being played.
struct MatchRun {
    header: MatchHeader,
    plan: Match,
    /// The players' names, short enough for tables.
    names: Vec<String>,
    folder: PathBuf,
    /// Are the logs of all games kept, not only of those lost by faults?
    keeps_all_logs: bool,
    log: MatchLog,
    /// The finished games, in the order of their ends.
    lines: Vec<GameLine>,
    tally: Tally,
}

impl MatchRun {
    /// The games of this machine that a stall decided.
    fn stalled(&self) -> Replays {
        let ours = |line: &GameLine| self.plan.games.contains(&line.id);
        let lines = self.lines.iter().enumerate();
        let stalled = lines.filter(|(_, line)| line.stalled_ms.is_some() && ours(line));
        stalled.map(|(place, line)| (line.id, place)).collect()
    }

    /// Compares the programs in `now` with those in the log. If changes are allowed, the log gets
    /// the new programs and the changes.
    ///
    /// # Errors
    /// If they differ, must not, and games are left to play.
    fn compare_programs(&mut self, now: &MatchHeader, replays: &Replays) -> Result<()> {
        let changes = self.header.changes_since(now, self.lines.len() as u64);
        if changes.is_empty() {
            return Ok(());
        }
        if self.plan.programs.may_change() {
            self.header.players.clone_from(&now.players);
            self.header.changes.extend(changes);
            return self.log.replace_header(self.header.clone(), &self.lines);
        }
        match &changes[..] {
            [change, ..] if !replays.is_empty() || !self.is_over() => {
                bail!("{change} since the match began: {CURE}{WITH_LEAVE}")
            }
            _ => Ok(()),
        }
    }

    /// The changed programs that have ended the match.
    fn programs_noticed(&self) -> Vec<ProgramChange> {
        self.plan.programs.noticed(self.lines.len() as u64)
    }

    /// Plays `replays` again, then the missing games. Returns the clock noise, if any game was
    /// played.
    fn play(
        &mut self,
        replays: &Replays,
        threads: usize,
        stop: &StopFlag,
    ) -> Result<Option<ClockNoise>> {
        if replays.is_empty() && self.is_over() {
            return Ok(None);
        }
        let before = noise::probe(threads, PROBE)?;
        if before.is_doubtful() {
            tell_line(format_args!(
                "warning: other programs use this machine, answers may seem late; {}",
                report::noise_text(before, None)
            ));
        }
        let watch = NoiseWatch::start()?;
        if !replays.is_empty() {
            // Their old lines no longer count, so that each new one costs no more than one game.
            let kept = self
                .lines
                .iter()
                .filter(|line| !replays.contains_key(&line.id));
            self.tally = tally_of(&self.plan, kept);
            let played = self.play_games(replays.keys().copied(), replays, threads, stop, &watch);
            // In the log's order, with the old lines of the games that were not replayed.
            self.tally = tally_of(&self.plan, &self.lines);
            played?;
        }
        if !self.is_over() {
            let done = self.lines.iter().map(|line| line.id).collect();
            let missing = runner::missing(self.plan.games.clone(), done);
            self.play_games(missing, &Replays::new(), threads, stop, &watch)?;
        }
        let during = watch.finish();
        Ok(Some(ClockNoise { before, during }))
    }

    /// Plays these games until the match is over. All `replays` are played: they replace lines of
    /// the log.
    fn play_games(
        &mut self,
        games: impl Iterator<Item = u64> + Send,
        replays: &Replays,
        threads: usize,
        stop: &StopFlag,
        watch: &NoiseWatch,
    ) -> Result<()> {
        let names = self.names.clone();
        let played = played_here(&self.plan, &self.lines) - replays.len() as u64;
        let mut progress = MatchProgress::new(names, self.plan.games_here(), played, &self.tally);
        let MatchRun {
            header,
            plan,
            folder,
            log,
            lines,
            tally,
            ..
        } = self;
        let keeps_all = self.keeps_all_logs;
        let watched = WatchedMatch { plan, watch };
        let played = runner::run(&watched, games, threads, stop, |finished| {
            records::write(folder, &finished)?;
            records::write_logs(folder, &finished, &plan.players, keeps_all)?;
            let line = finished.line;
            tally.add(&line);
            match replays.get(&line.id) {
                None => {
                    log.append(&line)?;
                    lines.push(line);
                }
                Some(&place) => {
                    lines[place] = line;
                    log.replace(lines)?;
                }
            }
            if plan.programs.may_change() {
                note_changes(header, plan, log, lines)?;
            }
            progress.update(tally);
            tally.check_answers(&plan.players, lines)?;
            let is_over = replays.is_empty() && (tally.is_decided() || is_idle(plan, tally));
            Ok(if is_over { Next::Finish } else { Next::GoOn })
        });
        progress.finish();
        played
    }

    /// Returns true if all games of this machine have been played, the test has a verdict, or
    /// players only repeat games.
    fn is_over(&self) -> bool {
        let (plan, tally) = (&self.plan, &self.tally);
        let is_played = played_here(plan, &self.lines) >= plan.games_here();
        is_played || tally.is_decided() || is_idle(plan, tally)
    }

    /// Why the match is over; `None` if it is not.
    fn ended_by(&self) -> Option<EndedBy> {
        if self.tally.is_decided() {
            Some(EndedBy::Verdict)
        } else if is_idle(&self.plan, &self.tally) {
            Some(EndedBy::Repeats)
        } else {
            self.is_over().then_some(EndedBy::Games)
        }
    }

    /// Prints and writes the reports, with `note` at their end. `stopped_by` is the change of a
    /// program that stopped the match.
    fn finish(
        &self,
        noise: Option<ClockNoise>,
        stopped_by: Option<&ProgramChange>,
        note: &str,
    ) -> Result<()> {
        let notes = ReportNotes {
            changes: &self.header.changes,
            stopped_by,
            logged: self.logged(),
        };
        let mut text = report::text(&self.names, &self.tally, &notes);
        match self.ended_by() {
            Some(EndedBy::Repeats) => text += &report::idle_text(&self.tally),
            Some(EndedBy::Games) => text += &report::undecided_text(&self.tally),
            Some(EndedBy::Verdict) | None => {}
        }
        text += &noise.map_or(String::new(), |noise| {
            report::noise_text(noise.before, noise.during) + "\n"
        });
        text += note;
        // The files are written even if the output is closed.
        let printed = std::io::stdout().write_all(text.as_bytes());
        let page = html::page(&html::Contents {
            header: &self.header,
            folder: &self.folder,
            lines: &self.lines,
            tally: &self.tally,
            text: &text,
        })?;
        report_page::write(&self.folder, &text, &page)?;
        let ended_by = self.ended_by();
        let summary = summary::of(&self.header, &self.tally, ended_by, stopped_by, noise);
        report_page::write_summary(&self.folder, &summary)?;
        Ok(printed?)
    }

    /// The games with logs that each player has lost by a fault.
    fn logged(&self) -> Vec<Vec<u64>> {
        let mut logged = vec![Vec::new(); self.names.len()];
        for line in self.lines.iter().filter(|line| line.fault.is_some()) {
            let names = self.header.names_of(line);
            if !records::logs(&self.folder, line.id, names).is_empty() {
                logged[line.loser_index()].push(line.id);
            }
        }
        logged.iter_mut().for_each(|games| games.sort_unstable());
        logged
    }
}

/// The games to play again, by their numbers, and the places of their lines.
type Replays = BTreeMap<u64, usize>;

/// The score of a match after these games.
fn tally_of<'a>(plan: &Match, lines: impl IntoIterator<Item = &'a GameLine>) -> Tally {
    let limits = plan.players.iter().map(|player| player.limits).collect();
    let side = plan.openings.side();
    let mut tally = Tally::new(&plan.schedule, side, limits, plan.sprt);
    lines.into_iter().for_each(|line| tally.add(line));
    tally
}

/// Adds to the log the programs that changed since the last game.
fn note_changes(
    header: &mut MatchHeader,
    plan: &Match,
    log: &mut MatchLog,
    lines: &[GameLine],
) -> Result<()> {
    let changes = plan.programs.noticed(lines.len() as u64);
    if changes.is_empty() {
        return Ok(());
    }
    header.changes.extend(changes);
    for (number, player) in header.players.iter_mut().enumerate() {
        player.programs = plan.programs.of(number);
    }
    log.replace_header(header.clone(), lines)
}

/// How many of this machine's games have been played.
fn played_here(plan: &Match, lines: &[GameLine]) -> u64 {
    let ours = lines.iter().filter(|line| plan.games.contains(&line.id));
    ours.count() as u64
}

/// Returns true if deterministic players have played all their games: see [`IDLE_ROUNDS`].
fn is_idle(plan: &Match, tally: &Tally) -> bool {
    let openings = plan.openings.count().unwrap_or(0) as u64;
    tally.idle_pairs >= openings.max(IDLE_ROUNDS) * plan.schedule.pairings().len() as u64
}
