//! No two games of a match are the same but those that the report calls repeats: by the same
//! players in the same parts, who have no chance, up to symmetry.

use crate::common::Place;
use serde_json::Value;
use std::collections::HashSet;

/// A line of the log without what no other line can have: its number, and how long moves took.
fn content(game: &Value) -> String {
    let mut game = game.clone();
    for name in ["id", "times_ms"] {
        game.as_object_mut().unwrap().remove(name);
    }
    game.to_string()
}

/// What makes a repeat: who placed the first stone, and the smaller one of the moves and the moves
/// half a turn round the board. After a swap the other player did, and the rest is mirrored.
fn played(game: &Value) -> String {
    let moves = game["moves"].as_array().unwrap();
    let mut moves: Vec<&str> = moves.iter().map(|text| text.as_str().unwrap()).collect();
    let is_swapped = moves.get(1) == Some(&"swap-pieces");
    if is_swapped {
        moves.remove(1);
    }
    // Rows and columns from 0 on the board of side 5.
    let cells = moves.iter().enumerate().map(|(ply, cell)| {
        let (col, row) = (cell.as_bytes()[0] - b'a', cell.as_bytes()[1] - b'1');
        if is_swapped && ply > 0 {
            (col, row)
        } else {
            (row, col)
        }
    });
    let cells: Vec<(u8, u8)> = cells.collect();
    let turned = cells.iter().map(|(row, col)| (4 - row, 4 - col)).collect();
    let first = if is_swapped { "blue" } else { "red" };
    format!("{} {:?}", game[first], cells.min(turned))
}

#[test]
fn no_two_lines_of_a_match_are_the_same() {
    for openings in ["own", "all", "random:1", "random:4"] {
        // One of them draws its seeds itself.
        for players in [["seed=1", "seed=1,c-puct=2"], ["seed=2", "book=ignored"]] {
            let place = Place::new();
            let bots = [0, 1].map(|number| {
                let knobs = players[number];
                format!("builtin:simulations=10,{knobs} ;; name={number}")
            });
            let options = format!("--games 24 --side 5 --openings {openings} --threads 2");
            let report = place.played(&options, &bots);
            let games = place.log().1;
            let contents: HashSet<String> = games.iter().map(content).collect();
            assert_eq!(contents.len(), games.len(), "{openings} {players:?}");
            let different: HashSet<String> = games.iter().map(played).collect();
            let repeats = place.json("out/summary.json")["repeated_games"].as_u64();
            let repeats = repeats.unwrap() as usize;
            let words = format!("{repeats} of {} games repeat", games.len());
            assert_eq!(report.contains(&words), repeats > 0, "{report}");
            let copies = games.len() - different.len();
            assert_eq!(copies, repeats, "{openings} {players:?}");
        }
    }
}
