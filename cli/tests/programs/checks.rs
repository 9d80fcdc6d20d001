//! `hex check`: a good bot passes, and each bot that breaks a rule is found and named.

use crate::common::{describe, hex, starting, Place, BOT};
use crate::missing::skip;
use hex_arena::check::slow::SlowProcessor;
use hex_common::system::ProcessId;
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// Limits of the bot that no noise can break.
const PATIENT: &str = ";; first-ms=20000 ;; turn-ms=20000";

fn check(bot: &str, arguments: &str) -> Output {
    let mut command = hex();
    command.args(["check", bot, "--threads", "2"]);
    command.args(arguments.split_whitespace());
    command.output().unwrap()
}

/// A check whose status is this one, and which says all of these.
fn expect(output: &Output, status: i32, words: &[&str]) {
    let told = describe(output);
    assert_eq!(output.status.code(), Some(status), "{told}");
    for words in words {
        assert!(told.contains(words), "{words:?} in {told}");
    }
}

#[test]
fn a_good_bot_passes_every_check() {
    let place = Place::new();
    let bot = place.bot(&format!("--play path {PATIENT}"));
    let source = place.path().join("bot.rs");
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
    expect(&check(&bot, &arguments), 0, &words);
    place.assert_no_process_left();
}

/// A bot's options, the options of the check, and what the list then says.
type Broken = (&'static str, &'static str, &'static [&'static str]);

const BROKEN: [Broken; 9] = [
    (
        "--trouble crash@1",
        "--games 0",
        &[
            "✗ example: Red, turn 1",
            "crash: ended with status 101",
            "crashes on purpose",
        ],
    ),
    (
        "--play path --trouble crash@3",
        "--games 2",
        &[
            "✓ example",
            "✗ a long game                move 5: crash",
            "✗ games as Red               won 0 of 1 against the built-in bot; 1 lost by faults, as above",
            "✗ games as Blue",
        ],
    ),
    (
        "--trouble say=z9@1",
        "--games 0",
        &["✗ example: Red, turn 1", "`z9`; the board has the cells a1 to k11"],
    ),
    (
        "--trouble say=swap-pieces@1",
        "--games 0",
        &[
            "✗ example: Red, turn 1",
            "only Blue may swap",
            "✓ example: Blue, after d5",
        ],
    ),
    (
        "--trouble echo@2",
        "--games 0",
        &["✗ example: Red, after d4", "d4 holds a blue stone already"],
    ),
    (
        "--trouble 'say=a1\\nb2@1'",
        "--games 0",
        &["✗ one line a turn", "writes \"b2\", the next turn's answer"],
    ),
    (
        "--play path --swap",
        "--games 4",
        &[
            "✓ swaps f6",
            "! leaves a1, as Blue",
            "takes over a bad stone",
            "checks passed",
        ],
    ),
    (
        "--play path --memory 800",
        "--games 0",
        &["✗ memory", " of 768 MB", "1 of 16 checks failed"],
    ),
    (
        "--trouble stall@2 ;; first-ms=300 ;; turn-ms=50",
        "--games 0",
        &["silence: wrote nothing for 1400 ms; neither more input nor the end of its input"],
    ),
];

#[test]
fn each_broken_rule_is_found_and_named() {
    let place = Place::new();
    for (options, arguments, words) in BROKEN {
        let limits = if options.contains(";;") { "" } else { PATIENT };
        let output = check(&place.bot(&format!("{options} {limits}")), arguments);
        let status = i32::from(!words.contains(&"checks passed"));
        expect(&output, status, words);
    }
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
    expect(&check(&bot, "--games 2"), 1, &words);
    let bot = place.bot("--play path --trouble late=300@3 ;; first-ms=20000");
    let words = [
        "✗ a long game                move 5: timeout: answered after ",
        "✗ slowest later answer ",
        "of 100 ms: late by ",
    ];
    let output = check(&bot, "--games 0");
    // On a busy machine an example may be late already.
    if !describe(&output).contains("no game was played") {
        expect(&output, 1, &words);
    }
    let bot = place.bot("--play path --think 400 ;; first-ms=20000 ;; turn-ms=420");
    let words = [
        "! slowest later answer",
        "ms left: judges are slower than most machines",
    ];
    let output = check(&bot, "--games 0");
    assert!(
        words.iter().all(|words| describe(&output).contains(words)) || {
            // On a busy machine it is late.
            describe(&output).contains("timeout: answered after ")
        }
    );
}

/// A beginner's bot: its options, the status of the check, and what the check says.
type Beginner = (&'static str, i32, &'static [&'static str]);

/// Limits for bots that are silent, so that nobody waits long.
const SHORT: &str = ";; first-ms=500 ;; turn-ms=500";

const BEGINNERS: [Beginner; 18] = [
    (
        "--mistake debug-text",
        1,
        &[
            "illegal move: answered `thinking...`; every line on standard output is an answer; debug \
             text belongs on standard error",
        ],
    ),
    (
        "--mistake empty-line",
        1,
        &["✗ one line a turn            after its answer the bot writes \"\", the next turn's answer"],
    ),
    (
        "--mistake exchanged",
        1,
        &[
            "holds a red stone already; row and column are exchanged: the letter is the column, the \
             number the row",
        ],
    ),
    (
        "--mistake old-board",
        1,
        &["a1 holds a red stone already; it plays on an old board: read the rows on every turn"],
    ),
    (
        "--mistake upper-case",
        1,
        &["illegal move: answered `A1`; letters are always lower case"],
    ),
    (
        "--mistake zero-based",
        1,
        &["illegal move: answered `a0`; rows count from 1"],
    ),
    (
        "--play path --mistake zero-based",
        1,
        &["its rows begin at 0: a1 is in row 1"],
    ),
    (
        "--mistake other-color --swap",
        1,
        &[
            "✗ example: Red, turn 1       illegal move: only Blue may swap, on turn 2",
            "; the first line has the bot's colour, here red",
        ],
    ),
    (
        "--mistake busy-thread",
        0,
        &[
            "! rests between turns        uses ",
            " % of a core after its answer: end threads",
            "! takes a winning move       not as Red and as Blue: weak, or it mistakes its colour",
        ],
    ),
    (
        "--mistake says-swap --swap",
        1,
        &[
            "✗ example: Blue, after d5    illegal move: answered `swap`; the site knows only \
             `swap-pieces`",
        ],
    ),
    (
        "--mistake swap-text --swap",
        1,
        &[
            "answered `swap-pieces thank you`; nothing may stand behind `swap-pieces` (the site may \
             accept it; nobody has told)",
        ],
    ),
    (
        "--trouble crash@15",
        1,
        &["✗ a long game                move 29: crash: ended with status 101; its last words: "],
    ),
    (
        "--play path --leak 14",
        0,
        &[" of 768 MB, and ", " MB more each turn: free what a turn has used"],
    ),
    (
        "--trouble late=900@1 ;; first-ms=500",
        1,
        &["✗ example: Red, turn 1       timeout: answered after 9"],
    ),
    (
        "--mistake no-flush",
        1,
        &["silence: its answers come only when its input ends: flush the output after each answer"],
    ),
    (
        "--mistake header-every-turn",
        1,
        &["silence: it waits for the line `11 red` on every turn, and the judge sends it once: read \
           it before the loop"],
    ),
    (
        "--mistake extra-row",
        1,
        &["silence: it waits for 1 line more than the judge sends: a turn is the last move and 11 rows"],
    ),
    (
        "--trouble stall@1",
        1,
        &["silence: wrote nothing for 2000 ms; neither more input nor the end of its input"],
    ),
];

/// Runs all cases at once: most of their time they wait.
fn all_at_once<T: Sync>(cases: &[T], run: impl Fn(&T) + Sync) {
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(|| run(case));
        }
    });
}

/// Each fault is named, with the cure, on one line and no other.
#[test]
fn beginners_learn_what_is_wrong() {
    let place = Place::new();
    all_at_once(&BEGINNERS, |(options, status, words)| {
        let silent = ["no-flush", "every-turn", "extra-row", "stall"];
        let is_silent = silent.iter().any(|silent| options.contains(silent));
        let limits = match (options.contains(";;"), is_silent) {
            (true, _) => "",
            (false, true) => SHORT,
            (false, false) => PATIENT,
        };
        let output = check(&place.bot(&format!("{options} {limits}")), "--games 0");
        expect(&output, *status, words);
        assert_names_each_fault_once(&output);
    });
    place.assert_no_process_left();
}

/// One line a check, and no two with the same fault.
fn assert_names_each_fault_once(output: &Output) {
    let told = String::from_utf8_lossy(&output.stdout);
    let mut named = Vec::new();
    for line in told.lines() {
        let is_check = ["✓ ", "! ", "✗ "].iter().any(|mark| line.starts_with(mark));
        assert!(is_check || line.starts_with("all "), "{line:?} in {told}");
        if line.starts_with("✗ ") {
            named.push(line.chars().skip(29).collect::<String>());
        }
    }
    let is_short = |found: &&String| !found.ends_with(", as above");
    let mut once: Vec<&String> = named.iter().filter(is_short).collect();
    once.sort();
    let all = once.len();
    once.dedup();
    assert_eq!(once.len(), all, "{told}");
}

/// Bots in other languages: the file, the program that runs or compiles it, limits and words.
const FOREIGN: [(&str, &str, &str, i32, &str); 4] = [
    (
        "swap-word.py",
        "python3",
        PATIENT,
        1,
        "✗ example: Blue, after d5    illegal move: answered `swap`; the site knows only `swap-pieces`",
    ),
    (
        "header-every-turn.py",
        "python3",
        SHORT,
        1,
        "✗ example: Red, turn 1       silence: it waits for the line `11 red` on every turn",
    ),
    (
        "no-flush.cpp",
        "g++",
        SHORT,
        1,
        "✗ example: Red, turn 1       silence: its answers come only when its input ends: flush",
    ),
    (
        "stub.cpp",
        "g++",
        ";; first-ms=2000 ;; turn-ms=2000",
        0,
        "! lines end with CR LF ",
    ),
];

#[test]
fn beginners_in_other_languages_learn_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/beginners");
    all_at_once(&FOREIGN, |(file, program, limits, status, words)| {
        if starting(program).arg("--version").output().is_err() {
            return skip(&format!(
                "no {program} on this machine: {file} is not checked"
            ));
        }
        let bot = format!("{} {limits}", folder.join(file).display());
        expect(&check(&bot, "--games 0"), *status, &[words]);
    });
}

/// A check that was killed leaves its folder. The next one removes it, but none that is in use.
#[cfg(unix)]
#[test]
fn folders_of_killed_checks_are_removed() {
    let place = Place::new();
    let temporary = place.path().join("tmp");
    fs::create_dir(&temporary).unwrap();
    let folders = || {
        let entries = fs::read_dir(&temporary).unwrap().flatten();
        let names = entries.map(|entry| entry.file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    };
    let start = |bot: &str, games: &str| {
        let mut command = hex();
        command.args(["check", bot, "--games", games, "--threads", "2"]);
        command
            .env("TMPDIR", &temporary)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.spawn().unwrap()
    };
    // Two checks that do not end, each with its folder.
    let stalls = place.bot("--trouble stall@1 ;; first-ms=600000");
    let mut begun = Vec::new();
    for count in 1..=2 {
        begun.push(start(&stalls, "0"));
        let deadline = Instant::now() + Duration::from_secs(60);
        let is_locked = |name: &String| temporary.join(name).join("lock").is_file();
        while folders().iter().filter(|name| is_locked(name)).count() < count {
            assert!(Instant::now() < deadline, "{:?}", folders());
            std::thread::sleep(Duration::from_millis(5));
        }
    }
    let both = folders();
    begun[0].kill().unwrap();
    begun[0].wait().unwrap();
    assert_eq!(folders(), both, "a check that is killed removes nothing");
    // Folders without a lock: about to be locked, or of an earlier version; and what is no folder.
    let old = temporary.join("hex-check-old");
    let outside = place.path().join("outside");
    for folder in [&old, &temporary.join("hex-check-young"), &outside] {
        fs::create_dir(folder).unwrap();
        fs::write(folder.join("bot"), "").unwrap();
    }
    let two_days = SystemTime::now() - Duration::from_secs(48 * 60 * 60);
    fs::File::open(&old)
        .unwrap()
        .set_modified(two_days)
        .unwrap();
    fs::File::open(&outside)
        .unwrap()
        .set_modified(two_days)
        .unwrap();
    std::os::unix::fs::symlink(&outside, temporary.join("hex-check-link")).unwrap();
    let status = start(&place.bot("--trouble crash@1"), "0").wait().unwrap();
    assert_eq!(status.code(), Some(1));
    let left = folders();
    let kept = |name: &str| left.iter().any(|left| left == name);
    assert!(kept("hex-check-young") && kept("hex-check-link") && !kept("hex-check-old"));
    assert_eq!(
        left.iter().filter(|name| both.contains(name)).count(),
        1,
        "{both:?} {left:?}"
    );
    assert!(outside.join("bot").is_file());
    begun[1].kill().unwrap();
    begun[1].wait().unwrap();
    place.assert_no_process_left();
}

/// The control groups of a killed check are removed, too, where the system allows groups.
#[cfg(target_os = "linux")]
#[test]
fn groups_of_killed_checks_are_removed() {
    let place = Place::new();
    let crashes = place.bot("--trouble crash@1");
    let output = check(&crashes, "--games 0 --slow 2");
    if !describe(&output).contains("a quota of a control group") {
        // Signals slow it down then, and leave nothing.
        return;
    }
    let mut command = hex();
    let stalls = place.bot("--trouble stall@1 ;; first-ms=600000");
    command.args(["check", &stalls, "--games", "0", "--slow", "2"]);
    let mut begun = command.stdout(Stdio::null()).spawn().unwrap();
    let name = format!("hex-check-{}-*", begun.id());
    let groups = || {
        let mut find = starting("find");
        find.args(["/sys/fs/cgroup", "-type", "d", "-name", &name]);
        String::from_utf8(find.output().unwrap().stdout).unwrap()
    };
    // The first ones are there for a moment only, that of the bot that stalls stays.
    let deadline = Instant::now() + Duration::from_secs(60);
    let mut seen = String::new();
    loop {
        let now = groups();
        if !now.is_empty() && now == seen {
            break;
        }
        assert!(Instant::now() < deadline, "{now:?}");
        seen = now;
        std::thread::sleep(Duration::from_millis(300));
    }
    begun.kill().unwrap();
    begun.wait().unwrap();
    place.assert_no_process_left();
    assert_eq!(groups(), seen, "a check that is killed leaves its group");
    check(&crashes, "--games 0 --slow 2");
    assert_eq!(groups(), "");
}

/// A bot that takes the judge's lines for what they usually are.
#[test]
fn odd_input_is_sent() {
    let place = Place::new();
    let script = place.path().join("strict.sh");
    let header = "IFS= read -r h; case \"$h\" in '11 red'|'11 blue') ;; *) exit 3;; esac";
    fs::write(&script, format!("{header}\n(echo \"$h\"; cat) | {BOT}\n")).unwrap();
    let bot = format!("sh {} {PATIENT}", script.display());
    let words = [
        "! lines end with CR LF       crash; the judge does not write so",
        "! blanks at line ends        crash; the judge does not write so",
        "✓ rows of 13 cells",
        "checks passed, ",
    ];
    expect(&check(&bot, "--games 0"), 0, &words);
    // Rows of 13 cells are no reason to refuse a bot.
    let row = "while IFS= read -r l; do case \"$l\" in *'. . . . . . . . . . . .'*) exit 4;; esac";
    fs::write(&script, format!("({row}; echo \"$l\"; done) | {BOT}\n")).unwrap();
    let words = ["! rows of 13 cells", "checks passed, "];
    expect(&check(&bot, "--games 0"), 0, &words);
}

#[test]
fn the_size_of_the_source_is_judged() {
    let place = Place::new();
    let bot = place.bot(PATIENT);
    let source = place.path().join("source.rs");
    let arguments = format!("--games 0 --source {}", source.display());
    let cases: [(Vec<u8>, i32, &str); 5] = [
        (
            vec![b'x'; 100_000],
            0,
            "✓ size of the source         100000 bytes",
        ),
        (
            vec![b'x'; 100_001],
            1,
            "✗ size of the source         100001 bytes",
        ),
        // 50,001 characters of two bytes: more bytes than allowed, and fewer units.
        (
            "ä".repeat(50_001).into_bytes(),
            0,
            "! size of the source         100002 bytes, 50001",
        ),
        // Characters of two units.
        (
            "\u{1f600}".repeat(50_001).into_bytes(),
            1,
            "50001 characters, 100002 UTF-16 units",
        ),
        (vec![b'x', 0xff], 1, "byte 2 of "),
    ];
    for (text, status, words) in cases {
        fs::write(&source, text).unwrap();
        expect(&check(&bot, &arguments), status, &[words]);
    }
}

#[test]
fn a_source_file_is_compiled() {
    let place = Place::new();
    let source = place.path().join("bot.rs");
    // The file is a shell script for this compiler.
    let compile = "sh -c 'cp \"$0\" \"$1\" && chmod +x \"$1\"' {source} {program}";
    fs::write(&source, format!("#!/bin/sh\nexec {BOT}\n")).unwrap();
    let mut command = hex();
    let bot = format!("{} {PATIENT}", source.display());
    command.args(["check", &bot, "--games", "0", "--compile", compile]);
    let words = [
        "✓ size of the source",
        "✓ compiles                   by sh in ",
        "✓ one line",
    ];
    expect(&command.output().unwrap(), 0, &words);
    let mut command = hex();
    let broken = "sh -c 'echo no semicolon >&2; exit 1' {source} {program}";
    command.args(["check", &bot, "--compile", broken]);
    let words = ["✗ compiles", "no semicolon", "1 of 2 checks failed"];
    expect(&command.output().unwrap(), 1, &words);
    // By its ending.
    fs::write(&source, "fn main() { nonsense }").unwrap();
    let words = [
        "✗ compiles                   rustc --edition 2021",
        "nonsense",
    ];
    expect(&check(source.to_str().unwrap(), ""), 1, &words);
}

#[test]
fn bad_usage_is_refused() {
    let place = Place::new();
    let there = place.path().join("there.rs");
    fs::write(&there, "").unwrap();
    let there = there.display();
    let cases = [
        (
            "builtin:",
            "",
            "give a command that speaks CodinGame's protocol",
        ),
        (
            "gtp:x",
            "",
            "give a command that speaks CodinGame's protocol",
        ),
        (
            "x",
            "--source no-such-file",
            "--source no-such-file: no such file",
        ),
        ("x", "--slow 0.5", "from 1 to 100"),
        ("x", "--compile cc", "x is not a source file"),
        ("", "", "the command is missing"),
    ];
    for (bot, arguments, words) in cases {
        expect(&check(bot, arguments), 2, &[words]);
    }
    expect(
        &check(&there.to_string(), "--compile cc"),
        2,
        &["lacks the placeholder {source}"],
    );
    expect(
        &check("no-such-bot", ""),
        1,
        &["✗ starts", "cannot be started", "1 of 2 checks failed"],
    );
}

/// A program that never rests gets its share of a processor at most, by either means; so does what
/// it has started.
#[cfg(target_os = "linux")]
#[test]
fn a_slow_processor_runs_a_bot_for_a_part_of_the_time() {
    let quota = SlowProcessor::by_quota(4.0);
    let signals = SlowProcessor::by_signals(4.0).unwrap();
    for slow in quota.into_iter().chain([signals]) {
        let mut shell = starting("sh");
        shell.args(["-c", "while :; do :; done & while :; do :; done"]);
        let mut shell = std::os::unix::process::CommandExt::process_group(&mut shell, 0)
            .spawn()
            .unwrap();
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
            assert!(
                (0.01..0.33).contains(&share),
                "{share} of {took:?}, {}",
                slow.words()
            );
        }
        let group = format!("-{own}");
        let killed = starting("kill")
            .args(["-KILL", "--", &group])
            .status()
            .unwrap();
        assert!(killed.success());
        shell.wait().unwrap();
        drop(held);
    }
}

/// The list says how the bot is slowed down, and its processes end as ever.
#[test]
fn a_bot_is_checked_on_a_slow_processor() {
    let place = Place::new();
    let bot = place.bot(&format!("--play path {PATIENT}"));
    let output = check(&bot, "--games 1 --slow 2");
    expect(
        &output,
        0,
        &["✓ starts                     on a processor 2 times slower, by "],
    );
    place.assert_no_process_left();
}
