//! The charts of the report, as SVG.

use crate::stats::elo::{score_of_elo, Estimate};
use std::fmt::Write;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The drawing's size, in its own units.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 240.0;

/// Room for the axes' labels.
const LEFT: f64 = 52.0;
const BOTTOM: f64 = 28.0;
const TOP: f64 = 10.0;
const RIGHT: f64 = 14.0;

/// Room that the axis' unit needs to the right of the axis.
const LABEL_ROOM: f64 = 16.0;

/// Elo differences beyond this are drawn at the edge.
const ELO_LIMIT: f64 = 800.0;

/// Points of a line at most; longer series are thinned.
const POINTS: usize = 400;

/// An estimate over time with its interval.
pub struct Band {
    /// (number of pairs, estimate), thinned.
    points: Vec<(f64, Estimate)>,
}

impl Band {
    /// The estimates after 1, 2, … pairs.
    pub fn new(estimates: &[Estimate]) -> Band {
        let step = estimates.len().div_ceil(POINTS).max(1);
        let last = estimates.len().saturating_sub(1);
        let kept = |index: &usize| index.is_multiple_of(step) || *index == last;
        let indices = (0..estimates.len()).filter(kept);
        Band {
            points: indices.map(|i| ((i + 1) as f64, estimates[i])).collect(),
        }
    }
}

/// A linear map from values to places in the drawing.
#[derive(Clone, Copy)]
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn at(self, value: f64) -> f64 {
        let share = (value.clamp(self.low, self.high) - self.low) / (self.high - self.low);
        self.from + share * (self.to - self.from)
    }
}

fn horizontal(low: f64, high: f64) -> Axis {
    Axis {
        low,
        high: high.max(low + 1e-9),
        from: LEFT,
        to: WIDTH - RIGHT,
    }
}

fn vertical(low: f64, high: f64) -> Axis {
    Axis {
        low,
        high: high.max(low + 1e-9),
        from: HEIGHT - BOTTOM,
        to: TOP,
    }
}

fn begin(label: &str) -> String {
    format!("<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{label}\">")
}

fn text(out: &mut String, x: f64, y: f64, anchor: &str, words: &str) {
    let _ = write!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>"
    );
}

fn line(out: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) {
    let _ = write!(
        out,
        "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
        from.0, from.1, to.0, to.1
    );
}

/// A round step that cuts `range` into about `parts`: 1, 2 or 5 times a power of ten.
fn round_step(range: f64, parts: f64) -> f64 {
    let raw = range / parts;
    let power = 10f64.powf(raw.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * power >= raw);
    factor.unwrap_or(10.0) * power
}

/// The score in percent over the pairs played, with the interval as a band.
pub fn score_chart(band: &Band) -> String {
    let percent = |elo: f64| 100.0 * score_of_elo(elo);
    let mut out = begin("Score over the match with its 95 % interval");
    let y = vertical(0.0, 100.0);
    for tick in [0.0, 25.0, 50.0, 75.0, 100.0] {
        let class = if tick == 50.0 { "zero" } else { "grid" };
        level(&mut out, class, y.at(tick), &format!("{tick} %"));
    }
    course(&mut out, band, |elo| y.at(percent(elo)));
    out + "</svg>"
}

/// Elo over the pairs played, with the interval as a band.
pub fn elo_chart(band: &Band) -> String {
    let clipped = |elo: f64| elo.clamp(-ELO_LIMIT, ELO_LIMIT);
    // The first few intervals are huge and would flatten the rest.
    let settled = band.points.len() / 5;
    let reach = band.points[settled..]
        .iter()
        .map(|(_, e)| clipped(e.low).abs().max(clipped(e.high).abs()))
        .fold(20.0, f64::max);
    let step = round_step(2.0 * reach, 6.0);
    let top = (reach / step).ceil() * step;
    let y = vertical(-top, top);
    let mut out = begin("Elo difference over the match with its 95 % interval");
    let mut tick = -top;
    while tick <= top + step / 2.0 {
        let class = if tick.abs() < step / 2.0 {
            "zero"
        } else {
            "grid"
        };
        level(&mut out, class, y.at(tick), &format!("{:+.0}", tick + 0.0));
        tick += step;
    }
    course(&mut out, band, |elo| y.at(clipped(elo)));
    out + "</svg>"
}

/// A horizontal line with its label.
fn level(out: &mut String, class: &str, y: f64, label: &str) {
    line(out, class, (LEFT, y), (WIDTH - RIGHT, y));
    text(out, LEFT - 6.0, y + 4.0, "end", label);
}

/// The estimate and its interval over the pairs; `y` places an Elo difference.
fn course(out: &mut String, band: &Band, y: impl Fn(f64) -> f64) {
    let last = band.points.last().map_or(0.0, |(pair, _)| *pair);
    let x = horizontal(1.0, last.max(2.0));
    let place = |pair: f64, elo: f64| format!("{:.1},{:.1}", x.at(pair), y(elo));
    let upper = band.points.iter().map(|&(pair, e)| place(pair, e.high));
    let lower = band
        .points
        .iter()
        .rev()
        .map(|&(pair, e)| place(pair, e.low));
    let outline: Vec<String> = upper.chain(lower).collect();
    let middle: Vec<String> = band
        .points
        .iter()
        .map(|&(pair, e)| place(pair, e.elo))
        .collect();
    let _ = write!(
        out,
        "<polygon class=\"band\" points=\"{}\"/><polyline class=\"course\" points=\"{}\"/>",
        outline.join(" "),
        middle.join(" ")
    );
    let step = round_step(last.max(1.0), 6.0).max(1.0);
    let mut tick = step;
    while tick <= last {
        text(
            out,
            x.at(tick),
            HEIGHT - 10.0,
            "middle",
            &format!("{tick:.0}"),
        );
        tick += step;
    }
    text(out, LEFT - 6.0, HEIGHT - 10.0, "end", "pairs");
}

/// Counts of answer times in classes of equal ratio.
pub struct Histogram {
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
    /// The classes that `times` fall into, and their limit in milliseconds.
    pub fn new(times: &[Duration], limit: u64) -> Histogram {
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
pub fn histogram(histogram: &Histogram) -> String {
    let Some(&most) = histogram.counts.iter().max() else {
        return "<p>No answers.</p>".to_string();
    };
    let low = histogram.low.log10();
    let high = low + histogram.counts.len() as f64 / CLASSES_PER_DECADE;
    // A decade at least, so that one class does not fill the drawing.
    let (low, high) = ((low - 0.1).min(high - 1.0), high + 0.1);
    let (x, y) = (horizontal(low, high), vertical(0.0, most as f64));
    let mut out = begin("Histogram of answer times");
    for (class, &count) in histogram.counts.iter().enumerate() {
        let left = histogram.low.log10() + class as f64 / CLASSES_PER_DECADE;
        let (from, to) = (x.at(left), x.at(left + 1.0 / CLASSES_PER_DECADE));
        let _ = write!(
            out,
            "<rect class=\"bar\" x=\"{from:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\">\
             <title>{:.2} to {:.2} ms: {count}</title></rect>",
            y.at(count as f64),
            to - from - 0.5,
            y.at(0.0) - y.at(count as f64),
            10f64.powf(left),
            10f64.powf(left + 1.0 / CLASSES_PER_DECADE)
        );
    }
    line(
        &mut out,
        "zero",
        (LEFT, y.at(0.0)),
        (WIDTH - RIGHT, y.at(0.0)),
    );
    text(
        &mut out,
        LEFT - 6.0,
        y.at(most as f64) + 10.0,
        "end",
        &most.to_string(),
    );
    time_axis(&mut out, &x, low..=high);
    limit(&mut out, &x, low..=high, histogram.limit);
    out + "</svg>"
}

/// Labels below a logarithmic axis of milliseconds, of which the decades `shown` are drawn.
fn time_axis(out: &mut String, x: &Axis, shown: RangeInclusive<f64>) {
    text(out, LEFT - 6.0, HEIGHT - 10.0, "end", "ms");
    for decade in (shown.start().floor() as i32)..=(shown.end().ceil() as i32) {
        for factor in [1.0, 2.0, 5.0] {
            let value = factor * 10f64.powi(decade);
            let is_clear = x.at(value.log10()) > LEFT + LABEL_ROOM;
            if is_clear && shown.contains(&value.log10()) {
                text(
                    out,
                    x.at(value.log10()),
                    HEIGHT - 10.0,
                    "middle",
                    &format!("{value}"),
                );
            }
        }
    }
}

/// The judge's limit as a line across the histogram, if it is within reach of it.
fn limit(out: &mut String, x: &Axis, shown: RangeInclusive<f64>, limit: u64) {
    let place = (limit as f64).log10();
    if !shown.contains(&place) {
        return;
    }
    let at = x.at(place);
    line(out, "limit", (at, TOP), (at, HEIGHT - BOTTOM));
    text(out, at - 4.0, TOP + 12.0, "end", "limit");
}
