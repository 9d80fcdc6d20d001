//! Bots that go wrong: each way costs the game in the right class, never the match, and leaves no
//! process behind.

use crate::common::{cases, ends, hex, side_by_side, Place, HASTY, PATIENT};
use serde_json::Value;

/// Plays two games against a sound bot and returns the fault of each. The bot is a GTP engine if
/// its options say so.
fn faults(options: &str) -> Vec<Value> {
    let place = Place::new();
    let protocol = if options.contains("--gtp") {
        "gtp:"
    } else {
        ""
    };
    let bots = [protocol.to_owned() + &place.bot(options), place.bot("")];
    let report = place.played("--games 2 --side 6 --openings random:2", &bots);
    place.assert_no_process_left();
    let games = place.log().1;
    assert_eq!(games.len(), 2, "{report}");
    let fault = |mut game: Value| {
        let winner = if game["red"] == 0 { "blue" } else { "red" };
        assert_eq!(game["winner"], winner, "the faulty bot lost: {game}");
        game["fault"].take()
    };
    games.into_iter().map(fault).collect()
}

/// A bot that hangs has often said why.
#[test]
fn silence_keeps_the_last_words() {
    let place = Place::new();
    let hangs = format!(
        "{} sh -c 'echo index 11 is out of range >&2; while :; do sleep 1; done' {HASTY}",
        place.mark
    );
    let options = "--games 2 --side 6 --openings random:2";
    place.played(options, &[&hangs, &place.bot("")]);
    for game in place.log().1 {
        assert_eq!(game["reason"], "silence", "{game}");
        let detail = game["fault"]["detail"].as_str().unwrap();
        let words = "; its last words: index 11 is out of range";
        assert!(detail.ends_with(words), "{game}");
    }
}

/// One case a line: options, then class, words of the explanation and the offending line.
#[test]
fn every_class() {
    let cases = cases(include_str!("../data/faults.txt"));
    assert!(cases.len() >= 15, "the cases have gone missing");
    side_by_side(&cases, |case| {
        let [options, kind, detail, offending] = case[..] else {
            panic!("{case:?}")
        };
        let options = match kind {
            "silence" | "timeout" => format!("{options} {HASTY}"),
            _ => options.to_string(),
        };
        for fault in faults(&options) {
            assert_eq!(fault["kind"], kind, "{options}: {fault}");
            let text = fault["detail"].as_str().unwrap();
            assert!(text.contains(detail), "{options}: {fault}");
            let kept = fault["line"].as_str().unwrap_or("");
            let is_right = match offending {
                "*" => !kept.is_empty(),
                "" => kept.is_empty(),
                start => kept.starts_with(start) && kept.len() <= 200,
            };
            assert!(is_right, "{options}: {fault}");
        }
    });
}

/// Floods and leftover children do no harm as long as the answers come.
#[test]
fn nuisances_are_no_faults() {
    let cases = [
        "--stderr 300000",
        "--stubborn",
        "--child session",
        "--stubborn --child group,orphan,daemon --stderr 5000",
    ];
    side_by_side(&cases, |options| {
        let place = Place::new();
        let (bad, good) = (place.bot(options), place.bot(""));
        place.played("--games 2 --side 4 --openings random:2", &[&bad, &good]);
        place.assert_no_process_left();
        place.assert_each("/reason", "connection");
    });
}

/// A bot that answers but never reads gets questions until its pipe is full. Then the wait is no
/// longer than for a bot that never answers.
#[test]
fn a_bot_that_does_not_read_loses_its_game() {
    // Blue's stones, with a gap in each row, so that the game does not end before the pipe is full.
    let columns = "a b c d e f g h i j k l n o p q r s t u v w x y z";
    let answers =
        format!("for row in 26 25 24; do for column in {columns}; do echo $column$row; done; done");
    for (more, fault) in [
        ("sleep 987", "silence: did not read its input for 1500 ms"),
        (
            "yes z1",
            "illegal move: wrote more than 65536 bytes and did not read its input",
        ),
    ] {
        let place = Place::new();
        let blind = format!("{} sh -c '{answers}; {more}' ;; turn-ms=1000", place.mark);
        let mut command = hex();
        command.args(["referee", "--side", "26"]).args(PATIENT);
        command.args(["--p1", &place.bot(""), "--p2", &blind]);
        ends(command, 0, &["1\n-1\n", fault]);
        place.assert_no_process_left();
    }
}
