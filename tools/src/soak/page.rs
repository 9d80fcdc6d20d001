//! The report of a soak as one HTML page that needs nothing else: the table, and curves of answer
//! times, in the style of a match's report.

use super::log::SoakHeader;
use super::report::{Group, Report};
use std::fmt::Write;

/// The drawing's size, in its own units.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 240.0;

/// Room for the axes' labels.
const LEFT: f64 = 60.0;
const BOTTOM: f64 = 28.0;
const TOP: f64 = 10.0;
const RIGHT: f64 = 14.0;

/// Points of a curve at most.
const POINTS: usize = 300;

/// How far beyond the limit a curve is drawn.
const REACH: f64 = 1.6;

/// Where the ticks of the axis of time stand, in parts of the limit.
const TICKS: [f64; 6] = [0.0, 0.25, 0.5, 0.75, 1.0, 1.5];

/// How the curve of undisturbed answers differs from the other.
const STYLE: &str = ".course.quiet { stroke: var(--soft); stroke-dasharray: 6 3; }";

/// The page.
pub fn page(header: &SoakHeader, report: &Report, text: &str) -> String {
    let mut charts = String::new();
    for kind in report.groups.chunks(3) {
        let [all, undisturbed, stalled] = kind else {
            continue;
        };
        if all.times.is_empty() {
            continue;
        }
        let _ = write!(
            charts,
            "<figure><figcaption>{} answers: the share that took longer; solid with something \
             standing still, dashed without</figcaption>{}</figure>",
            all.name,
            chart(all, undisturbed, stalled)
        );
    }
    let (shortest, longest) = header.stall_ms;
    let setting = format!(
        "<code>{}</code> against itself, {} ms first, {} ms a turn; {}×{} board, openings <code>{}</code>, \
         seed {}; each stopped {} times a second for {shortest} to {longest} ms",
        escaped(&header.bot),
        header.first_ms,
        header.turn_ms,
        header.side,
        header.side,
        escaped(&header.openings),
        header.seed,
        header.stalls,
    );
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>soak · hex soak</title>\n<style>\n{}{STYLE}</style>\n</head>\n<body>\n\
         <header><h1>Soak</h1></header>\n<main>\n\
         <section><h2>Answer times</h2><p class=\"lead\">{setting}</p><div class=\"charts\">{charts}</div>\
         </section>\n<section><h2>In figures</h2><pre>{}</pre></section>\n</main>\n</body>\n</html>\n",
        include_str!("../match_command/html/page.css"),
        escaped(text)
    )
}

/// Text for HTML.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('"', "&quot;")
}

/// From milliseconds and shares to places in the drawing.
struct Scale {
    /// The longest time drawn, in milliseconds.
    longest: f64,
    /// The power of ten below which no share can be.
    decades: f64,
}

impl Scale {
    fn x(&self, ms: f64) -> f64 {
        LEFT + (ms / self.longest).clamp(0.0, 1.0) * (WIDTH - RIGHT - LEFT)
    }

    /// Of a share above 0; the axis is logarithmic.
    fn y(&self, share: f64) -> f64 {
        TOP + (-share.log10() / self.decades).clamp(0.0, 1.0) * (HEIGHT - BOTTOM - TOP)
    }
}

/// The curves of undisturbed and of stalled answers.
fn chart(all: &Group, undisturbed: &Group, stalled: &Group) -> String {
    let scale = Scale {
        longest: all.limit * REACH,
        decades: (all.times.len() as f64).log10().ceil().max(1.0),
    };
    let mut out = format!(
        "<svg class=\"chart\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"Share of {} answers that took longer, by time\">",
        all.name
    );
    for decade in 0..=scale.decades as i32 {
        let share = 10f64.powi(-decade);
        let y = scale.y(share);
        line(&mut out, "grid", (LEFT, y), (WIDTH - RIGHT, y));
        text(
            &mut out,
            (LEFT - 6.0, y + 4.0),
            "end",
            &format!("{} %", share * 100.0),
        );
    }
    for part in TICKS {
        let ms = part * all.limit;
        text(
            &mut out,
            (scale.x(ms), HEIGHT - 10.0),
            "middle",
            &format!("{ms}"),
        );
    }
    text(&mut out, (LEFT - 6.0, HEIGHT - 10.0), "end", "ms");
    let limit = scale.x(all.limit);
    line(&mut out, "limit", (limit, TOP), (limit, HEIGHT - BOTTOM));
    for (group, class) in [(undisturbed, "course quiet"), (stalled, "course")] {
        let points = curve(&group.times, &scale);
        let _ = write!(out, "<polyline class=\"{class}\" points=\"{points}\"/>");
    }
    out + "</svg>"
}

/// The share of `times`, which ascend, that took longer than each of them.
fn curve(times: &[f64], scale: &Scale) -> String {
    let count = times.len() as f64;
    let mut points = String::new();
    for place in places(times.len()) {
        let share = (times.len() - place) as f64 / count;
        let _ = write!(
            points,
            "{:.1},{:.1} ",
            scale.x(times[place]),
            scale.y(share)
        );
    }
    points
}

/// Places in a list of `count`: all of the last ones, fewer the further from the end.
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

fn line(out: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) {
    let _ = write!(
        out,
        "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
        from.0, from.1, to.0, to.1
    );
}

fn text(out: &mut String, at: (f64, f64), anchor: &str, words: &str) {
    let _ = write!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{words}</text>",
        at.0, at.1
    );
}
