//! `hex openings`: measures how good each first move is, by long searches and by games of our engine
//! against itself.

mod fit;
mod store;

use crate::engine::levels::Level;
use crate::engine::{engine, Effort, Task};
use crate::record::{Game, Move, Point, Side};
use crate::record_input::parse_side;
use crate::self_play::{play, SelfPlayer};
use fit::Fit;
use hexbot::cell::Color;
use hexbot::params::Params;
use indicatif::ProgressBar;
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use store::Store;

/// Measure how good each first move is, by long searches and by games of the engine against itself
///
/// Each opening is valued by one long search, and games are played from it. A search ranks openings well
/// but does not know what its values are worth in games; the games know, but are few. So a curve is fitted
/// that tells how many games in a hundred an opening of a certain value wins, and for each cell of the
/// board its point on the curve is printed: Red's chance after opening there if Blue does not swap.
///
/// A cell and the cell half a turn round the board are the same opening. With --out the measurement can be
/// stopped and goes on where it was.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Side of the board
    #[arg(long, default_value = "11", value_parser = parse_side)]
    side: Side,

    /// Simulations of the long search
    #[arg(long, default_value_t = 300_000, value_parser = clap::value_parser!(u64).range(1..))]
    search: u64,

    /// Games for each opening
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// Simulations a move in the games
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    simulations: u64,

    /// Seed of the engines
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Keep the results in this file, a line `CELL WINS GAMES VALUE` each, and leave out what it has
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What was measured of one opening.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Results {
    /// Games that Red won, of how many.
    wins: u32,
    games: u32,
    /// Red's chance by the long search, 0 to 1.
    value: f64,
}

/// Measures every opening and prints the table.
///
/// # Errors
/// If the engine does not play on such a board, or the file cannot be read or written.
pub fn run(args: Args) -> anyhow::Result<()> {
    let mut store = Store::open(args.out.as_deref(), args.side)?;
    let openings: Vec<Point> = args
        .side
        .points()
        .filter(|&point| point <= point.rotated(args.side))
        .collect();
    let progress = ProgressBar::new(openings.len() as u64);
    for opening in openings {
        if !store.results().contains_key(&opening) {
            store.add(opening, measure(opening, &args)?)?;
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    let table = table(store.results(), args.side);
    Ok(write!(std::io::stdout(), "{table}")?)
}

/// Searches an opening and plays its games.
fn measure(opening: Point, args: &Args) -> anyhow::Result<Results> {
    let mut results = Results {
        wins: 0,
        games: args.games,
        value: value(opening, args)?,
    };
    let handicap = Level::STRONGEST.handicap();
    for number in 0..args.games {
        let mut game = Game::new(args.side);
        game.play(Move::Place(opening))?;
        let seeds = [1, 2].map(|player| args.seed + 2 * u64::from(number) + player);
        let player = |seed| SelfPlayer::new(args.side, handicap, args.simulations, seed);
        let mut players = [player(seeds[0])?, player(seeds[1])?];
        results.wins += u32::from(play(game, &mut players) == Color::Red);
    }
    Ok(results)
}

/// Red's chance after the opening, by one long search of Blue's answers.
fn value(opening: Point, args: &Args) -> anyhow::Result<f64> {
    let mut game = Game::new(args.side);
    game.play(Move::Place(opening))?;
    let mut searcher = engine(args.side, &Params::default(), args.seed)?;
    let task = Task::new(Effort::Simulations(args.search));
    let thought = searcher
        .think(game.position(), Color::Blue, &task, &mut |_| {})
        .expect("one stone does not end a game");
    Ok(1.0 - f64::from(thought.win_probability))
}

/// The fitted percentages in rows, such as `[45, 46, 52],`.
fn table(results: &HashMap<Point, Results>, side: Side) -> String {
    let fit = Fit::new(results.values());
    let percent = |point: Point| {
        let opening = point.min(point.rotated(side));
        format!("{:.0}", 100.0 * fit.wins(results[&opening].value))
    };
    (0..side.get())
        .map(|row| {
            let cells = (0..side.get()).filter_map(|col| Point::new(row, col, side));
            format!("[{}],\n", cells.map(percent).collect::<Vec<_>>().join(", "))
        })
        .collect()
}
