//! A byte order mark changes nothing: what every reader of text makes of its input with and without
//! one.

use crate::common::{describe, fed, Place};
use std::process::Output;

const MARK: &str = "\u{feff}";

/// Every command that reads text from elsewhere, with an input that it likes: what stands on
/// standard input, or in the file `FILE` of its arguments.
fn inputs() -> Vec<(&'static str, String)> {
    let data_set = "1\n5\n3 2\nC2 B3 A3\nC3 E5\n".to_owned();
    let boards = ".......\n".repeat(6);
    let turn = format!("11 red\nfirst\n{}", "...........\n".repeat(11));
    let others = [
        ("duel", "A 0\nB 3\n"),
        ("tournament p --simulations 20", "3 4\n7 7\n8 8\n"),
        ("gtp", "name\nplay b a1\nshowboard\n"),
        ("convert --to sgf", "a2 f6"),
        ("convert --to sgf", "(;FF[4]GM[11]SZ[5];B[a1])"),
        ("show FILE", "#5,a1b2"),
        ("solve --side 3", "a1 b2"),
        ("convert --to hexworld FILE", "a2 f6"),
    ];
    let others = others.map(|(words, text)| (words, text.to_owned()));
    let own = [
        ("analyze", data_set.clone()),
        ("analyze FILE", data_set),
        ("connect-four", boards.clone()),
        ("connect-four FILE", boards),
        ("bot --knobs simulations=20", turn),
    ];
    own.into_iter().chain(others).collect()
}

/// Runs the command on `text`.
fn run(words: &str, text: &str) -> Output {
    let place = Place::new();
    place.write("FILE", text);
    // A GTP engine with a file needs a command to answer; others do not read it.
    let typed = if words.contains("FILE") {
        "name\n"
    } else {
        text
    };
    fed(&mut place.hex(words), typed)
}

#[test]
fn every_reader_skips_a_byte_order_mark() {
    for (words, text) in inputs() {
        let without = run(words, &text);
        let with = run(words, &format!("{MARK}{text}"));
        let problem = describe(&with);
        assert!(!without.stdout.is_empty(), "{words} prints nothing");
        assert_eq!(with.status, without.status, "{words}: {problem}");
        let shown = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(shown(&with), shown(&without), "{words}: {problem}");
    }
}
