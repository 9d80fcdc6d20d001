//! What `hex match` makes of its arguments: players and their names, limits, folders, nonsense.

use crate::common::{ended, hex, refused, succeed, Place};
use std::collections::BTreeSet;
use std::fs;

#[test]
fn a_roster_names_players() {
    let place = Place::new();
    let roster = place.path().join("players.toml");
    let text = format!(
        "[[player]]\nname = \"one\"\ncommand = '{0}'\nturn-ms = 70\n\n[[player]]\nname = \"two\"\n\
         command = 'gtp:{0} --gtp'\nswap = \"sides\"\nenvironment = {{ A = \"b c\" }}\n",
        crate::common::BOT
    );
    fs::write(&roster, text).unwrap();
    let roster = roster.to_str().unwrap();
    succeed(&mut place.hex_match(&[
        "--players",
        roster,
        "--games",
        "2",
        "--side",
        "4",
        "--openings",
        "all",
    ]));
    let (header, games) = place.log();
    assert_eq!(header["players"][0]["turn_ms"], 70);
    assert_eq!(header["players"][1]["name"], "two");
    assert!(header["players"][1]["text"]
        .as_str()
        .unwrap()
        .starts_with("gtp:A='b c' "));
    assert_eq!(games.len(), 2);
}

#[test]
fn every_player_has_a_name_of_its_own() {
    let place = Place::new();
    let bots = ["a", "a", "a-1"].map(|name| place.bot(&format!(";; name={name}")));
    let bots: Vec<&str> = bots.iter().map(String::as_str).collect();
    succeed(&mut place.play("--games 2 --side 4 --openings all", &bots));
    let players = place.log().0["players"].clone();
    let names = players
        .as_array()
        .unwrap()
        .iter()
        .map(|player| player["name"].as_str());
    let names: BTreeSet<_> = names.collect();
    assert_eq!(names.len(), 3, "{players}");
    assert!(names.contains(&Some("a-1")), "{players}");
}

/// Nothing is begun that could not be ended, and would be in the way of the next try.
#[test]
fn a_file_in_place_of_the_records_leaves_nothing_behind() {
    let place = Place::new();
    let (folder, bot) = (place.path().join("out"), place.bot(""));
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("sgf"), "").unwrap();
    let play = || place.play("--games 2 --side 4 --openings all", &[&bot, &bot]);
    refused(play(), &["sgf is not a folder"]);
    fs::remove_file(folder.join("sgf")).unwrap();
    succeed(&mut play());
}

/// One case a line: arguments, then the error.
#[test]
fn bad_arguments() {
    let place = Place::new();
    fs::write(
        place.path().join("bad-openings.txt"),
        "a1 b2\n\nc3 d9 # no such cell\n",
    )
    .unwrap();
    fs::write(
        place.path().join("bad.toml"),
        "[[player]]\ncommand = \"x\"\ncolour = \"red\"\n",
    )
    .unwrap();
    fs::write(
        place.path().join("twins.toml"),
        "[[player]]\nname = \"x\"\ncommand = \"x\"\n\n[[player]]\nname = \"x\"\ncommand = \"y\"\n",
    )
    .unwrap();
    fs::write(
        place.path().join("huge.toml"),
        "[[player]]\ncommand = \"x\"\nfirst-ms = 0\n",
    )
    .unwrap();
    for line in include_str!("../data/bad-match-arguments.txt").lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (arguments, wanted) = line.split_once(" => ").unwrap();
        let arguments: Vec<String> = shell_words::split(arguments).unwrap();
        let mut command = hex();
        command
            .current_dir(place.path())
            .arg("match")
            .args(&arguments);
        let output = command.output().unwrap();
        ended(&output, 2, &[wanted]);
        assert!(output.stdout.is_empty(), "{line}");
    }
}

/// It would lose on a busy machine, and say nothing of what equal simulations are worth.
#[test]
fn a_number_of_simulations_is_not_held_against_the_clock() {
    for (own_limit, faults) in [("", 0), (" ;; first-ms=1 ;; turn-ms=1", 2)] {
        let place = Place::new();
        let mut command = hex();
        let bot = format!("builtin:simulations=400{own_limit}");
        command.args(["match", &bot, "builtin:simulations=1 ;; name=b"]);
        command.args(
            "--games 2 --side 7 --openings random:2 --first-ms 1 --turn-ms 1 --out".split(' '),
        );
        succeed(command.arg(place.path().join("out")));
        let lost = place
            .log()
            .1
            .iter()
            .filter(|game| game["fault"].is_object())
            .count();
        assert_eq!(lost, faults, "{own_limit}");
    }
}
