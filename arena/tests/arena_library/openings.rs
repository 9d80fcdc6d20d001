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

#[test]
fn openings_are_a_line_each_and_single_cells_are_swapped() {
    let openings = openings("# first moves\n\na1\nc2 swap-pieces # good\nf6 g7 h8\n").unwrap();
    assert_eq!(openings.count(), Some(3));
    let mut found: Vec<String> = (0..3)
        .map(|round| {
            let game = openings.game(round);
            let moves = game.turns().iter().map(|turn| turn.action.to_string());
            moves.collect::<Vec<_>>().join(" ")
        })
        .collect();
    found.sort();
    assert_eq!(found, ["a1 swap-pieces", "c2 swap-pieces", "f6 g7 h8"]);
}

/// A list of moves reads the same here and in `hex convert`.
#[test]
fn openings_are_written_as_lists_of_moves_are() {
    let written = openings("F6\na1,b2\tC3\nC2, Swap-Pieces\n").unwrap();
    let mut found: Vec<String> = (0..3)
        .map(|round| move_list::write(&written.game(round)))
        .collect();
    found.sort();
    assert_eq!(found, ["a1 b2 c3", "c2 swap-pieces", "f6 swap-pieces"]);
    let error = openings("a1,b2\nF6,l1\n").unwrap_err();
    assert!(error.starts_with("list.txt, line 2: \"l1\""), "{error}");
}

#[test]
fn openings_that_cannot_be_played_are_named_with_their_line() {
    let red_wins = (1..=11).map(|row| format!("a{row} b{row}"));
    let won = red_wins.collect::<Vec<_>>().join(" ");
    for (text, wanted) in [
        ("a1\nl1\n", "list.txt, line 2: \"l1\""),
        ("a1 b2 a1\n", "list.txt, line 1: move 3: "),
        (
            "a1 swap-pieces b2 swap-pieces\n",
            "list.txt, line 1: move 4: ",
        ),
        (&won, "list.txt, line 1: "),
        (
            "a1 swap-sides\n",
            "list.txt, line 1: swap-sides is not a move of CodinGame's game",
        ),
        (
            "a1 pass\n",
            "list.txt, line 1: pass is not a move of CodinGame's game",
        ),
        (
            "# nothing\n",
            "list.txt contains no opening; write one a line",
        ),
    ] {
        let error = openings(text).unwrap_err();
        assert!(error.starts_with(wanted), "{text:?}: {error}");
    }
    let missing = OpeningMode::File("no-such-list.txt".into());
    let error = Openings::new(&missing, Side::CODINGAME, 1).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("no-such-list.txt: No such file"),
        "{error}"
    );
}
