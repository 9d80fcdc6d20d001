//! Solves all first moves of an empty board: prints a line for each and a map at the end. A file
//! may keep the lines.
//!
//! Openings take turns, because it is not known before which are easy, and the hardest takes longer
//! than all others together. An opening that is not solved within a thousand positions waits until
//! every other one has had as many, and then gets four times as many.

use super::monitor::Monitor;
use anyhow::Context;
use hex_common::append_log::results::KeptResults;
use hex_common::finding::Finding;
use hex_common::solved_openings::{self, Winners};
use hex_common::workers::at_the_same_time;
use hex_core::record::{counted, AnyBoard, AnyCell, Side};
use hex_core::solver::{Solver, Unsolved};
use hexbot::cell::Color;
use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// The most positions in an opening's first turn.
const FIRST_TURN: u64 = 1 << 10;

/// The factor by which each next turn is longer.
const TURN_GROWTH: u64 = 4;

/// The number of solvers, and their limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Solvers {
    /// At least 1.
    pub(crate) threads: usize,
    /// The most positions for one opening, at least 1.
    pub(crate) limit: u64,
    /// The memory of all solvers together, in bytes.
    pub(crate) memory: usize,
}

/// Solves the openings that `out` does not have, several at the same time, and prints the winners.
/// A solver reuses results of earlier openings. Returns why something is unsolved.
///
/// # Errors
/// If the board has too many cells, the file is not one of this command, or the output cannot be
/// written.
pub(crate) fn solve(
    side: Side,
    out: Option<&Path>,
    solvers: Solvers,
    monitor: &Monitor,
) -> anyhow::Result<Option<Finding>> {
    let empty = side.board();
    let make = |threads| {
        Solver::new(&empty, solvers.limit)
            .map(|solver| solver.remembering(solvers.memory / threads))
    };
    make(solvers.threads).context("choose a smaller --side")?;
    let winners = solved_openings::open(out, side)?;
    let old = winners.found().len();
    let all = from_the_middle(side);
    let mut missing = all.clone();
    missing.retain(|opening| !winners.found().contains_key(opening));
    let threads = solvers.threads.min(missing.len());
    let work = OpeningsWork {
        empty: &empty,
        monitor,
        limit: solvers.limit,
        waiting: Mutex::new(missing.into_iter().map(OpeningTurn::first).collect()),
        winners: Mutex::new(winners),
    };
    let solver = |_| make(threads).expect("so could the first one be made");
    let solvers = (0..threads).map(solver).collect();
    let (searched, ()) = at_the_same_time(solvers, |solver| work.solve_some(solver), || {})?;
    let searched = searched.into_iter().sum::<anyhow::Result<u64>>()?;
    monitor.clear();
    let winners = work.winners.into_inner().expect("no panics");
    let winners = winners.found();
    let (new, seconds) = (winners.len() - old, monitor.elapsed().as_secs_f64());
    let mut output = io::stdout().lock();
    write!(output, "{}", map(side, winners))?;
    writeln!(
        output,
        "solved: {} of {}, {new} of them now, {} in {seconds:.2} s",
        winners.len(),
        all.len(),
        counted(searched, "position"),
    )?;
    let is_solved = winners.len() == all.len();
    Ok((!is_solved).then(|| monitor.unsolved()))
}

/// What the threads share.
struct OpeningsWork<'a> {
    empty: &'a AnyBoard,
    monitor: &'a Monitor,
    limit: u64,
    waiting: Mutex<VecDeque<OpeningTurn>>,
    winners: Mutex<KeptResults<AnyCell, Color>>,
}

/// An opening that waits for its turn.
struct OpeningTurn {
    opening: AnyCell,
    /// The positions and the time that it has had.
    searched: u64,
    took: Duration,
    /// The most positions in this turn.
    next: u64,
}

impl OpeningTurn {
    fn first(opening: AnyCell) -> Self {
        OpeningTurn {
            opening,
            searched: 0,
            took: Duration::ZERO,
            next: FIRST_TURN,
        }
    }
}

impl OpeningsWork<'_> {
    /// One thread's share of the openings. Returns how many positions it has searched.
    fn solve_some(&self, solver: Solver) -> anyhow::Result<u64> {
        let mut solver = solver.watched(self.monitor.watch());
        while !self.monitor.is_over() {
            let turn = self.waiting.lock().expect("no panics").pop_front();
            let Some(turn) = turn else { break };
            let done = self.take_turn(turn, &mut solver);
            if done.is_err() {
                // The other threads end too.
                self.waiting.lock().expect("no panics").clear();
            }
            if let Some(again) = done? {
                self.waiting.lock().expect("no panics").push_back(again);
            }
        }
        Ok(solver.searched_in_all())
    }

    /// Searches an opening. Returns its next turn if it needs one and has not reached the limit.
    fn take_turn(
        &self,
        mut turn: OpeningTurn,
        solver: &mut Solver,
    ) -> anyhow::Result<Option<OpeningTurn>> {
        self.monitor.show(&turn.opening.to_string());
        let (started, mut position) = (Instant::now(), self.empty.clone());
        position.play(turn.opening);
        solver.set_limit(turn.next.min(self.limit - turn.searched));
        let winner = solver.winner(&position);
        turn.searched += solver.searched();
        turn.took += started.elapsed();
        turn.next = turn.next.saturating_mul(TURN_GROWTH);
        match winner {
            Ok(winner) => self.report(&turn, Some(winner))?,
            Err(Unsolved::TooHard(_)) if turn.searched < self.limit => return Ok(Some(turn)),
            Err(Unsolved::Stopped) => {}
            Err(_) => self.report(&turn, None)?,
        }
        Ok(None)
    }

    /// Prints the result of an opening, and keeps its winner.
    fn report(&self, turn: &OpeningTurn, winner: Option<Color>) -> anyhow::Result<()> {
        let (opening, seconds) = (turn.opening, turn.took.as_secs_f64());
        let answer = winner.map_or("unknown".to_owned(), |winner| winner.to_string());
        let line = format!("{opening} {answer} {} {seconds:.2}", turn.searched);
        let mut winners = self.winners.lock().expect("no panics");
        self.monitor
            .print(|| writeln!(io::stdout().lock(), "{line}"))?;
        if let Some(winner) = winner {
            winners.add(opening, winner, &line)?;
        }
        Ok(())
    }
}

/// The openings, only one of each two that half a turn makes equal. Those in the middle come first,
/// because they are among the easiest.
fn from_the_middle(side: Side) -> Vec<AnyCell> {
    let cells: Vec<AnyCell> = side.cells().collect();
    let mut half = cells[..cells.len().div_ceil(2)].to_vec();
    half.sort_by_key(|&cell| {
        let turned = side.rotated(cell);
        let rows = cell.row() as i32 - turned.row() as i32;
        let cols = cell.col() as i32 - turned.col() as i32;
        // The square of the distance on a board whose axes meet at 60 degrees.
        rows * rows + rows * cols + cols * cols
    });
    half
}

/// A row of `r`, `b` and `?` for each row of the board.
fn map(side: Side, winners: &Winners) -> String {
    let letter = |cell: AnyCell| {
        let winner = winners.get(&cell).or(winners.get(&side.rotated(cell)));
        match winner {
            Some(Color::Red) => "r",
            Some(Color::Blue) => "b",
            None => "?",
        }
    };
    let row = |row| {
        let cells = (0..side.get()).filter_map(|col| side.cell(row, col));
        cells.map(letter).collect::<Vec<&str>>().join(" ") + "\n"
    };
    (0..side.get()).map(row).collect()
}
