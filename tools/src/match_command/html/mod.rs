//! The report of a match as one HTML page that needs nothing else: charts, faults, and every game to
//! step through on a drawn board. What is drawn once is drawn here; the script only moves stones.

mod charts;
mod first_moves;

use super::log::MatchHeader;
use super::names;
use super::report;
use super::tally::{PairingScore, Tally};
use crate::arena::player::FaultKind;
use crate::arena::scoresheet::GameLine;
use crate::draw::Drawing;
use crate::record::{hexworld, Position, Side};
use crate::stats::elo::{Estimate, Pairs};
use crate::stats::sprt::Sprt;
use anyhow::{Context, Result};
use charts::{Band, Histogram};
use serde::Serialize;
use std::collections::HashMap;
use std::fmt::Write;

/// Everything that the page tells of.
pub struct Contents<'a> {
    /// What the match is.
    pub header: &'a MatchHeader,
    /// Its games, in the order of their ends.
    pub lines: &'a [GameLine],
    /// What they add up to.
    pub tally: &'a Tally,
    /// The test, if there is one.
    pub sprt: Option<Sprt>,
    /// The report as text.
    pub text: &'a str,
}

/// A game for the script.
#[derive(Serialize)]
struct PageGame<'a> {
    id: u64,
    red: usize,
    blue: usize,
    winner: usize,
    reason: &'a str,
    opening: usize,
    moves: &'a [String],
    times: &'a [Option<f64>],
    fault: Option<String>,
    stalled: bool,
    link: String,
}

/// The data for the script.
#[derive(Serialize)]
struct PageData<'a> {
    side: usize,
    players: Vec<&'a str>,
    games: Vec<PageGame<'a>>,
}

/// The page.
///
/// # Errors
/// If a game of the log is not playable.
pub fn page(contents: &Contents) -> Result<String> {
    let side = Side::try_from(contents.header.side)?;
    let players = contents.header.players.iter();
    let names: Vec<String> = players.map(|player| player.name.clone()).collect();
    // In full they stand with the setting.
    let names = names::short(&names);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut games = Vec::new();
    for line in contents.lines {
        let game = line
            .game(side)
            .with_context(|| format!("game {}", line.id))?;
        games.push(PageGame {
            id: line.id,
            red: line.red,
            blue: line.blue,
            winner: line.winner_index(),
            reason: &line.reason,
            opening: line.opening,
            moves: &line.moves,
            times: &line.times_ms,
            fault: line.fault.as_ref().map(|fault| fault.to_string()),
            stalled: line.stalled_ms.is_some(),
            link: hexworld::write(&game),
        });
    }
    games.sort_by_key(|game| game.id);
    let data = PageData {
        side: contents.header.side,
        players: names.clone(),
        games,
    };
    // No "</script>" inside the data.
    let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
    Ok(include_str!("page.html")
        .replace("{{title}}", &escaped(&names.join(" vs ")))
        .replace("{{style}}", include_str!("page.css"))
        .replace("{{script}}", include_str!("page.js"))
        .replace("{{summary}}", &summary(contents, &names))
        .replace("{{course}}", &course(contents, &names))
        .replace("{{times}}", &times(contents, &names))
        .replace("{{faults}}", &faults(contents, &names))
        .replace(
            "{{first_moves}}",
            &first_moves::section(contents.lines, side).unwrap_or_default(),
        )
        .replace("{{setting}}", &setting(contents.header))
        .replace("{{text}}", &escaped(contents.text))
        .replace("{{board}}", &Drawing::new(&Position::new(side)).svg())
        // Last, because it may hold anything.
        .replace("{{data}}", &data))
}

/// Text for HTML.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    // No text of a player's may be taken for a place to fill.
    text.replace('"', "&quot;").replace("{{", "&#123;&#123;")
}

fn setting(header: &MatchHeader) -> String {
    let mut rows = String::new();
    for player in &header.players {
        let _ = write!(
            rows,
            "<tr><th>{}</th><td><code>{}</code></td><td>{} ms first, {} ms a turn</td></tr>",
            escaped(&player.name),
            escaped(&player.text),
            player.first_ms,
            player.turn_ms
        );
    }
    format!(
        "<p>{}×{} board, openings <code>{}</code>, seed {}, {}.</p><table class=\"setting\">{rows}</table>",
        header.side,
        header.side,
        escaped(&header.openings),
        header.seed,
        header.schedule
    )
}

/// The score in a few large figures.
fn summary(contents: &Contents, names: &[&str]) -> String {
    if let [score] = &contents.tally.pairings[..] {
        return figures(score, names, contents.sprt);
    }
    let mut rows = String::new();
    for (player, e) in report::standings(contents.tally) {
        let name = escaped(names[player]);
        let elo = format!("{:+.1} ± {:.1}", e.elo + 0.0, e.error());
        let _ = write!(rows, "<tr><th>{name}</th><td>{elo}</td></tr>");
    }
    format!("<table class=\"standings\"><tr><th>Player</th><th>Elo (95 %)</th></tr>{rows}</table>")
}

fn figures(score: &PairingScore, names: &[&str], sprt: Option<Sprt>) -> String {
    let (wins, losses): (u64, u64) = (score.wins.iter().sum(), score.losses.iter().sum());
    let pairs = score.pairs;
    let superiority = pairs.superiority().unwrap_or(0.5) * 100.0;
    let mut figures = vec![
        ("Games", format!("{wins} – {losses}")),
        ("Elo (95 %)", report::elo_text(pairs.elo())),
        ("Likelihood of superiority", format!("{superiority:.1} %")),
        (
            "Pairs 2-0, 1-1, 0-2",
            format!("{} · {} · {}", pairs.won, pairs.split, pairs.lost),
        ),
        ("As Red", format!("{} – {}", score.wins[0], score.losses[0])),
        (
            "As Blue",
            format!("{} – {}", score.wins[1], score.losses[1]),
        ),
    ];
    if let Some(sprt) = sprt {
        figures.push(("Test", report::sprt_text(sprt, pairs)));
    }
    let of = format!(
        "{} against {}",
        names[score.players.0], names[score.players.1]
    );
    let mut out = format!(
        "<p class=\"lead\">{}</p><dl class=\"figures\">",
        escaped(&of)
    );
    for (term, value) in figures {
        let _ = write!(
            out,
            "<div><dt>{term}</dt><dd>{}</dd></div>",
            escaped(&value)
        );
    }
    out + "</dl>"
}

/// Score and Elo over the match, for each pairing.
fn course(contents: &Contents, names: &[&str]) -> String {
    let pairings = contents.tally.pairings.len();
    let mut out = String::new();
    for (number, score) in contents.tally.pairings.iter().enumerate() {
        let (a, b) = score.players;
        let title = escaped(&format!("{} against {}", names[a], names[b]));
        let estimates = estimates_after_each_pair(contents.lines, number, pairings, a);
        if estimates.is_empty() {
            let _ = write!(out, "<p>{title}: no pair is finished yet.</p>");
            continue;
        }
        let band = Band::new(&estimates);
        for (what, chart) in [
            ("Score", charts::score_chart(&band)),
            ("Elo", charts::elo_chart(&band)),
        ] {
            let _ = write!(
                out,
                "<figure><figcaption>{what}: {title}</figcaption>{chart}</figure>"
            );
        }
    }
    out
}

/// The estimate after each finished pair of one pairing, from the first player's view.
fn estimates_after_each_pair(
    lines: &[GameLine],
    pairing: usize,
    pairings: usize,
    first: usize,
) -> Vec<Estimate> {
    let mut halves: HashMap<u64, u32> = HashMap::new();
    let mut pairs = Pairs::default();
    let mut estimates = Vec::new();
    for line in lines {
        let pair = line.id / 2;
        if (pair % pairings as u64) as usize != pairing {
            continue;
        }
        let won = u32::from(line.winner_index() == first);
        match halves.remove(&pair) {
            None => {
                halves.insert(pair, won);
            }
            Some(other) => {
                pairs.add(won + other);
                estimates.extend(pairs.elo());
            }
        }
    }
    estimates
}

/// The table of answer times, then how they are spread, the first of a game and the later ones apart.
fn times(contents: &Contents, names: &[&str]) -> String {
    let heads = [
        "Player", "Answers", "Count", "Limit", "p50", "p99", "p99.9", "Max", "Headroom", "Late",
    ];
    let mut table = String::from("<div class=\"scroll\"><table class=\"times\"><tr>");
    for head in heads {
        let _ = write!(table, "<th>{head}</th>");
    }
    table += "</tr>";
    let mut charts = String::from("<div class=\"charts\">");
    for (number, name) in names.iter().enumerate() {
        for times in contents.tally.answer_times(number) {
            let (name, kind) = (escaped(name), times.kind);
            let limit = times.limit.as_millis() as u64;
            let (count, late) = times.summary.map_or((0, 0), |s| (s.count, s.late));
            let _ = write!(
                table,
                "<tr><th>{name}</th><td>{kind}</td><td>{count}</td><td>{limit}</td>"
            );
            for figure in times.figures() {
                let _ = write!(table, "<td>{figure}</td>");
            }
            let class = if late > 0 { " class=\"bad\"" } else { "" };
            let _ = write!(table, "<td{class}>{late}</td></tr>");
            let histogram = Histogram::new(times.times.times(), limit);
            let _ = write!(
                charts,
                "<figure><figcaption>{kind} answers of {name}</figcaption>{}</figure>",
                charts::histogram(&histogram)
            );
        }
    }
    format!(
        "{table}</table></div><p class=\"note\">In milliseconds; the headroom is what the slowest answer left of \
         the limit.</p>{charts}</div>"
    )
}

fn faults(contents: &Contents, names: &[&str]) -> String {
    let mut out = String::from("<div class=\"scroll\"><table class=\"faults\"><tr><th>Player</th>");
    for kind in FaultKind::ALL {
        let _ = write!(out, "<th>{kind}</th>");
    }
    out += "<th>while the machine stalled</th></tr>";
    for (name, player) in names.iter().zip(&contents.tally.players) {
        let _ = write!(out, "<tr><th>{}</th>", escaped(name));
        for count in player.faults {
            let class = if count > 0 { " class=\"bad\"" } else { "" };
            let _ = write!(out, "<td{class}>{count}</td>");
        }
        let _ = write!(out, "<td>{}</td></tr>", player.stalled);
    }
    out += "</table></div>";
    if contents.tally.stalled() > 0 {
        let text = escaped(&report::stalled_text(contents.tally));
        let _ = write!(out, "<p class=\"bad\">{text}</p>");
    }
    out
}
