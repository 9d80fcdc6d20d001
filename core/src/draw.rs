//! Boards drawn as SVG: stones, edges, labels, heat. The drawing is a rhombus whose rows shift to
//! the right, a1 at the top left, Red's edges above and below.
//!
//! ```text
//!      /\  /\  /\
//!     |a1||b1||c1|
//!      \/\ \/\ \/\
//!       |a2||b2||c2|
//! ```
//!
//! Every part has a class (`cell`, `stone red`, `last`, `label`, …), so that a page may restyle it.

use crate::record::{printable, AnyBoard, AnyCell, Side};
use hexbot::cell::Color;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The distance from a cell's centre to its corners, in units of the drawing.
const RADIUS: f64 = 20.0;

/// The space around the board for the names of rows and columns, in units of the drawing.
const MARGIN: f64 = 34.0;

/// The distance from a cell's centre to the middle of its sides, as a share of [`RADIUS`].
const APOTHEM: f64 = 0.866_025_403_784_438_6;

/// A board to draw. Setters replace what was set before for the same cell.
///
/// ```
/// use hex_core::{draw::Drawing, record::Side};
/// let svg = Drawing::new(&Side::CODINGAME.board()).svg();
/// assert!(svg.starts_with("<svg") && svg.contains("data-cell=\"k11\""));
/// ```
#[derive(Clone, Debug)]
pub struct Drawing<'a> {
    position: &'a AnyBoard,
    last: Option<AnyCell>,
    labels: BTreeMap<AnyCell, String>,
    notes: BTreeMap<AnyCell, String>,
    heat: BTreeMap<AnyCell, Heat>,
    marks: BTreeMap<AnyCell, Color>,
    letters: BTreeMap<AnyCell, String>,
    arrows: Vec<(AnyCell, AnyCell)>,
    is_patterned: bool,
}

impl<'a> Drawing<'a> {
    /// The stones of `position` and nothing else.
    pub fn new(position: &'a AnyBoard) -> Self {
        Drawing {
            position,
            last: None,
            labels: BTreeMap::new(),
            notes: BTreeMap::new(),
            heat: BTreeMap::new(),
            marks: BTreeMap::new(),
            letters: BTreeMap::new(),
            arrows: Vec::new(),
            is_patterned: false,
        }
    }

    /// Marks the stone of the last move.
    pub fn last_move(mut self, point: AnyCell) -> Self {
        self.last = Some(point);
        self
    }

    /// Writes a short text (a move's number, a percentage) on a cell or its stone.
    pub fn label(mut self, point: AnyCell, text: impl Into<String>) -> Self {
        self.labels.insert(point, text.into());
        self
    }

    /// Writes a short text in smaller letters under a cell's label.
    pub fn note(mut self, point: AnyCell, text: impl Into<String>) -> Self {
        self.notes.insert(point, text.into());
        self
    }

    /// Shades an empty cell green, from 0 (not at all) to 1 (fully).
    pub fn heat(self, point: AnyCell, share: f64) -> Self {
        self.shaded(point, share, None)
    }

    /// Shades an empty cell in a player's colour, from 0 (not at all) to 1 (fully).
    pub fn lean(self, point: AnyCell, color: Color, share: f64) -> Self {
        self.shaded(point, share, Some(color))
    }

    fn shaded(mut self, point: AnyCell, share: f64, color: Option<Color>) -> Self {
        let share = share.clamp(0.0, 1.0);
        self.heat.insert(point, Heat { color, share });
        self
    }

    /// Marks an empty cell with a dot in a player's colour, for paths and analyses.
    pub fn mark(mut self, point: AnyCell, color: Color) -> Self {
        self.marks.insert(point, color);
        self
    }

    /// Writes a short text over a cell and its stone, the way annotators mark cells.
    pub fn letter(mut self, point: AnyCell, text: impl Into<String>) -> Self {
        self.letters.insert(point, text.into());
        self
    }

    /// Draws an arrow from one cell to another, above everything else.
    pub(crate) fn arrow(mut self, from: AnyCell, to: AnyCell) -> Self {
        self.arrows.push((from, to));
        self
    }

    /// Shades the cells in three tones, so that no two neighbours have the same, and puts a dot on
    /// the four star points, the cells on the fourth lines from two edges each.
    pub fn pattern(mut self) -> Self {
        self.is_patterned = true;
        self
    }

    /// The drawing as one SVG element.
    pub fn svg(&self) -> String {
        Drawing::animation(std::slice::from_ref(self), 0.0)
    }

    /// Drawings of the same board one after the other as one SVG element, each shown for this many
    /// seconds, the last one from then on. It gives the cells' shades, the letters and the arrows.
    /// A program without animations shows the last drawing.
    ///
    /// # Panics
    /// If there is no drawing.
    pub fn animation(frames: &[Drawing], seconds: f64) -> String {
        let last = frames.last().expect("there is a drawing");
        let side = last.side();
        let (width, height) = extent(side);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.1} {height:.1}\" \
             class=\"board\" role=\"img\" font-family=\"sans-serif\" text-anchor=\"middle\">\n\
             <title>Hex board of side {side}</title>\n"
        );
        last.edges(&mut out);
        for point in side.cells() {
            last.cell(&mut out, point);
            let contents: Vec<String> = frames.iter().map(|frame| frame.contents(point)).collect();
            one_after_the_other(&mut out, &contents, seconds);
        }
        last.names(&mut out);
        last.annotations(&mut out);
        out + "</svg>\n"
    }

    fn side(&self) -> Side {
        Side::of_board(self.position)
    }

    fn edges(&self, out: &mut String) {
        for color in Color::ALL {
            for line in edge_lines(self.side(), color) {
                let _ = writeln!(
                    out,
                    "<polyline class=\"edge {color}\" points=\"{}\" fill=\"none\" stroke=\"{}\" \
                     stroke-width=\"{:.1}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"/>",
                    points(line.into_iter()),
                    paint(color),
                    RADIUS * 0.5
                );
            }
        }
    }

    fn cell(&self, out: &mut String, point: AnyCell) {
        let (x, y) = center(point);
        let fill = match self.heat.get(&point) {
            Some(heat) => heat.fill(),
            None if self.is_patterned => TONES[(point.col() + 2 * point.row()) % 3].to_string(),
            None => TONES[0].to_string(),
        };
        let _ = writeln!(
            out,
            "<polygon class=\"cell\" data-cell=\"{point}\" data-x=\"{x:.1}\" data-y=\"{y:.1}\" points=\"{}\" \
             fill=\"{fill}\" stroke=\"#8a8172\" stroke-width=\"1\"/>",
            points(Corner::ALL.iter().map(|corner| corner.of(point)))
        );
    }

    /// What is on a cell.
    fn contents(&self, point: AnyCell) -> String {
        let mut contents = String::new();
        let (out, (x, y)) = (&mut contents, center(point));
        if self.is_patterned && is_star_point(point, self.side()) {
            circle(out, "star", (x, y), 0.15, "#8a8172");
        }
        let stone = self.position.at(point);
        if let Some(color) = stone {
            circle(out, &format!("stone {color}"), (x, y), 0.7, paint(color));
            if self.last == Some(point) {
                self.mark_last(out, point, color);
            }
        } else if let Some(&color) = self.marks.get(&point) {
            circle(out, &format!("mark {color}"), (x, y), 0.3, paint(color));
        }
        if let Some(text) = self.labels.get(&point) {
            let ink = if stone.is_some() {
                "#ffffff"
            } else {
                "#222222"
            };
            let raised = if self.notes.contains_key(&point) {
                RADIUS * 0.2
            } else {
                0.0
            };
            label(out, "label", (x, y - raised), RADIUS * 0.6, ink, text);
        }
        if let Some(text) = self.notes.get(&point) {
            label(
                out,
                "note",
                (x, y + RADIUS * 0.4),
                RADIUS * 0.4,
                "#444444",
                text,
            );
        }
        contents
    }

    /// Marks a stone as the last one: a dot, or a ring around what the stone is labelled with.
    fn mark_last(&self, out: &mut String, point: AnyCell, color: Color) {
        let middle = center(point);
        if self.labels.contains_key(&point) {
            circle(out, "last", middle, 0.62, "#ffffff");
            circle(out, "stone", middle, 0.55, paint(color));
        } else {
            circle(out, "last", middle, 0.2, "#ffffff");
        }
    }

    /// Draws letters, with a rim to be readable on stones too, and arrows.
    fn annotations(&self, out: &mut String) {
        for (&point, text) in &self.letters {
            let (x, y) = center(point);
            let _ = writeln!(
                out,
                "<text class=\"letter\" x=\"{x:.1}\" y=\"{:.1}\" font-size=\"17\" font-weight=\"700\" \
                 fill=\"#111111\" stroke=\"#ffffff\" stroke-width=\"4\" paint-order=\"stroke\">{}</text>",
                y + 6.0,
                escaped(text)
            );
        }
        for &(from, to) in &self.arrows {
            let _ = writeln!(
                out,
                "<path class=\"arrow\" d=\"{}\" fill=\"none\" stroke=\"#111111\" stroke-width=\"3\" \
                 stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
                arrow_path(center(from), center(to))
            );
        }
    }

    /// Writes the letters of the columns above the board and the numbers of the rows to its left.
    fn names(&self, out: &mut String) {
        let side = self.side();
        let first_row = side.cells().take(side.get());
        for point in first_row {
            let (x, y) = center(point);
            let at = (x - RADIUS * APOTHEM, y - RADIUS * 1.6);
            let name = point.to_string();
            label(out, "name", at, RADIUS * 0.7, "#777777", &name[..1]);
        }
        let first_column = side.cells().filter(|point| point.col() == 0);
        for point in first_column {
            let (x, y) = center(point);
            let at = (x - RADIUS * 1.65, y);
            label(
                out,
                "name",
                at,
                RADIUS * 0.7,
                "#777777",
                &point.to_string()[1..],
            );
        }
    }
}

/// The colours of empty cells. A board without a pattern has the first one only.
const TONES: [&str; 3] = ["#f4efe6", "#e6dfd2", "#d9d0c0"];

/// Whether a cell is on the fourth lines from two edges. On boards where these meet or cross, none
/// is.
fn is_star_point(point: AnyCell, side: Side) -> bool {
    const LINE: usize = 3;
    let last = side.get() - 1;
    let is_on = |index: usize| index == LINE || index + LINE == last;
    last > 2 * LINE && is_on(point.row()) && is_on(point.col())
}

/// Writes the contents of a cell, each shown for this many seconds and the last one from then on.
fn one_after_the_other(out: &mut String, contents: &[String], seconds: f64) {
    let mut begin = 0;
    for run in contents.chunk_by(|one, next| one == next) {
        let end = begin + run.len();
        // Whole milliseconds, so that one ends when the next begins.
        let [from, until] = [begin, end].map(|frame| (frame as f64 * seconds * 1e3).round());
        let (hidden, to) = match (begin, end == contents.len()) {
            (0, true) => {
                *out += &run[0];
                return;
            }
            // Visible without animations.
            (_, true) => ("", format!("to=\"hidden\" dur=\"{from}ms\"")),
            (_, false) => {
                let dur = until - from;
                let times = format!("to=\"visible\" begin=\"{from}ms\" dur=\"{dur}ms\"");
                (" visibility=\"hidden\"", times)
            }
        };
        if !run[0].is_empty() {
            let set = format!("<set attributeName=\"visibility\" {to}/>");
            let _ = writeln!(out, "<g{hidden}>{set}\n{}</g>", run[0]);
        }
        begin = end;
    }
}

/// The colour of stones and edges. Colour-blind people can distinguish them too.
fn paint(color: Color) -> &'static str {
    match color {
        Color::Red => "#c8402f",
        Color::Blue => "#2f63b8",
    }
}

/// How an empty cell is shaded.
#[derive(Clone, Copy, Debug)]
struct Heat {
    /// The player whose colour shades the cell; green if `None`.
    color: Option<Color>,
    /// 0 to 1.
    share: f64,
}

impl Heat {
    /// From the empty cell's colour to the full one.
    fn fill(self) -> String {
        let full = match self.color {
            None => [46.0, 160.0, 67.0],
            Some(Color::Red) => [200.0, 64.0, 47.0],
            Some(Color::Blue) => [47.0, 99.0, 184.0],
        };
        let mixed: Vec<String> = [244.0, 239.0, 230.0]
            .iter()
            .zip(full)
            .map(|(from, to)| format!("{:02x}", (from + (to - from) * self.share).round() as u8))
            .collect();
        format!("#{}", mixed.concat())
    }
}

/// The points of a line or an area in SVG.
pub fn points(points: impl Iterator<Item = (f64, f64)>) -> String {
    let points: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    points.join(" ")
}

fn circle(out: &mut String, class: &str, (x, y): (f64, f64), radii: f64, fill: &str) {
    let radius = RADIUS * radii;
    let _ = writeln!(
        out,
        "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\"/>"
    );
}

fn label(out: &mut String, class: &str, (x, y): (f64, f64), size: f64, ink: &str, text: &str) {
    let _ = writeln!(
        out,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{size:.1}\" fill=\"{ink}\">{}</text>",
        // Digits are about 0.7 of the font size high.
        y + size * 0.35,
        escaped(text)
    );
}

/// A user's text as the content of an element.
fn escaped(text: &str) -> String {
    let text = printable(text).replace('&', "&amp;");
    // `]]>` is forbidden, too.
    text.replace('<', "&lt;").replace('>', "&gt;")
}

/// An arrow from one point to another, as the data of an SVG path.
fn arrow_path(from: (f64, f64), to: (f64, f64)) -> String {
    const HEAD: f64 = RADIUS * 0.45;
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(1.0);
    let (dx, dy) = (dx / length * HEAD, dy / length * HEAD);
    let wing = |side: f64| {
        let (x, y) = (to.0 - dx + side * dy / 2.0, to.1 - dy - side * dx / 2.0);
        format!("L{x:.1} {y:.1}")
    };
    let tip = format!("{:.1} {:.1}", to.0, to.1);
    format!(
        "M{:.1} {:.1}L{tip}{}M{tip}{}",
        from.0,
        from.1,
        wing(1.0),
        wing(-1.0)
    )
}

/// Width and height of the drawing of a board.
fn extent(side: Side) -> (f64, f64) {
    let n = side.get() as f64;
    let width = RADIUS * APOTHEM * (3.0 * n - 1.0);
    let height = RADIUS * (1.5 * n + 0.5);
    (width + 2.0 * MARGIN, height + 2.0 * MARGIN)
}

/// The middle of a cell in the drawing.
fn center(point: AnyCell) -> (f64, f64) {
    let (row, col) = (point.row() as f64, point.col() as f64);
    (
        MARGIN + RADIUS * APOTHEM * (2.0 * col + row + 1.0),
        MARGIN + RADIUS * (1.5 * row + 1.0),
    )
}

/// A corner of a cell: how far right of its centre and below, in radii.
#[derive(Clone, Copy)]
struct Corner(f64, f64);

impl Corner {
    const TOP: Corner = Corner(0.0, -1.0);
    const UPPER_RIGHT: Corner = Corner(APOTHEM, -0.5);
    const LOWER_RIGHT: Corner = Corner(APOTHEM, 0.5);
    const BOTTOM: Corner = Corner(0.0, 1.0);
    const LOWER_LEFT: Corner = Corner(-APOTHEM, 0.5);
    const UPPER_LEFT: Corner = Corner(-APOTHEM, -0.5);

    /// Clockwise.
    const ALL: [Corner; 6] = [
        Corner::TOP,
        Corner::UPPER_RIGHT,
        Corner::LOWER_RIGHT,
        Corner::BOTTOM,
        Corner::LOWER_LEFT,
        Corner::UPPER_LEFT,
    ];

    fn of(self, point: AnyCell) -> (f64, f64) {
        let (x, y) = center(point);
        (x + RADIUS * self.0, y + RADIUS * self.1)
    }
}

/// The two lines along the edges that `color` has to join. Where two colours meet at an acute
/// corner of the board they share the side of its cell, half each.
fn edge_lines(side: Side, color: Color) -> [Vec<(f64, f64)>; 2] {
    let last = side.get() - 1;
    let at = |row, col| side.cell(row, col).expect("on the board");
    let half = |point, a: Corner, b: Corner| {
        let ((ax, ay), (bx, by)) = (a.of(point), b.of(point));
        ((ax + bx) / 2.0, (ay + by) / 2.0)
    };
    let upper_right = half(at(0, last), Corner::TOP, Corner::UPPER_RIGHT);
    let lower_left = half(at(last, 0), Corner::LOWER_LEFT, Corner::BOTTOM);
    let line = |cells: Vec<AnyCell>, corners: [Corner; 2]| -> Vec<(f64, f64)> {
        let each = |point| corners.map(|corner| corner.of(point));
        cells.into_iter().flat_map(each).collect()
    };
    match color {
        Color::Red => {
            let top = (0..=last).map(|col| at(0, col)).collect();
            let bottom = (0..=last).map(|col| at(last, col)).collect();
            let mut above = line(top, [Corner::UPPER_LEFT, Corner::TOP]);
            above.push(upper_right);
            let mut below = vec![lower_left];
            below.extend(line(bottom, [Corner::BOTTOM, Corner::LOWER_RIGHT]));
            [above, below]
        }
        Color::Blue => {
            let left = (0..=last).map(|row| at(row, 0)).collect();
            let right = (0..=last).map(|row| at(row, last)).collect();
            let mut before = line(left, [Corner::UPPER_LEFT, Corner::LOWER_LEFT]);
            before.push(lower_left);
            let mut after = vec![upper_right];
            after.extend(line(right, [Corner::UPPER_RIGHT, Corner::LOWER_RIGHT]));
            [before, after]
        }
    }
}
