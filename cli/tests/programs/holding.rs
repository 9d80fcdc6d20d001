//! A folder or a file for results is locked by one process at a time. A command that fails at its
//! beginning leaves no file, and its error names the option.

use crate::common::{hex, lines_of, refused, succeed, wait_until, Place};
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A command that runs in the background; it is killed at the latest when this goes away.
struct Running(Child);

impl Running {
    fn start(command: &mut Command, begun: impl Fn() -> bool) -> Running {
        let silent = command.stdout(Stdio::null()).stderr(Stdio::null());
        let running = Running(silent.spawn().unwrap());
        wait_until("the command begins", begun);
        running
    }

    /// As the system does it: without a word.
    fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn one_match_in_a_folder() {
    let place = Place::new();
    let bot = place.bot("");
    let arguments = ["--side", "7", "--openings", "random:2", "--threads", "1"];
    let arguments = [&arguments[..], &["--games", "1000000", &bot, &bot]].concat();
    let log = place.path().join("out/games.jsonl");
    let first = Running::start(&mut place.hex_match(&arguments), || lines_of(&log) >= 2);
    let folder = place.path().join("out").display().to_string();
    let wanted = [&folder, "in use by another process", "--out"];
    refused(&mut place.hex_match(&arguments), &wanted);
    refused(place.hex_match(&arguments).arg("--resume"), &wanted);
    // What was killed holds nothing any more, though its bots may be alive for a moment.
    first.kill();
    let games = lines_of(&log);
    let begun = || lines_of(&log) > games;
    Running::start(place.hex_match(&arguments).arg("--resume"), begun).kill();
    place.assert_no_process_left();
    let text = fs::read_to_string(&log).unwrap();
    let whole = &text[..=text.rfind('\n').unwrap()];
    let ids = whole.lines().skip(1).map(|line| {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        game["id"].as_u64().unwrap()
    });
    let ids: Vec<u64> = ids.collect();
    assert_eq!(
        ids,
        (0..ids.len() as u64).collect::<Vec<_>>(),
        "each game once"
    );
}

#[test]
fn one_self_play_in_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("shards");
    let selfplay = |more: &[&str]| {
        let mut command = hex();
        command.args(["lab", "selfplay", "--side", "3", "--threads", "1", "--out"]);
        command.arg(&out).args(more);
        command
    };
    let endless = ["--shards", "1000000", "--games", "1"];
    let first = Running::start(&mut selfplay(&endless), || out.join("000001.bin").exists());
    let name = out.display().to_string();
    let wanted = [&name, "in use by another process", "--out"];
    refused(&mut selfplay(&endless), &wanted);
    first.kill();
    succeed(&mut selfplay(&["--shards", "1", "--games", "1"]));
}

#[test]
fn one_measurement_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let endless = [
        "lab openings --side 14 --threads 1 --search 1 --games 2 --simulations 1 --out",
        "lab blunders --side 5 --empty 14 --positions 1000000 --simulations 1 --out",
    ];
    for (number, arguments) in endless.into_iter().enumerate() {
        let out = folder.path().join(format!("results-{number}.txt"));
        let run = || {
            let mut command = hex();
            command.args(arguments.split(' ')).arg(&out);
            command
        };
        // A line for what is measured, and one for a result.
        let first = Running::start(&mut run(), || lines_of(&out) >= 2);
        let name = out.display().to_string();
        let wanted = [&name, "in use by another process", "--out"];
        refused(&mut run(), &wanted);
        first.kill();
        let results = lines_of(&out);
        Running::start(&mut run(), || lines_of(&out) > results).kill();
    }
}

#[test]
fn drawings_of_blunders_have_a_holder() {
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("drawn");
    let run = || {
        let mut command = hex();
        let endless = "lab blunders --side 5 --empty 14 --positions 1000000 --simulations 1 --svg";
        command.args(endless.split(' ')).arg(&svg);
        command
    };
    let first = Running::start(&mut run(), || svg.join("lock").exists());
    std::thread::sleep(Duration::from_millis(200));
    refused(&mut run(), &["drawn is in use by another process"]);
    first.kill();
}

/// One case a line: a command that fails at its beginning, in an empty folder.
#[test]
fn what_fails_at_its_beginning_leaves_nothing_behind() {
    for line in [
        "match --resume --out nothere builtin: builtin:",
        "match --out nothere no-such-program builtin:",
        "match --out nothere --side 5 builtin: builtin:",
        "lab selfplay --out nothere --weights no-such-file",
        "lab selfplay --out nothere --starts no-such-folder",
        "lab selfplay --policy --out nothere --shards 1 --lines no-such-file",
        "lab selfplay --policy --out nothere --shards 1 --weights no-such-file",
        "lab selfplay --out nothere --fast-simulations 15",
        "lab selfplay --out nothere --side 2 --random-stones 4",
        "lab selfplay --out nothere --shards 1000000 --games 1000000",
        "analyze no-such-file --svg nothere",
        "lab blunders --out nothere --svg nothere --weights no-such-file",
        "lab blunders --out nothere --side 5 --empty 30",
        "lab openings --out nothere --side 20",
        "show no-such-file --svg nothere",
        "lab bench --check no-such-file",
        "referee --p1 no-such-program --p2 ' -l nothere",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = hex();
        command.current_dir(folder.path()).args(line.split(' '));
        refused(&mut command, &[]);
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
        assert!(left.is_empty(), "{line}: {left:?}");
    }
}

/// A folder that cannot be written is called what the command line calls it.
#[test]
fn unwritable_folders_are_named_as_asked_for() {
    for line in [
        "match --out file/out builtin: builtin:",
        "match --out file builtin: builtin:",
        "soak --out file/out true",
        "lab selfplay --out file/out",
        "lab selfplay --policy --out file/out",
        "lab selfplay --out file",
        "analyze sample --svg file/out",
        "lab blunders --side 4 --empty 10 --positions 1 --svg file/out",
        "lab blunders --side 4 --empty 10 --positions 1 --out file/out",
        "lab openings --side 2 --out file/out",
        "man --out file/out",
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        fs::write(folder.path().join("sample"), "1\n1\n0 0\n").unwrap();
        let mut command = hex();
        command.current_dir(folder.path()).args(line.split(' '));
        let name = if line.contains("file/out") {
            "file/out"
        } else {
            "file"
        };
        let told = refused(&mut command, &[&format!("{name}: "), "(os error"]);
        assert!(
            !told.contains("sgf") && !told.contains("lock"),
            "{line}: {told}"
        );
    }
}
