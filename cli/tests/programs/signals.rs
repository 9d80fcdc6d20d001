//! Who ignores which signals: programs go on ignoring what they are started with, as `nohup` and
//! the background of a script want it, and tests start programs that ignore nothing.
#![cfg(target_os = "linux")]

use crate::common::{describe, hex, starting, succeed, wait_until, Place};
use crate::server::Server;
use rustix::process::{kill_process, Pid, Signal};
use std::process::{Child, Command, Stdio};

/// What `nohup` ignores, and what a script's background does.
const IGNORED: &str = "trap '' HUP INT";

/// Runs the command as one whose signals are ignored.
fn ignoring(command: &Command) -> Command {
    let mut shell = starting("sh");
    shell.args(["-c", &format!("{IGNORED}; exec \"$0\" \"$@\"")]);
    shell.arg(command.get_program()).args(command.get_args());
    shell
}

fn send(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// The signals that the process ignores, as a mask.
fn ignored(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    u64::from_str_radix(mask.unwrap().trim(), 16).unwrap()
}

/// The mask's bits of SIGHUP and SIGINT.
const BOTH: u64 = 1 | 1 << 1;

#[test]
fn children_of_tests_ignore_neither_hangups_nor_interrupts() {
    let status = succeed(starting("cat").arg("/proc/self/status"));
    assert_eq!(ignored(&status) & BOTH, 0, "{status}");
}

/// As under `nohup .ci/run`, and `.ci/run &` in a script.
#[test]
fn they_do_not_though_the_tests_are_started_so() {
    let program = std::env::current_exe().unwrap();
    let mut tests = starting(program);
    tests.args(
        "--exact signals::children_of_tests_ignore_neither_hangups_nor_interrupts".split(' '),
    );
    let said = succeed(&mut ignoring(&tests));
    assert!(said.contains("1 passed"), "{said}");
    let status = succeed(&mut ignoring(starting("cat").arg("/proc/self/status")));
    assert_eq!(ignored(&status) & BOTH, BOTH, "{status}");
}

/// A match by this command, with its first bots running.
fn begun(place: &Place, mut command: Command) -> Child {
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let arena = piped.spawn().unwrap();
    // The bots are started once before, to see whether that is possible; then there is no log.
    wait_until("a game begins", || {
        place.at("out/games.jsonl").is_file() && place.processes().len() >= 2
    });
    arena
}

#[test]
fn a_match_goes_on_ignoring_what_it_was_started_with() {
    let place = Place::new();
    let slow = place.bot("--think 100 ;; turn-ms=5000");
    let command = place.play(
        "--games 2 --side 5 --openings random:2",
        &[&slow, &place.bot("")],
    );
    let arena = begun(&place, ignoring(&command));
    send(&arena, Signal::HUP);
    send(&arena, Signal::INT);
    let output = arena.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", describe(&output));
    assert_eq!(place.log().1.len(), 2);
}

#[test]
fn a_match_that_ignores_interrupts_ends_at_sigterm() {
    let place = Place::new();
    let stalling = place.bot("--trouble stall@9 ;; turn-ms=600000");
    let command = place.play(
        "--games 8 --side 7 --openings random:2",
        &[&stalling, &place.bot("")],
    );
    let arena = begun(&place, ignoring(&command));
    send(&arena, Signal::TERM);
    let output = arena.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143), "{}", describe(&output));
}

#[test]
fn a_server_that_ignores_interrupts_ends_at_sigterm() {
    let mut server = Server::start_by(&mut ignoring(hex().args(["web", "--port", "0"])));
    server.signal(Signal::HUP);
    server.signal(Signal::INT);
    assert_eq!(server.get("/").status, 200);
    server.signal(Signal::TERM);
    assert!(server.ended().0.success());
}
