//! What `hex match` makes of its arguments: players and their names, limits, folders, nonsense.

use crate::common::{ended, refused, succeed, Place};
use std::collections::BTreeSet;
use std::fs;

#[test]
fn a_roster_names_players() {
    let place = Place::new();
    let text = format!(
        "[[player]]\nname = \"one\"\ncommand = '{0}'\nturn-ms = 70\n\n[[player]]\nname = \"two\"\n\
         command = 'gtp:{0} --gtp'\nswap = \"sides\"\nenvironment = {{ A = \"b c\" }}\n",
        crate::common::BOT
    );
    place.write("players.toml", text);
    let mut command = place.hex_match("--players players.toml --games 2 --side 4 --openings all");
    succeed(command.current_dir(place.path()));
    let (header, games) = place.log();
    assert_eq!(header["players"][0]["turn_ms"], 70);
    assert_eq!(header["players"][1]["name"], "two");
    let text = header["players"][1]["text"].as_str().unwrap();
    assert!(text.starts_with("gtp:A='b c' "), "{text}");
    assert_eq!(games.len(), 2);
}

#[test]
fn every_player_has_a_name_of_its_own() {
    let place = Place::new();
    let bots = ["a", "a", "a-1"].map(|name| place.bot(&format!(";; name={name}")));
    place.played("--games 2 --side 4 --openings all", &bots);
    let players = place.log().0["players"].take();
    let names = players.as_array().unwrap().iter();
    let names: BTreeSet<_> = names.map(|player| player["name"].as_str()).collect();
    assert_eq!(names.len(), 3, "{players}");
    assert!(names.contains(&Some("a-1")), "{players}");
}

/// Nothing is begun that could not be ended, and would be in the way of the next try.
#[test]
fn a_file_in_place_of_the_records_leaves_nothing_behind() {
    let place = Place::new();
    let bot = place.bot("");
    place.write("out/sgf", "");
    let play = || place.play("--games 2 --side 4 --openings all", &[&bot, &bot]);
    refused(play(), &["sgf is not a folder"]);
    fs::remove_file(place.at("out/sgf")).unwrap();
    succeed(&mut play());
}

/// One case a line: arguments, then the error.
#[test]
fn bad_arguments() {
    let place = Place::new();
    place.write("bad-openings.txt", "a1 b2\n\nc3 d9 # no such cell\n");
    place.write(
        "bad.toml",
        "[[player]]\ncommand = \"x\"\ncolour = \"red\"\n",
    );
    place.write(
        "twins.toml",
        "[[player]]\nname = \"x\"\ncommand = \"x\"\n\n[[player]]\nname = \"x\"\ncommand = \"y\"\n",
    );
    place.write("huge.toml", "[[player]]\ncommand = \"x\"\nfirst-ms = 0\n");
    for line in include_str!("../data/bad-match-arguments.txt").lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (arguments, wanted) = line.split_once(" => ").unwrap();
        let output = place.hex(&format!("match {arguments}")).output().unwrap();
        ended(&output, 2, &[wanted]);
        assert!(output.stdout.is_empty(), "{line}");
    }
}

/// It would lose on a busy machine, and say nothing of what equal simulations are worth.
#[test]
fn a_number_of_simulations_is_not_held_against_the_clock() {
    for (own_limit, faults) in [("", 0), (" ;; first-ms=1 ;; turn-ms=1", 2)] {
        let place = Place::new();
        place.run(&format!(
            "match 'builtin:simulations=400{own_limit}' 'builtin:simulations=1 ;; name=b' --games 2 \
             --side 7 --openings random:2 --first-ms 1 --turn-ms 1 --out out"
        ));
        let games = place.log().1;
        let lost = games.iter().filter(|game| game["fault"].is_object());
        assert_eq!(lost.count(), faults, "{own_limit}");
    }
}
