//! The bots of docs/own-bot.md: `hex check` finds no fault, the starters are short and the same bot
//! in each language, and the search ends its games.

use crate::checks::{check, PATIENT};
use crate::common::{ends, side_by_side, starting, succeed, Place};
use crate::missing::skip;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The starters, each with the program that runs or compiles it.
const STARTERS: [(&str, &str); 3] = [
    ("path.py", "python3"),
    ("path.cpp", "g++"),
    ("path.rs", "rustc"),
];

/// The most lines of a starter.
const MOST_LINES: usize = 60;

fn starter(name: &str) -> PathBuf {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_folder.join("../starters").join(name)
}

/// The starters that this machine can run.
fn runnable() -> Vec<&'static str> {
    let is_there = |program: &str| starting(program).arg("--version").output().is_ok();
    let (there, missing): (Vec<_>, Vec<_>) = STARTERS
        .into_iter()
        .partition(|(_, program)| is_there(program));
    for (name, program) in missing {
        skip(&format!(
            "no {program} on this machine: {name} is not tried"
        ));
    }
    there.into_iter().map(|(name, _)| name).collect()
}

/// The command that runs a bot, which is compiled into the place's folder if it must be.
fn command(place: &Place, name: &str) -> String {
    let (source, program) = (starter(name), place.at(name).with_extension("bot"));
    let compile = |compiler: &str, options: &[&str]| {
        let mut command = starting(compiler);
        succeed(command.args(options).arg("-o").arg(&program).arg(&source));
        program.display().to_string()
    };
    let command = match name.rsplit_once('.') {
        Some((_, "py")) => format!("python3 '{}'", source.display()),
        Some((_, "cpp")) => compile("g++", &["-std=c++20", "-O2"]),
        _ => compile("rustc", &["--edition", "2021", "-O"]),
    };
    format!("{} {command} ;; name={name}", place.mark)
}

/// If all players are the same bot, all games from an opening are the same. The first plays the
/// others.
#[test]
fn starters_are_short_without_fault_and_the_same_bot_in_each_language() {
    let (place, names) = (Place::new(), runnable());
    let bots: Vec<String> = names.iter().map(|name| command(&place, name)).collect();
    let tried: Vec<_> = names.iter().zip(&bots).collect();
    side_by_side(&tried, |(name, bot)| {
        let lines = fs::read_to_string(starter(name)).unwrap().lines().count();
        assert!(lines <= MOST_LINES, "{name} has {lines} lines");
        let words = [
            "✓ takes a winning move ",
            "✓ swaps f6, as Blue ",
            " checks passed",
        ];
        let mut check = check(&format!("{bot} {PATIENT}"), "--games 2");
        ends(check.arg("--source").arg(starter(name)), 0, &words);
    });
    if names.len() < 2 {
        return;
    }
    let bots: Vec<&str> = bots.iter().map(String::as_str).collect();
    let options = "--games 4 --openings random:4 --threads 2 --schedule gauntlet";
    place.played(options, &bots);
    let (_, games) = place.log();
    let mut known: BTreeMap<String, &Value> = BTreeMap::new();
    for game in &games {
        let opening: Vec<&Value> = game["moves"].as_array().unwrap().iter().take(4).collect();
        let moves = known.entry(format!("{opening:?}"));
        assert_eq!(&game["moves"], *moves.or_insert(&game["moves"]));
        assert_eq!(game["reason"], "connection");
    }
    assert!(known.len() > 1 && games.len() > known.len());
}

#[test]
fn the_search_plays_by_the_rules() {
    let place = Place::new();
    let bots = [command(&place, "uct.rs"), place.bot("--play path")];
    let options = "--games 2 --openings own --threads 2";
    place.played(options, &bots);
    let (_, games) = place.log();
    assert_eq!(games.len(), 2);
    for game in games {
        assert_eq!(game["reason"], "connection");
    }
}
