//! `hex openings`: measures how good each first move is, by games of our engine against itself.

use crate::engine::levels::Level;
use crate::record::{Game, Move, Point, Side};
use crate::record_input::parse_side;
use crate::self_play::{play, SelfPlayer};
use anyhow::Context;
use hexbot::cell::Color;
use indicatif::ProgressBar;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Measure how good each first move is, by games of the engine against itself
///
/// Prints for each cell of the board how many games in a hundred Red has won after opening there, when
/// Blue did not swap. A cell and the cell half a turn round the board are the same opening and share
/// their games. With --out the measurement can be stopped and goes on where it was.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Side of the board
    #[arg(long, default_value = "11", value_parser = parse_side)]
    side: Side,

    /// Games for each opening
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,

    /// Simulations a move
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    simulations: u64,

    /// Seed of the engines
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Keep the results in this file, a line `CELL WINS GAMES` each, and leave out what it has
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Red's results after one opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Results {
    wins: u32,
    games: u32,
}

/// Measures every opening and prints the table.
///
/// # Errors
/// If the engine does not play on such a board, or the file cannot be read or written.
pub fn run(args: Args) -> anyhow::Result<()> {
    let mut known = match &args.out {
        Some(path) if path.exists() => read(path, args.side)?,
        _ => HashMap::new(),
    };
    let mut file = args.out.as_deref().map(append_to).transpose()?;
    let openings: Vec<Point> = args
        .side
        .points()
        .filter(|&point| point <= point.rotated(args.side))
        .collect();
    let progress = ProgressBar::new(openings.len() as u64);
    for opening in openings {
        progress.inc(1);
        if known.contains_key(&opening) {
            continue;
        }
        let results = measure(opening, &args)?;
        known.insert(opening, results);
        if let Some((file, path)) = &mut file {
            writeln!(file, "{opening} {} {}", results.wins, results.games)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
    }
    progress.finish_and_clear();
    Ok(write!(std::io::stdout(), "{}", table(&known, args.side))?)
}

/// Plays the games of one opening.
fn measure(opening: Point, args: &Args) -> anyhow::Result<Results> {
    let mut results = Results { wins: 0, games: 0 };
    let handicap = Level::STRONGEST.handicap();
    for number in 0..args.games {
        let mut game = Game::new(args.side);
        game.play(Move::Place(opening))?;
        let seeds = [1, 2].map(|player| args.seed + 2 * u64::from(number) + player);
        let player = |seed| SelfPlayer::new(args.side, handicap, args.simulations, seed);
        let mut players = [player(seeds[0])?, player(seeds[1])?];
        results.games += 1;
        results.wins += u32::from(play(game, &mut players) == Color::Red);
    }
    Ok(results)
}

fn append_to(path: &Path) -> anyhow::Result<(File, PathBuf)> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    let file = file.with_context(|| format!("cannot write {}", path.display()))?;
    Ok((file, path.to_owned()))
}

/// Reads what an earlier run has measured.
fn read(path: &Path, side: Side) -> anyhow::Result<HashMap<Point, Results>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let parse = |line: &str| -> Option<(Point, Results)> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [cell, wins, games] = words[..] else {
            return None;
        };
        let results = Results {
            wins: wins.parse().ok()?,
            games: games.parse().ok()?,
        };
        let point = Point::parse(cell, side).ok()?;
        (results.wins <= results.games && results.games > 0).then_some((point, results))
    };
    text.lines()
        .enumerate()
        .map(|(index, line)| {
            parse(line).with_context(|| {
                format!(
                    "{}, line {}: {line:?} is not CELL WINS GAMES on a board of side {side}; \
                     use another file with --out",
                    path.display(),
                    index + 1
                )
            })
        })
        .collect()
}

/// The percentages in rows, such as `[45, 46, 52],`.
fn table(results: &HashMap<Point, Results>, side: Side) -> String {
    let percent = |point: Point| -> String {
        let opening = point.min(point.rotated(side));
        let Results { wins, games } = results[&opening];
        format!("{:.0}", 100.0 * f64::from(wins) / f64::from(games))
    };
    (0..side.get())
        .map(|row| {
            let cells = (0..side.get()).filter_map(|col| Point::new(row, col, side));
            format!("[{}],\n", cells.map(percent).collect::<Vec<_>>().join(", "))
        })
        .collect()
}
