//! Every number that an option takes is either done or refused with its range. The options are
//! found in the command itself, so one that is added later is tried, too.

/// The list of commands.
#[allow(dead_code, reason = "only its list is wanted")]
#[path = "../../src/main.rs"]
mod program;

use crate::common::{describe, hex, side_by_side, Place, BOT};
use clap::builder::ValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command};
use hex_arena::knobs::Knobs;
use regex::Regex;
use std::any::TypeId;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// How long a command with the smallest value may take; far more than it does.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long one with the largest value is watched.
const GLANCE: Duration = Duration::from_millis(200);

/// An option that takes a number.
#[derive(Debug)]
struct Numeric {
    command: String,
    option: String,
    least: String,
    most: String,
}

/// The whole of `hex`.
pub fn command() -> Command {
    program::command()
}

/// The names of the commands of `hex` itself.
pub fn names() -> Vec<Vec<String>> {
    let command = program::command();
    let names = command.get_subcommands().map(|own| own.get_name());
    names.map(|name| vec![name.to_owned()]).collect()
}

/// What is wrong with the value of an option; `None` if nothing is.
fn refusal(command: &str, option: &str, value: &str) -> Option<String> {
    let words = ["hex"].into_iter().chain(command.split(' '));
    let words = words.chain([option, value]);
    let error = program::command().try_get_matches_from(words).err()?;
    let accepted = [
        ErrorKind::MissingRequiredArgument,
        ErrorKind::ArgumentConflict,
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
    ];
    (!accepted.contains(&error.kind())).then(|| error.to_string())
}

/// The range in a message.
fn range(message: &str) -> Option<(String, String)> {
    static WORDS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"is not an? [a-z ]+ from (\S+) to (\S+)").unwrap());
    let found = WORDS.captures(message)?;
    Some((found[1].to_owned(), found[2].to_owned()))
}

/// The commands that have no subcommands, with their words after `hex`.
pub fn commands() -> Vec<(String, Command)> {
    let with_own = |command: &Command| -> Vec<(String, Command)> {
        let of = |own: &Command| {
            (
                format!("{} {}", command.get_name(), own.get_name()),
                own.clone(),
            )
        };
        let own: Vec<_> = command.get_subcommands().map(of).collect();
        match own.is_empty() {
            true => vec![(command.get_name().to_owned(), command.clone())],
            false => own,
        }
    };
    let all = program::command();
    all.get_subcommands().flat_map(with_own).collect()
}

fn numeric_options() -> Vec<Numeric> {
    let mut found = Vec::new();
    for (name, command) in commands() {
        for option in command.get_arguments().filter_map(long_with_value) {
            let ends = refusal(&name, &option, "x").as_deref().and_then(range);
            found.extend(ends.map(|(least, most)| Numeric {
                command: name.clone(),
                option,
                least,
                most,
            }));
        }
    }
    found
}

/// `--name`, if the argument is an option with a value.
fn long_with_value(argument: &Arg) -> Option<String> {
    let takes_values = argument.get_action().takes_values();
    let name = argument.get_long().filter(|_| takes_values)?;
    Some(format!("--{name}"))
}

fn reads_a_number(parser: &ValueParser) -> bool {
    let numbers = [
        TypeId::of::<u8>(),
        TypeId::of::<u16>(),
        TypeId::of::<u32>(),
        TypeId::of::<u64>(),
        TypeId::of::<usize>(),
        TypeId::of::<i32>(),
        TypeId::of::<i64>(),
        TypeId::of::<f32>(),
        TypeId::of::<f64>(),
        TypeId::of::<Duration>(),
        TypeId::of::<std::num::NonZeroU32>(),
        TypeId::of::<std::num::NonZeroU64>(),
        TypeId::of::<std::num::NonZeroUsize>(),
    ];
    numbers.iter().any(|&number| parser.type_id() == number)
}

#[test]
fn every_option_that_takes_a_number_names_its_range() {
    let numeric = numeric_options();
    for (name, command) in commands() {
        for argument in command.get_arguments() {
            let Some(option) = long_with_value(argument) else {
                continue;
            };
            let mut defaults = argument.get_default_values().iter();
            let by_default = defaults.any(|value| value.to_str().unwrap().parse::<f64>().is_ok());
            let is_known = numeric
                .iter()
                .any(|n| n.command == name && n.option == option);
            assert!(
                is_known || !(by_default || reads_a_number(argument.get_value_parser())),
                "hex {name} {option} takes a number: give it a range, see common/src/options.rs"
            );
        }
    }
    assert!(numeric.len() > 40, "{numeric:?}");
}

/// Numbers just outside of the range, or hardly outside.
fn outside(numeric: &Numeric) -> Vec<String> {
    match (numeric.least.parse::<i128>(), numeric.most.parse::<i128>()) {
        (Ok(least), Ok(most)) => vec![(least - 1).to_string(), (most + 1).to_string()],
        _ => {
            let ends = [&numeric.least, &numeric.most].map(|end| end.parse::<f64>().unwrap());
            vec![(ends[0] - 1e-4).to_string(), (ends[1] + 1e-4).to_string()]
        }
    }
}

#[test]
fn what_is_out_of_range_is_refused_with_the_range() {
    for numeric in numeric_options() {
        let Numeric {
            command,
            option,
            least,
            most,
        } = &numeric;
        for value in [least, most] {
            let refused = refusal(command, option, value);
            assert_eq!(refused, None, "hex {command} {option} {value}");
        }
        let nonsense = [
            "", "x", "NaN", "inf", "-5", "-5.5", "-1e400", "1e400", "0x10", "1_000",
        ];
        let huge = "9".repeat(40);
        let values = nonsense.iter().map(|value| value.to_string());
        for value in values.chain([huge]).chain(outside(&numeric)) {
            let refused = refusal(command, option, &value);
            let told = refused.unwrap_or_else(|| panic!("hex {command} {option} {value} is done"));
            let wanted = format!("from {least} to {most}");
            assert!(
                told.contains(&wanted) && told.contains(option.as_str()),
                "hex {command} {option} {value}: {told}"
            );
        }
    }
}

/// Small tasks for the commands, a line each. A command with options of numbers that is missing
/// here fails the test. `OUT` is a path with nothing there, `BOT` a program that plays, `GAME` a
/// record, `STUDY` a study, `VARIED` a program with a number that is called c.
const TASKS: &str = "
match --out OUT --games 2 --side 4 --openings own --first-ms 9000 --turn-ms 9000 --sprt 0,60 --threads 1 BOT BOT
review 3,a1b2 --simulations 1 --threads 1 --out OUT
review 3,a1b2 --time 0.01 --threads 1 --out OUT
replay 4,a1d4b1 --player red -- BOT
check BOT --games 0 --threads 1
openings --from GAME --player alice --simulations 1 --threads 1
referee --p1 BOT --p2 BOT --side 4 --first-ms 9000 --turn-ms 9000
lab bench --simulations 1
gtp --side 5 --time 0
gtp --side 5 --simulations 1
web --port 0
tournament b --clock 1
tournament b --simulations 1
convert --to sgf --side 5
show --side 5 --after 1
solve --side 3 --after 1 --nodes 1000 --seconds 9
solve --side 3 --openings --threads 1
lab levels --pairs 1 --simulations 1 --from 1 --to 2
lab book STUDY --out OUT --simulations 1 --early-simulations 1 --threads 1
lab openings --side 2 --search 1 --games 1 --simulations 1 --threads 1
lab blunders --side 4 --empty 10 --positions 1 --simulations 1
lab blunders --side 3 --openings --turn-ms 1
lab selfplay --policy --out OUT --shards 1 --games 1 --search-share 0 --simulations 32 --threads 1
lab selfplay --out OUT --side 3 --shards 1 --games 1 --simulations 32 --fast-simulations 16 --random-stones 2 --threads 1
tune --vary c=1..2..3:whole --out OUT --games 2 --side 4 --openings own --first-ms 9000 --turn-ms 9000 --threads 1 VARIED
soak --out OUT --games 1 --side 4 --openings own --first-ms 9000 --turn-ms 9000 --stalls 0.1 --threads 1 BOT
";

/// The standard input of a command, if it reads any.
fn input(command: &str) -> &'static str {
    match command {
        "gtp" => "genmove b\nquit\n",
        _ => "a1",
    }
}

/// How a command ended; `None` if it was still at it after `patience`.
fn outcome(words: &[String], out: &Path, patience: Duration) -> Option<Output> {
    let substituted = words.iter().map(|word| match word.as_str() {
        "OUT" => out.to_str().unwrap().to_owned(),
        "BOT" => BOT.to_owned(),
        "GAME" => concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../core/tests/data/site/whole.json"
        )
        .to_owned(),
        "STUDY" => concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../lab/tests/data/book/study.tsv"
        )
        .to_owned(),
        "VARIED" => format!("{BOT} --play {{c}}"),
        word => word.to_owned(),
    });
    let mut command = hex();
    command.args(substituted).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // It may have ended without reading.
    let _ = stdin.write_all(input(&words[0]).as_bytes());
    drop(stdin);
    let begin = Instant::now();
    while begin.elapsed() < patience {
        if child.try_wait().unwrap().is_some() {
            return Some(child.wait_with_output().unwrap());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(!describe(&output).contains("panicked"), "{words:?}");
    None
}

/// A task of a command with another value for one option.
fn with_option(task: &str, command: &str, option: &str, value: &str) -> Vec<String> {
    let mut words: Vec<String> = task.split_whitespace().map(str::to_owned).collect();
    if let Some(at) = words.iter().position(|word| word == option) {
        words.drain(at..at + 2);
    }
    let behind_command = command.split(' ').count();
    words.insert(behind_command, format!("{option}={value}"));
    words
}

/// Runs a task; returns true if it is one in which the option has its say.
fn try_task(words: &[String], option: &str, patience: Duration) -> bool {
    let folder = Place::new();
    let Some(output) = outcome(words, &folder.at("out"), patience) else {
        assert!(
            patience == GLANCE || words[0] == "web",
            "{words:?} does not end"
        );
        return true;
    };
    let told = describe(&output);
    if told.contains("cannot be used with") {
        return false;
    }
    // The error for options that exclude each other names one of them. Without an opponent the
    // tournament fails after the first move.
    let names = |word: &String| word.starts_with("--") && told.contains(word.as_str());
    let is_refused = told.contains(option)
        || words.iter().any(names)
        || told.contains("the opponent's moves end");
    let expected = match output.status.code() {
        Some(0) => true,
        // A limit was reached before all was solved, on a busy machine at once.
        Some(1) => match words[0].as_str() {
            "solve" => told.contains("solved: "),
            // On a processor that is much slower the bot is late.
            "check" => option == "--slow" && told.contains("checks failed"),
            _ => false,
        },
        Some(2) => is_refused,
        _ => false,
    };
    assert!(expected && !told.contains("panicked"), "{words:?}: {told}");
    true
}

#[test]
fn both_ends_of_every_range_are_done() {
    side_by_side(&numeric_options(), try_both_ends);
}

fn try_both_ends(numeric: &Numeric) {
    let Numeric {
        command, option, ..
    } = numeric;
    let begins = format!("{command} ");
    let of_command = |task: &&str| task.starts_with(&begins);
    let mut tried = 0;
    for task in TASKS.lines().filter(of_command) {
        for (value, patience) in [(&numeric.least, PATIENCE), (&numeric.most, GLANCE)] {
            let patience = if command == "web" { GLANCE } else { patience };
            let words = with_option(task, command, option, value);
            tried += u32::from(try_task(&words, option, patience));
        }
    }
    assert!(tried >= 2, "hex {command} {option}: add a line to TASKS");
}

#[test]
fn knobs_have_ranges() {
    let list = Knobs::parse("?=1").unwrap_err();
    let (_, list) = list.split_once("choose from ").unwrap();
    let list = list.replace(" and ", ", ");
    let mut checked = 0;
    for name in list.split(", ") {
        let Some((least, most)) = range(&Knobs::parse(&format!("{name}=x")).unwrap_err()) else {
            continue;
        };
        for value in [&least, &most] {
            Knobs::parse(&format!("{name}={value}")).unwrap();
        }
        for value in ["-1", "NaN", "inf", "1e400", "", &"9".repeat(40)] {
            let told = Knobs::parse(&format!("{name}={value}")).unwrap_err();
            let wanted = format!("{name}={value:?} is not ");
            assert!(told.starts_with(&wanted), "{told}");
            assert_eq!(range(&told), Some((least.clone(), most.clone())), "{told}");
        }
        checked += 1;
    }
    assert!(checked >= 14, "{checked} knobs take numbers");
}

#[test]
fn the_help_and_the_error_list_the_same_knobs() {
    let help = Knobs::help();
    let names = help.lines().map(|line| line.split_once('=').unwrap().0);
    let names: Vec<&str> = names.collect();
    let list = Knobs::parse("?=1").unwrap_err();
    let (_, list) = list.split_once("choose from ").unwrap();
    assert_eq!(list.replace(" and ", ", "), names.join(", "));
}
