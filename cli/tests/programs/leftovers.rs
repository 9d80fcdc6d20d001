//! Whatever bots start ends with the match, however the match ends: nothing is left a second later.
#![cfg(target_os = "linux")]

use crate::common::{
    describe, ends, hex, side_by_side, signal, started, starting, wait_until, Place, PATIENT,
};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Stdio};
use std::time::Duration;

/// What a bot can start, each with a name.
const CHILDREN: &str = "group,session,orphan,daemon";

/// Starts a match whose first bot has children of all kinds and stalls, and waits for them.
fn start(place: &Place) -> Child {
    let bad = place.bot(&format!("--stubborn --trouble stall@2 --child {CHILDREN}"));
    let patient = format!("{bad} ;; turn-ms=600000");
    let arguments = "--games 2 --side 7 --openings random:2";
    let mut command = place.play(
        &format!("{arguments} --threads 1"),
        &[&patient, &place.bot("")],
    );
    let arena = started(&mut command);
    wait_until("they have begun", || {
        sleepers(place) >= CHILDREN.split(',').count()
    });
    arena
}

fn sleepers(place: &Place) -> usize {
    let processes = place.processes();
    let sleepers = processes.iter().filter(|(_, words)| words == "sleep 987");
    sleepers.count()
}

#[test]
fn nothing_outlives_an_arena_that_is_killed() {
    let place = Place::new();
    let mut arena = start(&place);
    signal("-KILL", arena.id());
    assert_eq!(arena.wait().unwrap().signal(), Some(9));
    place.assert_no_process_left_after(Duration::from_secs(1));
}

/// The first signal ends the match in good order, the second at once.
#[test]
fn nothing_outlives_an_arena_that_is_asked_to_end() {
    let cases = [&["-INT"][..], &["-TERM"], &["-INT", "-INT"], &["-HUP"]];
    side_by_side(&cases, |signals| {
        let place = Place::new();
        let mut arena = start(&place);
        for name in *signals {
            // The second one may come too late.
            let number = arena.id().to_string();
            let _ = starting("kill").args([name, &number[..]]).status();
        }
        arena.wait().unwrap();
        place.assert_no_process_left_after(Duration::from_secs(1));
    });
}

/// A log that cannot be written ends the match with an error.
#[test]
fn nothing_outlives_a_match_that_fails() {
    let place = Place::new();
    let mut arena = start(&place);
    let sgf = place.at("out/sgf");
    fs::remove_dir(&sgf).unwrap();
    // Nobody waits for the bot any longer, so the game ends and cannot be recorded.
    let processes = place.processes();
    let mut bots = processes
        .iter()
        .filter(|(_, words)| words.contains("stall@2"));
    let is_keeper = |words: &str| words.starts_with("bot-keeper ");
    let first = bots.clone().next();
    let bot = bots.find(|(_, words)| !is_keeper(words)).or(first);
    signal("-KILL", &bot.unwrap().0);
    assert_eq!(arena.wait().unwrap().code(), Some(2));
    place.assert_no_process_left_after(Duration::from_secs(1));
}

/// A bot that sends its keeper a signal, at once or later, loses by its own fault, and the
/// match goes on.
#[test]
fn keepers_outlast_the_signals_of_bots() {
    let cases = [
        ("", "TERM", "silence"),
        ("", "INT", "silence"),
        ("", "HUP", "silence"),
        ("", "TSTP", "silence"),
        ("", "STOP", "silence"),
        ("sleep 0.1; ", "STOP", "silence"),
        ("", "USR1", "crash"),
        ("", "KILL", "crash"),
    ];
    side_by_side(&cases, |(before, signal, kind)| {
        let place = Place::new();
        let bad = place.signals_its_keeper(before, signal);
        let options = "--games 2 --side 5 --openings random:2 --threads 2";
        ends(place.play(options, &[&bad, &place.bot("")]), 0, &[]);
        place.assert_no_process_left_after(Duration::from_secs(1));
        place.assert_each("/fault/kind", *kind);
    });
}

/// Not even if the arena ends while a keeper is stopped.
#[test]
fn nothing_outlives_an_arena_whose_keeper_is_stopped() {
    for (name, status) in [("-KILL", None), ("-TERM", Some(143))] {
        let place = Place::new();
        let bad = place.signals_its_keeper("", "STOP");
        let bad = bad.replace("-ms=10 ", "-ms=600000 ");
        let options = "--games 2 --side 5 --openings random:2 --threads 1";
        let mut command = place.play(options, &[&bad, &place.bot("")]);
        let mut arena = started(&mut command);
        // The bot has been tried before the log is begun.
        let log = place.at("out/games.jsonl");
        wait_until("they have begun", || log.exists() && sleepers(&place) >= 1);
        signal(name, arena.id());
        assert_eq!(arena.wait().unwrap().code(), status, "{name}");
        place.assert_no_process_left_after(Duration::from_secs(1));
    }
}

/// `hex referee` is an arena, too.
#[test]
fn nothing_outlives_a_referee_that_is_killed() {
    let place = Place::new();
    let bot = place.bot(&format!("--trouble stall@1 --child {CHILDREN}"));
    let mut command = hex();
    command.arg("referee").args(PATIENT);
    command.args(["--p1", &bot, "--p2", &bot]);
    let mut arena = command.stdout(Stdio::null()).spawn().unwrap();
    wait_until("they have begun", || {
        sleepers(&place) >= 2 * CHILDREN.split(',').count()
    });
    arena.kill().unwrap();
    arena.wait().unwrap();
    place.assert_no_process_left_after(Duration::from_secs(1));
}

/// A bot that kills the process which watches over it gains nothing but a lost game.
#[test]
fn nothing_outlives_a_keeper_that_is_killed() {
    let place = Place::new();
    let bad = place.bot(&format!("--parricide 2 --child {CHILDREN}"));
    let arguments = "--games 2 --side 5 --openings random:2";
    let mut command = place.hex_match(arguments);
    let output = command.args([&bad, &place.bot("")]).output().unwrap();
    place.assert_no_process_left_after(Duration::from_secs(1));
    assert!(output.status.success(), "{}", describe(&output));
    place.assert_each("/fault/kind", "crash");
}
