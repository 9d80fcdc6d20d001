//! Refused input names its line and the value there: a line that is broken in the middle of what
//! each reader likes.

use crate::common::{refused, Place};
use std::process::Stdio;

/// What no reader takes for anything.
const JUNK: &str = "zz9?!";

/// Every command that reads lines of others from a file: the command, a text that it likes, and
/// which of its lines are broken in turn, from 1.
fn inputs() -> Vec<(&'static str, String, &'static [usize])> {
    let convert = "convert --to sgf FILE";
    let openings = "match 'builtin:simulations=1 ;; name=a' 'builtin:simulations=1 ;; name=b' \
                    --games 2 --openings file:FILE";
    let roster = "[[player]]\nname = \"a\"\ncommand = \"builtin:simulations=1\"\n\
                  [[player]]\nname = \"b\"\ncommand = \"builtin:simulations=1\"\n";
    let inputs: [(_, _, &[usize]); 6] = [
        (
            "analyze FILE",
            "1\n5\n3 2\nC2 B3 A3\nC3 E5\n",
            &[1, 2, 3, 4, 5],
        ),
        (convert, "a2\nf6\nc3\n", &[1, 2, 3]),
        (convert, ". r .\n. b .\n. . .\n", &[2, 3]),
        (convert, "(;GM[11]SZ[5]\n;B[a1]\n;W[b2]\n;B[c3])\n", &[2, 3]),
        (openings, "a2 f6\nb3 c4\nd5 e6\n", &[1, 2, 3]),
        ("match --players FILE --games 2", roster, &[2, 3, 5]),
    ];
    let boards: (_, _, &[usize]) = ("connect-four FILE", ".......\n".repeat(6), &[1, 4, 6]);
    let inputs = inputs.map(|(words, text, lines)| (words, text.to_owned(), lines));
    inputs.into_iter().chain([boards]).collect()
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
    let place = Place::new();
    for (words, text, lines) in inputs() {
        for &number in lines {
            place.write("FILE", broken(&text, number));
            let mut command = place.hex(words);
            refused(
                command.stdin(Stdio::null()),
                &[&format!("line {number}"), JUNK],
            );
        }
    }
}
