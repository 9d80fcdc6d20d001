//! The end of commands whose output is closed, and of commands that a signal stops.

use crate::common::{
    assert_says, describe, ended, hex, hex_line, lines_of, started, wait_until, Place,
};
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

/// Runs the command with this standard input and without a reader of its standard output.
fn unread(command: &mut Command, input: &str) -> Output {
    let child = command.stdin(Stdio::piped()).stdout(broken_pipe());
    let mut child = child.stderr(Stdio::piped()).spawn().unwrap();
    // It may have ended without reading.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

const TURN: &str = "3 red\nempty\n. . .\n. . .\n. . .\n";

/// One case a line: a command that says something on standard error, its input, its exit status.
#[test]
fn nobody_has_to_read_standard_error() {
    let place = Place::new();
    let (bot, bad) = (place.bot(""), place.bot("--trouble crash@2"));
    // Moves of both players, so that some of White's are in the way.
    let moves: String = (0..400)
        .map(|n| format!("{} {}\n", n / 14 % 14, n % 14))
        .collect();
    let mut referee = hex();
    referee.args(["referee", "--p1", &bad, "--p2", &bot]);
    let selfplay = "lab selfplay --side 3 --shards 2 --games 1 --threads 1 --out shards";
    for (mut command, input, status) in [
        (place.hex("show no-such-file"), "", 2),
        (place.hex("gtp --side 40"), "", 2),
        (place.hex("bot --knobs simulations=9"), TURN, 0),
        (place.hex("bot"), "xx yy\n", 2),
        (place.hex("tournament b d --simulations 1"), &moves, 0),
        (referee, "", 0),
        (
            place.play("--games 2 --side 5 --openings own", &[bad, bot]),
            "",
            0,
        ),
        (place.hex(selfplay), "", 0),
    ] {
        let child = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = child.stderr(broken_pipe()).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        ended(&child.wait_with_output().unwrap(), status, &[]);
    }
}

/// A closed standard output is somebody's right, as in `… | head`; files are written all the same.
#[test]
fn nobody_has_to_read_standard_output() {
    let place = Place::new();
    let bot = place.bot("");
    let mut command = place.play("--games 2 --side 5 --openings own", &[&bot, &bot]);
    ended(&unread(&mut command, ""), 0, &[]);
    assert_says(&place.read("out/report.html"), &["</html>"]);
    for flags in [&[][..], &["--psyleague"]] {
        let mut command = hex();
        command
            .args(["referee", "--p1", &bot, "--p2", &bot])
            .args(flags);
        ended(&unread(&mut command, ""), 0, &[]);
    }
}

/// If the opponent ends during a game, an error reports it, no matter who was to move.
#[test]
fn an_opponent_has_to_read_our_moves() {
    let output = unread(&mut hex_line("tournament b --simulations 1"), "");
    ended(&output, 2, &["the opponent has ended"]);
}

/// Runs the command until it has begun, sends it a signal, and waits for its end.
fn stopped(command: &mut Command, signal: &str, begun: impl Fn() -> bool) -> Output {
    let child = started(command);
    wait_until("the command begins", begun);
    crate::common::signal(signal, child.id());
    child.wait_with_output().unwrap()
}

/// Our own bot's game is given up with the others, after the answer that it is thinking about.
#[test]
fn a_stopped_game_of_our_own_bot_is_abandoned() {
    let place = Place::new();
    let thinkers = ["builtin:simulations=3000"; 2];
    let mut command = place.play("--games 2 --openings all --threads 1", &thinkers);
    let log = place.at("out/games.jsonl");
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
        let log = place.at("out/games.jsonl");
        let begun = || lines_of(&log) > 20;
        let told = ended(&stopped(&mut command, "-INT", begun), 130, &[]);
        let faults = place.log().1.iter().any(|game| game["fault"].is_object());
        assert!(!faults, "{told}");
    }
}
