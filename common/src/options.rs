//! Numbers on the command line: every option that takes one names its range, and a value outside is
//! answered with it. GTP's parameters of the same name take the same. What a number is good for is
//! the command's business.

use crate::input::shortened;
use hex_core::record::Side;
use std::fmt::Display;
use std::ops::{Range, RangeInclusive};
use std::str::FromStr;
use std::time::Duration;

/// Simulations of one search; more would take days.
pub const SIMULATIONS: RangeInclusive<u64> = 1..=1_000_000_000;

/// Limits of answers, in milliseconds: up to a day.
pub const MILLISECONDS: RangeInclusive<u64> = 1..=86_400_000;

/// Seconds of a day.
pub const DAY: f64 = 86_400.0;

/// Seconds to think about a move.
pub const THINKING_SECONDS: RangeInclusive<f64> = 0.0..=DAY;

/// How often something is done: games, pairs, positions, shards.
pub const COUNT: RangeInclusive<u64> = 1..=1_000_000;

/// Moves of a game; more than any record has.
pub const MOVES: RangeInclusive<usize> = 0..=1_000_000;

/// Threads; more than any machine has cores.
pub const THREADS: RangeInclusive<usize> = 1..=1024;

/// Seeds: all numbers of 64 bits.
pub const SEEDS: RangeInclusive<u64> = 0..=u64::MAX;

/// Shares and probabilities.
pub const SHARE: RangeInclusive<f64> = 0.0..=1.0;

/// Win probabilities at which a side may resign: at a half both would.
pub const RESIGNATIONS: RangeInclusive<f64> = 0.0..=0.5;

/// The number of threads of a command that is alone on the machine.
pub fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The number of threads of a command that leaves a core to others, such as what keeps the time.
pub fn all_but_one() -> usize {
    (all_cores() - 1).max(1)
}

/// A reader of whole numbers in a range.
pub fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display,
    RangeInclusive<T>: Clone,
{
    move |text| in_range(text, "a whole number", &range)
}

/// A reader of numbers in a range; neither infinity nor "not a number" is in any.
pub fn real<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display,
    RangeInclusive<T>: Clone,
{
    move |text| in_range(text, "a number", &range)
}

/// A reader of times in seconds. The range must not begin below 0.
pub fn seconds(range: RangeInclusive<f64>) -> impl Fn(&str) -> Result<Duration, String> + Clone {
    move |text| in_range(text, "a number of seconds", &range).map(Duration::from_secs_f64)
}

/// A reader of sides of boards. The range must be one of [`Side`]s.
pub fn side(range: RangeInclusive<usize>) -> impl Fn(&str) -> Result<Side, String> + Clone {
    move |text| {
        let side = in_range(text, "a side", &range)?;
        Side::try_from(side).map_err(|error| error.to_string())
    }
}

/// Reads a span of numbers, `FROM..TO` without `TO` itself; an empty one is a span, too.
///
/// # Errors
/// If the text is none.
pub fn span(text: &str) -> Result<Range<u64>, String> {
    let ends = text.split_once("..");
    let numbers = ends.map(|(from, to)| (from.parse(), to.parse()));
    match numbers {
        Some((Ok(from), Ok(to))) if from <= to => Ok(from..to),
        _ => Err(format!(
            "{text:?} is not FROM..TO, such as 0..10 for the first ten"
        )),
    }
}

fn in_range<T>(text: &str, what: &str, range: &RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    let number = text.parse().ok().filter(|number| range.contains(number));
    let (least, most) = (range.start(), range.end());
    let text = shortened(text);
    number.ok_or_else(|| format!("{text:?} is not {what} from {least} to {most}"))
}
