//! What documents show in blocks of `console`: each command is run as it stands, with the starters
//! beside it, and prints what follows it there.

use crate::common::{describe, side_by_side, starting, Place};
use crate::missing::skip;
use regex::Regex;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

/// Programs of others that commands in documents need.
const PROGRAMS: [&str; 2] = ["python3", "g++"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// README and the pages of docs.
fn documents() -> Vec<PathBuf> {
    let pages = fs::read_dir(root().join("docs")).unwrap().flatten();
    let pages = pages.map(|entry| entry.path());
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let pages = pages.filter(is_page);
    pages.chain([root().join("README.md")]).collect()
}

/// A command as a shell gets it, and the lines shown behind it.
struct Shown {
    command: String,
    output: Vec<String>,
}

/// The commands in the blocks of `console` of a text. `$ ` begins a command, `> ` continues it.
fn commands(text: &str) -> Vec<Shown> {
    let blocks = text.split("\n```console\n").skip(1);
    let mut found: Vec<Shown> = Vec::new();
    for line in blocks.flat_map(|block| block.split("\n```").next().unwrap_or_default().lines()) {
        if let Some(command) = line.strip_prefix("$ ") {
            let (command, output) = (command.to_owned(), Vec::new());
            found.push(Shown { command, output });
            continue;
        }
        let last = found.last_mut().expect("a block begins with a command");
        match line.strip_prefix("> ") {
            Some(more) if last.output.is_empty() => last.command += &format!("\n{more}"),
            _ => last.output.push(line.to_owned()),
        }
    }
    found
}

/// A line without what differs from run to run: times, sizes of memory, and the room for them.
fn steady(line: &str) -> String {
    static MEASURED: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"[0-9][0-9.]*(?: of [0-9.]+)? (ms|s|MB)\b").unwrap());
    let words = MEASURED.replace_all(line, "# $1");
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the lines are printed as they are shown. `…` stands for any lines, and at the end of a
/// line for the rest of it.
fn fits(shown: &[String], printed: &[String]) -> bool {
    match (shown, printed) {
        ([], printed) => printed.is_empty(),
        ([gap, shown @ ..], _) if gap.trim() == "…" => {
            (0..=printed.len()).any(|from| fits(shown, &printed[from..]))
        }
        ([line, shown @ ..], [first, printed @ ..]) => {
            let (line, first) = (steady(line), steady(first));
            let begins = line.strip_suffix('…').map(str::trim_end);
            let is_same = begins.map_or(line == first, |begin| first.starts_with(begin));
            is_same && fits(shown, printed)
        }
        (_, []) => false,
    }
}

/// A bot in README, and the same with limits that no noise can break.
const BOT: &str = "hex check starters/path.py";
const PATIENT_BOT: &str = "hex check 'starters/path.py ;; first-ms=20000 ;; turn-ms=20000'";

/// Why a command does not print what is shown; `None` if it does. Runs in a folder of its own.
fn mismatch(shown: &Shown) -> Option<String> {
    let place = Place::new();
    std::os::unix::fs::symlink(root().join("starters"), place.at("starters")).unwrap();
    let hex = Path::new(env!("CARGO_BIN_EXE_hex")).parent().unwrap();
    let path = env::var_os("PATH").unwrap_or_default();
    let paths = [hex.to_owned()].into_iter().chain(env::split_paths(&path));
    let mut shell = starting("sh");
    let command = shown.command.replace(BOT, PATIENT_BOT);
    shell.args(["-c", &command]).current_dir(place.path());
    shell.env("PATH", env::join_paths(paths).unwrap());
    let output = shell.output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let lines: Vec<String> = printed.trim_end().lines().map(str::to_owned).collect();
    let told = describe(&output);
    (!fits(&shown.output, &lines)).then(|| format!("$ {}\n{told}", shown.command))
}

#[test]
fn commands_print_what_documents_show() {
    let is_lacking = |name: &&&str| starting(name).arg("--version").output().is_err();
    if let Some(lacking) = PROGRAMS.iter().find(is_lacking) {
        let what = "the output in documents is not checked";
        return skip(&format!("no {lacking} on this machine: {what}"));
    }
    let pages = documents().into_iter();
    let texts = pages.map(|path| fs::read_to_string(path).unwrap());
    let all: Vec<Shown> = texts.flat_map(|text| commands(&text)).collect();
    assert!(all.len() > 5, "only {} commands were found", all.len());
    let wrong = Mutex::new(Vec::new());
    side_by_side(&all, |shown| wrong.lock().unwrap().extend(mismatch(shown)));
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn other_output_is_found() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let printed = lines("one 1 of 20\ntook 12.5 ms of 100 ms\nthree\nfour");
    for (shown, is_right) in [
        ("one 1 of 20\ntook 9 ms of 100 ms\nthree\nfour", true),
        ("one 1 of 20\n…\nfour", true),
        ("one …\n…", true),
        ("…\nthree\nfour", true),
        ("one 2 of 20\n…", false),
        ("one 1 of 20\n…\nthree", false),
        ("one 1 of 20\nthree\nfour", false),
        ("one 1 of 20\ntook 9 s of 100 ms\n…", false),
    ] {
        assert_eq!(fits(&lines(shown), &printed), is_right, "{shown}");
    }
    let text = "a\n```console\n$ one <<END\n> two\n> END\nthree\n$ four\n```\nfive";
    let found = commands(text);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].command, "one <<END\ntwo\nEND");
    assert_eq!(
        (&found[0].output, found[1].output.len()),
        (&lines("three"), 0)
    );
}
