//! The report of a soak as one self-contained HTML page: the table, and curves of answer times, in
//! the style of a match's report.

use super::log::SoakHeader;
use super::report::{Group, SoakReport};
use hex_common::report_page;
use hex_common::report_page::chart::{
    chart, curve, line, share_of_decade, words, Axis, Place, BOTTOM, HEIGHT, LABELS, RIGHT, TOP,
    WIDTH,
};
use maud::{html, Markup};

/// The room to the left of the curves for the labels of the vertical axis.
const LEFT: f64 = 76.0;

/// The most points of a curve.
const POINTS: usize = 300;

/// How far a curve is drawn, as a multiple of the limit.
const REACH: f64 = 1.6;

/// The ticks of the axis of time, as multiples of the limit.
const TICKS: [f64; 6] = [0.0, 0.25, 0.5, 0.75, 1.0, 1.5];

/// The styles of the curves of undisturbed answers and of answers while the bot was stopped.
const STYLE: &str = ".course.quiet { stroke: var(--soft); stroke-dasharray: 6 3; }
.course.stopped { stroke-dasharray: 2 3; }";

/// The page.
pub(crate) fn page(header: &SoakHeader, report: &SoakReport, text: &str) -> String {
    let SoakHeader {
        first_ms,
        turn_ms,
        side,
        seed,
        stalls,
        ..
    } = header;
    let (shortest, longest) = header.stall_ms;
    let body = html! {
        main {
            section {
                h2 { "Answer times" }
                p class="lead" {
                    code { (header.bot) } " against itself, "
                    (first_ms) " ms first, " (turn_ms) " ms a turn; "
                    (side) "×" (side) " board, openings " code { (header.openings) } ", seed " (seed)
                    "; each stopped " (stalls) " times a second for " (shortest) " to " (longest) " ms"
                }
                div class="charts" {
                    @for kind in &report.groups { (figure(kind)) }
                }
            }
            section {
                h2 { "In figures" }
                pre { (text) }
            }
        }
    };
    report_page::page("soak · hex soak", "Soak", STYLE, &body)
}

/// The curves of one kind of answers, given by its groups.
fn figure(kind: &[Group]) -> Markup {
    match kind {
        [all, parts @ ..] if !all.times.is_empty() => html! {
            figure {
                figcaption {
                    (all.name) " answers: the share that took longer; solid on a busy machine, dotted "
                    "while the bot was stopped, dashed and grey if undisturbed"
                }
                (curves(all, parts))
            }
        },
        _ => Markup::default(),
    }
}

/// The curves of the parts of a kind of answers.
fn curves(all: &Group, parts: &[Group]) -> Markup {
    let decades = (all.times.len() as f64).log10().ceil().max(1.0);
    let x = Axis::new(0.0, all.limit * REACH, LEFT, WIDTH - RIGHT);
    // Of powers of ten: the share 1 is at the top.
    let y = Axis::new(0.0, decades, TOP, HEIGHT - BOTTOM);
    let limit = x.at(all.limit);
    let content = html! {
        @for decade in 0..=decades as usize {
            @let level = y.at(decade as f64);
            (line("grid", (LEFT, level), (WIDTH - RIGHT, level)))
            (words((LEFT - 6.0, level + 4.0), "end", &share_of_decade(decade)))
        }
        @for ms in TICKS.map(|part| part * all.limit) {
            (words((x.at(ms), LABELS), "middle", &ms.to_string()))
        }
        (words((LEFT - 14.0, LABELS), "end", "ms"))
        (line("limit", (limit, TOP), (limit, HEIGHT - BOTTOM)))
        @for (part, class) in parts.iter().zip(["course quiet", "course", "course stopped"]) {
            (curve(class, shares(&part.times, x, y)))
        }
    };
    let label = format!("Share of {} answers that took longer, by time", all.name);
    chart(&label, &content)
}

/// The share of `times`, which ascend, that took longer than each of them.
fn shares(times: &[f64], x: Axis, y: Axis) -> impl Iterator<Item = Place> + '_ {
    places(times.len()).into_iter().map(move |place| {
        let share = (times.len() - place) as f64 / times.len() as f64;
        (x.at(times[place]), y.at(-share.log10()))
    })
}

/// Indices into a list of `count` entries: all of the last ones, and fewer with growing distance
/// from the end.
fn places(count: usize) -> Vec<usize> {
    let mut places = Vec::new();
    let mut left = count;
    while left > 0 {
        places.push(count - left);
        let step = (left / (POINTS / 10)).max(1);
        left -= step;
    }
    places
}
