//! A match that was cut off anywhere and resumed gives the same result as one without a break.

use crate::common::{succeed, without_times, Place};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;
use std::fs;
use std::process::Command;

/// How many places are tried beside the ends of lines.
const CUTS: usize = 4;

/// A match of our bot against itself, without chance.
fn a_match(place: &Place, resume: bool) -> Command {
    let options = "--games 12 --side 5 --openings random:3 --threads 1 --sprt 0,400";
    let a = "builtin:simulations=30,seed=1 ;; name=a";
    let mut command = place.play(options, &[a, "builtin:simulations=10,seed=2 ;; name=b"]);
    command.args(resume.then_some("--resume"));
    command
}

/// The lines of the log without how long moves took, in order.
fn games(place: &Place) -> Vec<Value> {
    let mut games = place.log().1;
    games.iter_mut().for_each(|game| {
        game.as_object_mut().unwrap().remove("times_ms");
    });
    games
}

/// The summary without what the machine's speed decides.
fn summary(place: &Place) -> Value {
    let mut summary = place.json("out/summary.json");
    summary["clock_noise"] = Value::Null;
    for player in summary["players"].as_array_mut().unwrap() {
        player["answers"] = Value::Null;
    }
    summary
}

#[test]
fn a_log_that_was_cut_anywhere_is_completed_to_the_same_match() {
    let whole = Place::new();
    let report = without_times(&succeed(&mut a_match(&whole, false)));
    let log = fs::read(whole.path().join("out/games.jsonl")).unwrap();
    let first_line = log.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(54);
    let mut draw = || (rng.next_u64() % (log.len() as u64 + 1)) as usize;
    let ends = [0, 1, first_line - 1, first_line, log.len() - 1, log.len()];
    let cuts: Vec<usize> = (0..CUTS).map(|_| draw()).chain(ends).collect();
    for cut in cuts {
        let place = Place::new();
        place.write("out/games.jsonl", &log[..cut]);
        let resumed = without_times(&succeed(&mut a_match(&place, true)));
        assert_eq!(games(&place), games(&whole), "cut after {cut} bytes");
        assert_eq!(resumed, report, "cut after {cut} bytes");
        assert_eq!(summary(&place), summary(&whole), "cut after {cut} bytes");
    }
}
