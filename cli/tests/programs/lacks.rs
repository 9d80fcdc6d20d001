//! What a machine has too little of costs no player a game: the arena says it in a sentence, and
//! what it has played stays.
#![cfg(target_os = "linux")]

use crate::common::{
    describe, ended, ends, hex_line, refused, signal, started, starting, wait_until, Place,
};
use rustix::process::{prlimit, Pid, Resource, Rlimit};
use serde_json::Value;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The command as started by a shell after these commands.
fn after(shell: &str, command: &Command) -> Command {
    let mut limited = starting("sh");
    limited.args(["-c", &format!("{shell}; exec \"$0\" \"$@\"")]);
    limited.arg(command.get_program()).args(command.get_args());
    limited
}

/// The arena raises its soft limit, and its bots have the old one.
#[test]
fn a_low_limit_of_open_files_is_raised() {
    let place = Place::new();
    let bot = place.bot("");
    let (mark, own) = bot.split_once(' ').unwrap();
    let tells = format!("{mark} sh -c 'ulimit -n >&2; exec {own}' ;; name=tells");
    let options = "--games 24 --side 4 --openings random:2 --threads 6 --logs";
    let command = place.play(options, &[&tells, &bot]);
    ends(after("ulimit -Sn 60", &command), 0, &[]);
    assert_eq!(place.log().1.len(), 24);
    place.assert_each("/fault", Value::Null);
    assert_eq!(place.read("out/logs/000000-red-tells.stderr"), "60\n");
}

/// More games at a time than the hard limit allows are refused before any.
#[test]
fn too_many_threads_for_the_open_files_are_refused() {
    let place = Place::new();
    let bot = place.bot("");
    for (words, bots) in [
        ("match", 2),
        ("soak", 1),
        ("check", 1),
        ("tune builtin:simulations={x} --vary x=1..2..3:whole", 0),
    ] {
        let out = if words == "check" { "" } else { "--out out" };
        let mut command = place.hex(&format!("{words} --threads 6 {out}"));
        command.args(vec![&bot; bots]);
        let told = ["--threads 6", "give --threads 1", "ulimit -n"];
        refused(after("ulimit -n 60", &command), &told);
        assert!(!place.at("out").exists(), "{words}");
    }
}

/// Starts the match and waits until it has some games.
fn begun(place: &Place, command: &mut Command) -> Child {
    let arena = started(command);
    place.wait_for_lines(4);
    arena
}

/// Files may become scarce during a match: it stops, and goes on later.
#[test]
fn a_lack_during_a_match_stops_it_and_is_nobodys_fault() {
    let place = Place::new();
    let bots = [place.bot(""), place.bot("--play path")];
    let options = "--games 4000 --side 4 --openings random:4 --threads 2";
    let arena = begun(&place, &mut place.play(options, &bots));
    let few = Rlimit {
        current: Some(12),
        maximum: Some(12),
    };
    let pid = Pid::from_child(&arena);
    prlimit(Some(pid), Resource::Nofile, few).unwrap();
    let output = arena.wait_with_output().unwrap();
    ended(&output, 2, &["--resume goes on", "ulimit -n"]);
    place.assert_no_process_left();
    place.assert_each("/fault", Value::Null);
    let games = place.log().1.len();
    // It goes on with what it has.
    let mut command = place.play(options, &bots);
    let again = begun(&place, command.arg("--resume"));
    wait_until("the match goes on", || place.log().1.len() > games);
    signal("-INT", again.id());
    ended(&again.wait_with_output().unwrap(), 130, &[]);
    place.assert_each("/fault", Value::Null);
}

/// The size of a thread's stack that leaves room for no thread, and for a few.
const NONE: u64 = 4_000_000_000;
const FEW: u64 = 150_000_000;

/// With room for no thread, or for a few, a command ends well or with a sentence.
#[test]
fn no_command_panics_without_threads() {
    let place = Place::new();
    let bot = place.bot("");
    let busy = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = busy.local_addr().unwrap().port();
    let games = "--games 8 --side 4 --threads 4 --openings random:2";
    let tune = "--vary x=1..2..3:whole builtin:simulations={x}";
    let positions = "--side 4 --empty 10 --positions 3";
    for (words, bots) in [
        (format!("match {games} --first-ms 20000 --turn-ms 20000"), 2),
        (format!("soak {games} --stalls 0"), 1),
        (format!("tune {games} {tune}"), 0),
        ("check --games 1".to_owned(), 1),
        (
            format!("lab blunders {positions} --simulations 10 --threads 3"),
            0,
        ),
        (
            "lab selfplay --side 4 --shards 2 --games 1 --threads 3 --out out".to_owned(),
            0,
        ),
        ("solve --openings --side 3 --threads 3".to_owned(), 0),
        ("gtp".to_owned(), 0),
        (format!("web --threads 3 --port {port}"), 0),
    ] {
        // The games of a check take seconds.
        let stacks = if words.starts_with("check") {
            &[NONE][..]
        } else {
            &[NONE, FEW]
        };
        for &stack in stacks {
            // Where the results are by default.
            let folder = Place::new();
            let mut command = hex_line(&words);
            command.args(vec![&bot; bots]);
            ends_well(&command, folder.path(), stack);
        }
    }
}

/// Runs the command in this folder with threads of this stack.
fn ends_well(command: &Command, folder: &Path, stack: u64) {
    let mut limited = after("ulimit -v 2000000", command);
    limited.env("RUST_MIN_STACK", stack.to_string());
    let limited = limited.current_dir(folder).stdin(Stdio::null());
    let output = limited.output().unwrap();
    let told = describe(&output);
    assert!(!told.contains("panicked"), "{command:?}, {stack}: {told}");
    let status = output.status.code();
    if stack == NONE {
        let sentence = "this machine cannot start a thread: ";
        assert!(told.contains(sentence), "{command:?}: {told}");
        assert_eq!(status, Some(2), "{command:?}: {told}");
    }
    let is_well = [Some(0), Some(2)].contains(&status);
    assert!(is_well, "{command:?}, {stack}: {told}");
}
