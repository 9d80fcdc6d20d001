//! `hex lab levels`: measures how much stronger each level of `hex gtp` is than the one below, by
//! games in this process.

use crate::engine_games::{play, EnginePlayer};
use hex_arena::openings::{OpeningMode, Openings};
use hex_common::options;
use hex_common::stats::elo::{signed, Estimate, Pairs};
use hex_core::engine::engine;
use hex_core::engine::strength::Level;
use hex_core::record::Side;
use hexbot::cell::Color;
use hexbot::params::Params;
use std::io::Write;

/// Measure the Elo differences between the levels of `hex gtp`
///
/// Each level plays against the one below it on 11×11, in pairs of games from the same balanced
/// opening with the colours exchanged. Both draw their first two moves at random by visits, so that
/// games do not repeat. Prints a line for each step: the Elo difference with its 95 % interval.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Pairs of games for each step
    #[arg(long, default_value_t = 50, value_parser = options::whole(options::COUNT))]
    pairs: u64,

    /// Measure the steps from this level up
    #[arg(long, default_value = "1")]
    from: Level,

    /// Measure the steps up to this level
    #[arg(long, default_value = "10")]
    to: Level,

    /// The most simulations a move; the strongest level has no other limit
    #[arg(long, default_value_t = 1500, value_parser = options::whole(options::SIMULATIONS))]
    simulations: u64,

    /// Seed of openings and engines
    #[arg(long, default_value_t = 1, value_parser = options::whole(options::SEEDS))]
    seed: u64,
}

/// How many moves each player draws at random: there are only 18 balanced openings, and levels
/// without random moves would repeat games. Openings with random stones would not help, because
/// they decide most games.
const DRAWN_MOVES: u32 = 2;

/// Measures the steps, and prints a line for each.
///
/// # Errors
/// If there is no step, or the output is closed.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
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
        let pairs = measure(step[0], step[1], &openings, &args)?;
        let Estimate { elo, low, high } = pairs.elo().expect("there is at least one pair");
        let [elo, low, high] = [elo, low, high].map(|elo| signed(elo, 0));
        writeln!(
            output,
            "level {} against level {}: {elo} Elo, 95 % from {low} to {high}, \
             pairs: {} won, {} split, {} lost",
            step[1], step[0], pairs.won, pairs.split, pairs.lost,
        )?;
        output.flush()?;
    }
    Ok(())
}

/// The pairs of the stronger of two levels against the weaker one.
fn measure(
    weaker: Level,
    stronger: Level,
    openings: &Openings,
    args: &Args,
) -> anyhow::Result<Pairs> {
    let mut pairs = Pairs::default();
    for round in 0..args.pairs {
        let player = |level: Level| {
            let seed = args.seed.wrapping_add(round);
            let engine = engine(Side::CODINGAME, &Params::default(), seed)?;
            let player = EnginePlayer::new(engine, level.handicap(), args.simulations, seed);
            anyhow::Ok(player.drawing(DRAWN_MOVES))
        };
        let mut wins = 0;
        for color in Color::ALL {
            let mut players = [player(stronger)?, player(weaker)?];
            if color == Color::Blue {
                players.reverse();
            }
            wins += u32::from(play(openings.game(round), &mut players) == color);
        }
        pairs.add(wins);
    }
    Ok(pairs)
}
