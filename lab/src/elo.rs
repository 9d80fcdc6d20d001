//! `hex lab elo`: the Elo difference of two players from pairs of games, for scripts.

use hex_common::options;
use hex_common::stats::elo::{Estimate, Pairs};
use serde::Serialize;
use std::io::Write;
use std::ops::RangeInclusive;

/// The number of pairs of one kind.
const PAIRS: RangeInclusive<u64> = 0..=1_000_000_000;

/// Print the Elo difference of two players from pairs of games, as JSON
///
/// A pair is one opening played twice with the colours exchanged. `hex lab elo 10 30 20` prints the
/// difference with its 95 % interval and the probability that the first player is stronger:
/// {"elo":…,"low":…,"high":…,"superiority":…}. If one player won all games, `elo` and one end of
/// the interval are infinite, which JSON writes as null.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Pairs in which the first player lost both games
    #[arg(value_parser = options::whole(PAIRS))]
    lost: u64,

    /// Pairs in which the first player won one game
    #[arg(value_parser = options::whole(PAIRS))]
    split: u64,

    /// Pairs in which the first player won both games
    #[arg(value_parser = options::whole(PAIRS))]
    won: u64,
}

/// The output; an infinite number becomes null.
#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    estimate: Estimate,
    superiority: f64,
}

/// Prints the estimate.
///
/// # Errors
/// If there are no pairs, or nothing can be printed.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let Args { lost, split, won } = args;
    let pairs = Pairs { lost, split, won };
    let (Some(estimate), Some(superiority)) = (pairs.elo(), pairs.superiority()) else {
        anyhow::bail!("0 0 0: give the numbers of pairs lost, split and won, one of them above 0");
    };
    let answer = Answer {
        estimate: Estimate {
            elo: estimate.elo + 0.0, // Turns -0 into 0.
            ..estimate
        },
        superiority,
    };
    writeln!(std::io::stdout(), "{}", serde_json::to_string(&answer)?)?;
    Ok(())
}
