//! Reads numbers on the command line. Every option with a number has a range, and the error for a
//! value outside it states the range. GTP parameters of the same name have the same range.

use crate::input::shortened;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::ValueEnum;
use hex_core::record::Side;
use std::fmt::Display;
use std::ops::{Range, RangeInclusive};
use std::str::FromStr;
use std::time::Duration;

/// Simulations of one search; more would take days.
pub const SIMULATIONS: RangeInclusive<u64> = 1..=1_000_000_000;

/// Time limits of answers, in milliseconds: up to a day.
pub const MILLISECONDS: RangeInclusive<u64> = 1..=86_400_000;

/// Seconds of a day.
pub const DAY: f64 = 86_400.0;

/// Seconds of search for a move.
pub const THINKING_SECONDS: RangeInclusive<f64> = 0.0..=DAY;

/// Numbers of games, pairs, positions or shards.
pub const COUNT: RangeInclusive<u64> = 1..=1_000_000;

/// Moves of a game. No record has more.
pub const MOVES: RangeInclusive<usize> = 0..=1_000_000;

/// Threads. No machine has more cores.
pub const THREADS: RangeInclusive<usize> = 1..=1024;

/// Seeds: all numbers of 64 bits.
pub const SEEDS: RangeInclusive<u64> = 0..=u64::MAX;

/// Shares and probabilities.
pub const SHARE: RangeInclusive<f64> = 0.0..=1.0;

/// Win probabilities at which a side may resign. Above a half, both sides would resign at once.
pub const RESIGNATIONS: RangeInclusive<f64> = 0.0..=0.5;

/// The number of threads for a command that may use the whole machine.
pub fn all_cores() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    cores.min(*THREADS.end())
}

/// The number of threads for a command that leaves a core free, for example to measure time.
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

/// A reader of numbers in a range. Infinity and NaN are in no range.
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

/// Reads a range of numbers, `FROM..TO` without `TO` itself. It may be empty.
///
/// # Errors
/// If the text is not such a range.
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

/// Reads one of these words; each stands with its help before its value.
pub fn choice<T, const N: usize>(
    choices: [(&'static str, &'static str, T); N],
) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let words = choices.map(|(word, help, _)| PossibleValue::new(word).help(help));
    PossibleValuesParser::new(words).map(move |text| {
        let mut choices = choices.iter();
        let chosen = choices.find(|(word, ..)| *word == text);
        chosen.expect("it is one of the words").2
    })
}

/// The command line's word for this value.
pub fn word(value: &impl ValueEnum) -> String {
    let possible = value.to_possible_value();
    possible.map_or(String::new(), |value| value.get_name().to_owned())
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
