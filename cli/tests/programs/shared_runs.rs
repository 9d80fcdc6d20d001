//! One run of `hex match` or `hex lab selfplay` shared among several machines: each plays a span of
//! it.

use crate::common::{refused, succeed, Place};
use serde_json::Value;
use std::fs;

/// The opening and the players of each game, by its number.
fn fixtures(games: &[Value]) -> Vec<(u64, Value, Value, Value)> {
    let fixture = |game: &Value| {
        let stones = game["opening"].as_u64().unwrap() as usize;
        let opening = game["moves"].as_array().unwrap()[..stones].to_vec();
        let (red, blue) = (game["red"].clone(), game["blue"].clone());
        (game["id"].as_u64().unwrap(), opening.into(), red, blue)
    };
    let mut all: Vec<_> = games.iter().map(fixture).collect();
    all.sort_by_key(|fixture| fixture.0);
    all
}

const MATCH: &str = "--games 8 --side 5 --openings random:3 --threads 2";

#[test]
fn spans_of_pairs_make_up_a_match() {
    let bots = |place: &Place| [place.bot("--play path"), place.bot("--play 3")];
    let play = |only: &str| {
        let place = Place::new();
        let report = place.played(&format!("{MATCH} {only}"), &bots(&place));
        (fixtures(&place.log().1), report, place)
    };
    let (whole, _, _) = play("");
    let (first, report, _) = play("--only-pairs 0..1");
    let (rest, _, _) = play("--only-pairs 1..4");
    assert_eq!(first.len(), 2);
    assert_eq!(rest.len(), 6);
    assert!([first, rest].concat() == whole);
    assert!(report.contains("of 2 games"), "{report}");
    // An empty span begins a match and plays nothing; the same match goes on from there.
    let (none, report, place) = play("--only-pairs 0..0");
    assert!(
        none.is_empty() && !report.contains("clock noise"),
        "{report}"
    );
    for (only, games) in [("2..3", 2), ("0..4", 8), ("3..3", 8)] {
        let options = format!("{MATCH} --resume --only-pairs {only}");
        place.played(&options, &bots(&place));
        assert_eq!(place.log().1.len(), games, "{only}");
    }
}

#[test]
fn spans_that_make_no_sense_are_refused() {
    let place = Place::new();
    let bots = [place.bot(""), place.bot("--play 3")];
    for (only, why) in [
        ("3..5", "the match has 4 pairs, give 0..4 at most"),
        ("2..1", "is not FROM..TO"),
        ("2", "is not FROM..TO"),
        ("a..2", "is not FROM..TO"),
    ] {
        let options = format!("{MATCH} --only-pairs {only}");
        refused(place.play(&options, &bots), &[why]);
    }
}

#[test]
fn a_note_ends_the_report() {
    let place = Place::new();
    let bots = [place.bot(""), place.bot("--play 3")];
    place.write("note.txt", "of node one <nothing>\n");
    let mut command = place.play("--games 2 --side 4 --openings all --note note.txt", &bots);
    let report = succeed(command.current_dir(place.path()));
    assert!(report.ends_with("of node one <nothing>\n"), "{report}");
    let page = place.read("out/report.html");
    assert!(page.contains("of node one &lt;nothing&gt;"));
}

#[test]
fn spans_of_shards_make_up_a_run() {
    let place = Place::new();
    let selfplay = |out: &str, only: &str| {
        place.run(&format!(
            "lab selfplay --side 4 --shards 4 --games 2 --simulations 50 --fast-simulations 20 \
             --random-stones 2 --playouts-only --out {out} {only}"
        ));
    };
    let shards = |out: &str| {
        let read = |number| fs::read(place.at(out).join(format!("{number:06}.bin")));
        [0, 1, 2, 3].map(|number| read(number).ok())
    };
    selfplay("whole", "");
    selfplay("part", "--only-shards 1..3");
    let [whole, part] = [shards("whole"), shards("part")];
    assert!(whole.iter().all(Option::is_some));
    assert!(part[0].is_none() && part[3].is_none());
    assert!(part[1..3] == whole[1..3]);
    selfplay("part", "--only-shards 0..0");
    assert!(shards("part") == part);
    selfplay("part", "");
    assert!(shards("part") == whole);
}
