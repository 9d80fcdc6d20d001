//! Lists of openings, and what is wrong with them in the words that users see.

use hex_arena::openings::{OpeningMode, Openings};
use hex_core::record::{move_list, Side};
use std::fs;
use tempfile::TempDir;

/// The openings in a file with this text, on 11×11; an error as it is shown, without the folder.
fn openings(text: &str) -> Result<Openings, String> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("list.txt");
    fs::write(&path, text).unwrap();
    let folder = format!("{}/", folder.path().display());
    let openings = Openings::new(&OpeningMode::File(path), Side::CODINGAME, 1);
    openings.map_err(|error| error.to_string().replace(&folder, ""))
}

/// The openings in a file with this text as lists of moves, sorted.
fn listed(text: &str) -> Vec<String> {
    let openings = openings(text).unwrap();
    let rounds = 0..openings.count().unwrap() as u64;
    let mut found: Vec<String> = rounds
        .map(|round| move_list::write(&openings.game(round)))
        .collect();
    found.sort();
    found
}

/// A list of moves reads the same here and in `hex convert`.
#[test]
fn openings_are_a_line_each_and_single_cells_are_swapped() {
    let found = listed("# first moves\n\na1\nc2 swap-pieces # good\nf6 g7 h8\n");
    assert_eq!(found, ["a1 swap-pieces", "c2 swap-pieces", "f6 g7 h8"]);
    let found = listed("F6\na1,b2\tC3\nC2, Swap-Pieces\n");
    assert_eq!(found, ["a1 b2 c3", "c2 swap-pieces", "f6 swap-pieces"]);
}

#[test]
fn openings_that_cannot_be_played_are_named_with_their_line() {
    let won = (1..=11)
        .map(|row| format!("a{row} b{row} "))
        .collect::<String>();
    let not_a_move = "is not a move of CodinGame's game";
    for (text, wanted) in [
        ("a1\nl1\n", "list.txt, line 2: \"l1\""),
        ("a1,b2\nF6,l1\n", "list.txt, line 2: \"l1\""),
        ("a1 b2 a1\n", "list.txt, line 1: move 3: "),
        (
            "a1 swap-pieces b2 swap-pieces\n",
            "list.txt, line 1: move 4: ",
        ),
        (&won, "list.txt, line 1: "),
        (
            "a1 swap-sides\n",
            &format!("list.txt, line 1: swap-sides {not_a_move}"),
        ),
        ("a1 pass\n", &format!("list.txt, line 1: pass {not_a_move}")),
        (
            "# nothing\n",
            "list.txt contains no opening; write one a line",
        ),
    ] {
        let error = openings(text).unwrap_err();
        assert!(error.starts_with(wanted), "{text:?}: {error}");
    }
    let missing = OpeningMode::File("no-such-list.txt".into());
    let error = Openings::new(&missing, Side::CODINGAME, 1)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("no-such-list.txt: No such file"),
        "{error}"
    );
}
