//! Many games from files, folders, zips, `.jsonl` and collections of SGF.

#[path = "../common/games_folder.rs"]
mod games_folder;

use games_folder::{folder, zipped};
use hex_common::games_input::{self, NamedGame, Reading};
use hex_common::input::MAX_FILE;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A game or what is wrong, a line each: the name behind `root`, the number of moves or the reason.
fn listed(root: &Path, paths: &[PathBuf]) -> Vec<String> {
    let games = games_input::games(paths, Reading::default()).unwrap();
    let line = |NamedGame { name, game }| {
        let name = name.replace(&format!("{}/", root.display()), "");
        match game {
            Ok(game) => format!("{name}: {}", game.turns().len()),
            Err(error) => format!("{name}: {error:#}"),
        }
    };
    games.map(line).collect()
}

const LISTED: [&str; 15] = [
    "a.json: 3",
    "b.json: 3",
    "collection.sgf, game 1: 2",
    "collection.sgf, game 2: 1",
    "collection.sgf, game 3: line 1, column 17: \"z9\" is not a cell from a1 to e5, nor \
     swap-pieces, swap-sides or pass",
    "games.zip/again.zip: a zip in a zip is not read; unpack it first",
    "games.zip/cut.json: the JSON breaks off at line 1, column 12: save the file again, as a whole",
    "games.zip/z/whole.json: 23",
    "inner/moves.txt: 3",
    "lines.jsonl, line 1: 2",
    "lines.jsonl, line 3: 23",
    "lines.jsonl, line 4: the JSON breaks off at line 1, column 1: save the file again, as a whole",
    "lines.jsonl, line 6: 3",
    "other.json: frames[1]: agent 0 answers \"MOVE 3 4\": \"move\" is not a cell from a1 to k11, nor \
     swap-pieces; is this a game of Hex?",
    "turn.txt: 1",
];

#[test]
fn games_of_a_folder_come_in_a_fixed_order() {
    let folder = folder();
    let root = folder.path();
    assert_eq!(listed(root, &[root.to_owned()]), LISTED);
    // A file that is named is read, with any ending.
    let found = listed(
        root,
        &["games.zip", "a.json", "ignored.md"].map(|name| root.join(name)),
    );
    assert_eq!(found[..4], [LISTED[5], LISTED[6], LISTED[7], LISTED[0]]);
    assert!(
        found[4].starts_with("ignored.md: line 1, move 1: "),
        "{found:?}"
    );
    let missing = games_input::games(&[root.join("missing")], Reading::default());
    let error = format!("{:#}", missing.err().unwrap());
    assert!(error.contains("missing: No such file"), "{error}");
}

#[test]
fn of_a_matchs_folder_the_records_are_read() {
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    fs::create_dir(root.join("sgf")).unwrap();
    fs::write(root.join("sgf/000000.sgf"), "(;GM[11]SZ[5];B[a1])").unwrap();
    let header = "{\"format\":1,\"players\":[{\"name\":\"a\"},{\"name\":\"b\"}]}\n{\"id\":0}\n";
    fs::write(root.join("games.jsonl"), header).unwrap();
    fs::write(root.join("summary.json"), "{}\n").unwrap();
    assert_eq!(listed(root, &[root.to_owned()]), ["sgf/000000.sgf: 1"]);
    let why = "this is the log of a match: give its folder, whose SGF files are read";
    let log = listed(root, &[root.join("games.jsonl")]);
    assert_eq!(log, [format!("games.jsonl: {why}")]);
}

#[test]
fn a_zip_bomb_is_refused() {
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    let zip = root.join("bomb.zip");
    let bomb = vec![b' '; MAX_FILE + 1];
    zipped(&zip, &[("bomb.json", &bomb), ("good.txt", b"a1")]);
    let found = listed(root, std::slice::from_ref(&zip));
    let (first, last) = found[0].split_once(" in the zip unpack to ").unwrap();
    assert!(first.starts_with("bomb.zip/bomb.json: 62.2 kB"), "{first}");
    assert_eq!(last, "64.1 MB, at most 64 MB are read");
    assert_eq!(found[1], "bomb.zip/good.txt: 1");
    // The same file, that says it had a byte.
    let mut bytes = fs::read(&zip).unwrap();
    let size = (bomb.len() as u32).to_le_bytes();
    while let Some(at) = bytes.windows(4).position(|four| four == size) {
        bytes[at..at + 4].copy_from_slice(&1u32.to_le_bytes());
    }
    fs::write(&zip, &bytes).unwrap();
    let found = listed(root, std::slice::from_ref(&zip));
    assert!(found[0].starts_with("bomb.zip/bomb.json: "), "{found:?}");
    assert!(!found[0].ends_with(": 1"), "{found:?}");
    // Cut off anywhere it is an error.
    for cut in [0, 10, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&zip, &bytes[..cut]).unwrap();
        let found = listed(root, std::slice::from_ref(&zip));
        assert!(
            found[0].starts_with("bomb.zip: not a zip file, or damaged"),
            "{found:?}"
        );
    }
}
