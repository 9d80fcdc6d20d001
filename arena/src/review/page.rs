//! The report of a review as one HTML page that needs nothing else.

use super::figures::{ReviewFigures, ThrownGame, SHOULD_WIN};
use super::report::{grades, percent, thrown_line};
use super::reviewed_game::{NamedTally, ReviewedGame};
use hex_common::report_page::{
    self,
    chart::{area, chart, horizontal, level, vertical, words, Axis, LABELS},
};
use hex_core::draw::Drawing;
use hex_core::record::Move;
use maud::{html, Markup, PreEscaped};
use std::path::Path;

/// Thrown games that are drawn; the others stand in the table of all games.
const DRAWN: usize = 30;

/// The page's own style.
const STYLE: &str = "
.thrown { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1rem; }
td.number { text-align: right; }
";

/// Everything that the page shows.
pub(crate) struct PageContents<'a> {
    /// Whose moves are reviewed.
    pub(crate) whose: &'a str,
    /// How long positions were searched.
    pub(crate) effort: &'a str,
    /// The folder of the review.
    pub(crate) folder: &'a Path,
    /// The games.
    pub(crate) games: &'a [ReviewedGame<'a>],
    /// What they add up to.
    pub(crate) figures: &'a ReviewFigures,
    /// The report as text.
    pub(crate) text: &'a str,
}

/// The page.
pub(crate) fn page(contents: &PageContents) -> String {
    let figures = contents.figures;
    let openings = figures.openings.iter();
    let openings: Vec<NamedTally> = openings.flat_map(|row| row.lines(usize::MAX)).collect();
    let body = html! {
        main {
            section aria-label="Result" { (summary(contents)) }
            section {
                h2 { "Lost although the engine gave " (percent(SHOULD_WIN)) " or more" }
                (thrown(contents))
            }
            section {
                h2 { "Where win probability is lost" }
                figure {
                    figcaption { "Win probability lost a move, in percent, by ply" }
                    (bands(&figures.bands))
                }
                (table("Moves", &figures.bands))
            }
            section { h2 { "By colour and swap" } (table("Games", &figures.roles)) }
            section {
                h2 { "Openings and replies, those that cost most games first" }
                p { "A cell and the cell half a turn round the board are the same opening." }
                (table("Opening", &openings))
            }
            @if !figures.faults.is_empty() { section { h2 { "Lost by faults" } (faults(contents)) } }
            @if figures.times.is_some() { section { h2 { "Answer times" } (times(figures)) } }
            section { h2 { "Games" } (games(contents)) }
            section { h2 { "As text" } pre { (contents.text) } }
        }
    };
    let heading = format!("Review of {}", contents.whose);
    report_page::page(&format!("{heading} · hex review"), &heading, STYLE, &body)
}

fn summary(contents: &PageContents) -> Markup {
    let total = &contents.figures.total;
    let figures = [
        ("Games", format!("{}", total.games)),
        ("Won, lost", format!("{} – {}", total.won, total.lost)),
        ("Should have won", contents.figures.thrown.len().to_string()),
        ("Moves judged", total.moves.to_string()),
        ("Lost a move", format!("{:.1} %", 100.0 * total.mean_loss())),
        (
            "?!, ?, ??",
            format!("{} · {} · {}", total.doubtful, total.bad, total.very_bad),
        ),
    ];
    html! {
        p class="lead" {
            "Searched for " (contents.effort) " a position. Grades by win probability lost: "
            (grades()) "."
        }
        dl class="figures" {
            @for (term, value) in figures { div { dt { (term) } dd { (value) } } }
        }
    }
}

fn thrown(contents: &PageContents) -> Markup {
    let all = &contents.figures.thrown;
    html! {
        @if all.is_empty() { p { "None." } }
        div class="thrown" {
            @for game in all.iter().take(DRAWN) { (thrown_game(contents, game)) }
        }
        @for game in all.iter().skip(DRAWN) {
            p { (thrown_line(game)) " " (opened(contents, &game.record)) }
        }
    }
}

/// The position before the move that lost the game, with that move and the better one.
fn thrown_game(contents: &PageContents, game: &ThrownGame) -> Markup {
    let reviewed = &contents.games[game.number - 1];
    let ply = game.move_number - 1;
    let record = &reviewed.recorded.game;
    let position = record.position_after(ply);
    let side = record.side();
    let mut drawing = Drawing::new(&position);
    let before = ply.checked_sub(1).map(|last| record.turns()[last].action);
    if let Some(Move::Place(cell)) = before {
        drawing = drawing.last_move(cell);
    }
    if let Some(better) = game
        .better
        .first()
        .and_then(|word| side.parse_cell(word).ok())
    {
        let better = drawing
            .heat(better, 0.8)
            .label(better, percent(game.before));
        drawing = better;
    }
    if let Ok(played) = side.parse_cell(&game.played) {
        drawing = drawing.label(played, percent(game.after));
    }
    html! {
        figure {
            (PreEscaped(drawing.svg()))
            figcaption { (thrown_line(game)) " " (opened(contents, &game.record)) }
        }
    }
}

/// The link to a record, and the command that opens it.
fn opened(contents: &PageContents, record: &str) -> Markup {
    let path = contents.folder.join(record);
    html! { a href=(record) { "record" } " " code { "hex web " (path.display()) } }
}

/// A bar for each part of the game: what a move lost on average.
fn bands(bands: &[NamedTally]) -> Markup {
    let means: Vec<f64> = bands
        .iter()
        .map(|band| 100.0 * band.tally.mean_loss())
        .collect();
    let most = means.iter().copied().fold(1.0, f64::max);
    let (x, y) = (horizontal(0.0, bands.len() as f64), vertical(0.0, most));
    let content = html! {
        (level("zero", y.at(0.0), "0 %"))
        (level("grid", y.at(most), &format!("{most:.1} %")))
        @for (number, (band, mean)) in bands.iter().zip(&means).enumerate() {
            (bar(x, y, number as f64, *mean))
            (words((x.at(number as f64 + 0.5), LABELS), "middle", short(&band.name)))
        }
    };
    chart("Win probability lost a move, by ply", &content)
}

/// The numbers of a band's name.
fn short(name: &str) -> &str {
    name.trim_start_matches("moves ")
}

fn bar(x: Axis, y: Axis, number: f64, value: f64) -> Markup {
    let (left, right) = (x.at(number + 0.15), x.at(number + 0.85));
    let (bottom, top) = (y.at(0.0), y.at(value));
    let corners = [(left, bottom), (left, top), (right, top), (right, bottom)];
    area("bar", corners.into_iter())
}

fn table(of: &str, rows: &[NamedTally]) -> Markup {
    let heads = [
        of, "Games", "Score", "Moves", "Lost", "A move", "?!", "?", "??",
    ];
    html! {
        div class="scroll" {
            table {
                tr { @for head in heads { th { (head) } } }
                @for NamedTally { name, tally } in rows {
                    tr {
                        th { (name) }
                        td class="number" { (tally.games) }
                        td class="number" { (tally.score().map_or("-".to_owned(), percent)) }
                        td class="number" { (tally.moves) }
                        td class="number" { (format!("{:.1}", tally.loss)) }
                        td class="number" { (format!("{:.1} %", 100.0 * tally.mean_loss())) }
                        @for count in [tally.doubtful, tally.bad, tally.very_bad] {
                            td class="number" { (count) }
                        }
                    }
                }
            }
        }
    }
}

fn faults(contents: &PageContents) -> Markup {
    html! {
        div class="scroll" {
            table {
                tr { @for head in ["Game", "Player", "What the record says", ""] { th { (head) } } }
                @for game in &contents.figures.faults {
                    tr {
                        td { (game.game) }
                        td { (game.player) }
                        td class="bad" { (game.fault) }
                        td { (opened(contents, &game.record)) }
                    }
                }
            }
        }
    }
}

fn times(figures: &ReviewFigures) -> Markup {
    html! {
        @if let Some(times) = &figures.times {
            p {
                (times.count) " answers: half in " (format!("{:.1}", times.p50_ms)) " ms, 99 % in "
                (format!("{:.1}", times.p99_ms)) " ms, the slowest in "
                (format!("{:.1}", times.max_ms)) " ms."
            }
        }
    }
}

/// All games, each with its mistakes.
fn games(contents: &PageContents) -> Markup {
    let heads = ["", "Game", "Red", "Blue", "Winner", "Mistakes", ""];
    html! {
        div class="scroll" {
            table {
                tr { @for head in heads { th { (head) } } }
                @for game in contents.games {
                    tr {
                        td class="number" { (game.number) }
                        td { (game.recorded.name) }
                        td { (game.name(0)) }
                        td { (game.name(1)) }
                        td { (game.winner().map_or("-", |winner| game.name(winner))) }
                        td { (mistakes(game)) }
                        td { (opened(contents, &game.record())) }
                    }
                }
            }
        }
    }
}

fn mistakes(game: &ReviewedGame) -> String {
    let words = game.mistakes().map(|(judged, grade)| {
        let played = game.recorded.game.turns()[judged.ply].action;
        format!("{}. {played}{}", judged.ply + 1, grade.sign())
    });
    words.collect::<Vec<String>>().join(", ")
}
