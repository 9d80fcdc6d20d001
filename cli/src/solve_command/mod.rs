//! `hex solve`: who wins a position with perfect play, and by which moves. This file has the
//! arguments and the answer for one position. [`openings`] solves all first moves of an empty
//! board; [`monitor`] limits searches and shows their progress.

pub(crate) mod monitor;
pub(crate) mod openings;

use anyhow::{ensure, Context};
use hex_common::finding::Finding;
use hex_common::options;
use hex_common::record_input::{parse_side, read_game, show_notes};
use hex_core::record::{counted, AnyCell, Game, Side};
use hex_core::solver::{Appraisal, Solver, SolverQuestion};
use hexbot::cell::Color;
use monitor::{Monitor, SolveLimits};
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// The range of `--nodes`; more would take years.
const NODES: RangeInclusive<u64> = 1..=1_000_000_000_000;

/// The range of `--memory`, in MiB.
const MEMORY: RangeInclusive<usize> = 1..=1 << 20;

/// The default of `--memory`, in MiB: enough for about eight million positions.
const DEFAULT_MEMORY: usize = 1024;

/// The range of `--seconds`.
const SECONDS: RangeInclusive<f64> = 0.01..=30.0 * options::DAY;

/// Solve a position exactly: who wins, and by which moves
///
/// Reads the formats of `hex show`. Ignores the pie rule: the next stone is the next move. All
/// openings of 7x7 take minutes, an empty 8x8 board can take hours, and endgames of larger boards
/// seconds. Refuses more than 128 empty cells. Ctrl-C ends the search and prints what is known by
/// then.
///
/// The exit status is 0 if everything is solved, 1 if a limit was reached before, 130 after Ctrl-C,
/// and 2 for bad input.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// A file or a HexWorld link; standard input if left out
    #[arg(conflicts_with = "openings")]
    input: Option<String>,

    /// Side of the board, for a list of moves and for --openings
    #[arg(long, default_value = "11", value_parser = parse_side)]
    side: Side,

    /// Solve the position after this many moves instead of the last one
    #[arg(long, value_name = "MOVES", conflicts_with = "openings", value_parser = options::whole(options::MOVES))]
    after: Option<usize>,

    /// The player to move [default: from the record]
    #[arg(long, value_name = "COLOR", conflicts_with = "openings", value_parser = options::choice(PLAYERS))]
    to_move: Option<Color>,

    /// Find all winning moves, not only one
    #[arg(long, conflicts_with = "openings")]
    all_moves: bool,

    /// Solve all first moves on an empty board of --side, the middle first, and only one of each
    /// two that half a turn makes equal
    #[arg(long)]
    openings: bool,

    /// Keep solved openings in this file, and skip those that it has already
    #[arg(long, value_name = "FILE", requires = "openings")]
    out: Option<PathBuf>,

    /// Give up after this many positions; with --openings, for each opening
    #[arg(long, value_name = "COUNT", value_parser = options::whole(NODES))]
    nodes: Option<u64>,

    /// Give up after this many seconds in all
    #[arg(long, value_name = "SECONDS", value_parser = options::seconds(SECONDS))]
    seconds: Option<Duration>,

    /// Memory for remembered positions, in MiB; forgotten positions are searched again
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_MEMORY, value_parser = options::whole(MEMORY))]
    memory: usize,

    /// Openings at the same time [default: the number of cores]
    #[arg(long, value_name = "N", requires = "openings", default_value_t = options::all_cores(), hide_default_value = true, value_parser = options::whole(options::THREADS))]
    threads: usize,
}

/// The players, for the command line.
const PLAYERS: [(&str, &str, Color); 2] = [
    ("red", "Joins top and bottom", Color::Red),
    ("blue", "Joins left and right", Color::Blue),
];

/// Solves a position, or all openings.
///
/// # Errors
/// If the input is not a game or has too many empty cells, the output is closed, and as a
/// [`Finding`] if a signal arrived or a limit was reached.
pub fn run(args: Args) -> anyhow::Result<()> {
    let limits = SolveLimits {
        nodes: args.nodes.filter(|_| !args.openings),
        time: args.seconds,
    };
    let unsolved = if args.openings {
        let monitor = Monitor::start(limits)?;
        openings::solve(args.side, args.out.as_deref(), args.solvers(), &monitor)?
    } else {
        let game = read_game(args.input.as_deref(), args.side, None)?;
        show_notes("solve", &game.notes);
        solve_game(&args, &game, limits)?
    };
    std::io::stdout().flush()?;
    unsolved.map_or(Ok(()), |why| Err(why.into()))
}

impl Args {
    fn solvers(&self) -> openings::Solvers {
        openings::Solvers {
            threads: self.threads,
            limit: self.nodes.unwrap_or(u64::MAX),
            memory: self.memory << 20,
        }
    }
}

/// Solves a position. Returns why something is unsolved.
fn solve_game(args: &Args, game: &Game, limits: SolveLimits) -> anyhow::Result<Option<Finding>> {
    let total = game.turns().len();
    let after = args.after.unwrap_or(total);
    ensure!(
        after <= total,
        "--after {after}: the game has {}, give 0 to {total}",
        counted(total, "move")
    );
    let to_move = match args.to_move {
        Some(color) => color,
        None => to_move_after(game, after)?,
    };
    let position = game.position_after(after).with_to_move(to_move);
    let question = if args.all_moves {
        SolverQuestion::AllMoves
    } else {
        SolverQuestion::Winner
    };
    let solver = Solver::new(&position, u64::MAX)
        .context("choose a later position with --after, or a smaller board with --side")?
        .remembering(args.memory << 20);
    let monitor = Monitor::start(limits)?;
    let mut solver = solver.watched(monitor.watch());
    let found = solver.appraise(&position, question);
    monitor.clear();
    let text = report(&found, to_move, question);
    let searched = solver.searched_in_all();
    let seconds = monitor.elapsed().as_secs_f64();
    let mut output = std::io::stdout().lock();
    writeln!(
        output,
        "{text}positions searched: {searched} in {seconds:.2} s"
    )?;
    let is_solved =
        found.winner.is_some() && (question == SolverQuestion::Winner || found.unknown.is_empty());
    Ok((!is_solved).then(|| monitor.unsolved()))
}

/// The player to move after `count` moves of a game.
fn to_move_after(game: &Game, count: usize) -> anyhow::Result<Color> {
    if count == game.turns().len() {
        return Ok(game.to_move());
    }
    let next = game.turns().get(count).context("there is such a move")?;
    Ok(next.color)
}

/// The answer in lines.
fn report(found: &Appraisal, to_move: Color, question: SolverQuestion) -> String {
    let Some(winner) = found.winner else {
        let mut text = format!("winner: unknown, {to_move} to move\n");
        text += &list("losing moves", &found.losing);
        return text + &list("unknown moves", &found.unknown);
    };
    let moves = [&found.winning, &found.losing, &found.unknown];
    if moves.iter().all(|moves| moves.is_empty()) {
        return format!("winner: {winner}, the edges are joined\n");
    }
    let mut text = format!("winner: {winner}, {to_move} to move\n");
    match question {
        _ if winner != to_move => {}
        SolverQuestion::Winner => text += &list("winning move", &found.winning[..1]),
        SolverQuestion::AllMoves => {
            text += &list("winning moves", &found.winning);
            text += &list("unknown moves", &found.unknown);
        }
    }
    text
}

/// A line with cells, if there are any.
fn list(what: &str, cells: &[AnyCell]) -> String {
    if cells.is_empty() {
        return String::new();
    }
    let names: Vec<String> = cells.iter().map(ToString::to_string).collect();
    format!("{what}: {}\n", names.join(" "))
}
