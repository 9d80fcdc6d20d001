//! `hex solve`: answers, limits, interruption, formats, openings that go on where they were.

use crate::common::{assert_says, ended, fed, hex_line, refused, started, Place};
use rustix::process::{kill_process, Pid, Signal};
use std::process::Output;
use std::time::{Duration, Instant};

/// Longer than anything takes, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

/// The exit status, and the output without the last line, which contains times.
fn solve(words: &str, input: &str) -> (i32, String) {
    solve_in(&Place::new(), words, input)
}

/// The same in a place's folder.
fn solve_in(place: &Place, words: &str, input: &str) -> (i32, String) {
    let output = fed(&mut place.hex(&format!("solve {words}")), input);
    let (status, text) = parts(&output);
    let (answer, last) = text.trim_end().rsplit_once('\n').unwrap_or(("", &text));
    assert!(last.contains("positions"), "{output:?}");
    (status, answer.to_owned())
}

fn parts(output: &Output) -> (i32, String) {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    (output.status.code().unwrap(), text)
}

#[test]
fn the_winner_and_the_moves_that_win_are_told() {
    let middle = "winner: red, red to move\nwinning move: ";
    let (status, answer) = solve("", "3,b1a1");
    assert_eq!(status, 0);
    assert!(answer.starts_with(middle), "{answer}");
    let (_, answer) = solve("--all-moves", "3,b1a1");
    let moves = answer.split_once("winning moves: ").unwrap().1;
    assert!(moves.split(' ').any(|cell| cell == "b2"), "{answer}");
    let lost = "winner: red, blue to move";
    assert_eq!(solve("", "3,b1a1b2"), (0, lost.to_owned()));
    let over = "winner: red, the edges are joined";
    let all = solve("--all-moves", "3,b1a1b2c1b3");
    assert_eq!(all, (0, over.to_owned()));
}

#[test]
fn other_positions_of_a_game_and_other_movers_can_be_asked_for() {
    let game = "3,b1a1b2c1b3";
    let lost = "winner: red, blue to move".to_owned();
    assert_eq!(solve("--after 3", game), (0, lost));
    let (_, answer) = solve("--after 1", game);
    assert!(answer.starts_with("winner: blue, blue to move"), "{answer}");
    let (_, answer) = solve("--after 1 --to-move red", game);
    assert!(answer.starts_with("winner: red, red to move"), "{answer}");
}

#[test]
fn positions_are_read_in_every_format() {
    let sgf = "(;FF[4]GM[11]SZ[3];B[b1];W[a1])";
    let rows = "b r .\n. . .\n. . .\n";
    let expected = solve("--all-moves", "3,b1a1");
    assert_eq!(solve("--all-moves", sgf), expected);
    assert_eq!(solve("--all-moves", rows), expected);
    assert_eq!(solve("--all-moves --side 3", "b1 a1"), expected);
    let link = "--all-moves https://hexworld.org/board/#3,b1a1";
    assert_eq!(solve(link, ""), expected);
    let place = Place::new();
    place.write("game.sgf", sgf);
    assert_eq!(solve_in(&place, "--all-moves game.sgf", ""), expected);
}

#[test]
fn limits_leave_the_winner_unknown() {
    let (status, answer) = solve("--nodes 1", "9,a2");
    assert_eq!(status, 1);
    let unknown = "winner: unknown, blue to move\n";
    assert!(answer.starts_with(unknown), "{answer}");
    assert!(answer.contains("unknown moves: "), "{answer}");
    let begun = Instant::now();
    let (status, answer) = solve("--seconds 0.2", "11,a2");
    assert_eq!(status, 1);
    assert!(answer.starts_with("winner: unknown"), "{answer}");
    assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
    let output = fed(&mut hex_line("solve --nodes 1"), "9,a2");
    let error = String::from_utf8(output.stderr).unwrap();
    let told = "hex: a limit was reached before everything was solved; allow more by --nodes or";
    assert!(error.starts_with(told), "{error}");
}

#[test]
fn an_interruption_tells_what_is_known() {
    for (signal, expected) in [(Signal::INT, 130), (Signal::TERM, 143)] {
        let mut child = started(&mut hex_line("solve 11,a2"));
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(child.try_wait().unwrap(), None, "it is solved already");
        kill_process(Pid::from_child(&child), signal).unwrap();
        let begun = Instant::now();
        let (status, text) = parts(&child.wait_with_output().unwrap());
        assert!(begun.elapsed() < PATIENCE, "{:?}", begun.elapsed());
        assert_eq!(status, expected);
        let unknown = "winner: unknown, blue to move\n";
        assert!(text.starts_with(unknown), "{text}");
    }
}

#[test]
fn what_cannot_be_solved_is_refused() {
    for (arguments, input, words) in [
        ("", "12,a1b1", "142 cells are empty"),
        ("--after 3", "3,a1b1", "has 2 moves"),
        ("--openings --side 12", "", "144 cells"),
        ("--nodes 0", "", "--nodes"),
        ("--seconds 0", "", "from 0.01"),
        ("--all-moves --openings", "", "--openings"),
    ] {
        let mut solve = hex_line(&format!("solve {arguments}"));
        ended(&fed(&mut solve, input), 2, &[words]);
    }
}

#[test]
fn openings_go_on_where_they_were() {
    let place = Place::new();
    let out = "--openings --side 4 --out openings.txt";
    let (status, answer) = solve_in(&place, &format!("{out} --nodes 1"), "");
    assert_eq!(status, 1);
    assert_says(&answer, &["unknown 1 ", "?"]);
    let solved_at_once = place.read("openings.txt").lines().count() - 1;
    assert!(solved_at_once < 8, "{answer}");
    let (status, answer) = solve_in(&place, out, "");
    assert_eq!(status, 0);
    let (lines, map) = answer.split_at(answer.len() - 4 * 8 + 1);
    assert_eq!(lines.lines().count(), 8 - solved_at_once, "{answer}");
    // Only the short diagonal wins.
    assert_eq!(map, "b b b r\nb b r b\nb r b b\nr b b b");
    assert_eq!(solve_in(&place, out, ""), (0, map.to_owned()));
    // The short diagonal is the middle: c2 wins and comes first, b2 after it.
    let (_, first) = solve("--openings --side 4 --threads 1", "");
    assert!(first.starts_with("c2 red "), "{first}");
    // A file of something else is left alone.
    place.write("openings.txt", "mine\n");
    refused(place.hex(&format!("solve {out}")), &[]);
    assert_eq!(place.read("openings.txt"), "mine\n");
}

/// An opening that takes more than its turn waits until the others have had theirs.
#[test]
fn hard_openings_wait_for_easy_ones() {
    let (status, answer) = solve("--openings --side 6 --threads 1", "");
    assert_eq!(status, 0, "{answer}");
    let searched = answer.lines().filter_map(|line| {
        let [_, "red" | "blue", searched, _] = line.split(' ').collect::<Vec<_>>()[..] else {
            return None;
        };
        searched.parse().ok()
    });
    let searched: Vec<u64> = searched.collect();
    assert_eq!(searched.len(), 18, "{answer}");
    let is_quick = |&&searched: &&u64| searched <= 1 << 10;
    let quick = searched.iter().take_while(is_quick).count();
    assert_eq!(quick, searched.iter().filter(is_quick).count(), "{answer}");
    assert!(0 < quick && quick < 18, "{answer}");
}

/// Without the positions searched and the times, in order: what a file or an answer has of each
/// opening, and the rows of the map.
fn without_counts(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = text
        .lines()
        .map(|line| match line.split(' ').collect::<Vec<_>>()[..] {
            [opening, winner, _, _] => format!("{opening} {winner}"),
            _ => line.to_owned(),
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn openings_on_several_threads_are_those_on_one() {
    let [one, several] = [1, 4].map(|threads| {
        let place = Place::new();
        let words = format!("--openings --side 5 --out openings.txt --threads {threads}");
        let (status, answer) = solve_in(&place, &words, "");
        assert_eq!(status, 0, "{answer}");
        [answer, place.read("openings.txt")].map(|text| without_counts(&text))
    });
    assert_eq!(one[0].len(), 13 + 5, "{one:?}");
    assert_eq!(several, one);
}
