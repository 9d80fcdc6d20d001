//! `hex replay`: the bot gets what the judge sent, and the report says where it now plays
//! something else.

use crate::common::{
    assert_says, cases, ends, hex, hex_line, refused, succeed, Place, BOT, BOT_PATH,
};
use hex_common::patience;
use std::fs;
use std::process::Command;

/// A game of the site: alice is Red, Boss 4 swaps.
fn site(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/tests/data/site");
    format!("{folder}/{name}")
}

/// A replay of a record by a bot, which is given in words.
fn replay(record: &str, arguments: &str, bot: &[&str]) -> Command {
    let mut command = hex();
    command.args(["replay", record]);
    command.args(arguments.split_whitespace());
    command.arg("--").args(bot);
    command
}

/// What a bot reads in a replay of this record.
fn fed(place: &Place, record: &str, player: &str) -> String {
    let path = place.at("fed.txt");
    let _ = fs::remove_file(&path);
    // Each line is written down before the bot can answer it: after the last answer all are killed.
    let write_down = format!("printf '%s\\n' \"$line\" >> '{}'", path.display());
    let script =
        format!("while IFS= read -r line; do {write_down}; printf '%s\\n' \"$line\"; done | {BOT}");
    let arguments = format!("--simulations 0 --player {player}");
    ends(replay(record, &arguments, &["sh", "-c", &script]), 1, &[]);
    fs::read_to_string(path).unwrap()
}

/// What `hex show` says that the judge sends after this number of moves, without the header.
fn turn(record: &str, after: usize) -> String {
    let mut show = hex_line(&format!("show --turn-input --after {after}"));
    let text = succeed(show.arg(record));
    text.split_once('\n').unwrap().1.to_owned()
}

/// Rows of the board with a stone at this column and row, or with none.
fn rows(stone: Option<(usize, usize, char)>) -> String {
    let mut rows = vec![[". "; 11].concat().trim_end().to_owned() + "\n"; 11].concat();
    if let Some((col, row, color)) = stone {
        let at = 22 * row + 2 * col;
        rows.replace_range(at..=at, &color.to_string());
    }
    rows
}

#[test]
fn a_bot_gets_what_the_judge_sent() {
    let place = Place::new();
    let record = site("whole.json");
    let [empty, red, blue] = [None, Some((0, 1, 'r')), Some((1, 0, 'b'))].map(rows);
    for (player, first, count, beginning) in [
        (
            "alice",
            0,
            12,
            format!("11 red\nempty\n{empty}swap-pieces\n{blue}"),
        ),
        ("2", 1, 11, format!("11 blue\na2\n{red}c1\n")),
    ] {
        let fed = fed(&place, &record, player);
        assert!(fed.starts_with(&beginning), "{fed}");
        let turns = (first..)
            .step_by(2)
            .take(count)
            .map(|after| turn(&record, after));
        assert_eq!(fed.split_once('\n').unwrap().1, turns.collect::<String>());
    }
}

/// The judge knows no swap of sides: what follows one is shown as its mirror image.
#[test]
fn a_swap_of_sides_is_shown_as_one_of_pieces() {
    let place = Place::new();
    // After the swap of sides the same colour moves again, which is now the first player's.
    let (sides, pieces) = ("11,a2:Sd4f6c3", "11,a2:sd4f6c3");
    for player in ["red", "blue"] {
        let fed_by_sides = fed(&place, sides, player);
        let mirrored = fed(&place, pieces, player);
        assert_eq!(fed_by_sides.replace("c3", "?"), mirrored.replace("c3", "?"));
        assert!(fed_by_sides.contains("swap-pieces\n") == (player == "red"));
    }
}

#[test]
fn the_status_says_whether_moves_differ() {
    let place = Place::new();
    let bots = ["path ;; name=a", "2 --swap ;; name=b"];
    let bots = bots.map(|rule| place.bot(&format!("--play {rule}")));
    place.played("--games 2 --threads 1 --openings own", &bots);
    for game in ["000000", "000001"] {
        let record = place
            .at(format!("out/sgf/{game}.sgf"))
            .display()
            .to_string();
        let same = replay(&record, "--player a", &[BOT_PATH, "--play", "path"]);
        ends(same, 0, &["moves differ from the record\n", "\n0 of "]);
        let same = replay(&record, "--player b", &[&format!("{BOT} --play 2 --swap")]);
        ends(same, 0, &[]);
        let third = [BOT_PATH, "--play", "3"];
        let other = replay(&record, "--player a --simulations 20", &third);
        ends(other, 1, &["by 20 simulations each", " % → "]);
    }
}

/// The winning move of the record against another one: the engine is certain of both.
#[test]
fn the_engine_judges_both_moves() {
    // Red wins by a4; the bot plays b1, after which Blue wins.
    let record = "4,a1b3a2c3a3d3a4";
    let words = ["1 worse by 5 % or more", "a1           same"];
    let told = ends(replay(record, "--player red --every", &[BOT]), 1, &words);
    let mut lines = told.lines();
    let last = lines.find(|line| line.trim_start().starts_with("7 "));
    assert_says(last.unwrap_or_default(), &["a4", "100 % → 0 % (-100)"]);
}

/// Troubles of a bot, and what is said of them.
const FAILURES: &str = "
crash@3 | move 5: crash: ended with status 101; its last words:
exit@1 | move 1: crash: ended with status 0
say=z9@2 | move 3: illegal move: answered `z9`; the board has the cells
say=swap-pieces@2 | move 3: illegal move: only Blue may swap
say=b1@2 | move 3: illegal move: b1 holds a blue stone already
say=pass@1 | move 1: illegal move: answered `pass`; the game has neither passes
stall@1 | move 1: silence: wrote nothing for 1500 ms
";

#[test]
fn a_bot_that_fails_is_named_with_the_turn() {
    let place = Place::new();
    let record = site("whole.json");
    for case in cases(FAILURES) {
        let bot = place.bot(&format!("--play path --trouble {}", case[0]));
        let mut command = replay(&record, "--player 1 --simulations 0", &[&bot]);
        let words = format!("failed at {}", case[1]);
        ends(command.env(patience::VARIABLE, "1000"), 3, &[&words]);
    }
    place.assert_no_process_left();
    let missing = replay(&record, "--player 1", &["no-such-bot"]);
    ends(missing, 3, &["cannot be started"]);
}

/// The judge's limits are reported; a late answer does not end the replay.
#[test]
fn a_late_answer_is_reported() {
    let record = site("whole.json");
    let bot = [BOT_PATH, "--trouble", "late=300@2"];
    let words = [" ms late\n", "of 100 ms; 1 late", "12 of 12 moves differ"];
    let replayed = replay(&record, "--player 1 --simulations 0", &bot);
    ends(replayed, 1, &words);
}

/// The turn on which the player of the record failed has no move there.
#[test]
fn a_turn_without_a_recorded_move_is_asked() {
    let record = site("timeout.json");
    let bot = [BOT_PATH, "--swap"];
    let words = ["\n    4  -            a1", "0 of 1 moves differ"];
    let replayed = replay(&record, "--player 2 --simulations 9", &bot);
    ends(replayed, 0, &words);
}

#[test]
fn what_cannot_be_replayed_is_refused() {
    let whole = site("whole.json");
    let names = "give \"alice\", \"Boss 4\", red, blue, 1 or 2";
    let cases = [
        (&whole[..], "bob", names),
        ("5,a1:pb2", "red", "move 2 is a pass"),
        ("1,a1", "blue", "has no turn in this game"),
        ("25,a1b2", "red", "give --simulations 0"),
        ("no-such-file", "red", "no-such-file"),
    ];
    for (record, player, words) in cases {
        let replayed = replay(record, &format!("--player {player}"), &[BOT]);
        refused(replayed, &[words]);
    }
    let mut without = hex();
    refused(without.args(["replay", &whole, "--player", "1"]), &[]);
}
