//! The report of a match as text.

use super::records::LOGS;
use super::tally::{PairingScore, Tally};
use crate::noise::{Lateness, Noise};
use crate::player::FaultKind;
use crate::programs::ProgramChange;
use hex_common::progress::Progress;
use hex_common::stats::bradley_terry::{self, Meeting};
use hex_common::stats::elo::{signed, Estimate};
use hex_core::record::counted;
use std::fmt::Write;
use std::time::Duration;

/// The most games lost by faults that are named for a player.
const GAMES_NAMED: usize = 5;

/// How to continue a match with a changed program.
pub(crate) const WITH_LEAVE: &str = "; --changed-programs mixes both";

/// The notes of the report beside the figures.
pub(crate) struct ReportNotes<'a> {
    /// Programs that changed during the match, as `--changed-programs` allows.
    pub(crate) changes: &'a [ProgramChange],
    /// The change that stopped the match.
    pub(crate) stopped_by: Option<&'a ProgramChange>,
    /// The games with logs that each player has lost by a fault.
    pub(crate) logged: Vec<Vec<u64>>,
}

/// `+12.3 ± 8.1`, or `above`/`below` the finite end of the interval of an infinite difference.
pub(crate) fn elo_text(estimate: Option<Estimate>) -> String {
    match estimate {
        None => "unknown".to_string(),
        Some(e) if e.elo == f64::INFINITY => format!("above {}", signed(e.low, 0)),
        Some(e) if e.elo == f64::NEG_INFINITY => format!("below {}", signed(e.high, 0)),
        Some(e) => format!("{} ± {:.1}", signed(e.elo, 1), e.error()),
    }
}

/// The ratings of all players from all pairs: their index in the header and rating, the best first.
pub(crate) fn standings(tally: &Tally) -> Vec<(usize, Estimate)> {
    let meeting = |score: &PairingScore| Meeting {
        players: score.players,
        pairs: score.pairs,
    };
    let meetings: Vec<Meeting> = tally.pairings.iter().map(meeting).collect();
    let ratings = bradley_terry::ratings(tally.players.len(), &meetings);
    let mut table: Vec<_> = ratings.into_iter().enumerate().collect();
    table.sort_by(|a, b| b.1.elo.total_cmp(&a.1.elo));
    table
}

/// The standings in one line.
pub(crate) fn standings_line(names: &[String], tally: &Tally) -> String {
    let table = standings(tally);
    let entry = |(player, e): &(usize, Estimate)| {
        let (name, elo) = (&names[*player], signed(e.elo, 0));
        format!("{name} {elo} ± {:.0}", e.error())
    };
    table.iter().map(entry).collect::<Vec<_>>().join(", ")
}

/// The whole report.
pub(crate) fn text(names: &[String], tally: &Tally, notes: &ReportNotes) -> String {
    let mut out = String::new();
    if names.len() > 2 {
        rating_table(&mut out, names, tally);
    }
    for score in &tally.pairings {
        pairing(&mut out, names, score);
    }
    if let Some(test) = tally.test {
        let _ = writeln!(out, "  {test}{}", fault_clause(tally));
    }
    if tally.repeated > 0 {
        let _ = writeln!(
            out,
            "warning: {} of {} games repeat an earlier one, perhaps turned or mirrored; pairs of such games do not count \
             after forced openings (--openings random:4 has new ones for any number of games); after the \
             players' own openings they count, so a few lines decide the result",
            tally.repeated, tally.games
        );
    }
    changes(&mut out, notes);
    answers(&mut out, names, tally);
    faults(&mut out, names, tally, &notes.logged);
    if tally.stalled() > 0 {
        let _ = writeln!(out, "\n{}", stalled_text(tally));
    }
    out
}

fn rating_table(out: &mut String, names: &[String], tally: &Tally) {
    let width = name_width(names);
    let _ = writeln!(
        out,
        "{:width$} {:>7} {:>8} {:>7} {:>7}",
        "rating", "Elo", "± (95 %)", "games", "score"
    );
    for (player, e) in standings(tally) {
        let (mut won, mut games) = (0, 0);
        for score in &tally.pairings {
            let (wins, losses) = score.won_and_lost();
            let own = match score.players {
                (first, _) if first == player => wins,
                (_, second) if second == player => losses,
                _ => continue,
            };
            games += wins + losses;
            won += own;
        }
        let share = 100.0 * won as f64 / games.max(1) as f64;
        let _ = writeln!(
            out,
            "{:width$} {:>7} {:>8.1} {games:>7} {share:>5.1} %",
            names[player],
            signed(e.elo, 1),
            e.error()
        );
    }
    out.push('\n');
}

fn pairing(out: &mut String, names: &[String], score: &PairingScore) {
    let (a, b) = score.players;
    let (wins, losses) = score.won_and_lost();
    let games = wins + losses;
    let pairs = score.pairs;
    let _ = writeln!(
        out,
        "{} vs {}: {wins} - {losses} of {}, {:.1} %",
        names[a],
        names[b],
        counted(games, "game"),
        100.0 * wins as f64 / games.max(1) as f64
    );
    let _ = writeln!(
        out,
        "  as Red {}-{}, as Blue {}-{}; pairs 2-0: {}, 1-1: {}, 0-2: {}",
        score.wins[0],
        score.losses[0],
        score.wins[1],
        score.losses[1],
        pairs.won,
        pairs.split,
        pairs.lost
    );
    let superiority = pairs
        .superiority()
        .map_or("unknown".to_string(), |p| format!("{:.1} %", 100.0 * p));
    let _ = writeln!(
        out,
        "  Elo {} (95 %), LOS {superiority}",
        elo_text(pairs.elo()),
    );
}

fn name_width(names: &[String]) -> usize {
    let longest = names.iter().map(|name| name.chars().count()).max();
    longest.unwrap_or(0).max("player".len())
}

/// Changes of the players' programs.
fn changes(out: &mut String, notes: &ReportNotes) {
    for change in notes.changes {
        let games = counted(change.games, "game");
        let _ = writeln!(out, "warning: after {games} {change}; the figures mix both");
    }
    if let Some(change) = notes.stopped_by {
        let games = counted(change.games, "game");
        let _ = writeln!(
            out,
            "warning: the match was stopped after {games}, because {change}"
        );
    }
}

/// Answer times, separately for first and later answers, which have different limits.
fn answers(out: &mut String, names: &[String], tally: &Tally) {
    let width = name_width(names);
    let _ = writeln!(
        out,
        "\n{:width$} {:7} {:>7} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8} {:>5}",
        "player", "answers", "count", "limit", "p50 ms", "p99", "p99.9", "max", "headroom", "late"
    );
    for (number, name) in names.iter().enumerate() {
        for (row, times) in tally.answer_times(number).iter().enumerate() {
            let name = if row == 0 { name } else { "" };
            let _ = write!(
                out,
                "{name:width$} {:7} {:>7} {:>7}",
                times.kind,
                times.summary.map_or(0, |summary| summary.count),
                times.limit.as_millis(),
            );
            for figure in times.figures() {
                let _ = write!(out, " {figure:>8}");
            }
            let late = times.summary.map_or(0, |summary| summary.late);
            let _ = writeln!(out, " {late:>5}");
        }
    }
}

/// How many games each player lost by faults.
fn faults(out: &mut String, names: &[String], tally: &Tally, logged: &[Vec<u64>]) {
    let width = name_width(names);
    let _ = writeln!(out, "\n{:width$} games lost by fault", "player");
    for ((name, player), games) in names.iter().zip(&tally.players).zip(logged) {
        let stalled = match player.stalled {
            0 => String::new(),
            count => format!(" ({count} of them while the machine stalled)"),
        };
        let _ = writeln!(out, "{name:width$} {}{stalled}", faults_text(player.faults));
        if !games.is_empty() {
            let _ = writeln!(out, "{:width$} logs: {}", "", logs_text(games));
        }
    }
}

/// Where the logs of these games are.
fn logs_text(games: &[u64]) -> String {
    let named = games.iter().take(GAMES_NAMED);
    let named: Vec<String> = named.map(|game| format!("{LOGS}/{game:06}-*")).collect();
    match games.len() - named.len() {
        0 => named.join(", "),
        more => format!("{} and of {}", named.join(", "), counted(more, "more game")),
    }
}

fn faults_text(faults: [u64; 4]) -> String {
    let parts: Vec<String> = FaultKind::ALL
        .iter()
        .zip(faults)
        .filter(|(_, count)| *count > 0)
        .map(|(kind, count)| format!("{kind} {count}"))
        .collect();
    if parts.is_empty() {
        "none".to_string()
    } else {
        parts.join(", ")
    }
}

/// The number of games lost by faults; empty if there are none. A test counts such games like all
/// others, as a contest does.
fn fault_clause(tally: &Tally) -> String {
    let mut faults = [0; FaultKind::ALL.len()];
    for player in &tally.players {
        for (sum, count) in faults.iter_mut().zip(player.faults) {
            *sum += count;
        }
    }
    match faults.iter().sum::<u64>() {
        0 => String::new(),
        lost => format!(
            "; faults, not play, decided {lost} of {} ({})",
            counted(tally.games, "game"),
            faults_text(faults)
        ),
    }
}

/// The note on a test without a verdict; empty if it has one or there is no test.
pub(crate) fn undecided_text(tally: &Tally) -> String {
    match tally.test {
        Some(_) if !tally.is_decided() => format!(
            "\nthe test has no verdict after all {} games; more --games may bring one\n",
            tally.games
        ),
        _ => String::new(),
    }
}

/// The note on a match that ended because of repeats.
pub(crate) fn idle_text(tally: &Tally) -> String {
    format!(
        "\nthe match is over: the last {} pairs of games only repeated earlier ones\n",
        tally.idle_pairs
    )
}

/// The warning about games that a stall of the machine decided.
pub(crate) fn stalled_text(tally: &Tally) -> String {
    format!(
        "warning: {} of {} games were lost by late answers that would have been in time if the machine had not \
         stalled; the same command with --replay-stalled plays them again",
        tally.stalled(),
        tally.games
    )
}

/// The clock noise, in words.
pub(crate) fn noise_text(before: Noise, during: Option<Lateness>) -> String {
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let mut text = format!(
        "clock noise: before, gaps of at most {:.1} ms, {:.1} % of the time lost",
        ms(before.worst),
        before.lost_permille as f64 / 10.0
    );
    if let Some(late) = during {
        let _ = write!(
            text,
            "; during, sleepers woken {:.1} ms late (p99), {:.1} ms at most",
            ms(late.p99),
            ms(late.worst)
        );
    }
    text
}

/// The progress of a match.
pub(crate) struct MatchProgress {
    progress: Progress,
    names: Vec<String>,
    /// Games of the tally that other machines have played.
    elsewhere: u64,
}

impl MatchProgress {
    /// The progress of the `total` games of this machine. `played` of them have ended.
    pub(crate) fn new(names: Vec<String>, total: u64, played: u64, tally: &Tally) -> Self {
        let progress = Progress::new("games", total, played);
        let progress = match tally.test {
            Some(_) => progress.that_may_end_early(),
            None => progress,
        };
        MatchProgress {
            progress,
            names,
            elsewhere: tally.games - played,
        }
    }

    /// Shows the score so far.
    pub(crate) fn update(&mut self, tally: &Tally) {
        let message = self.message(tally);
        self.progress.update(tally.games - self.elsewhere, message);
    }

    /// Removes the progress bar.
    pub(crate) fn finish(self) {
        self.progress.finish();
    }

    fn message(&self, tally: &Tally) -> String {
        if let [score] = &tally.pairings[..] {
            let test = tally.test.map_or(String::new(), |test| format!(", {test}"));
            let (wins, losses) = score.won_and_lost();
            let (a, b) = (&self.names[score.players.0], &self.names[score.players.1]);
            let elo = elo_text(score.pairs.elo());
            format!("{a} {wins}-{losses} {b}, Elo {elo}{test}")
        } else {
            standings_line(&self.names, tally)
        }
    }
}
