//! `hex referee` as other runners call it.

use crate::common::{
    assert_says, describe, ended, ends, hex, refused, succeed, Place, BOT, BOT_PATH, HASTY, PATIENT,
};
use serde_json::{json, Value};

/// The words that cg-brutaltester puts behind the referee's command.
fn brutaltester(red: &str, blue: &str, more: &[&str]) -> std::process::Command {
    let mut command = hex();
    command.args(["referee", "-p1", red, "-p2", blue]);
    command.args(PATIENT).args(more);
    command
}

/// What such a command prints as JSON.
fn result(red: &str, blue: &str, more: &[&str]) -> Value {
    let printed = succeed(&mut brutaltester(red, blue, more));
    assert_eq!(printed.lines().count(), 1, "{printed}");
    serde_json::from_str(&printed).unwrap()
}

#[test]
fn scores_for_brutaltester() {
    let path = format!("{BOT} --play path");
    let random = format!("{BOT} --play 3");
    let broken = format!("{BOT} --trouble say=zz@2");
    for (red, blue, scores) in [
        (&path, &random, "1\n0\nseed=4\n"),
        (&random, &path, "0\n1\nseed=4\n"),
        (&path, &broken, "1\n-1\nseed=4\n"),
        (&broken, &path, "-1\n1\nseed=4\n"),
    ] {
        let output = brutaltester(red, blue, &["-d", "seed=4"]).output().unwrap();
        let told = ended(&output, 0, &[]);
        assert_eq!(output.stdout, scores.as_bytes(), "{red} {blue}: {told}");
        assert_eq!(!output.stderr.is_empty(), scores.contains("-1"), "{told}");
    }
}

/// What the referee prints, and its log.
fn logged(red: &str, blue: &str, more: &[&str]) -> (String, Value) {
    let place = Place::new();
    let mut command = brutaltester(red, blue, more);
    let told = succeed(command.arg("-l").arg(place.at("game.json")));
    (told, place.json("game.json"))
}

/// Without `-d` every run is a different game, and the printed seed repeats it.
#[test]
fn a_seed_is_drawn_and_told() {
    let moves = |more: &[&str]| -> (String, Value) {
        let bot = format!("{BOT} --play 4");
        let (told, game) = logged(&bot, &bot, &[&["--openings", "random:4"], more].concat());
        assert_eq!(game["opening"], 4);
        let seed = told.lines().nth(2).unwrap().to_string();
        (seed, game["moves"].clone())
    };
    let games: Vec<(String, Value)> = (0..3).map(|_| moves(&[])).collect();
    for (number, (seed, game)) in games.iter().enumerate() {
        assert_eq!(moves(&["-d", seed]), (seed.clone(), game.clone()));
        assert!(games[..number].iter().all(|(_, other)| other != game));
    }
}

/// It repeats `-d`, ends with `-s`, and has the players' words without quotes.
#[test]
fn brutaltesters_replay_command_is_read() {
    let place = Place::new();
    // In this form no path can have blanks.
    let bot = place.at("bot");
    std::os::unix::fs::symlink(BOT_PATH, &bot).unwrap();
    let bot = format!("{} --play 4", bot.display());
    let openings = ["--openings", "random:4", "-d", "seed=9"];
    let played = succeed(&mut brutaltester(&bot, &bot, &openings));
    let mut replay = hex();
    replay.arg("referee").args(PATIENT);
    replay.args(["--openings", "random:4", "-p1"]);
    replay.args(bot.split(' ')).arg("-p2").args(bot.split(' '));
    let shown = succeed(replay.args(["-d", "seed=8", "-s", "-d", "seed=9"]));
    assert!(shown.starts_with(&played), "{shown}");
    let moves = shown.lines().nth(3).unwrap().split(' ');
    assert!(moves.count() > 11, "{shown}");
}

/// psyleague's sample script reads `scores` and `errors` by the players' numbers, and looks there
/// for what bots say of themselves.
#[test]
fn the_log_has_scores_and_errors() {
    let broken = format!("{BOT} --trouble say=zz@2");
    let talks = format!("sh -c 'echo \"[TDATA] depth = 7\" >&2; exec {BOT}'");
    let (_, game) = logged(&broken, &talks, &[]);
    assert_eq!(game["scores"], json!({"0": -1, "1": 1}));
    let errors = &game["errors"];
    assert_says(errors["0"][0].as_str().unwrap(), &["zz"]);
    assert_eq!(errors["1"], json!(["[TDATA] depth = 7\n"]));
}

/// Openings are read as other move lists are.
#[test]
fn openings_with_capitals_and_commas() {
    let place = Place::new();
    let openings = format!("file:{}", place.at("openings.txt").display());
    for (text, wanted) in [
        ("F6", vec!["f6", "swap-pieces"]),
        ("a1,b2  C3 # noted", vec!["a1", "b2", "c3"]),
    ] {
        place.write("openings.txt", text);
        let (_, game) = logged(BOT, BOT, &["--openings", &openings]);
        let moves = game["moves"].as_array().unwrap();
        assert_eq!(moves[..wanted.len()], wanted, "{text}");
    }
}

#[test]
fn json_for_psyleague() {
    let place = Place::new();
    let good = place.bot("--play path");
    let bad = place.bot("--trouble crash@2 --child");
    let result = result(&bad, &good, &["--psyleague", "-d", "seed=7"]);
    assert_eq!(result["ranks"], json!([1, 0]));
    assert_eq!(result["errors"], json!([1, 0]));
    assert_eq!(result["test_data"]["seed"], 7);
    assert_eq!(result["test_data"]["fault"], "crash");
    assert_eq!(result["player_data"].as_array().unwrap().len(), 2);
    place.assert_no_process_left();
}

/// cgarena puts the seed and the players' commands in place of whole words of its configuration,
/// and draws charts of what bots say on standard error.
#[test]
fn json_for_cgarena() {
    let said =
        "[PDATA][2] depth = 7\n[TDATA] size=a b\nPDATA\n[PDATA][x] n = 1\n[PDATA] = 1\n[PDATA]é";
    let talks = format!("sh -c 'printf \"{said}\" >&2; exec {BOT}'");
    let result = result(BOT, &talks, &["--psyleague", "-seed", "8"]);
    assert_eq!(result["test_data"]["seed"], 8);
    let wanted = json!([
        { "name": "depth", "player": 1, "turn": 2, "value": "7" },
        { "name": "size", "player": null, "turn": null, "value": "a b" },
    ]);
    assert_eq!(result["attributes"], wanted);
}

/// cgarena's sample script writes a log and reads from it what psyleague's reads.
#[test]
fn a_seed_is_read_as_cgarenas_script_writes_it() {
    for (more, wanted) in [
        (&["-seed", "-3"][..], Some("seed=-3")),
        (&["-seed", "many"], None),
        (&["-seed"], None),
    ] {
        let output = brutaltester(BOT, BOT, more).output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout);
        let problem = describe(&output);
        assert_eq!(told.lines().nth(2), wanted, "{more:?}: {problem}");
        assert_eq!(output.status.success(), wanted.is_some(), "{more:?}");
    }
}

/// The answer that lost the game by its lateness is the slowest.
#[test]
fn a_late_answer_is_told_to_psyleague() {
    let place = Place::new();
    let late = place.bot(&format!("--trouble late=250@2 {HASTY}"));
    let result = result(&late, &place.bot(""), &["--psyleague"]);
    assert_eq!(result["test_data"]["fault"], "timeout", "{result}");
    let slowest = result["player_data"][0]["max_ms"].as_f64().unwrap();
    assert!(slowest >= 250.0, "{result}");
}

/// Some runners give signed seeds, and want to read what they gave.
#[test]
fn a_seed_below_zero_is_told_as_it_was_given() {
    let result = result(BOT, BOT, &["--psyleague", "-d", "seed=-5"]);
    assert_eq!(result["test_data"]["seed"], -5, "{result}");
}

/// A terminal would obey them.
#[test]
fn last_words_are_told_without_control_characters() {
    let place = Place::new();
    let crashes = format!("{} sh -c 'printf \"\\033[2Jgone\" >&2; exit 3'", place.mark);
    let told = ends(brutaltester(&crashes, &place.bot(""), &[]), 0, &["[2Jgone"]);
    assert!(!told.contains('\x1b'), "{told:?}");
}

#[test]
fn bad_arguments() {
    let place = Place::new();
    for (arguments, wanted) in [
        ("", "--p2"),
        ("-p2 \"'\"", "missing closing quote"),
        ("-p2 ./x -d seed=many", "\"many\" is not a whole number"),
        ("-p2 ./x -d map=3", "give seed=N"),
        ("-p2 ./x -l /nowhere/at/all", "/nowhere/at/all"),
    ] {
        let referee = place.hex(&format!("referee -p1 ./x {arguments}"));
        refused(referee, &[wanted]);
    }
}
