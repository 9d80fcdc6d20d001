//! Long runs in a pipe: a line from time to time shows the progress.

use crate::common::{hex, Place};
use hex_common::patience;
use regex::Regex;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

#[test]
fn long_runs_tell_how_far_they_are_in_a_pipe() {
    let cases = [
        (
            "lab openings --side 11 --threads 1 --search 1 --games 20 --simulations 1",
            r"^\d+/61 openings in \d:\d\d:\d\d: from \w+ Red won \d+ of 20, \d+:\d\d:\d\d left\n$",
        ),
        (
            "lab blunders --side 5 --empty 14 --positions 1000000 --simulations 1",
            r"^\d+/1000000 positions in \d:\d\d:\d\d: \d+:\d\d:\d\d left\n$",
        ),
        ("solve #11,a2", r"^\d+ positions in \d:\d\d:\d\d\n$"),
        (
            "solve --openings --side 11 --threads 1",
            r"^\d+ positions in \d:\d\d:\d\d: \w+\n$",
        ),
        (
            "lab selfplay --side 3 --shards 1000000 --games 1 --threads 1 --out shards",
            r"^\d+/1000000 shards in \d:\d\d:\d\d: \d+ games, \d+ an hour, [\d.]+ plies each, \d+ positions, \d+:\d\d:\d\d left\n$",
        ),
    ];
    let folder = Place::new();
    let begun = cases.map(|(line, wanted)| {
        let mut command = hex();
        command.env(patience::VARIABLE, "1000");
        command.args(line.split(' ')).current_dir(folder.path());
        let silent = command.stdin(Stdio::null()).stdout(Stdio::null());
        (silent.stderr(Stdio::piped()).spawn().unwrap(), line, wanted)
    });
    // All at once, as the first line takes a second.
    for (mut child, line, wanted) in begun {
        let mut told = String::new();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        errors.read_line(&mut told).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(
            Regex::new(wanted).unwrap().is_match(&told),
            "{line}: {told:?}"
        );
    }
}
