//! The facts about a machine that the upload of `cargo bundle --probe` writes to its standard
//! error, and what they mean for the bot.

use hex_core::record::Game;
use hexbot::params::{Params, SLOW_EVALUATION};
use hexbot::probe::PREFIX;
use hexbot::settings::Settings;
use std::time::Duration;

/// A wait that is shorter does not show whether the bot runs meanwhile, in milliseconds.
const SHORT_WAIT: f64 = 20.0;

/// A nap that takes at least this share of the wait is a bot that stands still.
const STANDSTILL: f64 = 0.5;

/// A second thread that does at least this many times the work of one helps.
const SECOND_THREAD_HELPS: f64 = 1.3;

/// A fact with its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// What was measured.
    pub name: String,
    /// The value as the bot wrote it.
    pub value: String,
    /// The meaning, in a few words.
    pub meaning: String,
    /// Whether the bot is weaker on this machine, or in danger.
    pub is_bad: bool,
}

/// The facts, and what is wrong with the lines that cannot be read.
pub type Found = (Vec<Fact>, Vec<String>);

/// The facts in a standard error.
pub fn of_stderr(errors: &[u8]) -> Found {
    let errors = String::from_utf8_lossy(errors);
    let lines = (1..).zip(errors.lines());
    facts(lines.map(|(number, line)| (format!("line {number} of standard error"), line)))
}

/// The facts in the remarks of a record, which have the standard error of a game of the site.
pub fn of_remarks(game: &Game) -> Found {
    let turns = (1..).zip(game.turns());
    facts(turns.flat_map(|(number, turn)| {
        let lines = turn.comment.lines();
        lines.map(move |line| (format!("the remark on move {number}"), line))
    }))
}

/// The facts among these lines, each with its place. Lines that are not of the probe are skipped.
fn facts<'a>(lines: impl Iterator<Item = (String, &'a str)>) -> Found {
    let (mut facts, mut errors) = (Vec::new(), Vec::new());
    for (place, line) in lines {
        let line = line.strip_prefix("stderr: ").unwrap_or(line);
        let Some(rest) = line.strip_prefix(PREFIX) else {
            continue;
        };
        let (name, value) = rest.split_once(':').unwrap_or((rest, ""));
        let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
        let Some((read, expected)) = reader(&name) else {
            errors.push(format!("{place}: {name:?} is no fact of the probe"));
            continue;
        };
        match read(&value) {
            Some((meaning, is_bad)) => facts.push(Fact {
                name,
                value,
                meaning,
                is_bad,
            }),
            None => errors.push(format!(
                "{place}: the probe's {name} is {value:?}, which is not {expected}"
            )),
        }
    }
    (facts, errors)
}

/// The meaning of a value, and whether it is bad; `None` if it cannot be read.
type Reader = fn(&str) -> Option<(String, bool)>;

/// How to read the fact with this name, and what its values are.
fn reader(name: &str) -> Option<(Reader, &'static str)> {
    Some(match name {
        "processor" => (processor, "a name"),
        "instructions" => (instructions, "a list of +NAME and -NAME"),
        "cores" => (cores, "a whole number"),
        "evaluation" => (evaluation, "a number of us"),
        "second thread" => (
            second_thread,
            "\"N times\", \"no thread\" or \"too slow to tell\"",
        ),
        "wait" => (wait, "\"N ms, N naps, longest N ms\""),
        "gap" => (gap, "a number of ms"),
        _ => return None,
    })
}

fn processor(value: &str) -> Option<(String, bool)> {
    (!value.is_empty()).then(|| (String::new(), false))
}

fn instructions(value: &str) -> Option<(String, bool)> {
    if value.is_empty() {
        let meaning = "not an x86-64 processor: the slow code runs";
        return Some((meaning.to_owned(), true));
    }
    let words = || value.split_whitespace();
    if !words().all(|word| word.len() > 1 && word.starts_with(['+', '-'])) {
        return None;
    }
    let lacks = |name: &&str| !words().any(|word| word.strip_prefix('+') == Some(name));
    let lacking: Vec<&str> = ["avx2", "popcnt", "bmi1"]
        .into_iter()
        .filter(lacks)
        .collect();
    Some(match lacking[..] {
        [] => ("the vector code runs".to_owned(), false),
        _ => {
            let why = format!("without {} the slow code runs", lacking.join(" and "));
            (why, true)
        }
    })
}

fn cores(value: &str) -> Option<(String, bool)> {
    let count = value.parse::<usize>();
    (value == "unknown" || count.is_ok_and(|count| count > 0)).then(|| (String::new(), false))
}

fn evaluation(value: &str) -> Option<(String, bool)> {
    let time = number(value, " us").filter(|&time| time > 0.0)?;
    let limit = Settings::default().thinking_time(1, Duration::ZERO);
    let count = (limit.as_secs_f64() * 1e6 / time) as u64;
    let meaning = format!("{count} fit into a later answer");
    Some(if time > SLOW_EVALUATION.as_secs_f64() * 1e6 {
        let why = "so the bot turns to playouts";
        (format!("{meaning}, {why}"), true)
    } else {
        (meaning, false)
    })
}

fn second_thread(value: &str) -> Option<(String, bool)> {
    if value == "too slow to tell" {
        return Some(("fewer than ten evaluations were made".to_owned(), false));
    }
    if value == "no thread" {
        return Some(("the machine refuses one".to_owned(), false));
    }
    let gain = number(value, " times")?;
    let meaning = match gain >= SECOND_THREAD_HELPS {
        true => "two threads would help",
        false => "two threads would not help",
    };
    Some((meaning.to_owned(), false))
}

fn wait(value: &str) -> Option<(String, bool)> {
    let (time, rest) = value.split_once(", ")?;
    let (naps, longest) = rest.split_once(", longest ")?;
    let (time, longest) = (number(time, " ms")?, number(longest, " ms")?);
    naps.strip_suffix(" naps")?.parse::<u64>().ok()?;
    let meaning = if time < SHORT_WAIT {
        "too short to tell"
    } else if longest >= STANDSTILL * time {
        "the bot stands still while the opponent thinks"
    } else {
        "the bot runs while the opponent thinks"
    };
    Some((meaning.to_owned(), false))
}

fn gap(value: &str) -> Option<(String, bool)> {
    let time = number(value, " ms")?;
    let margin = Params::default().margin.as_secs_f64() * 1e3;
    let meaning = format!("the bot keeps {margin} ms in hand");
    Some((meaning, time > margin))
}

/// A number of 0 or more with this unit behind it.
fn number(text: &str, unit: &str) -> Option<f64> {
    let number: f64 = text.strip_suffix(unit)?.parse().ok()?;
    (number.is_finite() && number >= 0.0).then_some(number)
}
