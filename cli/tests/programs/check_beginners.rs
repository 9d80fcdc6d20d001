//! `hex check` names the typical faults of beginners' bots, with the cure.

use crate::checks::{check, PATIENT};
use crate::common::{assert_says, describe, ends, side_by_side, starting, Place};
use crate::missing::skip;
use std::path::Path;
use std::process::Output;

/// A beginner's bot: its options, the status of the check, and what the check says.
type Beginner = (&'static str, i32, &'static [&'static str]);

/// Limits for bots that are silent, so that nobody waits long.
const SHORT: &str = ";; first-ms=500 ;; turn-ms=500";

const BEGINNERS: [Beginner; 18] = [
    (
        "--mistake debug-text",
        1,
        &[
            "illegal move: answered `thinking...`; every line on standard output is an answer; debug \
             text belongs on standard error",
        ],
    ),
    (
        "--mistake empty-line",
        1,
        &["✗ one line a turn            after its answer the bot writes \"\", the next turn's answer"],
    ),
    (
        "--mistake exchanged",
        1,
        &[
            "holds a red stone already; row and column are exchanged: the letter is the column, the \
             number the row",
        ],
    ),
    (
        "--mistake old-board",
        1,
        &["a1 holds a red stone already; it plays on an old board: read the rows on every turn"],
    ),
    (
        "--mistake upper-case",
        1,
        &["illegal move: answered `A1`; letters are always lower case"],
    ),
    (
        "--mistake zero-based",
        1,
        &["illegal move: answered `a0`; rows count from 1"],
    ),
    (
        "--play path --mistake zero-based",
        1,
        &["its rows begin at 0: a1 is in row 1"],
    ),
    (
        "--mistake other-color --swap",
        1,
        &[
            "✗ example: Red, turn 1       illegal move: only Blue may swap, on turn 2",
            "; the first line has the bot's colour, here red",
        ],
    ),
    (
        "--mistake busy-thread",
        0,
        &[
            "! rests between turns        uses ",
            " % of a core after its answer: end threads",
            "! takes a winning move       not as Red and as Blue: weak, or it mistakes its colour",
        ],
    ),
    (
        "--mistake says-swap --swap",
        1,
        &[
            "✗ example: Blue, after d5    illegal move: answered `swap`; the site knows only \
             `swap-pieces`",
        ],
    ),
    (
        "--mistake swap-text --swap",
        1,
        &[
            "answered `swap-pieces thank you`; nothing may stand behind `swap-pieces` (the site may \
             accept it; nobody has told)",
        ],
    ),
    (
        "--trouble crash@15",
        1,
        &["✗ a long game                move 29: crash: ended with status 101; its last words: "],
    ),
    (
        "--play path --leak 14",
        0,
        &[" of 768 MB, and ", " MB more each turn: free what a turn has used"],
    ),
    (
        "--trouble late=900@1 ;; first-ms=500",
        1,
        &["✗ example: Red, turn 1       timeout: answered after 9"],
    ),
    (
        "--mistake no-flush",
        1,
        &["silence: its answers come only when its input ends: flush the output after each answer"],
    ),
    (
        "--mistake header-every-turn",
        1,
        &["silence: it waits for the line `11 red` on every turn, and the judge sends it once: read \
           it before the loop"],
    ),
    (
        "--mistake extra-row",
        1,
        &["silence: it waits for 1 line more than the judge sends: a turn is the last move and 11 rows"],
    ),
    (
        "--trouble stall@1",
        1,
        &["silence: wrote nothing for 2000 ms; neither more input nor the end of its input"],
    ),
];

/// Each fault is named, with the cure, on one line and no other.
#[test]
fn beginners_learn_what_is_wrong() {
    let place = Place::new();
    side_by_side(&BEGINNERS, |(options, status, words)| {
        let silent = ["no-flush", "every-turn", "extra-row", "stall"];
        let is_silent = silent.iter().any(|silent| options.contains(silent));
        let limits = match (options.contains(";;"), is_silent) {
            (true, _) => "",
            (false, true) => SHORT,
            (false, false) => PATIENT,
        };
        let bot = place.bot(&format!("{options} {limits}"));
        let output = check(&bot, "--games 0").output().unwrap();
        let told = describe(&output);
        assert_eq!(output.status.code(), Some(*status), "{told}");
        assert_says(&told, words);
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
