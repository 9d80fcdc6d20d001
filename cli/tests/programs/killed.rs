//! Runs that are killed while they write, or whose disk is full: the next start goes on, nothing is
//! lost and nothing is there twice. HEX_KILLS says how often each loop kills; 10 times unless it is
//! set.

use crate::common::{
    describe, hex, lines_of, refused, starting, succeed, without_times, Place, PATIENT,
};
use hex_core::record::sgf;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Names the number of kills.
const KILLS: &str = "HEX_KILLS";

fn kills() -> u32 {
    let number = std::env::var(KILLS).ok();
    number.map_or(10, |text| text.parse().expect("HEX_KILLS is a number"))
}

/// A run with a number of parts that is killed before its end.
struct Killed<'a> {
    /// The parts of the whole run.
    parts: usize,
    /// Those that are done.
    done: &'a dyn Fn() -> usize,
    /// How long the run took in one piece.
    whole: Duration,
    /// How long it took until the first part began.
    startup: Duration,
    /// By what it is killed.
    signal: &'a str,
}

impl Killed<'_> {
    /// Starts the command again and again and kills it at a random moment; then lets it run to its
    /// end.
    fn and_goes_on(&self, command: impl Fn() -> Command) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(u64::from(std::process::id()));
        let longest = self.startup + self.whole.mul_f64(1.6) / kills().max(1);
        let mut killed = 0;
        for kill in 1..=kills() {
            let mut run = command();
            let run = run.stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = run.spawn().unwrap();
            let share = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            let moment = Instant::now() + longest.mul_f64(share);
            // The machine may be faster by now: so the run is not over before the last kill.
            let most = self.parts * kill as usize / (kills() as usize + 1);
            while Instant::now() < moment && (self.done)() < most.max(1) {
                std::thread::sleep(Duration::from_millis(1));
            }
            killed += u32::from(child.try_wait().unwrap().is_none());
            let _ = starting("kill")
                .args([self.signal, &child.id().to_string()])
                .stderr(Stdio::null())
                .status();
            child.wait().unwrap();
        }
        assert!(
            killed * 3 >= kills(),
            "only {killed} of {} runs were killed",
            kills()
        );
        succeed(&mut command());
    }
}

/// A match of bots that play the same moves every time, with its folder in the place.
fn a_match(place: &Place, games: &str, resumes: bool) -> Command {
    let arguments = ["--games", games, "--side", "4", "--openings", "random:2"];
    let mut command = place.hex_match(&arguments);
    command.args(["--threads", "2", &place.bot("--play 1 ;; name=a")]);
    command.arg(place.bot("--play 2 ;; name=b"));
    command.args(resumes.then_some("--resume"));
    command
}

/// The games by their numbers, without what differs from run to run; none is there twice.
fn games(place: &Place) -> BTreeMap<u64, Value> {
    let lines = place.log().1;
    let count = lines.len();
    let games: BTreeMap<u64, Value> = lines
        .into_iter()
        .map(|mut game| {
            game.as_object_mut().unwrap().remove("times_ms");
            (game["id"].as_u64().unwrap(), game)
        })
        .collect();
    assert_eq!(games.len(), count, "a game is there twice");
    games
}

/// The same games, each with its record, and a report of them all.
fn assert_same_match(place: &Place, undisturbed: &Place) {
    let games_of_it = games(place);
    assert_eq!(games_of_it, games(undisturbed));
    for (id, game) in &games_of_it {
        let path = place.path().join(format!("out/sgf/{id:06}.sgf"));
        let record = sgf::parse(&fs::read_to_string(path).unwrap()).unwrap();
        let moves = record.turns().iter().map(|turn| turn.action.to_string());
        assert_eq!(game["moves"], moves.collect::<Value>(), "game {id}");
    }
    let report = |place: &Place| {
        let text = fs::read_to_string(place.path().join("out/report.txt")).unwrap();
        without_times(&text)
    };
    assert_eq!(report(place), report(undisturbed));
    for name in ["report.html", "summary.json"] {
        assert!(place.path().join("out").join(name).is_file(), "{name}");
    }
}

#[test]
fn a_match_that_is_killed_anywhere() {
    let (place, undisturbed) = (Place::new(), Place::new());
    let begin = Instant::now();
    succeed(&mut a_match(&undisturbed, "60", false));
    let whole = begin.elapsed();
    let log = place.path().join("out/games.jsonl");
    let killed = Killed {
        parts: 60,
        done: &|| lines_of(&log).saturating_sub(1),
        whole,
        startup: Duration::from_millis(300),
        signal: "-KILL",
    };
    killed.and_goes_on(|| a_match(&place, "60", log.is_file()));
    place.assert_no_process_left();
    assert_same_match(&place, &undisturbed);
}

/// Our own bot with a fixed number of simulations, so that its games are always the same; a signal
/// that ends the run comes at any moment.
#[test]
fn a_match_that_is_asked_to_end_anywhere() {
    let (place, undisturbed) = (Place::new(), Place::new());
    let play = |place: &Place, resumes: bool| {
        let arguments = ["--games", "40", "--side", "6", "--openings", "random:2"];
        let mut command = place.hex_match(&arguments);
        command.args(["--threads", "2", "builtin:simulations=40,seed=1 ;; name=a"]);
        command.arg("builtin:simulations=20,seed=2 ;; name=b");
        command.args(resumes.then_some("--resume"));
        command
    };
    let begin = Instant::now();
    succeed(&mut play(&undisturbed, false));
    let log = place.path().join("out/games.jsonl");
    let killed = Killed {
        parts: 40,
        done: &|| lines_of(&log).saturating_sub(1),
        whole: begin.elapsed(),
        startup: Duration::from_millis(300),
        signal: "-TERM",
    };
    killed.and_goes_on(|| play(&place, log.is_file()));
    assert_same_match(&place, &undisturbed);
}

/// Self-play into a folder.
fn self_play(folder: &Path) -> Command {
    let mut command = hex();
    let options = "lab selfplay --playouts-only --side 5 --shards 40 --games 2 --simulations 100 \
                   --fast-simulations 30 --tree-visits 30 --threads 2";
    command
        .args(options.split_whitespace())
        .arg("--out")
        .arg(folder);
    command
}

/// All files of a folder except the lock.
fn shards(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let files = entries.map(|entry| {
        let name = entry.file_name().into_string().unwrap();
        (name, fs::read(entry.path()).unwrap())
    });
    files.filter(|(name, _)| name != "lock").collect()
}

#[test]
fn self_play_that_is_killed_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let [killed, undisturbed] = ["killed", "undisturbed"].map(|name| folder.path().join(name));
    let begin = Instant::now();
    succeed(&mut self_play(&undisturbed));
    let whole = begin.elapsed();
    let run = Killed {
        parts: 40,
        done: &|| fs::read_dir(&killed).map_or(0, |entries| entries.count().saturating_sub(1)),
        whole,
        startup: Duration::from_millis(30),
        signal: "-KILL",
    };
    run.and_goes_on(|| self_play(&killed));
    let (killed, undisturbed) = (shards(&killed), shards(&undisturbed));
    assert_eq!(undisturbed.len(), 40);
    assert!(killed.keys().eq(undisturbed.keys()), "{:?}", killed.keys());
    for (name, bytes) in undisturbed {
        assert!(killed[&name] == bytes, "{name} differs");
    }
}

/// The command with a limit on the length of files, in blocks of 512 or 1024 bytes: a write beyond
/// it fails like one to a full disk.
fn on_a_full_disk(command: &Command, blocks: u32) -> Command {
    let mut shell = starting("sh");
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    shell.args(["-c", &script, "sh"]).arg(command.get_program());
    shell.args(command.get_args());
    shell
}

/// It fails with words about what cannot be written.
fn assert_told(command: &Command, blocks: u32, words: &str) {
    let output = on_a_full_disk(command, blocks).output().unwrap();
    let text = describe(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        errors.starts_with("hex: ") || errors.contains("\nhex: "),
        "{text}"
    );
    assert!(errors.contains(words), "{text}");
    assert!(!errors.contains("panicked"), "{text}");
}

#[test]
fn a_match_on_a_full_disk() {
    let (place, undisturbed) = (Place::new(), Place::new());
    succeed(&mut a_match(&undisturbed, "30", false));
    // The log ends in the middle of a line.
    let log = place.path().join("out/games.jsonl");
    assert_told(&a_match(&place, "30", false), 2, "games.jsonl");
    assert!(!fs::read(&log).unwrap().ends_with(b"\n"), "no line is torn");
    let before = lines_of(&log);
    assert!((2..30).contains(&before), "{before} lines");
    place.assert_no_process_left();
    assert_told(&a_match(&place, "30", true), 2, "games.jsonl");
    succeed(&mut a_match(&place, "30", true));
    assert_same_match(&place, &undisturbed);
}

#[test]
fn self_play_on_a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let [full, undisturbed] = ["full", "undisturbed"].map(|name| folder.path().join(name));
    succeed(&mut self_play(&undisturbed));
    assert_told(&self_play(&full), 0, ".bin");
    let is_shard = |name: &String| name.ends_with(".bin");
    assert!(!shards(&full).keys().any(is_shard));
    succeed(&mut self_play(&full));
    assert_eq!(shards(&full), shards(&undisturbed));
}

#[test]
fn a_soak_on_a_full_disk() {
    let place = Place::new();
    let soak = |resumes: bool| {
        let mut command = hex();
        command.args([
            "soak",
            &place.bot("--play 1"),
            "--games",
            "20",
            "--side",
            "4",
        ]);
        command.args(["--openings", "random:2", "--threads", "2", "--stalls", "0"]);
        command
            .args(PATIENT)
            .arg("--out")
            .arg(place.path().join("out"));
        command.args(resumes.then_some("--resume"));
        command
    };
    assert_told(&soak(false), 2, "soak.jsonl");
    succeed(&mut soak(true));
    let text = fs::read_to_string(place.path().join("out/soak.jsonl")).unwrap();
    let games = text.lines().skip(1).map(|line| {
        let game: Value = serde_json::from_str(line).unwrap();
        game["line"]["id"].as_u64().unwrap()
    });
    let mut games: Vec<u64> = games.collect();
    games.sort();
    assert_eq!(games, (0..20).collect::<Vec<u64>>());
}

/// The output is lost, and an error reports it.
#[test]
fn a_full_standard_output_is_reported() {
    let place = Place::new();
    let moves = place.path().join("moves.txt");
    fs::write(&moves, "a1 b2 c3").unwrap();
    for command in ["show", "convert"] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let mut hex = hex();
        let run = hex.arg(command).arg(&moves).stdout(full);
        let arguments: &[&str] = if command == "convert" {
            &["--to", "sgf"]
        } else {
            &[]
        };
        let text = refused(run.args(arguments), &[]);
        assert!(!text.contains("panicked"), "{command}: {text}");
    }
}
