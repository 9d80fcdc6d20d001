//! `hex levels`: measures how much stronger each level of `hex gtp` is than the one below, by games
//! inside this process.

use crate::arena::openings::{OpeningMode, Openings};
use crate::engine::levels::{Handicap, Level};
use crate::engine::{engine, Effort, Engine, Task};
use crate::record::{Game, Move, Point, Side};
use crate::stats::elo::Pairs;
use hexbot::cell::Color;
use hexbot::params::Params;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io::Write;

/// Measure how far the levels of `hex gtp` are apart
///
/// Each level plays the one below it on 11×11, in pairs of games from the same opening with the
/// colours exchanged. A line is printed for each step: the Elo difference with its 95 % interval.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Pairs of games for each step
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,

    /// Measure the steps from this level up
    #[arg(long, default_value = "1")]
    from: Level,

    /// Measure the steps up to this level
    #[arg(long, default_value = "10")]
    to: Level,

    /// Simulations a move of the strongest level, which has no limit of its own
    #[arg(long, default_value_t = 4096)]
    simulations: u64,

    /// Seed of openings and engines
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Measures the steps and prints a line each.
///
/// # Errors
/// If nothing can be printed.
pub fn run(args: Args) -> anyhow::Result<()> {
    let openings = Openings::new(&OpeningMode::Balanced, Side::CODINGAME, args.seed)?;
    let levels: Vec<Level> = Level::all()
        .filter(|level| (args.from..=args.to).contains(level))
        .collect();
    anyhow::ensure!(
        levels.len() >= 2,
        "there is no step from level {} to level {}; choose --from below --to",
        args.from,
        args.to
    );
    let mut output = std::io::stdout().lock();
    for step in levels.windows(2) {
        let mut pairs = Pairs::default();
        for round in 0..args.pairs {
            let opening = openings.game(round);
            let wins = Color::ALL
                .iter()
                .filter(|&&color| {
                    let mut players = [step[1], step[0]]
                        .map(|level| Player::new(level, args.simulations, args.seed + round));
                    if color == Color::Blue {
                        players.reverse();
                    }
                    play(opening.clone(), &mut players) == color
                })
                .count();
            pairs.add(wins as u32);
        }
        let estimate = pairs.elo().expect("there is at least one pair");
        writeln!(
            output,
            "level {} against level {}: {:+.0} Elo, 95% from {:+.0} to {:+.0} ({} pairs: {} won, {} split, {} lost)",
            step[1], step[0], estimate.elo, estimate.low, estimate.high,
            pairs.count(), pairs.won, pairs.split, pairs.lost,
        )?;
        output.flush()?;
    }
    Ok(())
}

/// An engine held back to a level.
struct Player {
    engine: Box<dyn Engine>,
    handicap: Handicap,
    task: Task,
    rng: Xoshiro256PlusPlus,
}

impl Player {
    fn new(level: Level, simulations: u64, seed: u64) -> Self {
        let handicap = level.handicap();
        let engine = engine(Side::CODINGAME, &Params::default(), seed);
        Player {
            engine: engine.expect("the engine plays on CodinGame's board"),
            handicap,
            task: Task::new(handicap.limit(Effort::Simulations(simulations))),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    fn choose(&mut self, game: &Game) -> Point {
        let position = game.position();
        let thought = self
            .engine
            .think(position, game.to_move(), &self.task, &mut |_| {})
            .expect("the game is not over");
        self.handicap.choose(&thought, position, &mut self.rng)
    }
}

/// Plays a game to its end, Red's player first, and tells the winner.
fn play(mut game: Game, players: &mut [Player; 2]) -> Color {
    loop {
        if let Some(outcome) = game.outcome() {
            return outcome.winner;
        }
        let player = &mut players[game.to_move().index()];
        let point = player.choose(&game);
        let played = game.play(Move::Place(point));
        played.expect("players choose empty cells");
    }
}
