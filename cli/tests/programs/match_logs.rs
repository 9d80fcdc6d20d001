//! Transcripts and standard errors of bots are kept in files: always of games that a fault lost, of
//! all others on request.

use crate::common::{assert_says, ends, succeed, Place};
use std::collections::BTreeSet;
use std::fs;

/// The files with what was said, without their folder.
fn logs(place: &Place) -> BTreeSet<String> {
    let entries = fs::read_dir(place.path().join("out/logs"))
        .into_iter()
        .flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

fn read(place: &Place, name: &str) -> String {
    fs::read_to_string(place.path().join("out/logs").join(name)).unwrap()
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
    succeed(place.play(GAMES, &[&bots[0], &bots[1]]).arg("--logs"));
    let names = logs(&place);
    assert_eq!(names.len(), 4 * 3, "{names:?}");
    for game in place.log().1 {
        let id = game["id"].as_u64().unwrap();
        let [talks, other] = if game["red"] == 0 {
            ["red", "blue"]
        } else {
            ["blue", "red"]
        };
        assert_eq!(
            read(&place, &format!("{id:06}-{talks}-talks.stderr")),
            "I begin\n"
        );
        let said = read(&place, &format!("{id:06}-{talks}-talks.transcript"))
            + &read(&place, &format!("{id:06}-{other}-a_b_c.transcript"));
        let answers = said.lines().filter_map(|line| line.split_once(" < "));
        let answers: BTreeSet<&str> = answers
            .map(|(_, said)| said.split(' ').next().unwrap())
            .collect();
        let moves = game["moves"].as_array().unwrap().iter().skip(2);
        let moves: BTreeSet<&str> = moves.map(|text| text.as_str().unwrap()).collect();
        assert_eq!(answers, moves, "{said}");
        assert!(said.contains(&format!(" > 5 {talks}")), "{said}");
        let time = |line: &str| line.split_whitespace().next().unwrap().parse::<f64>();
        assert!(
            said.lines()
                .all(|line| time(line).is_ok_and(|ms| ms < 60e3)),
            "{said}"
        );
    }
}

#[test]
fn games_lost_by_a_fault_are_logged_always() {
    let place = Place::new();
    let bots = [talking(&place, "--trouble say=zz9@2"), place.bot("")];
    let report = succeed(&mut place.play(GAMES, &[&bots[0], &bots[1]]));
    let names = logs(&place);
    assert_eq!(names.len(), 4 * 3, "{names:?}");
    let said = read(&place, "000000-red-talks.transcript");
    assert!(
        said.ends_with(" < zz9\n") || said.contains(" < zz9 "),
        "{said}"
    );
    assert_says(&report, &["logs: logs/000000-*, logs/000001-*, "]);
    let page = fs::read_to_string(place.path().join("out/report.html")).unwrap();
    assert!(page.contains("logs/000000-red-talks.stderr"));
    // And no others.
    let place = Place::new();
    let bots = [talking(&place, ""), place.bot("")];
    let report = succeed(&mut place.play(GAMES, &[&bots[0], &bots[1]]));
    assert!(
        logs(&place).is_empty() && !report.contains("logs: logs/"),
        "{report}"
    );
}

/// A GTP engine can lose its game before it begins, and its words are kept all the same.
#[test]
fn an_engine_that_refuses_its_set_up_is_logged() {
    let place = Place::new();
    let engine = format!(
        "gtp:{} ;; no-such-command ;; name=engine",
        place.bot("--gtp")
    );
    let games = "--games 2 --side 5 --openings random:2 --threads 1";
    succeed(&mut place.play(games, &[&engine, &place.bot("")]));
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
    assert!(
        written.starts_with("first words\nno\n"),
        "{}",
        &written[..40]
    );
    assert!(
        written.contains("bytes are left out here]\n"),
        "nothing is left out"
    );
    assert!(
        written.contains("\nlast words\n"),
        "{}",
        &written[written.len() - 300..]
    );
    assert!(written.len() < 5_000_000, "{} bytes", written.len());
}

/// A game that is played again has the logs of its last time.
#[test]
fn a_game_played_again_replaces_its_logs() {
    let place = Place::new();
    let bots = [talking(&place, "--trouble say=zz9@2"), place.bot("")];
    let play = || place.play(GAMES, &[&bots[0], &bots[1]]);
    succeed(&mut play());
    // As if a stall had decided the first game, and its bot had said something else.
    let path = place.path().join("out/games.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let stalled = text.lines().map(|line| {
        if line.starts_with("{\"id\":0,") {
            line.trim_end_matches('}').to_string() + "},\"stalled_ms\":50.0}\n"
        } else {
            line.to_string() + "\n"
        }
    });
    fs::write(&path, stalled.collect::<String>()).unwrap();
    let logs_of_0 = place.path().join("out/logs/000000-red-talks.stderr");
    fs::write(&logs_of_0, "old words\n").unwrap();
    succeed(play().arg("--replay-stalled"));
    assert_eq!(fs::read_to_string(&logs_of_0).unwrap(), "I begin\n");
}
