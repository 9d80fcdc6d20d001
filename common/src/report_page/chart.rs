//! Charts as SVG: the size of the drawing and its elements. Coordinates are in units of the
//! drawing, from its upper left corner.

use crate::stats::elo::Estimate;
use hex_core::draw::points;
use maud::{html, Markup};

/// The drawing's width.
pub const WIDTH: f64 = 640.0;

/// The drawing's height.
pub const HEIGHT: f64 = 240.0;

/// The space below the curves, for the labels of the horizontal axis.
pub const BOTTOM: f64 = 28.0;

/// The space above the curves.
pub const TOP: f64 = 10.0;

/// The space to the left of the curves, for short labels of the vertical axis.
pub const LEFT: f64 = 52.0;

/// The space to the right of the curves.
pub const RIGHT: f64 = 14.0;

/// The vertical place of the labels below the horizontal axis.
pub const LABELS: f64 = HEIGHT - 10.0;

/// A point of the drawing: distances from the left and from the top.
pub type Place = (f64, f64);

/// The chart with this content; screen readers read `label`.
pub fn chart(label: &str, content: &Markup) -> Markup {
    html! {
        svg class="chart" viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(label) {
            (content)
        }
    }
}

/// A linear map from values to coordinates of the drawing.
#[derive(Clone, Copy)]
pub struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// The axis from `low`, at the coordinate `from`, to `high`, at `to`.
    pub fn new(low: f64, high: f64, from: f64, to: f64) -> Axis {
        let high = high.max(low + 1e-9);
        Axis {
            low,
            high,
            from,
            to,
        }
    }

    /// The coordinate of a value. Values beyond an end of the axis are at that end.
    pub fn at(self, value: f64) -> f64 {
        let share = (value.clamp(self.low, self.high) - self.low) / (self.high - self.low);
        self.from + share * (self.to - self.from)
    }
}

/// The axis from the left, at `low`, to the right, at `high`.
pub fn horizontal(low: f64, high: f64) -> Axis {
    Axis::new(low, high, LEFT, WIDTH - RIGHT)
}

/// The axis from the bottom, at `low`, to the top, at `high`.
pub fn vertical(low: f64, high: f64) -> Axis {
    Axis::new(low, high, HEIGHT - BOTTOM, TOP)
}

/// A round step that divides `range` into about `parts` parts: 1, 2 or 5 times a power of ten.
pub fn round_step(range: f64, parts: f64) -> f64 {
    let raw = range / parts;
    let power = 10f64.powf(raw.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * power >= raw);
    factor.unwrap_or(10.0) * power
}

/// A straight line of this CSS class.
pub fn line(class: &str, from: Place, to: Place) -> Markup {
    let ((x1, y1), (x2, y2)) = (from, to);
    html! {
        line class=(class) x1=(tenths(x1)) y1=(tenths(y1)) x2=(tenths(x2)) y2=(tenths(y2)) {}
    }
}

/// A curve of this CSS class through places.
pub fn curve(class: &str, places: impl Iterator<Item = Place>) -> Markup {
    html! { polyline class=(class) points=(points(places)) {} }
}

/// A polygon of this CSS class with these corners.
pub fn area(class: &str, places: impl Iterator<Item = Place>) -> Markup {
    html! { polygon class=(class) points=(points(places)) {} }
}

/// A text at a place. `anchor` is the part of the text that is there: `start`, `middle` or `end`.
pub fn words(at: Place, anchor: &str, words: &str) -> Markup {
    html! { text x=(tenths(at.0)) y=(tenths(at.1)) text-anchor=(anchor) { (words) } }
}

/// A horizontal line of this CSS class with its label.
pub fn level(class: &str, y: f64, label: &str) -> Markup {
    html! {
        (line(class, (LEFT, y), (WIDTH - RIGHT, y)))
        (words((LEFT - 6.0, y + 4.0), "end", label))
    }
}

/// The vertical axis of Elo differences from `-reach` to `reach`, with a horizontal line at each
/// round step.
pub fn elo_axis(reach: f64) -> (Axis, Markup) {
    let step = round_step(2.0 * reach, 6.0);
    let steps = (reach / step).ceil() as i32;
    let axis = vertical(-f64::from(steps) * step, f64::from(steps) * step);
    let lines = html! {
        @for tick in (-steps..=steps).map(|number| f64::from(number) * step) {
            // No minus before a zero.
            (level(if tick == 0.0 { "zero" } else { "grid" }, axis.at(tick), &format!("{:+.0}", tick + 0.0)))
        }
    };
    (axis, lines)
}

/// Estimates as a curve with their intervals as a band. Each stands beside its place across; `y`
/// places an Elo difference.
pub fn course(points: &[(f64, Estimate)], y: impl Fn(f64) -> f64) -> Markup {
    let places = |elo: fn(&Estimate) -> f64| -> Vec<Place> {
        points.iter().map(|(x, e)| (*x, y(elo(e)))).collect()
    };
    let (upper, lower) = (places(|e| e.high), places(|e| e.low));
    html! {
        (area("band", upper.into_iter().chain(lower.into_iter().rev())))
        (curve("course", places(|e| e.elo).into_iter()))
    }
}

/// The share 10 to the power −`decade` in percent, as the label of a logarithmic axis.
///
/// ```
/// use hex_common::report_page::chart::share_of_decade;
/// assert_eq!([0, 2, 6].map(share_of_decade), ["100 %", "1 %", "0.0001 %"]);
/// ```
pub fn share_of_decade(decade: usize) -> String {
    let digits = decade.saturating_sub(2);
    format!("{:.digits$} %", 100.0 / 10f64.powi(decade as i32))
}

/// A length with one decimal.
pub fn tenths(length: f64) -> String {
    format!("{length:.1}")
}
