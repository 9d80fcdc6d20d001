//! `hex check` names the typical faults of beginners' bots, with the cure.

use crate::checks::{check, PATIENT};
use crate::common::{cases, ended, ends, side_by_side, starting, Place};
use crate::missing::skip;
use std::path::Path;
use std::process::Output;

/// Limits for bots that are silent, so that nobody waits long.
const SHORT: &str = ";; first-ms=500 ;; turn-ms=500";

/// Each fault is named, with the cure, on one line and no other.
#[test]
fn beginners_learn_what_is_wrong() {
    let place = Place::new();
    side_by_side(&cases(include_str!("../data/beginners.txt")), |case| {
        let [options, status, words @ ..] = &case[..] else {
            panic!("{case:?}")
        };
        let silent = ["no-flush", "every-turn", "extra-row", "stall"];
        let is_silent = silent.iter().any(|silent| options.contains(silent));
        let limits = match (options.contains(";;"), is_silent) {
            (true, _) => "",
            (false, true) => SHORT,
            (false, false) => PATIENT,
        };
        let bot = place.bot(&format!("{options} {limits}"));
        let output = check(&bot, "--games 0").output().unwrap();
        ended(&output, status.parse().unwrap(), words);
        assert_names_each_fault_once(&output);
    });
    place.assert_no_process_left();
}

/// One line a check, and no two with the same fault.
fn assert_names_each_fault_once(output: &Output) {
    let told = String::from_utf8_lossy(&output.stdout);
    let mut named = Vec::new();
    for line in told.lines() {
        let is_check = ["✓ ", "! ", "✗ "].iter().any(|mark| line.starts_with(mark));
        assert!(is_check || line.starts_with("all "), "{line:?} in {told}");
        if line.starts_with("✗ ") {
            named.push(line.chars().skip(29).collect::<String>());
        }
    }
    let is_short = |found: &&String| !found.ends_with(", as above");
    let mut once: Vec<&String> = named.iter().filter(is_short).collect();
    once.sort();
    let all = once.len();
    once.dedup();
    assert_eq!(once.len(), all, "{told}");
}

/// Bots in other languages, which are compiled or interpreted: the file, the program that runs or
/// compiles it, limits and words.
const FOREIGN: [(&str, &str, &str, i32, &str); 2] = [
    (
        "header-every-turn.py",
        "python3",
        SHORT,
        1,
        "✗ example: Red, turn 1       silence: it waits for the line `11 red` on every turn",
    ),
    (
        "stub.cpp",
        "g++",
        ";; first-ms=2000 ;; turn-ms=2000",
        0,
        "! lines end with CR LF ",
    ),
];

#[test]
fn beginners_in_other_languages_learn_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/beginners");
    side_by_side(&FOREIGN, |(file, program, limits, status, words)| {
        if starting(program).arg("--version").output().is_err() {
            return skip(&format!(
                "no {program} on this machine: {file} is not checked"
            ));
        }
        let bot = format!("{} {limits}", folder.join(file).display());
        ends(check(&bot, "--games 0"), *status, &[words]);
    });
}
