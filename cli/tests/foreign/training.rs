//! The training in train/: its own tests, some of them on Ray where that is installed, and one tiny
//! generation on 5×5 with the real `hex` and the real learner. Without Python and its packages
//! these tests are skipped, or fail with HEX_IF_MISSING=fail.

use crate::common::{hex, starting};
use crate::support::missing::{assert_follows_the_setting, skip};
use hexbot::network::packing;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// Names the Python to use.
const PYTHON: &str = "HEXBOT_PYTHON";
/// Where .ci/run installs one with the packages.
const INSTALLED: &str = "target/training/bin/python";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A Python that has the packages; where there is none the test is skipped or fails, as it is set.
fn python() -> Option<PathBuf> {
    let named = std::env::var_os(PYTHON).map(PathBuf::from);
    let candidates = match named {
        Some(python) => vec![python],
        None => vec![root().join(INSTALLED), PathBuf::from("python3")],
    };
    let has_packages = |python: &PathBuf| {
        let mut command = starting(python);
        command.args(["-c", "import numpy, torch"]);
        command.output().is_ok_and(|output| output.status.success())
    };
    let found = candidates.into_iter().find(has_packages);
    if found.is_none() {
        skip(&format!(
            "no Python with the training's packages: `python3 -m train.install` puts them into \
             {INSTALLED}; or name one by {PYTHON}"
        ));
    }
    found
}

/// Runs a module of train/ on one thread. Its tests play on Ray with the real `hex`.
fn module(python: &Path, arguments: &str, more: &[&str]) -> Output {
    starting(python)
        .current_dir(root())
        .env("OMP_NUM_THREADS", "1")
        .env("HEXBOT_HEX", env!("CARGO_BIN_EXE_hex"))
        .arg("-m")
        .args(arguments.split_whitespace())
        .args(more)
        .output()
        .expect("Python runs")
}

fn text(output: &Output) -> String {
    let stdout = String::from_utf8_lossy(&output.stdout);
    format!("{stdout}{}", String::from_utf8_lossy(&output.stderr))
}

/// Runs those tests of train/ whose files have names of this pattern.
fn assert_own_tests_pass(files: &str) {
    let python = needs!(python());
    // What CI installs; without it the standard library does as well.
    let has_pytest = module(&python, "pytest --version", &[]).status.success();
    let tests = if has_pytest {
        format!("pytest --quiet train --override-ini python_files={files}")
    } else {
        format!("unittest discover -s train/tests -t . -p {files}")
    };
    let output = module(&python, &tests, &[]);
    assert!(output.status.success(), "{}", text(&output));
}

#[test]
fn the_training_passes_its_own_tests() {
    assert_own_tests_pass("test_[!c]*.py");
}

/// Ray's nodes wait more than they compute: beside the other tests.
#[test]
fn the_cluster_passes_its_own_tests() {
    assert_own_tests_pass("test_c*.py");
}

/// The ladder's first rung, cut short: it plays, learns, gates and judges with the real `hex`,
/// stops and goes on.
#[test]
fn the_first_rung_goes_on_where_it_stopped() {
    let python = needs!(python());
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let train = |more: &[&str]| {
        let fixed =
            "train 5x5 --threads 1 --set play.shards=1 --set play.games=4 --set learn.batch=32 \
                     --set play.simulations=60 --set gate.games=2 --set gate.simulations=9 \
                     --set stage.generations=1 --set stage.steps=3 --set judge.every_reply=false";
        let named = ["--out", run.to_str().unwrap()];
        let hex = ["--hex", env!("CARGO_BIN_EXE_hex")];
        module(&python, fixed, &[&named, &hex, more].concat())
    };
    // What cannot be is said before any work.
    let output = train(&["--set", "gate.openings=no-such-openings"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    let told = text(&output);
    assert!(told.contains("no-such-openings") && !run.exists(), "{told}");
    // Without a folder for its matches the run ends after it has learnt.
    fs::create_dir(&run).unwrap();
    fs::write(run.join("matches"), "").unwrap();
    let output = train(&[]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    assert!(run.join("candidate.weights").is_file(), "{}", text(&output));
    fs::remove_file(run.join("matches")).unwrap();
    let output = train(&[]);
    assert!(output.status.success(), "{}", text(&output));
    let curve = fs::read_to_string(run.join("curve.jsonl")).unwrap();
    let lines: Vec<Value> = curve
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2, "{curve}");
    assert_eq!(lines[1]["games"], 8, "{curve}");
    let kept = lines[1]["judged"]["policy"].as_f64().unwrap();
    assert!((0.0..1.0).contains(&kept), "{curve}");
    let first_moves = lines[1]["first_moves"].as_array().unwrap();
    let winning = first_moves.iter().filter(|first| first["wins"] == true);
    assert_eq!((first_moves.len(), winning.count()), (13, 7), "{curve}");
    let weights = fs::read(run.join("best.weights")).unwrap();
    assert_eq!(packing::header(&weights)[2], 32);
    assert!(run.join("index.html").is_file() && run.join("curve.png").is_file());
}

#[test]
fn a_run_without_hex_tells_the_cure() {
    let python = needs!(python());
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let output = module(&python, "train 5x5 --hex no-such-program --out", &[out]);
    assert_eq!(output.status.code(), Some(2));
    let text = text(&output);
    assert!(
        text.contains("no-such-program") && text.contains("cargo build"),
        "{text}"
    );
}

/// The learner reads the games that `hex` plays by the policy; `hex` plays with what it exports.
#[test]
fn whole_games_are_played_and_learnt_from() {
    let python = needs!(python());
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let play = |out: &str, more: &[&str]| {
        let words =
            "lab selfplay --policy --shards 2 --games 16 --simulations 32 --search-share 0.1";
        let output = hex()
            .args(words.split_whitespace())
            .args(["--out", out])
            .args(more)
            .output()
            .expect("hex runs");
        assert!(output.status.success(), "{}", text(&output));
    };
    let (games, run, weights) = (path("games"), path("run"), path("run.weights"));
    play(&games, &[]);
    let learn =
        "train.train --whole-games --channels 16 --layers 3 --pool 1 --hidden 4 --batch 16 \
                 --steps 2 --device cpu --id learnt";
    let more = ["--data", &games, "--out", &run, "--export", &weights];
    let output = module(&python, learn, &more);
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(packing::header(&fs::read(&weights).unwrap())[2], 16);
    play(&path("further"), &["--weights", &weights]);
}

#[test]
fn missing_packages_are_skipped_or_fail() {
    let test = "training::a_run_without_hex_tells_the_cure";
    assert_follows_the_setting(test, (PYTHON, "no-such-python"));
}
