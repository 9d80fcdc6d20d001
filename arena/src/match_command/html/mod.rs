//! The report of a match as one self-contained HTML page: charts, faults, and a board to step
//! through every game. Everything fixed is drawn here; the script only moves stones.

mod charts;
mod first_moves;

use super::log::MatchHeader;
use super::names;
use super::records;
use super::report;
use super::tally::{AnswerTimes, PairingScore, Tally};
use crate::player::FaultKind;
use crate::scoresheet::GameLine;
use anyhow::{Context, Result};
use charts::{Band, Histogram};
use hex_common::report_page;
use hex_common::stats::sprt::SequentialTest;
use hex_core::draw::Drawing;
use hex_core::record::{hexworld, Side};
use maud::{html, Markup, PreEscaped};
use serde::Serialize;
use std::path::Path;

/// The contents of the page.
pub(crate) struct Contents<'a> {
    /// The description of the match.
    pub(crate) header: &'a MatchHeader,
    /// The folder of the match and of the page.
    pub(crate) folder: &'a Path,
    /// Its games, in the order of their ends.
    pub(crate) lines: &'a [GameLine],
    /// The score after these games.
    pub(crate) tally: &'a Tally,
    /// The report as text.
    pub(crate) text: &'a str,
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
    /// The transcripts and standard errors, if a fault ended the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logs: Vec<String>,
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
pub(crate) fn page(contents: &Contents) -> Result<String> {
    let side = Side::try_from(contents.header.side)?;
    let players = contents.header.players.iter();
    let names: Vec<String> = players.map(|player| player.name.clone()).collect();
    // The setting has the full names.
    let names = names::short(&names);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let data = PageData {
        side: contents.header.side,
        players: names.clone(),
        games: page_games(contents, side)?,
    };
    // No "</script>" inside the data.
    let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let body = html! {
        main {
            section aria-label="Result" { (summary(contents, &names)) }
            section {
                h2 { "Score over the match" }
                div class="charts" { (course(contents, &names)) }
            }
            section { h2 { "Answer times" } (times(contents, &names)) }
            section { h2 { "Games lost by fault" } (faults(contents, &names)) }
            section { h2 { "Games" } (viewer(side)) }
            @if let Some(map) = first_moves::map(contents.lines, side) {
                section { h2 { "First moves" } (map) }
            }
            section { h2 { "Setting" } div class="scroll" { (setting(contents.header)) } }
            section { h2 { "As text" } pre { (contents.text) } }
        }
        script type="application/json" id="data" { (PreEscaped(data)) }
        script { (PreEscaped(include_str!("page.js"))) }
    };
    let heading = names.join(" vs ");
    let title = format!("{heading} · hex match");
    Ok(report_page::page(&title, &heading, "", &body))
}

/// The games for the script, in the order of their numbers.
fn page_games<'a>(contents: &Contents<'a>, side: Side) -> Result<Vec<PageGame<'a>>> {
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
            logs: match line.fault {
                Some(_) => records::logs(contents.folder, line.id, contents.header.names_of(line)),
                None => Vec::new(),
            },
        });
    }
    games.sort_by_key(|game| game.id);
    Ok(games)
}

fn setting(header: &MatchHeader) -> Markup {
    html! {
        p {
            (header.side) "×" (header.side) " board, openings " code { (header.openings) }
            ", seed " (header.seed) ", " (header.schedule) "."
        }
        table class="setting" {
            @for player in &header.players {
                tr {
                    th { (player.name) }
                    td { code { (player.text) } }
                    td { (player.first_ms) " ms first, " (player.turn_ms) " ms a turn" }
                }
            }
        }
    }
}

/// The list of games beside a board. The script fills both.
fn viewer(side: Side) -> Markup {
    html! {
        p id="damage" class="bad" role="alert" hidden {}
        div class="viewer" {
            div class="list" {
                label { "Show " select id="filter" {} }
                div class="rows" {
                    table {
                        thead {
                            tr {
                                @for head in ["Game", "Red", "Blue", "Moves", "Reason"] {
                                    th { (head) }
                                }
                            }
                        }
                        tbody id="games" {}
                    }
                }
            }
            div class="game" {
                p id="title" aria-live="polite" {}
                (PreEscaped(Drawing::new(&side.board()).svg()))
                div class="controls" {
                    button id="first" aria-label="To the beginning" { "|◀" }
                    button id="back" aria-label="One move back" { "◀" }
                    input id="slider" type="range" min="0" value="0" aria-label="Move";
                    button id="forward" aria-label="One move on" { "▶" }
                    button id="last" aria-label="To the end" { "▶|" }
                }
                p id="move" {}
                p id="fault" {}
                p id="logs" {}
                p { a id="link" target="_blank" rel="noopener" { "Open in HexWorld" } }
            }
        }
    }
}

/// The score in a few large figures.
fn summary(contents: &Contents, names: &[&str]) -> Markup {
    if let [score] = &contents.tally.pairings[..] {
        return figures(score, names, contents.tally.test);
    }
    html! {
        table class="standings" {
            tr { th { "Player" } th { "Elo (95 %)" } }
            @for (player, e) in report::standings(contents.tally) {
                tr {
                    th { (names[player]) }
                    td { (report::elo_text(Some(e))) }
                }
            }
        }
    }
}

fn figures(score: &PairingScore, names: &[&str], test: Option<SequentialTest>) -> Markup {
    let (wins, losses) = score.won_and_lost();
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
    figures.extend(test.map(|test| ("Test", test.to_string())));
    let (one, other) = (names[score.players.0], names[score.players.1]);
    html! {
        p class="lead" { (one) " against " (other) }
        dl class="figures" {
            @for (term, value) in figures {
                div { dt { (term) } dd { (value) } }
            }
        }
    }
}

/// Score and Elo over the match, for each pairing.
fn course(contents: &Contents, names: &[&str]) -> Markup {
    let pairing = |score: &PairingScore| {
        let (a, b) = score.players;
        let title = format!("{} against {}", names[a], names[b]);
        if score.course.is_empty() {
            return html! { p { (title) ": no pair is finished yet." } };
        }
        let band = Band::new(&score.course);
        html! {
            figure { figcaption { "Score: " (title) } (charts::score_chart(&band)) }
            figure { figcaption { "Elo: " (title) } (charts::elo_chart(&band)) }
        }
    };
    html! { @for score in &contents.tally.pairings { (pairing(score)) } }
}

/// The table of answer times, then their distribution, separately for first and later answers.
fn times(contents: &Contents, names: &[&str]) -> Markup {
    let heads = [
        "Player", "Answers", "Count", "Limit", "p50", "p99", "p99.9", "Max", "Headroom", "Late",
    ];
    let players = names.iter().enumerate();
    let rows = players.flat_map(|(number, name)| {
        let kinds = contents.tally.answer_times(number).into_iter();
        kinds.map(move |times| (name, times))
    });
    let rows: Vec<(&&str, AnswerTimes)> = rows.collect();
    html! {
        div class="scroll" {
            table class="times" {
                tr { @for head in heads { th { (head) } } }
                @for (name, times) in &rows { (times_row(name, times)) }
            }
        }
        p class="note" {
            "In milliseconds; the headroom is the time from the slowest answer to the limit."
        }
        div class="charts" {
            @for (name, times) in &rows {
                figure {
                    figcaption { (times.kind) " answers of " (name) }
                    (charts::histogram(&Histogram::new(times.times.times(), limit_ms(times))))
                }
            }
        }
    }
}

fn times_row(name: &str, times: &AnswerTimes) -> Markup {
    let (count, late) = times.summary.map_or((0, 0), |s| (s.count, s.late));
    html! {
        tr {
            th { (name) }
            td { (times.kind) }
            td { (count) }
            td { (limit_ms(times)) }
            @for figure in times.figures() { td { (figure) } }
            td class=[(late > 0).then_some("bad")] { (late) }
        }
    }
}

fn limit_ms(times: &AnswerTimes) -> u64 {
    times.limit.as_millis() as u64
}

fn faults(contents: &Contents, names: &[&str]) -> Markup {
    html! {
        div class="scroll" {
            table class="faults" {
                tr {
                    th { "Player" }
                    @for kind in FaultKind::ALL { th { (kind.to_string()) } }
                    th { "while the machine stalled" }
                }
                @for (name, player) in names.iter().zip(&contents.tally.players) {
                    tr {
                        th { (name) }
                        @for count in player.faults {
                            td class=[(count > 0).then_some("bad")] { (count) }
                        }
                        td { (player.stalled) }
                    }
                }
            }
        }
        @if contents.tally.stalled() > 0 {
            p class="bad" { (report::stalled_text(contents.tally)) }
        }
    }
}
