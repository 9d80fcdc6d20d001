//! What is not a regular file, and what lies elsewhere: in a folder it is skipped, alone it is read
//! up to the limit of every input.

use crate::common::{describe, starting, Place};
use hex_common::input::MAX_FILE;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Output, Stdio};

/// A command may take so many seconds, however busy the machine is: a hang takes for ever.
const PATIENCE: &str = "120";

/// The most memory that a command may address, in kB: far more than any input may have.
const MEMORY: usize = 1_500_000;

/// Runs a line of a shell in `folder`, where `$HEX` is the program.
fn shell(folder: &Path, line: &str) -> Output {
    // The path of `hex` may have blanks.
    let line = format!("ulimit -v {MEMORY}; {line}").replace("$HEX", "\"$HEX\"");
    starting("timeout")
        .args([PATIENCE, "sh", "-c", &line])
        .env("HEX", env!("CARGO_BIN_EXE_hex"))
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// A folder `games` with one game, and with all that must be skipped. `outside` has a game, too.
fn folder() -> Place {
    let root = Place::new();
    let at = |name: &str| root.at(name);
    fs::create_dir_all(at("games/inner")).unwrap();
    fs::create_dir(at("outside")).unwrap();
    let record = "(;GM[11]SZ[5]PB[one]PW[two];B[a1];W[b2];B[c3])";
    fs::write(at("games/c.sgf"), record).unwrap();
    fs::write(at("outside/secret.txt"), "a1 b2 c3").unwrap();
    let made = starting("mkfifo").arg(at("games/p.sgf")).status();
    assert!(made.unwrap().success());
    symlink("/dev/zero", at("games/inner/z.json")).unwrap();
    symlink("../outside/secret.txt", at("games/a.txt")).unwrap();
    symlink("../outside", at("games/elsewhere")).unwrap();
    symlink(".", at("games/round")).unwrap();
    root
}

/// The notes about that folder, without the command.
const SKIPPED: [&str; 5] = [
    "note: games/a.txt: skipped, it is a link that leads out of the folder",
    "note: games/elsewhere: skipped, it is a link to a folder, perhaps to one above it",
    "note: games/p.sgf: skipped, it is not a regular file",
    "note: games/round: skipped, it is a link to a folder, perhaps to one above it",
    "note: games/inner/z.json: skipped, it is a link that leads out of the folder",
];

#[test]
fn every_reader_of_folders_skips_what_is_no_file_in_it() {
    for line in [
        "$HEX convert games --to moves --out out",
        "$HEX review games --out review --simulations 1",
        "$HEX openings --from games --player one --simulations 1",
        "$HEX lab selfplay --out shards --starts games --side 5 --shards 1 --games 1 --simulations 32",
    ] {
        let root = folder();
        let output = shell(root.path(), line);
        let said = describe(&output);
        // 124 is that of `timeout`. That the games do not suffice is no fault of the folder.
        assert_ne!(output.status.code(), Some(124), "{line}: {said}");
        assert_eq!(
            said.matches("skipped, ").count(),
            SKIPPED.len(),
            "{line}: {said}"
        );
        for note in SKIPPED {
            assert!(said.contains(note), "{line}: {said}");
        }
    }
    let root = folder();
    let line = "$HEX convert games --to moves --out out && cat out/*";
    let output = shell(root.path(), line);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "a1 b2 c3\n");
}

#[test]
fn a_link_within_the_folder_is_followed() {
    let root = Place::new();
    fs::create_dir(root.at("games")).unwrap();
    root.write("games/notes.md", "a1 b2");
    symlink("notes.md", root.at("games/link.txt")).unwrap();
    let output = shell(
        root.path(),
        "$HEX convert games --to moves --out out && cat out/*",
    );
    assert_eq!(String::from_utf8_lossy(&output.stdout), "a1 b2\n");
    assert!(output.stderr.is_empty(), "{}", describe(&output));
}

/// A device without an end, by every way into a command. What each says is its own.
#[test]
fn an_input_without_an_end_is_read_up_to_the_limit() {
    assert_eq!(MAX_FILE, 64_000_000);
    for line in [
        "$HEX show /dev/zero",
        "$HEX show < /dev/zero",
        "$HEX convert /dev/zero --to sgf",
        "$HEX convert /dev/zero --to sgf --out out",
        "$HEX convert zero.jsonl --to sgf --out out",
        "$HEX review /dev/zero --out review",
        "$HEX replay --player red /dev/zero -- true",
        "$HEX solve /dev/zero",
        "$HEX analyze /dev/zero",
        "$HEX analyze < /dev/zero",
        "$HEX match --players /dev/zero --out match",
        "$HEX match builtin:simulations=1 builtin:simulations=2 --openings file:/dev/zero --out match",
        "$HEX lab bench --check /dev/zero",
        "$HEX web --weights /dev/zero",
        "echo 'loadsgf /dev/zero' | $HEX gtp",
        "(echo name; cat /dev/zero) | $HEX gtp",
        "$HEX bot < /dev/zero",
        "(echo 11 red; echo; cat /dev/zero) | $HEX bot",
    ] {
        let folder = Place::new();
        symlink("/dev/zero", folder.at("zero.jsonl")).unwrap();
        let output = shell(folder.path(), line);
        let said = describe(&output);
        let status = if line.contains("loadsgf") { 0 } else { 2 };
        assert_eq!(output.status.code(), Some(status), "{line}: {said:.600}");
        assert!(said.contains("more than 64 MB"), "{line}: {said:.600}");
    }
}

#[test]
fn a_pipe_that_is_named_is_read() {
    let folder = Place::new();
    let made = starting("mkfifo").arg(folder.at("p")).status();
    assert!(made.unwrap().success());
    for line in [
        "echo a1 b2 | $HEX convert /dev/stdin --side 5 --to moves",
        "echo a1 b2 | $HEX convert - --side 5 --to moves",
        "(echo a1 b2 > p) & $HEX convert p --side 5 --to moves",
    ] {
        let output = shell(folder.path(), line);
        let said = describe(&output);
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            "a1 b2\n",
            "{line}: {said}"
        );
    }
}
