//! Refused input names its line and the value there: a line that is broken in the middle of what
//! each reader likes.

use crate::common::hex;
use std::fs;
use std::process::Stdio;
use tempfile::TempDir;

/// What no reader takes for anything.
const JUNK: &str = "zz9?!";

/// A command, a text that it likes, and which of its lines are broken in turn, from 1.
struct Case {
    args: &'static [&'static str],
    text: String,
    lines: &'static [usize],
}

fn case(args: &'static [&'static str], text: impl Into<String>, lines: &'static [usize]) -> Case {
    Case {
        args,
        text: text.into(),
        lines,
    }
}

/// Every command that reads lines of others from a file.
fn cases() -> Vec<Case> {
    let convert = &["convert", "--to", "sgf", "FILE"];
    let openings = &[
        "match",
        "builtin:simulations=1 ;; name=a",
        "builtin:simulations=1 ;; name=b",
        "--games",
        "2",
        "--openings",
        "file:FILE",
    ];
    vec![
        case(
            &["analyze", "FILE"],
            "1\n5\n3 2\nC2 B3 A3\nC3 E5\n",
            &[1, 2, 3, 4, 5],
        ),
        case(&["connect-four", "FILE"], ".......\n".repeat(6), &[1, 4, 6]),
        case(convert, "a2\nf6\nc3\n", &[1, 2, 3]),
        case(convert, ". r .\n. b .\n. . .\n", &[2, 3]),
        case(convert, "(;GM[11]SZ[5]\n;B[a1]\n;W[b2]\n;B[c3])\n", &[2, 3]),
        case(openings, "a2 f6\nb3 c4\nd5 e6\n", &[1, 2, 3]),
        case(
            &["match", "--players", "FILE", "--games", "2"],
            "[[player]]\nname = \"a\"\ncommand = \"builtin:simulations=1\"\n\
             [[player]]\nname = \"b\"\ncommand = \"builtin:simulations=1\"\n",
            &[2, 3, 5],
        ),
    ]
}

/// The text with a line in which the first word of letters or digits is replaced.
fn broken(text: &str, number: usize) -> String {
    let lines = text.lines().enumerate().map(|(index, line)| {
        if index + 1 != number {
            return line.to_owned();
        }
        match line.find('[') {
            // A value of SGF.
            Some(at) if line.starts_with(';') => format!("{}{JUNK}]", &line[..=at]),
            _ => match line.split_once(' ') {
                Some((_, rest)) => format!("{JUNK} {rest}"),
                None => JUNK.to_owned(),
            },
        }
    });
    lines.map(|line| line + "\n").collect()
}

#[test]
fn every_refused_line_is_named_with_its_value() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("input");
    for case in cases() {
        for &number in case.lines {
            fs::write(&file, broken(&case.text, number)).unwrap();
            let args = case.args.iter().map(|arg| {
                let path = file.to_str().unwrap();
                arg.replace("FILE", path)
            });
            let output = hex().args(args).stdin(Stdio::null()).output().unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            let shown = format!("{:?}, line {number}: {said}", case.args);
            assert_eq!(output.status.code(), Some(2), "{shown}");
            assert!(said.contains(&format!("line {number}")), "{shown}");
            assert!(said.contains(JUNK), "{shown}");
        }
    }
}
