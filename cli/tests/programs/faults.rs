//! Bots that go wrong: each way costs the game in the right class, never the match, and leaves no
//! process behind.

use crate::common::{describe, hex, side_by_side, succeed, Place, HASTY, PATIENT};

/// Plays two games against a sound bot and returns the fault of each. The bot is a GTP engine if
/// its options say so.
fn faults(options: &str) -> Vec<serde_json::Value> {
    let place = Place::new();
    let prefix = if options.contains("--gtp") {
        "gtp:"
    } else {
        ""
    };
    let (bad, good) = (prefix.to_owned() + &place.bot(options), place.bot(""));
    let report = succeed(&mut place.play("--games 2 --side 6 --openings random:2", &[&bad, &good]));
    place.assert_no_process_left();
    let (_, games) = place.log();
    assert_eq!(games.len(), 2, "{report}");
    games
        .into_iter()
        .map(|game| {
            let bad_is_red = game["red"] == 0;
            assert_eq!(
                game["winner"] == "blue",
                bad_is_red,
                "the faulty bot lost: {game}"
            );
            game["fault"].clone()
        })
        .collect()
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
    succeed(&mut place.play(options, &[&hangs, &place.bot("")]));
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
    let lines = include_str!("../data/faults.txt").lines();
    let cases: Vec<&str> = lines.filter(|line| !line.starts_with('#')).collect();
    assert!(cases.len() >= 15, "the cases have gone missing");
    side_by_side(&cases, |line| {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [options, kind, detail, offending] = parts[..] else {
            panic!("{line}")
        };
        let options = match kind {
            "silence" | "timeout" => format!("{options} {HASTY}"),
            _ => options.to_string(),
        };
        for fault in faults(&options) {
            assert_eq!(fault["kind"], kind, "{line}: {fault}");
            let text = fault["detail"].as_str().unwrap();
            assert!(text.contains(detail), "{line}: {fault}");
            let kept = fault["line"].as_str().unwrap_or("");
            let is_right = match offending {
                "*" => !kept.is_empty(),
                "" => kept.is_empty(),
                start => kept.starts_with(start) && kept.len() <= 200,
            };
            assert!(is_right, "{line}: {fault}");
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
        succeed(&mut place.play("--games 2 --side 4 --openings random:2", &[&bad, &good]));
        place.assert_no_process_left();
        let (_, games) = place.log();
        assert!(
            games.iter().all(|game| game["reason"] == "connection"),
            "{options}: {games:?}"
        );
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
        let output = command
            .args(["--p1", &place.bot(""), "--p2", &blind])
            .output();
        let output = output.unwrap();
        let told = describe(&output);
        assert!(told.contains("1\n-1\n") && told.contains(fault), "{told}");
        place.assert_no_process_left();
    }
}
