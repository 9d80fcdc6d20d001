//! The report of a tuning as one self-contained HTML page: for each parameter the slice of the
//! surface through the best values.

use super::report::TuneReport;
use hex_common::report_page;
use hex_common::report_page::chart::{
    chart, course, elo_axis, horizontal, line, words, BOTTOM, HEIGHT, LABELS, TOP,
};
use hex_common::stats::elo::Estimate;
use maud::{html, Markup};

/// The points of a curve.
const POINTS: usize = 61;

/// Differences beyond this are drawn at the edge, in Elo.
const ELO_LIMIT: f64 = 200.0;

/// The page; `text` is the report as text.
pub(crate) fn page(report: &TuneReport, text: &str) -> String {
    let parameters = 0..report.tuning.parameters.len();
    let body = html! {
        main {
            section {
                h2 { "What each parameter is worth" }
                p class="lead" {
                    code { (report.tuning.text) } ", " (report.pairs.len()) " pairs of games. Elo \
                    against the current values, with the best values of all other parameters; \
                    the band is the 95 % interval, the dashed line the current value, the other \
                    one the best."
                }
                div class="charts" { @for index in parameters { (figure(report, index)) } }
            }
            section {
                h2 { "In figures" }
                pre { (text) }
            }
        }
    };
    report_page::page("tuning · hex tune", "Tuning", "", &body)
}

fn figure(report: &TuneReport, index: usize) -> Markup {
    let parameter = &report.tuning.parameters[index];
    let best = parameter.value(report.best[index]);
    html! {
        figure {
            (slice(report, index))
            figcaption { (parameter.name) ": best " (best) ", likely " (report.likely(index)) }
        }
    }
}

/// Elo over the values of a parameter.
fn slice(report: &TuneReport, index: usize) -> Markup {
    let parameter = &report.tuning.parameters[index];
    let (start, end) = parameter.places().into_inner();
    let gain = |place: f64| -> Estimate {
        let mut places = report.best.clone();
        places[index] = place;
        report.gain(&places)
    };
    let step = (end - start) / (POINTS - 1) as f64;
    let points = (0..POINTS).map(|number| start + number as f64 * step);
    let x = horizontal(start, end);
    let points = points.map(|place| (x.at(place), gain(place)));
    let points: Vec<(f64, Estimate)> = points.collect();
    let clipped = |elo: f64| elo.clamp(-ELO_LIMIT, ELO_LIMIT);
    let ends = points.iter().flat_map(|(_, gain)| [gain.low, gain.high]);
    let reach = ends.map(|elo| clipped(elo).abs()).fold(20.0, f64::max);
    let (y, lines) = elo_axis(reach);
    let best = report.best[index];
    let content = html! {
        (lines)
        (course(&points, |elo| y.at(clipped(elo))))
        (line("limit", (x.at(0.0), TOP), (x.at(0.0), HEIGHT - BOTTOM)))
        (line("zero", (x.at(best), TOP), (x.at(best), HEIGHT - BOTTOM)))
        @for (place, anchor) in [(start, "start"), (0.0, "middle"), (end, "end")] {
            (words((x.at(place), LABELS), anchor, &parameter.value(place).to_string()))
        }
    };
    chart(&format!("Elo against now by {}", parameter.name), &content)
}
