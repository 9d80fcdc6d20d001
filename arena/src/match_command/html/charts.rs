//! The charts of the report, as SVG.

use hex_common::report_page::chart::{
    chart, course, elo_axis, horizontal, level, line, round_step, tenths, vertical, words, Axis,
    BOTTOM, HEIGHT, LABELS, LEFT, RIGHT, TOP, WIDTH,
};
use hex_common::stats::elo::{score_of_elo, Estimate};
use maud::{html, Markup};
use std::ops::RangeInclusive;
use std::time::Duration;

/// The room for the axis' unit to the right of the axis.
const LABEL_ROOM: f64 = 16.0;

/// Elo differences beyond this are drawn at the edge.
const ELO_LIMIT: f64 = 800.0;

/// The most points of a line; longer series are thinned.
const POINTS: usize = 400;

/// An estimate over time with its interval.
pub(crate) struct Band {
    /// (number of pairs, estimate), thinned.
    points: Vec<(f64, Estimate)>,
}

impl Band {
    /// The estimates after 1, 2, … pairs.
    pub(crate) fn new(estimates: &[Estimate]) -> Band {
        let step = estimates.len().div_ceil(POINTS).max(1);
        let last = estimates.len().saturating_sub(1);
        let kept = |index: &usize| index.is_multiple_of(step) || *index == last;
        let indices = (0..estimates.len()).filter(kept);
        Band {
            points: indices.map(|i| ((i + 1) as f64, estimates[i])).collect(),
        }
    }
}

/// The score in percent over the pairs played, with the interval as a band.
pub(crate) fn score_chart(band: &Band) -> Markup {
    let percent = |elo: f64| 100.0 * score_of_elo(elo);
    let y = vertical(0.0, 100.0);
    let content = html! {
        @for tick in [0.0, 25.0, 50.0, 75.0, 100.0] {
            (level(if tick == 50.0 { "zero" } else { "grid" }, y.at(tick), &format!("{tick} %")))
        }
        (over_pairs(band, |elo| y.at(percent(elo))))
    };
    chart("Score over the match with its 95 % interval", &content)
}

/// Elo over the pairs played, with the interval as a band.
pub(crate) fn elo_chart(band: &Band) -> Markup {
    let clipped = |elo: f64| elo.clamp(-ELO_LIMIT, ELO_LIMIT);
    // The first few intervals are huge and would flatten the rest.
    let settled = band.points.len() / 5;
    let reach = band.points[settled..]
        .iter()
        .map(|(_, e)| clipped(e.low).abs().max(clipped(e.high).abs()))
        .fold(20.0, f64::max);
    let (y, lines) = elo_axis(reach);
    let content = html! {
        (lines)
        (over_pairs(band, |elo| y.at(clipped(elo))))
    };
    chart(
        "Elo difference over the match with its 95 % interval",
        &content,
    )
}

/// The estimate and its interval over the pairs; `y` places an Elo difference.
fn over_pairs(band: &Band, y: impl Fn(f64) -> f64) -> Markup {
    let last = band.points.last().map_or(0.0, |(pair, _)| *pair);
    let x = horizontal(1.0, last.max(2.0));
    let points = band.points.iter().map(|(pair, e)| (x.at(*pair), *e));
    let points: Vec<(f64, Estimate)> = points.collect();
    let step = round_step(last.max(1.0), 6.0).max(1.0);
    let ticks = (1..=(last / step) as u32).map(|number| f64::from(number) * step);
    html! {
        (course(&points, y))
        @for tick in ticks { (words((x.at(tick), LABELS), "middle", &format!("{tick:.0}"))) }
        (words((LEFT - 6.0, LABELS), "end", "pairs"))
    }
}

/// Counts of answer times in classes of equal ratio.
pub(crate) struct Histogram {
    /// Lower end of the first class, in milliseconds.
    low: f64,
    counts: Vec<usize>,
    /// In milliseconds.
    limit: u64,
}

/// Classes in a factor of ten.
const CLASSES_PER_DECADE: f64 = 20.0;

/// Shorter times count as this, in milliseconds.
const SHORTEST_MS: f64 = 0.01;

impl Histogram {
    /// Counts `times` in classes. `limit` is their limit in milliseconds.
    pub(crate) fn new(times: &[Duration], limit: u64) -> Histogram {
        let ms = |time: &Duration| (time.as_secs_f64() * 1e3).max(SHORTEST_MS);
        let class = |ms: f64| (ms.log10() * CLASSES_PER_DECADE).floor() as i64;
        let classes: Vec<i64> = times.iter().map(|time| class(ms(time))).collect();
        let (first, last) = match (classes.iter().min(), classes.iter().max()) {
            (Some(&first), Some(&last)) => (first, last),
            _ => (0, -1),
        };
        let mut counts = vec![0; (last + 1 - first) as usize];
        for class in classes {
            counts[(class - first) as usize] += 1;
        }
        Histogram {
            low: 10f64.powf(first as f64 / CLASSES_PER_DECADE),
            counts,
            limit,
        }
    }
}

/// The histogram, over a logarithmic axis of time.
pub(crate) fn histogram(histogram: &Histogram) -> Markup {
    let Some(&most) = histogram.counts.iter().max() else {
        return html! { p { "No answers." } };
    };
    let low = histogram.low.log10();
    let high = low + histogram.counts.len() as f64 / CLASSES_PER_DECADE;
    // At least a decade, so that one class does not fill the drawing.
    let (low, high) = ((low - 0.1).min(high - 1.0), high + 0.1);
    let (x, y) = (horizontal(low, high), vertical(0.0, most as f64));
    let bottom = y.at(0.0);
    let content = html! {
        (bars(histogram, x, y))
        (line("zero", (LEFT, bottom), (WIDTH - RIGHT, bottom)))
        (words((LEFT - 6.0, y.at(most as f64) + 10.0), "end", &most.to_string()))
        (time_axis(x, low..=high))
        (limit(x, low..=high, histogram.limit))
    };
    chart("Histogram of answer times", &content)
}

/// A bar for each class.
fn bars(histogram: &Histogram, x: Axis, y: Axis) -> Markup {
    let bar = |(class, &count): (usize, &usize)| {
        let left = histogram.low.log10() + class as f64 / CLASSES_PER_DECADE;
        let right = left + 1.0 / CLASSES_PER_DECADE;
        let (from, top) = (x.at(left), y.at(count as f64));
        let (width, height) = (x.at(right) - from - 0.5, y.at(0.0) - top);
        let (least, most) = (10f64.powf(left), 10f64.powf(right));
        html! {
            rect class="bar" x=(tenths(from)) y=(tenths(top)) width=(tenths(width))
                height=(tenths(height)) {
                title { (format!("{least:.2} to {most:.2} ms: {count}")) }
            }
        }
    };
    html! { @for class in histogram.counts.iter().enumerate() { (bar(class)) } }
}

/// Labels below a logarithmic axis of milliseconds, for the decades `shown`.
fn time_axis(x: Axis, shown: RangeInclusive<f64>) -> Markup {
    let decades = (shown.start().floor() as i32)..=(shown.end().ceil() as i32);
    let values = decades.flat_map(|decade| [1.0, 2.0, 5.0].map(|f| f * 10f64.powi(decade)));
    let ticks = values.filter(|value| {
        let is_clear = x.at(value.log10()) > LEFT + LABEL_ROOM;
        is_clear && shown.contains(&value.log10())
    });
    html! {
        (words((LEFT - 6.0, LABELS), "end", "ms"))
        @for value in ticks { (words((x.at(value.log10()), LABELS), "middle", &value.to_string())) }
    }
}

/// The limit as a line across the histogram, if the axis contains it.
fn limit(x: Axis, shown: RangeInclusive<f64>, limit: u64) -> Markup {
    let place = (limit as f64).log10();
    if !shown.contains(&place) {
        return Markup::default();
    }
    let at = x.at(place);
    html! {
        (line("limit", (at, TOP), (at, HEIGHT - BOTTOM)))
        (words((at - 4.0, TOP + 12.0), "end", "limit"))
    }
}
