//! `hex lab openings`: measures the value of each first move, by long searches and by games of our
//! engine against itself.

pub mod fit;
pub mod store;

use crate::engine_games::{play, EnginePlayer};
use anyhow::Context;
use fit::{Fit, OpeningEstimate};
use hex_common::options;
use hex_common::progress::Progress;
use hex_common::solved_openings::{self, Winners};
use hex_common::weights_file::{NamedNetwork, NetworkChoice};
use hex_common::workers;
use hex_core::draw::Drawing;
use hex_core::engine::strength::Level;
use hex_core::engine::{engine_with, Effort, SideNotPlayed, Task, SIDES};
use hex_core::record::{AnyCell, Game, Move, Side};
use hexbot::cell::Color;
use hexbot::evaluation::of_opponent;
use hexbot::network::Network;
use hexbot::params::Params;
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use store::OpeningStore;

/// Measure the value of each first move, by long searches and by games of the engine against itself
///
/// Each opening gets a value by one long search, and games are played from it. A search ranks
/// openings well, but its values are not win probabilities; games measure these, but there are few.
/// So the command fits a curve from values to shares of won games, and combines curve and games. It
/// prints, for each cell, Red's win probability after opening there if Blue does not swap, in
/// percent, and below these the standard errors.
///
/// A cell and its image after half a turn of the board are the same opening. With --out the
/// measurement can be stopped and continues where it was.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Side of the board
    #[arg(long, default_value = "11", value_parser = options::side(SIDES))]
    side: Side,

    /// Simulations of the long search
    #[arg(long, default_value_t = 60_000, value_parser = options::whole(options::SIMULATIONS))]
    search: u64,

    /// Games for each opening; 0: the long search alone
    #[arg(long, default_value_t = 40, value_parser = options::whole(0..=1_000_000_u32))]
    games: u32,

    /// Simulations a move in the games
    #[arg(long, default_value_t = 200, value_parser = options::whole(options::SIMULATIONS))]
    simulations: u64,

    #[command(flatten)]
    network: NetworkChoice,

    /// Seed of the engines
    #[arg(long, default_value_t = 1, value_parser = options::whole(options::SEEDS))]
    seed: u64,

    /// Keep the results in this file, and skip those that it has already: a line with the
    /// conditions, then a line `CELL WINS GAMES VALUE` for each opening
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Keep each value on the side of the winner in this file of `hex solve --openings --out`: at
    /// most 49 if Blue wins, at least 51 if Red does
    #[arg(long, value_name = "FILE")]
    proven: Option<PathBuf>,

    /// Draw the board with win probabilities and errors into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Openings at the same time [default: the number of cores]
    #[arg(long, value_name = "NUMBER", default_value_t = options::all_cores(), hide_default_value = true, value_parser = options::whole(options::THREADS))]
    threads: usize,
}

/// How many moves each side draws at random by visits, so that games differ.
const DRAWN_MOVES: u32 = 5;

/// The measurements of one opening.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Results {
    /// Games that Red won.
    pub wins: u32,
    /// All games.
    pub games: u32,
    /// Red's win probability by the long search, 0 to 1.
    pub value: f64,
}

/// Measures every opening, prints the table and draws it.
///
/// # Errors
/// If the engine does not play on such a board, or a file cannot be read or written.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let NamedNetwork { network, name } = args.network.read(args.side)?;
    let winners = args.proven.as_deref();
    let winners = winners
        .map(|path| solved_openings::read(path, args.side))
        .transpose()?;
    let mut store = store::open(args.out.as_deref(), args.side, &args.conditions(&name))?;
    measure_missing(&mut store, &args, network)?;
    let map = OpeningMap::new(store.found(), &winners.unwrap_or_default(), args.side);
    write!(std::io::stdout(), "{}", map.tables())?;
    match &args.svg {
        Some(path) => std::fs::write(path, map.svg())
            .with_context(|| format!("cannot write {}", path.display())),
        None => Ok(()),
    }
}

/// Measures the openings that are not in the store yet.
fn measure_missing(
    store: &mut OpeningStore,
    args: &Args,
    network: Option<Arc<Network>>,
) -> anyhow::Result<()> {
    let openings = args.side.cells();
    let openings = openings.filter(|&cell| args.side.opening(cell) == cell);
    let (known, missing): (Vec<AnyCell>, Vec<AnyCell>) =
        openings.partition(|opening| store.found().contains_key(opening));
    let all = (known.len() + missing.len()) as u64;
    let progress = Progress::new("openings", all, known.len() as u64);
    let store = Mutex::new(store);
    let workers = vec![network; args.threads];
    workers::share_out(
        progress,
        missing.into_iter(),
        workers,
        |network, opening| {
            let results = measure(opening, args, network)?;
            let Results { wins, games, .. } = &results;
            let news = format!("from {opening} Red won {wins} of {games}");
            let line = store::line(opening, &results);
            store
                .lock()
                .expect("no panics")
                .add(opening, results, &line)?;
            Ok(news)
        },
    )
}

impl Args {
    /// The conditions, which must be equal for all results in a file.
    fn conditions(&self, network: &str) -> String {
        format!(
            "side {}, values by {} simulations, {} games each by {} simulations a move, {}, seed {}",
            self.side,
            self.search,
            self.games,
            self.simulations,
            network,
            self.seed
        )
    }
}

/// Searches an opening and plays its games.
fn measure(
    opening: AnyCell,
    args: &Args,
    network: &Option<Arc<Network>>,
) -> anyhow::Result<Results> {
    let mut results = Results {
        wins: 0,
        games: args.games,
        value: value(opening, args, network.clone())?,
    };
    let handicap = Level::STRONGEST.handicap();
    for number in 0..args.games {
        let mut game = Game::new(args.side);
        game.play(Move::Place(opening))?;
        let seeds = [1, 2].map(|player| args.seed.wrapping_add(2 * u64::from(number) + player));
        let player = |seed| -> Result<EnginePlayer, SideNotPlayed> {
            let engine = engine_with(args.side, &Params::default(), seed, network.clone())?;
            Ok(EnginePlayer::new(engine, handicap, args.simulations, seed))
        };
        let drawing = |player: EnginePlayer| player.drawing(DRAWN_MOVES);
        let mut players = [drawing(player(seeds[0])?), drawing(player(seeds[1])?)];
        results.wins += u32::from(play(game, &mut players) == Color::Red);
    }
    Ok(results)
}

/// Red's win probability after the opening, by one long search of Blue's answers.
fn value(opening: AnyCell, args: &Args, network: Option<Arc<Network>>) -> anyhow::Result<f64> {
    let mut game = Game::new(args.side);
    game.play(Move::Place(opening))?;
    let mut searcher = engine_with(args.side, &Params::default(), args.seed, network)?;
    let task = Task::new(Effort::Simulations(args.search));
    let analysis = searcher
        .think(game.position(), &task, &mut |_| {})
        .expect("one stone does not end a game");
    Ok(of_opponent(analysis.win_probability).into())
}

/// How far from ½ a value is at least if the winner is proven: it is printed in whole percent.
const PROVEN_LEAD: f64 = 0.01;

/// The estimates of all first moves.
pub struct OpeningMap {
    side: Side,
    estimates: HashMap<AnyCell, OpeningEstimate>,
}

impl OpeningMap {
    /// The map of a board whose openings have all been measured. `winners` has those that are
    /// proven; each opening is in it itself or after half a turn of the board.
    pub fn new(results: &BTreeMap<AnyCell, Results>, winners: &Winners, side: Side) -> Self {
        let fit = Fit::new(results.values());
        let measured = |cell: AnyCell| match &results[&side.opening(cell)] {
            // Without games there is nothing to fit a curve to.
            Results {
                games: 0, value, ..
            } => OpeningEstimate {
                wins: *value,
                error: 0.0,
            },
            results => fit.estimate(results),
        };
        let estimate = |cell: AnyCell| {
            let OpeningEstimate { wins, error } = measured(cell);
            let wins = match winners.get(&cell).or(winners.get(&side.rotated(cell))) {
                Some(Color::Red) => wins.max(0.5 + PROVEN_LEAD),
                Some(Color::Blue) => wins.min(0.5 - PROVEN_LEAD),
                None => wins,
            };
            OpeningEstimate { wins, error }
        };
        OpeningMap {
            side,
            estimates: side.cells().map(|point| (point, estimate(point))).collect(),
        }
    }

    /// Red's win probability after an opening, if Blue does not swap, with its standard error.
    pub fn estimate(&self, opening: AnyCell) -> OpeningEstimate {
        self.estimates[&opening]
    }

    /// Win probabilities and, after an empty line, standard errors, in percent, in rows such as
    /// `[45, 46, 52],`.
    fn tables(&self) -> String {
        let rows = |number: fn(&OpeningEstimate) -> f64| {
            let row = |row| {
                let cells = (0..self.side.get()).filter_map(|col| self.side.cell(row, col));
                let cells = cells.map(|point| percent(number(&self.estimate(point))));
                format!("[{}],\n", cells.collect::<Vec<_>>().join(", "))
            };
            (0..self.side.get()).map(row).collect::<String>()
        };
        rows(|estimate| estimate.wins) + "\n" + &rows(|estimate| estimate.error)
    }

    /// The board, each cell in the colour of the player who wins more often, with win probability
    /// and error.
    fn svg(&self) -> String {
        let board = self.side.board();
        let drawing = self
            .side
            .cells()
            .fold(Drawing::new(&board), |drawing, point| {
                let OpeningEstimate { wins, error } = self.estimate(point);
                let winner = if wins >= 0.5 { Color::Red } else { Color::Blue };
                drawing
                    .lean(point, winner, 2.0 * (wins - 0.5).abs())
                    .label(point, percent(wins))
                    .note(point, format!("±{}", percent(error)))
            });
        drawing.svg()
    }
}

/// A share as a whole number of hundredths.
fn percent(share: f64) -> String {
    format!("{:.0}", 100.0 * share)
}
