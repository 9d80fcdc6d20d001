//! `hex tournament` through pipes: two copies against each other, and opponents that cheat, babble,
//! swap and break off.

use crate::common::hex;
use hex_contests::tournament::table::{Table, TablePlayer};
use hexbot::cell::Cell;
use hexbot::opening;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// A copy of the program.
struct Copy {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Copy {
    fn start(args: &[&str]) -> Self {
        let mut process = hex()
            .arg("tournament")
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Copy {
            input: process.stdin.take(),
            output: BufReader::new(process.stdout.take().unwrap()),
            process,
        }
    }

    fn say(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{line}").unwrap();
    }

    /// The next move, which must be two integers with one blank between and nothing else.
    fn hear(&mut self) -> (i64, i64) {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let (row, col) = line.trim_end_matches('\n').split_once(' ').unwrap();
        (row.parse().unwrap(), col.parse().unwrap())
    }

    /// Waits for the end: the exit status and what was said on standard error.
    fn end(mut self) -> (i32, String) {
        drop(self.input.take());
        let mut errors = String::new();
        let mut stream = self.process.stderr.take().unwrap();
        stream.read_to_string(&mut errors).unwrap();
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "", "nothing is said after the game");
        (self.process.wait().unwrap().code().unwrap(), errors)
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        // A failed test must not leave its children behind; one that has ended cannot be killed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Plays the first of two copies against the second, from the table's first player's view.
fn play_to_the_end(copies: &mut [Copy; 2]) -> Table {
    let mut table = Table::new(TablePlayer::Us);
    while table.winner().is_none() {
        let mover = match table.to_move() {
            TablePlayer::Us => 0,
            TablePlayer::Them => 1,
        };
        let (row, col) = copies[mover].hear();
        table.play_at(row, col).unwrap();
        copies[1 - mover].say(&format!("{row} {col}"));
    }
    table
}

#[test]
fn two_copies_play_a_whole_game() {
    for seed in ["1", "2"] {
        let options = ["--simulations", "20", "--seed", seed];
        let mut copies = ["b", "p"].map(|seat| Copy::start(&[&[seat], &options[..]].concat()));
        let winner = play_to_the_end(&mut copies).winner().unwrap();
        let words = ["this program", "the opponent"];
        for (copy, word) in copies.into_iter().zip(match winner.player {
            TablePlayer::Us => words,
            TablePlayer::Them => [words[1], words[0]],
        }) {
            let (status, errors) = copy.end();
            assert_eq!(status, 0, "{errors}");
            assert!(errors.ends_with(&format!("has won: {word}\n")), "{errors}");
        }
    }
}

#[test]
fn a_whole_game_by_the_clock() {
    let mut copies = [("b", "1"), ("p", "3")]
        .map(|(seat, threads)| Copy::start(&[seat, "--clock", "2", "--threads", threads]));
    play_to_the_end(&mut copies);
}

/// What is strong and weak is the bot's table to say; here it must be obeyed.
#[test]
fn a_strong_first_stone_is_taken_over_and_a_weak_one_is_not() {
    let red_wins = |cell: &Cell<14>| opening::red_wins(*cell, 14);
    let by_strength = |a: &Cell<14>, b: &Cell<14>| red_wins(a).total_cmp(&red_wins(b));
    let weakest = Cell::all().min_by(by_strength).unwrap();
    let strongest = Cell::all().max_by(by_strength).unwrap();
    // The border between them.
    let [above, below] = [true, false].map(|above| {
        let cells = Cell::all().filter(|cell| (red_wins(cell) > 0.5) == above);
        let from_border = |cell: &Cell<14>| (red_wins(cell) - 0.5).abs();
        cells
            .min_by(|a, b| from_border(a).total_cmp(&from_border(b)))
            .unwrap()
    });
    for stone in [weakest, below, above, strongest] {
        let cell = (stone.row() as i64, stone.col() as i64);
        let mut copy = Copy::start(&["p", "--simulations", "20"]);
        copy.say(&format!("{} {}", cell.0, cell.1));
        let swaps = red_wins(&stone) > 0.5;
        assert_eq!(copy.hear() == cell, swaps, "{stone}");
        if swaps {
            // The colours are exchanged: we are white now, and black, the opponent, is to move.
            copy.say("13 13");
            let next = copy.hear();
            assert!(next != cell && next != (13, 13));
        }
    }
}

#[test]
fn the_opponent_may_take_over_our_stone() {
    let mut copy = Copy::start(&["b", "d", "--simulations", "20"]);
    let (row, col) = copy.hear();
    copy.say(&format!("{row} {col}"));
    let answer = copy.hear();
    assert_ne!(
        answer,
        (row, col),
        "the stone is theirs now, and we are to move"
    );
    // A second repetition is not a swap but a move onto a stone.
    copy.say(&format!("{row} {col}"));
    copy.say(&format!("{} {}", answer.0, answer.1));
    let (status, errors) = copy.end();
    assert_eq!(status, 2);
    assert_eq!(
        errors.matches("holds a stone already").count(),
        2,
        "{errors}"
    );
    assert!(errors.contains("[p]"), "our stone is drawn black: {errors}");
    assert!(errors.contains("the opponent's moves end before the game does"));
}

#[test]
fn an_opponent_that_sends_nonsense_is_asked_again_until_a_move_comes() {
    let mut copy = Copy::start(&["b", "--simulations", "10"]);
    let (row, col) = copy.hear();
    let long = "9".repeat(1 << 20);
    let nonsense = [
        "hello",
        "14 0",
        "0 14",
        "-1 3",
        "3",
        "x",
        "1 2 3",
        "3.5 4",
        "99999999999999999999 1",
        "a1",
        "\u{1b}[2J \u{0}",
        &long,
    ];
    nonsense.iter().for_each(|line| copy.say(line));
    copy.input
        .as_mut()
        .unwrap()
        .write_all(b"\xff\xfe 3\n\n")
        .unwrap();
    let free = (0..14)
        .map(|col| (13, col))
        .find(|&cell| cell != (row, col));
    let (row, col) = free.unwrap();
    // A move may come on two lines.
    copy.say(&format!("{row}"));
    copy.say(&format!("  {col}\r"));
    copy.hear();
    let (status, errors) = copy.end();
    assert_eq!(status, 2);
    // The lone 3 waits for its column and is spoilt by the x after it.
    assert_eq!(errors.matches("Invalid move: ").count(), nonsense.len());
    assert!(errors.len() < 5000, "the megabyte is not repeated");
}
