//! A byte order mark changes nothing: what every reader of text makes of its input with and without
//! one.

use crate::common::hex;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};
use tempfile::TempDir;

const MARK: &str = "\u{feff}";

/// An input of a command: what stands on standard input, or in the file `FILE` of its arguments.
struct Case {
    args: &'static [&'static str],
    text: String,
}

fn case(args: &'static [&'static str], text: impl Into<String>) -> Case {
    Case {
        args,
        text: text.into(),
    }
}

/// Every command that reads text from elsewhere, with an input that it likes.
fn cases() -> Vec<Case> {
    let side_5 = "5\n3 2\nC2 B3 A3\nC3 E5\n";
    let boards = ".......\n".repeat(6);
    vec![
        case(&["analyze"], format!("1\n{side_5}")),
        case(&["analyze", "FILE"], format!("1\n{side_5}")),
        case(&["connect-four"], boards.clone()),
        case(&["connect-four", "FILE"], boards),
        case(&["duel"], "A 0\nB 3\n"),
        case(
            &["tournament", "p", "--simulations", "20"],
            "3 4\n7 7\n8 8\n",
        ),
        case(
            &["bot", "--knobs", "simulations=20"],
            format!("11 red\nfirst\n{}", "...........\n".repeat(11)),
        ),
        case(&["gtp"], "name\nplay b a1\nshowboard\n"),
        case(&["convert", "--to", "sgf"], "a2 f6"),
        case(&["convert", "--to", "sgf"], "(;FF[4]GM[11]SZ[5];B[a1])"),
        case(&["show", "FILE"], "#5,a1b2"),
        case(&["solve", "--side", "3"], "a1 b2"),
        case(&["convert", "--to", "hexworld", "FILE"], "a2 f6"),
    ]
}

/// Runs the command on `text`.
fn run(case: &Case, text: &str, folder: &Path) -> Output {
    let file = folder.join("input");
    fs::write(&file, text).unwrap();
    let args = case.args.iter().map(|arg| match *arg {
        "FILE" => file.as_os_str(),
        arg => arg.as_ref(),
    });
    let mut command = hex()
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = command.stdin.take().unwrap();
    // A GTP engine with a file needs a command to answer; others do not read it.
    let typed = if case.args.contains(&"FILE") {
        "name\n"
    } else {
        text
    };
    // Who ends before reading everything is judged by what it prints.
    let _ = input.write_all(typed.as_bytes());
    drop(input);
    command.wait_with_output().unwrap()
}

#[test]
fn every_reader_skips_a_byte_order_mark() {
    let folder = TempDir::new().unwrap();
    for case in cases() {
        let without = run(&case, &case.text, folder.path());
        let with = run(&case, &format!("{MARK}{}", case.text), folder.path());
        let shown = |output: &Output| String::from_utf8_lossy(&output.stdout).into_owned();
        let problem = String::from_utf8_lossy(&with.stderr);
        assert!(!without.stdout.is_empty(), "{:?} prints nothing", case.args);
        assert_eq!(with.status, without.status, "{:?}: {problem}", case.args);
        assert_eq!(shown(&with), shown(&without), "{:?}: {problem}", case.args);
    }
}
