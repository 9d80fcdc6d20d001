//! Games with a search for every move, with the network or playouts, on boards of any side.

mod game;
mod regret;
mod sample;
pub mod shard;
mod starts;

use super::rules::CommonRules;
use super::shards::PlayedShard;
use anyhow::{ensure, Context};
use game::{SearchGame, SearchRules};
use hex_common::options;
use hex_core::engine::SIDES;
use hex_core::record::Side;
use hexbot::network::Network;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use regret::RegrettedPositions;
use sample::Sample;
use shard::ShardPlan;
use std::path::PathBuf;
use std::sync::Arc;

/// The options of only these games.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Without --policy")]
#[group(id = "games_by_search", conflicts_with = "policy")]
pub(crate) struct SearchOptions {
    /// Side of the board
    #[arg(long, default_value = "11", value_parser = options::side(SIDES))]
    pub(super) side: Side,

    /// The share of moves with a full search for training data
    #[arg(long, default_value_t = 0.75, value_parser = options::real(options::SHARE))]
    full_share: f64,

    /// The most stones that are placed at random before a game [default: 8, or fewer to leave a
    /// cell empty]
    #[arg(long, value_name = "NUMBER", value_parser = options::whole(0..=MOST_STONES))]
    random_stones: Option<u32>,

    /// Begin from positions of the games in this folder, one file each, instead of random stones
    ///
    /// Meant for the `sgf` folder of a match, so that the network learns from another player's
    /// positions.
    #[arg(long, value_name = "FOLDER", conflicts_with = "random_stones")]
    starts: Option<PathBuf>,

    /// The share of games that begin from a position that a search of the shard judged wrongly
    ///
    /// Each game gives the position whose win probability was farthest from the result. So the
    /// network meets again what it does not understand.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = options::real(options::SHARE))]
    regret_share: f64,

    /// How many moves of a game are drawn at random by visits
    #[arg(long, default_value_t = 8, value_parser = options::whole(0..=MOST_STONES))]
    drawn_moves: u32,

    /// The share of moves that are drawn evenly from all empty cells
    ///
    /// So games also meet moves that no search would choose, and the network learns to punish them.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = options::real(options::SHARE))]
    random_moves: f64,

    /// Play on after a proof, the loser at random, and learn from these positions, too
    ///
    /// Meant for small boards, on which a search decides most positions.
    #[arg(long)]
    play_on: bool,
}

/// The number of cells of the largest board.
const MOST_STONES: u32 = (*SIDES.end() * *SIDES.end()) as u32;

/// The default of the most random stones.
const RANDOM_STONES: u32 = 8;

/// The fewest simulations of a search only for the next move.
const FEWEST_SIMULATIONS: u64 = 16;

impl SearchOptions {
    /// The rules that these options describe.
    ///
    /// # Errors
    /// If the options contradict each other, or the games to begin from cannot be read.
    pub(crate) fn rules(&self, common: CommonRules) -> anyhow::Result<SearchRules<'_>> {
        ensure!(
            common.fast_simulations >= FEWEST_SIMULATIONS,
            "--fast-simulations {}: give {FEWEST_SIMULATIONS} or more without --policy",
            common.fast_simulations
        );
        Ok(SearchRules {
            common,
            options: self,
            random_stones: self.random_stones()?,
            starts: match &self.starts {
                Some(folder) => starts::read(folder, self.side)?,
                None => Vec::new(),
            },
        })
    }

    /// The most random stones. At least one cell stays empty.
    fn random_stones(&self) -> anyhow::Result<u32> {
        let most = self.side.get().pow(2) as u32 - 1;
        let stones = self.random_stones.unwrap_or(RANDOM_STONES.min(most));
        ensure!(
            stones <= most,
            "--random-stones {stones}: give 0 to {most} on a board of side {}",
            self.side
        );
        Ok(stones)
    }
}

/// Plays the games of a shard with the network, or by playouts if there is none.
///
/// # Errors
/// If the engine does not play on such a board, or the number of a game exceeds 32 bits.
pub(crate) fn play_shard(
    plan: &ShardPlan,
    games: u64,
    rules: &SearchRules,
    network: Option<Arc<Network>>,
) -> anyhow::Result<PlayedShard> {
    let (mut samples, mut plies) = (Vec::new(), 0);
    let mut regretted = RegrettedPositions::default();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(!plan.seed);
    for game in 0..games {
        let number = plan.number.saturating_mul(games).saturating_add(game);
        let number = u32::try_from(number).ok().with_context(|| {
            format!(
                "game {number} of the run: choose {} games at most in all",
                u32::MAX
            )
        })?;
        let goes_back = rng.random_bool(rules.options.regret_share);
        let start = goes_back.then(|| regretted.take()).flatten();
        let game = SearchGame::begin(rules, &network, plan.seed.wrapping_add(game), start)?;
        let played = game.play(number, &mut samples);
        plies += played.stones;
        regretted.keep_worst(played.judgements, played.winner);
    }
    Ok(PlayedShard {
        bytes: plan.bytes(&samples),
        games,
        plies,
        positions: (samples.len() / Sample::bytes(rules.options.side)) as u64,
    })
}
