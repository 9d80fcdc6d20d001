//! A folder or a file for results is locked by one process at a time. A command that fails at its
//! beginning leaves no file, and its error names the option.

use crate::common::{hex_line, lines_of, refused, succeed, wait_until, Place};
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
    let options = "--side 7 --openings random:2 --threads 1 --games 1000000";
    let play = || place.play(options, &[&bot, &bot]);
    let log = place.at("out/games.jsonl");
    let first = Running::start(&mut play(), || lines_of(&log) >= 2);
    let folder = place.at("out").display().to_string();
    let wanted = [&folder, "in use by another process", "--out"];
    refused(play(), &wanted);
    refused(play().arg("--resume"), &wanted);
    // What was killed holds nothing any more, though its bots may be alive for a moment.
    first.kill();
    let games = lines_of(&log);
    let begun = || lines_of(&log) > games;
    Running::start(play().arg("--resume"), begun).kill();
    place.assert_no_process_left();
    let text = fs::read_to_string(&log).unwrap();
    let whole = &text[..=text.rfind('\n').unwrap()];
    let ids = whole.lines().skip(1).map(|line| {
        let game: serde_json::Value = serde_json::from_str(line).unwrap();
        game["id"].as_u64().unwrap()
    });
    assert!(
        ids.zip(0..).all(|(id, number)| id == number),
        "each game once"
    );
}

#[test]
fn one_self_play_in_a_folder() {
    let place = Place::new();
    let selfplay = |shards: u32| {
        let options = "lab selfplay --side 3 --threads 1 --games 1 --out shards --shards";
        place.hex(&format!("{options} {shards}"))
    };
    let begun = || place.at("shards/000001.bin").exists();
    let first = Running::start(&mut selfplay(1_000_000), begun);
    let wanted = ["shards", "in use by another process", "--out"];
    refused(selfplay(1_000_000), &wanted);
    first.kill();
    succeed(&mut selfplay(1));
}

#[test]
fn one_measurement_in_a_file() {
    let place = Place::new();
    let endless = [
        "lab openings --side 14 --threads 1 --search 1 --games 2 --simulations 1 --out",
        "lab blunders --side 5 --empty 14 --positions 1000000 --simulations 1 --out",
    ];
    for (number, arguments) in endless.into_iter().enumerate() {
        let name = format!("results-{number}.txt");
        let out = place.at(&name);
        let run = || place.hex(&format!("{arguments} {name}"));
        // A line for what is measured, and one for a result.
        let first = Running::start(&mut run(), || lines_of(&out) >= 2);
        let wanted = [&name, "in use by another process", "--out"];
        refused(&mut run(), &wanted);
        first.kill();
        let results = lines_of(&out);
        Running::start(&mut run(), || lines_of(&out) > results).kill();
    }
}

#[test]
fn drawings_of_blunders_have_a_holder() {
    let place = Place::new();
    let endless =
        "lab blunders --side 5 --empty 14 --positions 1000000 --simulations 1 --svg drawn";
    let run = || place.hex(endless);
    let first = Running::start(&mut run(), || place.at("drawn/lock").exists());
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
        let place = Place::new();
        let mut command = hex_line(line);
        refused(command.current_dir(place.path()), &[]);
        let left = place.names("");
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
        let place = Place::new();
        place.write("file", "");
        place.write("sample", "1\n1\n0 0\n");
        let is_below = line.contains("file/out");
        let name = if is_below { "file/out: " } else { "file: " };
        let told = refused(place.hex(line), &[name, "(os error"]);
        let names_another = told.contains("sgf") || told.contains("lock");
        assert!(!names_another, "{line}: {told}");
    }
}
