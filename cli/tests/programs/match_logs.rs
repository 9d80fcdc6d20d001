//! Transcripts and standard errors of bots are kept in files: always of games that a fault lost, of
//! all others on request.

use crate::common::{assert_says, ends, succeed, Place};
use std::collections::BTreeSet;

/// The files with what was said, without their folder.
fn logs(place: &Place) -> Vec<String> {
    place.names("out/logs")
}

fn read(place: &Place, name: &str) -> String {
    place.read(format!("out/logs/{name}"))
}

/// A bot that says how it begins, and then plays as `options` say.
fn talking(place: &Place, options: &str) -> String {
    let bot = crate::common::BOT;
    format!(
        "{} sh -c 'echo I begin >&2; exec {bot} {options}' ;; name=talks",
        place.mark
    )
}

const GAMES: &str = "--games 4 --side 5 --openings random:2 --threads 2";

#[test]
fn every_game_is_logged_on_request() {
    let place = Place::new();
    let bots = [talking(&place, ""), place.bot(";; name=a/b c")];
    succeed(place.play(GAMES, &bots).arg("--logs"));
    let names = logs(&place);
    assert_eq!(names.len(), 4 * 3, "{names:?}");
    for game in place.log().1 {
        let id = game["id"].as_u64().unwrap();
        let is_red = game["red"] == 0;
        let (talks, other) = if is_red {
            ("red", "blue")
        } else {
            ("blue", "red")
        };
        let of = |end: &str| read(&place, &format!("{id:06}-{end}"));
        assert_eq!(of(&format!("{talks}-talks.stderr")), "I begin\n");
        let said =
            of(&format!("{talks}-talks.transcript")) + &of(&format!("{other}-a_b_c.transcript"));
        let answers = said.lines().filter_map(|line| line.split_once(" < "));
        let answers: BTreeSet<&str> = answers
            .map(|(_, said)| said.split(' ').next().unwrap())
            .collect();
        let moves = game["moves"].as_array().unwrap().iter().skip(2);
        let moves: BTreeSet<&str> = moves.map(|text| text.as_str().unwrap()).collect();
        assert_eq!(answers, moves, "{said}");
        assert!(said.contains(&format!(" > 5 {talks}")), "{said}");
        let time = |line: &str| line.split_whitespace().next().unwrap().parse::<f64>();
        let is_timed = |line: &str| time(line).is_ok_and(|ms| ms < 60e3);
        assert!(said.lines().all(is_timed), "{said}");
    }
}

#[test]
fn games_lost_by_a_fault_are_logged_always() {
    let place = Place::new();
    let bots = [talking(&place, "--trouble say=zz9@2"), place.bot("")];
    let report = place.played(GAMES, &bots);
    let names = logs(&place);
    assert_eq!(names.len(), 4 * 3, "{names:?}");
    let said = read(&place, "000000-red-talks.transcript");
    let is_told = said.ends_with(" < zz9\n") || said.contains(" < zz9 ");
    assert!(is_told, "{said}");
    assert_says(&report, &["logs: logs/000000-*, logs/000001-*, "]);
    let page = place.read("out/report.html");
    assert!(page.contains("logs/000000-red-talks.stderr"));
    // And no others.
    let place = Place::new();
    let bots = [talking(&place, ""), place.bot("")];
    let report = place.played(GAMES, &bots);
    assert_eq!(logs(&place), [""; 0]);
    assert!(!report.contains("logs: logs/"), "{report}");
}

/// A GTP engine can lose its game before it begins, and its words are kept all the same.
#[test]
fn an_engine_that_refuses_its_set_up_is_logged() {
    let place = Place::new();
    let engine = format!(
        "gtp:{} ;; name=engine",
        place.bot("--gtp ;; no-such-command")
    );
    let games = "--games 2 --side 5 --openings random:2 --threads 1";
    place.played(games, &[&engine, &place.bot("")]);
    let said = read(&place, "000000-red-engine.transcript");
    assert_says(&said, &[" > no-such-command\n", " < ? "]);
}

/// What a bot writes is bounded, and its last words are there.
#[test]
fn a_flood_is_cut_in_the_middle() {
    let place = Place::new();
    let bot = crate::common::BOT;
    let floods = format!(
        "{} sh -c 'echo first words >&2; yes no | head -c 9000000 >&2; echo last words >&2; \
         exec {bot} --trouble crash@1' ;; name=floods",
        place.mark
    );
    let games = "--games 2 --side 5 --openings random:2 --threads 1";
    ends(place.play(games, &[&floods, &place.bot("")]), 0, &[]);
    let written = read(&place, "000000-red-floods.stderr");
    let (first, last) = (&written[..40], &written[written.len() - 300..]);
    assert!(first.starts_with("first words\nno\n"), "{first}");
    assert!(
        written.contains("bytes are left out here]\n"),
        "nothing is left out"
    );
    assert!(last.contains("\nlast words\n"), "{last}");
    assert!(written.len() < 5_000_000, "{} bytes", written.len());
}

/// A game that is played again has the logs of its last time.
#[test]
fn a_game_played_again_replaces_its_logs() {
    let place = Place::new();
    let bots = [talking(&place, "--trouble say=zz9@2"), place.bot("")];
    let play = || place.play(GAMES, &bots);
    succeed(&mut play());
    // As if a stall had decided the first game, and its bot had said something else.
    let text = place.read("out/games.jsonl");
    let stalled = text.lines().map(|line| {
        if line.starts_with("{\"id\":0,") {
            line.trim_end_matches('}').to_string() + "},\"stalled_ms\":50.0}\n"
        } else {
            line.to_string() + "\n"
        }
    });
    place.write("out/games.jsonl", stalled.collect::<String>());
    place.write("out/logs/000000-red-talks.stderr", "old words\n");
    succeed(play().arg("--replay-stalled"));
    assert_eq!(read(&place, "000000-red-talks.stderr"), "I begin\n");
}
