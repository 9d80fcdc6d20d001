//! All first moves of an empty board: a line each, kept in a file if wanted, and a map at the end.

use super::monitor::{Monitor, SolveEnd};
use crate::append_log::{AppendLog, LogFormat};
use crate::record::{Point, Position, Side};
use crate::solver::{Solver, Unsolved};
use anyhow::{ensure, Context};
use hexbot::cell::Color;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

/// Who wins if Red opens there.
type Winners = BTreeMap<Point, Color>;

/// Solves the openings that `out` does not have, each with at most `nodes` positions, and prints
/// who wins.
///
/// # Errors
/// If the board has too many cells, the file is not one of this command, or nothing can be written.
pub fn solve(
    side: Side,
    out: Option<&Path>,
    nodes: Option<u64>,
    monitor: &Monitor,
) -> anyhow::Result<SolveEnd> {
    let empty = Position::new(side);
    let mut solver = Solver::new(&empty, nodes.unwrap_or(u64::MAX))?.watched(monitor.watch());
    let opened = out.map(|path| AppendLog::open(path, &mut SolvedLines(side)));
    let (mut log, solved) = opened.transpose()?.unzip();
    let mut winners: Winners = solved.into_iter().flatten().collect();
    let old = winners.len();
    for opening in from_the_middle(side) {
        if winners.contains_key(&opening) || monitor.is_over() {
            continue;
        }
        monitor.show(&opening.to_string());
        let (started, mut position) = (Instant::now(), empty.clone());
        position.set(opening, Some(Color::Red));
        let answer = match solver.winner(&position, Color::Blue) {
            Ok(winner) => {
                winners.insert(opening, winner);
                winner.to_string()
            }
            Err(Unsolved::Stopped) => continue,
            Err(_) => "unknown".to_owned(),
        };
        let seconds = started.elapsed().as_secs_f64();
        let line = format!("{opening} {answer} {} {seconds:.2}", solver.searched());
        monitor.print(|| writeln!(io::stdout().lock(), "{line}"))?;
        if let (Some(log), true) = (&mut log, winners.contains_key(&opening)) {
            log.append(&line)?;
        }
    }
    monitor.clear();
    let all = from_the_middle(side).len();
    let new = winners.len() - old;
    let (searched, seconds) = (solver.searched_in_all(), monitor.elapsed().as_secs_f64());
    let mut output = io::stdout().lock();
    write!(output, "{}", map(side, &winners))?;
    writeln!(
        output,
        "solved: {} of {all}, {new} of them now, {searched} positions in {seconds:.2} s",
        winners.len()
    )?;
    Ok(monitor.end(winners.len() == all))
}

/// The openings, one of two that half a turn makes the same, those in the middle first: they
/// are the easiest.
fn from_the_middle(side: Side) -> Vec<Point> {
    let points: Vec<Point> = side.points().collect();
    let mut half = points[..points.len().div_ceil(2)].to_vec();
    half.sort_by_key(|&point| {
        let turned = turned(point, side);
        let rows = point.row() as i32 - turned.row() as i32;
        let cols = point.col() as i32 - turned.col() as i32;
        // The square of the distance on a board whose axes meet at 60 degrees.
        rows * rows + rows * cols + cols * cols
    });
    half
}

/// The cell half a turn round the board.
fn turned(point: Point, side: Side) -> Point {
    let last = side.get() - 1;
    Point::new(last - point.row(), last - point.col(), side).expect("it is on the board")
}

/// A row of `r`, `b` and `?` for each row of the board.
fn map(side: Side, winners: &Winners) -> String {
    let letter = |point: Point| {
        let winner = winners.get(&point).or(winners.get(&turned(point, side)));
        match winner {
            Some(Color::Red) => "r",
            Some(Color::Blue) => "b",
            None => "?",
        }
    };
    let row = |row| {
        let cells = (0..side.get()).filter_map(|col| Point::new(row, col, side));
        cells.map(letter).collect::<Vec<&str>>().join(" ") + "\n"
    };
    (0..side.get()).map(row).collect()
}

/// The openings of a board of this side, as the log keeps them.
struct SolvedLines(Side);

impl LogFormat for SolvedLines {
    type Entry = (Point, Color);

    fn header(&self) -> Option<String> {
        Some(format!("hex solve --openings --side {}", self.0))
    }

    fn check_header(&self, first: &str) -> anyhow::Result<()> {
        let header = self.header().unwrap_or_default();
        ensure!(
            first == header,
            "{first:?} is not {header:?}: no file of this command for this side; use another --out"
        );
        Ok(())
    }

    fn read(&mut self, line: &str) -> anyhow::Result<(Point, Color)> {
        read_line(line, self.0).with_context(|| format!("{line:?} is not CELL COLOR …"))
    }
}

fn read_line(line: &str, side: Side) -> Option<(Point, Color)> {
    let mut words = line.split(' ');
    let opening = Point::parse(words.next()?, side).ok()?;
    let winner = match words.next()? {
        "red" => Color::Red,
        "blue" => Color::Blue,
        _ => return None,
    };
    Some((opening, winner))
}
