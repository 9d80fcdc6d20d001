//! What the fuzzer begins with beside the files in cli/tests/data/fuzz: the data of other tests.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a folder whose names end so, in order.
fn all(folder: &str, ending: &str) -> Vec<Vec<u8>> {
    let folder = root().join(folder);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.retain(|path| path.to_string_lossy().ends_with(ending));
    paths.sort();
    assert!(!paths.is_empty(), "no {ending} in {folder:?}");
    paths.iter().map(|path| read(path)).collect()
}

/// The texts of one kind in the data of the records' tests.
fn records(kind: &str) -> Vec<Vec<u8>> {
    let text = String::from_utf8(read(&root().join("core/tests/data/records.txt")));
    let text = text.expect("it is text");
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix(kind)?.strip_prefix(' '));
    let texts = lines.filter_map(|line| line.split(" => ").next());
    let texts: Vec<Vec<u8>> = texts
        .map(|text| text.replace("\\n", "\n").into_bytes())
        .collect();
    assert!(!texts.is_empty(), "no {kind}");
    texts
}

/// Each with a byte before it.
fn behind(byte: u8, seeds: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let with = |seed: Vec<u8>| [&[byte], &seed[..]].concat();
    seeds.into_iter().map(with).collect()
}

/// For readers that begin with files in cli/tests/data/fuzz only.
pub fn none() -> Vec<Vec<u8>> {
    Vec::new()
}

pub fn turn() -> Vec<Vec<u8>> {
    let statement = all("tests/data/statement", ".in");
    [all("tests/data/transcripts", ".txt"), statement].concat()
}

pub fn sgf() -> Vec<Vec<u8>> {
    let files = all("cli/tests/data/gtp", ".sgf");
    [records("sgf"), files].concat()
}

pub fn hexworld() -> Vec<Vec<u8>> {
    records("link")
}

pub fn moves() -> Vec<Vec<u8>> {
    behind(4, records("moves"))
}

pub fn site_game() -> Vec<Vec<u8>> {
    all("core/tests/data/site", ".json")
}

pub fn playhex() -> Vec<Vec<u8>> {
    all("core/tests/data/playhex", ".json")
}

pub fn turn_input() -> Vec<Vec<u8>> {
    all("core/tests/data/site", ".txt")
}

pub fn record() -> Vec<Vec<u8>> {
    let small = all("cli/tests/data/fuzz/turn-input", "");
    let others = [site_game(), playhex(), turn_input(), small].concat();
    [sgf(), hexworld(), records("moves"), others].concat()
}

/// The commands of the transcripts.
pub fn gtp() -> Vec<Vec<u8>> {
    let commands = |file: Vec<u8>| {
        let text = String::from_utf8(file).expect("it is text");
        let commands = text.lines().filter_map(|line| line.strip_prefix("> "));
        commands
            .flat_map(|line| [line, "\n"])
            .collect::<String>()
            .into_bytes()
    };
    all("cli/tests/data/gtp", ".gtp")
        .into_iter()
        .map(commands)
        .collect()
}

pub fn duel() -> Vec<Vec<u8>> {
    all("cli/tests/data/cli", "duel-breaks-off.stdin")
}

pub fn analyze() -> Vec<Vec<u8>> {
    all("contests/tests/data/analyze", ".txt")
}

/// The boards alone: what else the file says is for its own test.
pub fn connect_four() -> Vec<Vec<u8>> {
    let samples = read(&root().join("contests/tests/data/connect-four/samples.txt"));
    let samples = String::from_utf8(samples).expect("it is text");
    let is_row = |line: &&str| line.chars().all(|c| ".XO".contains(c));
    let boards: String = samples
        .lines()
        .filter(is_row)
        .flat_map(|line| [line, "\n"])
        .collect();
    vec![boards.into_bytes()]
}

pub fn weights() -> Vec<Vec<u8>> {
    all("src/network", "shipped.weights")
}

pub fn games() -> Vec<Vec<u8>> {
    let folder = "core/tests/data/site";
    let lines: Vec<u8> = all(folder, ".json").join(&b'\n');
    [
        behind(0, all(folder, ".zip")),
        behind(1, vec![lines]),
        behind(3, all(folder, ".json")),
        behind(4, all(folder, ".txt")),
    ]
    .concat()
}

pub fn study() -> Vec<Vec<u8>> {
    ["tsv", "gz"]
        .map(|ending| all("lab/tests/data/book", ending))
        .concat()
}
