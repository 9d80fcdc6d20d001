//! `hex convert` as a program: files in either character set, and folders of games.

#[path = "../../../common/tests/common/games_folder.rs"]
mod games_folder;

use crate::common::{ended, refused, Place};
use games_folder::folder;

#[test]
fn files_are_read_in_either_character_set() {
    let place = Place::new();
    let converted = || place.hex("convert --to moves game.sgf").output().unwrap();
    for record in [
        &b"\xef\xbb\xbf(;SZ[3]PB[J\xc3\xbcrgen];B[a1])"[..],
        b"(;SZ[3]PB[J\xfcrgen];B[a1])",
    ] {
        place.write("game.sgf", record);
        assert_eq!(converted().stdout, b"a1\n");
    }
    place.write("game.sgf", b"a1 \xfc");
    ended(&converted(), 2, &["game.sgf: line 1 is not UTF-8"]);
}

#[test]
fn all_games_of_a_folder_are_converted() {
    let folder = folder();
    let place = Place::new();
    let games = folder.path().display();
    let run = |words: &[&str]| {
        refused(
            place.hex(&format!("convert --to sgf --out sgf '{games}'")),
            words,
        );
    };
    run(&["5 of 15 games are not converted"]);
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
    assert_eq!(place.names("sgf"), wanted);
    // Nothing is overwritten.
    run(&["cannot write", "File exists"]);
    let lonely = place.hex(&format!("convert --to sgf '{games}'"));
    refused(
        lonely,
        &["may contain many games: --out FOLDER converts each"],
    );
}
