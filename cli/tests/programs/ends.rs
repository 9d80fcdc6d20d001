//! The end of commands whose output is closed, and of commands that a signal stops.

use crate::common::{describe, ended, hex, lines_of, wait_until, Place};
use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// A pipe whose reading end is closed.
fn broken_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

/// Runs the command with these words on its standard input.
fn output_of(command: &mut Command, input: &str) -> Output {
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // It may have ended without reading.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

const TURN: &str = "3 red\nempty\n. . .\n. . .\n. . .\n";

/// One case a line: a command that says something on standard error, its input, its exit status.
#[test]
fn nobody_has_to_read_standard_error() {
    let place = Place::new();
    let (bot, bad) = (place.bot(""), place.bot("--trouble crash@2"));
    let out = place.path().join("out").display().to_string();
    let shards = place.path().join("shards").display().to_string();
    // Moves of both players, so that some of White's are in the way.
    let moves: String = (0..400)
        .map(|n| format!("{} {}\n", n / 14 % 14, n % 14))
        .collect();
    let selfplay = "lab selfplay --side 3 --shards 2 --games 1 --threads 1 --out";
    let duel = [
        "match",
        "--out",
        &out,
        "--games",
        "2",
        "--side",
        "5",
        "--openings",
        "own",
    ];
    let cases: [(Vec<&str>, &str, i32); 8] = [
        (vec!["show", "no-such-file"], "", 2),
        (vec!["gtp", "--side", "40"], "", 2),
        (vec!["bot", "--knobs", "simulations=9"], TURN, 0),
        (vec!["bot"], "xx yy\n", 2),
        (
            vec!["tournament", "b", "d", "--simulations", "1"],
            &moves,
            0,
        ),
        (vec!["referee", "--p1", &bad, "--p2", &bot], "", 0),
        ([&duel[..], &[&bad, &bot]].concat(), "", 0),
        (
            [selfplay.split(' ').collect(), vec![&shards[..]]].concat(),
            "",
            0,
        ),
    ];
    for (arguments, input, status) in cases {
        let mut command = hex();
        command
            .args(&arguments)
            .stdout(Stdio::piped())
            .stderr(broken_pipe());
        ended(&output_of(&mut command, input), status, &[]);
    }
}

/// A closed standard output is somebody's right, as in `… | head`; files are written all the same.
#[test]
fn nobody_has_to_read_standard_output() {
    let place = Place::new();
    let bot = place.bot("");
    let arguments = [
        "--games",
        "2",
        "--side",
        "5",
        "--openings",
        "own",
        &bot,
        &bot,
    ];
    let mut command = place.hex_match(&arguments);
    command.stdout(broken_pipe()).stderr(Stdio::piped());
    ended(&output_of(&mut command, ""), 0, &[]);
    let page = fs::read_to_string(place.path().join("out/report.html")).unwrap();
    assert!(page.contains("</html>"));
    for flags in [&[][..], &["--psyleague"]] {
        let mut command = hex();
        let arguments = ["referee", "--p1", &bot, "--p2", &bot];
        command.args(arguments).args(flags);
        command.stdout(broken_pipe()).stderr(Stdio::piped());
        ended(&output_of(&mut command, ""), 0, &[]);
    }
}

/// If the opponent ends during a game, an error reports it, no matter who was to move.
#[test]
fn an_opponent_has_to_read_our_moves() {
    let mut command = hex();
    command.args(["tournament", "b", "--simulations", "1"]);
    command.stdout(broken_pipe()).stderr(Stdio::piped());
    let output = output_of(&mut command, "");
    ended(&output, 2, &["the opponent has ended"]);
}

/// Runs the command until it has begun, sends it a signal, and waits for its end.
fn stopped(command: &mut Command, signal: &str, begun: impl Fn() -> bool) -> Output {
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("the command begins", begun);
    crate::common::signal(signal, child.id());
    child.wait_with_output().unwrap()
}

/// Our own bot's game is given up with the others, after the answer that it is thinking about.
#[test]
fn a_stopped_game_of_our_own_bot_is_abandoned() {
    let place = Place::new();
    let thinker = "builtin:simulations=3000";
    let mut command = place.hex_match(&["--games", "2", "--openings", "all", "--threads", "1"]);
    command.args([thinker, thinker]);
    let log = place.path().join("out/games.jsonl");
    let begun = || {
        std::thread::sleep(Duration::from_millis(300));
        log.exists()
    };
    ended(&stopped(&mut command, "-INT", begun), 130, &[]);
    assert_eq!(place.log().1.len(), 0);
}

#[test]
fn a_stopped_game_of_the_referee_says_so_by_its_status() {
    let place = Place::new();
    let stalling = place.bot("--trouble stall@2 ;; turn-ms=600000 ;; first-ms=600000");
    let bot = place.bot("");
    let mut command = hex();
    command.args(["referee", "--side", "7", "--p1", &stalling, "--p2", &bot]);
    let begun = || {
        std::thread::sleep(Duration::from_millis(500));
        true
    };
    let output = stopped(&mut command, "-INT", begun);
    ended(&output, 130, &[]);
    assert!(output.stdout.is_empty(), "{}", describe(&output));
    place.assert_no_process_left();
}

/// Ctrl-C may come while a bot starts; this must not count as a crash.
#[test]
fn a_game_of_the_referee_is_stopped_at_any_moment_of_its_beginning() {
    for delay in (1..=29).step_by(2) {
        let mut command = hex();
        command.args(["referee", "--p1", "sleep 987", "--p2", "sleep 987"]);
        let begun = || {
            std::thread::sleep(Duration::from_millis(delay));
            true
        };
        let output = stopped(&mut command, "-INT", begun);
        let told = describe(&output);
        // Before it has begun to watch for it, the signal ends it as any program.
        let is_ended = output.status.signal() == Some(2) || output.status.code() == Some(130);
        assert!(is_ended && output.stdout.is_empty(), "{delay} ms: {told}");
    }
}

/// Ctrl-C may come between two answers of our own bot, whose clock then shows the end of all time.
#[test]
fn a_match_of_our_own_bot_is_stopped_between_two_answers() {
    for _ in 0..3 {
        let place = Place::new();
        let bots = ["builtin:simulations=40", "builtin:simulations=4"];
        let mut command = place.play("--games 100000 --side 5 --openings random:4", &bots);
        let log = place.path().join("out/games.jsonl");
        let begun = || lines_of(&log) > 20;
        let told = ended(&stopped(&mut command, "-INT", begun), 130, &[]);
        let faults = place.log().1.iter().any(|game| game["fault"].is_object());
        assert!(!faults, "{told}");
    }
}
