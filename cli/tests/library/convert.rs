//! `hex convert` as a program: files in either character set, and folders of games.

#[path = "../../../common/tests/common/games_folder.rs"]
mod games_folder;

use crate::common::{ended, hex, refused};
use games_folder::folder;
use std::fs;
use tempfile::TempDir;

#[test]
fn files_are_read_in_either_character_set() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf");
    let converted = || {
        let mut command = hex();
        command
            .args(["convert", "--to", "moves"])
            .arg(&path)
            .output()
            .unwrap()
    };
    for record in [
        &b"\xef\xbb\xbf(;SZ[3]PB[J\xc3\xbcrgen];B[a1])"[..],
        b"(;SZ[3]PB[J\xfcrgen];B[a1])",
    ] {
        fs::write(&path, record).unwrap();
        assert_eq!(converted().stdout, b"a1\n");
    }
    fs::write(&path, b"a1 \xfc").unwrap();
    ended(&converted(), 2, &["game.sgf: line 1 is not UTF-8"]);
}

#[test]
fn all_games_of_a_folder_are_converted() {
    let folder = folder();
    let out = TempDir::new().unwrap();
    let run = |words: &[&str]| {
        let mut command = hex();
        command.args(["convert", "--to", "sgf", "--out"]);
        command.arg(out.path().join("sgf")).arg(folder.path());
        refused(command, words);
    };
    run(&["5 of 15 games are not converted"]);
    let mut names: Vec<String> = fs::read_dir(out.path().join("sgf"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let wanted = [
        "a.sgf",
        "b.sgf",
        "collection.sgf-game-1.sgf",
        "collection.sgf-game-2.sgf",
        "games.zip-z-whole.sgf",
        "inner-moves.sgf",
        "lines.jsonl-line-1.sgf",
        "lines.jsonl-line-3.sgf",
        "lines.jsonl-line-6.sgf",
        "turn.sgf",
    ];
    assert_eq!(names, wanted);
    // Nothing is overwritten.
    run(&["cannot write", "File exists"]);
    let mut lonely = hex();
    lonely.args(["convert", "--to", "sgf"]).arg(folder.path());
    refused(
        lonely,
        &["may contain many games: --out FOLDER converts each"],
    );
}
