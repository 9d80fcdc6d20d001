//! `hex check`: a good bot passes, and each bot that breaks a rule is found and named.

use crate::common::{
    assert_says, cases, describe, ends, hex, side_by_side, starting, succeed, Place, BOT,
};
use hex_arena::check::slow::SlowProcessor;
use hex_common::system::ProcessId;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

/// Limits of the bot that no noise can break.
pub const PATIENT: &str = ";; first-ms=20000 ;; turn-ms=20000";

pub fn check(bot: &str, arguments: &str) -> Command {
    let mut command = hex();
    command.args(["check", bot, "--threads", "2"]);
    command.args(arguments.split_whitespace());
    command
}

#[test]
fn a_good_bot_passes_every_check() {
    let place = Place::new();
    let bot = place.bot(&format!("--play path {PATIENT}"));
    let source = place.at("bot.rs");
    fs::write(&source, "// ä\u{1f600}\n").unwrap();
    let arguments = format!("--games 4 --source {}", source.display());
    let words = [
        "✓ size of the source         10 bytes, 6 characters, 7 UTF-16 units of 100000",
        "✓ example: Red, turn 1 ",
        "✓ example: Red, after d4 ",
        "✓ example: Red, after a swap ",
        "✓ example: Blue, after d5 ",
        "✓ one line a turn ",
        "✓ rests between turns        yes",
        "✓ lines end with CR LF ",
        "✓ blanks at line ends ",
        "✓ rows of 13 cells ",
        "✓ takes a winning move       as Red and as Blue",
        "✓ a long game ",
        "✓ is swapped, as Red         goes on with ",
        "! swaps f6, as Blue          no swap: opponents may open with the strongest move",
        "✓ leaves a1, as Blue ",
        "✓ games as Red               won 0 of 2 against the built-in bot",
        "✓ games as Blue              won 0 of 2 against the built-in bot",
        "✓ slowest first answer ",
        "✓ slowest later answer ",
        "✓ memory ",
        "all 21 checks passed, 1 with a note",
    ];
    ends(check(&bot, &arguments), 0, &words);
    place.assert_no_process_left();
}

#[test]
fn each_broken_rule_is_found_and_named() {
    let place = Place::new();
    side_by_side(&cases(include_str!("../data/broken-bots.txt")), |case| {
        let [options, arguments, words @ ..] = &case[..] else {
            panic!("{case:?}")
        };
        let limits = if options.contains(";;") { "" } else { PATIENT };
        let status = i32::from(!words.contains(&"checks passed"));
        let bot = place.bot(&format!("{options} {limits}"));
        ends(check(&bot, arguments), status, words);
    });
    place.assert_no_process_left();
}

#[test]
fn late_answers_are_found() {
    let place = Place::new();
    let bot = place.bot("--play path --think 300 ;; first-ms=20000");
    let words = [
        "✗ example: Red, after d4     timeout: answered after ",
        "✗ example: Red, after a swap timeout, as above",
        "✓ example: Blue, after d5",
        "no game was played",
    ];
    ends(check(&bot, "--games 2"), 1, &words);
    let bot = place.bot("--play path --trouble late=300@3 ;; first-ms=20000");
    let words = [
        "✗ a long game                move 5: timeout: answered after ",
        "✗ slowest later answer ",
        "of 100 ms: late by ",
    ];
    let output = check(&bot, "--games 0").output().unwrap();
    let told = describe(&output);
    // On a busy machine an example may be late already.
    if !told.contains("no game was played") {
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert_says(&told, &words);
    }
    let bot = place.bot("--play path --trouble late=400@3 ;; first-ms=20000 ;; turn-ms=420");
    let words = [
        "! slowest later answer",
        "ms left: judges are slower than most machines",
    ];
    let told = describe(&check(&bot, "--games 0").output().unwrap());
    // On a busy machine it is late.
    if !told.contains("timeout: answered after ") {
        assert_says(&told, &words);
    }
}

/// A bot that takes the judge's lines for what they usually are.
#[test]
fn odd_input_is_sent() {
    let place = Place::new();
    let script = place.at("strict.sh");
    let header = "IFS= read -r h; case \"$h\" in '11 red'|'11 blue') ;; *) exit 3;; esac";
    fs::write(&script, format!("{header}\n(echo \"$h\"; cat) | {BOT}\n")).unwrap();
    let bot = format!("sh {} {PATIENT}", script.display());
    let words = [
        "! lines end with CR LF       crash; the judge does not write so",
        "! blanks at line ends        crash; the judge does not write so",
        "✓ rows of 13 cells",
        "checks passed, ",
    ];
    ends(check(&bot, "--games 0"), 0, &words);
    // Rows of 13 cells are no reason to refuse a bot.
    let row = "while IFS= read -r l; do case \"$l\" in *'. . . . . . . . . . . .'*) exit 4;; esac";
    fs::write(&script, format!("({row}; echo \"$l\"; done) | {BOT}\n")).unwrap();
    let words = ["! rows of 13 cells", "checks passed, "];
    ends(check(&bot, "--games 0"), 0, &words);
}

#[test]
fn the_size_of_the_source_is_judged() {
    let place = Place::new();
    let arguments = format!("--games 0 --source {}", place.at("source.rs").display());
    let most = "✓ size of the source         100000 bytes";
    let more = "✗ size of the source         100001 bytes";
    // Characters of two bytes are more bytes than allowed, and fewer units.
    let wide = "! size of the source         100002 bytes, 50001";
    let pairs = "50001 characters, 100002 UTF-16 units";
    for (text, failed, words) in [
        ("x".repeat(100_000).into_bytes(), 0, most),
        ("x".repeat(100_001).into_bytes(), 1, more),
        ("ä".repeat(50_001).into_bytes(), 0, wide),
        ("\u{1f600}".repeat(50_001).into_bytes(), 1, pairs),
        (vec![b'x', 0xff], 1, "byte 2 of "),
    ] {
        place.write("source.rs", text);
        // A bot that does not start fails, too, and needs no time.
        let failed = format!("{} of 2 checks failed", failed + 1);
        ends(check("no-such-bot", &arguments), 1, &[words, &failed]);
    }
}

const COMPILES: &str = "✓ compiles                   by sh in ";

#[test]
fn a_source_file_is_compiled() {
    let place = Place::new();
    let source = place.at("bot.rs");
    // The file is a shell script for this compiler.
    let compile = "sh -c 'cp \"$0\" \"$1\" && chmod +x \"$1\"' {source} {program}";
    fs::write(&source, format!("#!/bin/sh\nexec {BOT}\n")).unwrap();
    let mut command = hex();
    let bot = format!("{} {PATIENT}", source.display());
    command.args(["check", &bot, "--games", "0", "--compile", compile]);
    ends(
        command,
        0,
        &["✓ size of the source", COMPILES, "✓ one line"],
    );
    let mut command = hex();
    let broken = "sh -c 'echo no semicolon >&2; exit 1' {source} {program}";
    command.args(["check", &bot, "--compile", broken]);
    let words = ["✗ compiles", "no semicolon", "1 of 2 checks failed"];
    ends(command, 1, &words);
    // By its ending.
    fs::write(&source, "fn main() { nonsense }").unwrap();
    let by_rustc = "✗ compiles                   rustc --edition 2021";
    ends(
        check(source.to_str().unwrap(), ""),
        1,
        &[by_rustc, "nonsense"],
    );
}

#[test]
fn bad_usage_is_refused() {
    let place = Place::new();
    place.write("there.rs", "");
    let there = place.at("there.rs").display().to_string();
    let no_bot = "give a command that speaks CodinGame's protocol";
    let no_file = "--source no-such-file: no such file";
    let cases = [
        ("builtin:", "", no_bot),
        ("gtp:x", "", no_bot),
        ("x", "--source no-such-file", no_file),
        ("x", "--slow 0.5", "from 1 to 100"),
        ("x", "--compile cc", "x is not a source file"),
        ("", "", "the command is missing"),
        (&there, "--compile cc", "lacks the placeholder {source}"),
    ];
    for (bot, arguments, words) in cases {
        ends(check(bot, arguments), 2, &[words]);
    }
    let words = ["✗ starts", "cannot be started", "1 of 2 checks failed"];
    ends(check("no-such-bot", ""), 1, &words);
}

/// A program that never rests gets its share of a processor at most; so does what it has started.
#[cfg(target_os = "linux")]
#[test]
fn a_slow_processor_runs_a_bot_for_a_part_of_the_time() {
    use std::os::unix::process::CommandExt;
    let slow = SlowProcessor::new(4.0).unwrap();
    let mut shell = starting("sh");
    shell.args(["-c", "while :; do :; done & while :; do :; done"]);
    let mut shell = shell.process_group(0).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(100));
    let process = ProcessId::of(&shell);
    let children = format!("/proc/{0}/task/{0}/children", process.number());
    let children = fs::read_to_string(children).unwrap();
    let child = children.trim().to_owned();
    let held = slow.hold(process).unwrap();
    let of = |number: &str| {
        let schedstat = fs::read_to_string(format!("/proc/{number}/schedstat")).unwrap();
        let nanoseconds: u64 = schedstat.split(' ').next().unwrap().parse().unwrap();
        Duration::from_nanos(nanoseconds)
    };
    let own = process.number().to_string();
    let (begun, before) = (Instant::now(), [of(&own), of(&child)]);
    std::thread::sleep(Duration::from_millis(1500));
    let (took, after) = (begun.elapsed(), [of(&own), of(&child)]);
    for (before, after) in before.into_iter().zip(after) {
        let share = (after - before).as_secs_f64() / took.as_secs_f64();
        assert!((0.01..0.33).contains(&share), "{share} of {took:?}");
    }
    let mut kill = starting("kill");
    succeed(kill.args(["-KILL", "--", &format!("-{own}")]));
    shell.wait().unwrap();
    drop(held);
}

/// The list says how the bot is slowed down, and its processes end as ever.
#[test]
fn a_bot_is_checked_on_a_slow_processor() {
    let place = Place::new();
    let bot = place.bot(&format!("--play path {PATIENT}"));
    let words = ["✓ starts                     on a processor 2 times slower, by "];
    ends(check(&bot, "--games 1 --slow 2"), 0, &words);
    place.assert_no_process_left();
}
