//! Runs that are killed while they write, or whose disk is full: the next start goes on, nothing is
//! lost and nothing is there twice. HEX_KILLS says how often each loop kills; 10 times unless it is
//! set.

use crate::common::{
    ended, hex, hex_line, lines_of, refused, starting, succeed, without_times, Place, PATIENT,
};
use hex_core::record::sgf;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
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
            let mut kill = starting("kill");
            kill.args([self.signal, &child.id().to_string()]);
            let _ = kill.stderr(Stdio::null()).status();
            child.wait().unwrap();
        }
        assert!(killed * 3 >= kills(), "only {killed} runs were killed");
        succeed(&mut command());
    }
}

/// A match of bots that play the same moves every time, with its folder in the place.
fn a_match(place: &Place, games: u32, resumes: bool) -> Command {
    let options = format!("--games {games} --side 4 --openings random:2 --threads 2");
    let bots = ["--play 1 ;; name=a", "--play 2 ;; name=b"].map(|options| place.bot(options));
    let mut command = place.play(&options, &bots);
    command.args(resumes.then_some("--resume"));
    command
}

/// The games by their numbers, without what differs from run to run.
fn games(place: &Place) -> BTreeMap<u64, Value> {
    let mut games = place.games();
    for game in games.values_mut() {
        game.as_object_mut().unwrap().remove("times_ms");
    }
    games
}

/// The same games, each with its record, and a report of them all.
fn assert_same_match(place: &Place, undisturbed: &Place) {
    let games_of_it = games(place);
    assert_eq!(games_of_it, games(undisturbed));
    for (id, game) in &games_of_it {
        let record = sgf::parse(&place.read(format!("out/sgf/{id:06}.sgf"))).unwrap();
        let moves = record.turns().iter().map(|turn| turn.action.to_string());
        assert_eq!(game["moves"], moves.collect::<Value>(), "game {id}");
    }
    let report = |place: &Place| without_times(&place.read("out/report.txt"));
    assert_eq!(report(place), report(undisturbed));
    for name in ["report.html", "summary.json"] {
        assert!(place.at("out").join(name).is_file(), "{name}");
    }
}

/// A match, begun or resumed in a place, ends as if no signal had ended it.
fn survives(signal: &str, parts: usize, play: impl Fn(&Place, bool) -> Command) {
    let (place, undisturbed) = (Place::new(), Place::new());
    let begin = Instant::now();
    succeed(&mut play(&undisturbed, false));
    let log = place.at("out/games.jsonl");
    let killed = Killed {
        parts,
        done: &|| lines_of(&log).saturating_sub(1),
        whole: begin.elapsed(),
        startup: Duration::from_millis(300),
        signal,
    };
    killed.and_goes_on(|| play(&place, log.is_file()));
    place.assert_no_process_left();
    assert_same_match(&place, &undisturbed);
}

#[test]
fn a_match_that_is_killed_anywhere() {
    survives("-KILL", 60, |place, resumes| a_match(place, 60, resumes));
}

/// Our own bot with a fixed number of simulations, so that its games are always the same; a signal
/// that ends the run comes at any moment.
#[test]
fn a_match_that_is_asked_to_end_anywhere() {
    survives("-TERM", 40, |place, resumes| {
        let options = "--games 40 --side 6 --openings random:2 --threads 2";
        let a = "builtin:simulations=40,seed=1 ;; name=a";
        let mut command = place.play(options, &[a, "builtin:simulations=20,seed=2 ;; name=b"]);
        command.args(resumes.then_some("--resume"));
        command
    });
}

/// Self-play into a folder.
fn self_play(folder: &Path) -> Command {
    let mut command = hex();
    let options = "lab selfplay --playouts-only --side 5 --shards 40 --games 2 --simulations 100 \
                   --fast-simulations 30 --tree-visits 30 --threads 2 --out";
    command.args(options.split_whitespace()).arg(folder);
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
    let folder = Place::new();
    let [killed, undisturbed] = ["killed", "undisturbed"].map(|name| folder.at(name));
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
    let text = ended(&output, 2, &[]);
    let errors = String::from_utf8_lossy(&output.stderr);
    let is_told = errors.lines().any(|line| line.starts_with("hex: "));
    assert!(is_told && errors.contains(words), "{text}");
}

#[test]
fn a_match_on_a_full_disk() {
    let (place, undisturbed) = (Place::new(), Place::new());
    succeed(&mut a_match(&undisturbed, 30, false));
    // The log ends in the middle of a line.
    let log = place.at("out/games.jsonl");
    assert_told(&a_match(&place, 30, false), 2, "games.jsonl");
    assert!(!fs::read(&log).unwrap().ends_with(b"\n"), "no line is torn");
    let before = lines_of(&log);
    assert!((2..30).contains(&before), "{before} lines");
    place.assert_no_process_left();
    assert_told(&a_match(&place, 30, true), 2, "games.jsonl");
    succeed(&mut a_match(&place, 30, true));
    assert_same_match(&place, &undisturbed);
}

#[test]
fn self_play_on_a_full_disk() {
    let folder = Place::new();
    let [full, undisturbed] = ["full", "undisturbed"].map(|name| folder.at(name));
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
        let options = "--games 20 --side 4 --openings random:2 --threads 2 --stalls 0";
        let mut command = hex_line(&format!("soak {options}"));
        command.args(PATIENT).arg("--out").arg(place.at("out"));
        command.arg(place.bot("--play 1"));
        command.args(resumes.then_some("--resume"));
        command
    };
    assert_told(&soak(false), 2, "soak.jsonl");
    succeed(&mut soak(true));
    let lines = place.json_lines("out/soak.jsonl");
    let games: BTreeSet<_> = lines
        .iter()
        .filter_map(|line| line["line"]["id"].as_u64())
        .collect();
    assert_eq!((lines.len(), games), (21, (0..20).collect()));
}

/// The output is lost, and an error reports it.
#[test]
fn a_full_standard_output_is_reported() {
    let place = Place::new();
    place.write("moves.txt", "a1 b2 c3");
    for command in ["show moves.txt", "convert moves.txt --to sgf"] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        refused(place.hex(command).stdout(full), &[]);
    }
}
