//! `summary.json` says in numbers what the report says in words.

use crate::common::{succeed, Place};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

fn summary(place: &Place) -> Value {
    let text = fs::read_to_string(place.path().join("out/summary.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// An Elo difference with its sign and one decimal, as reports tell it.
fn signed(elo: &Value) -> String {
    format!("{:+.1}", elo.as_f64().unwrap())
}

/// The names of all fields, in the form of docs/arena.md: `players[].faults.crash`.
pub fn fields(value: &Value, path: &str, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(name, value)| {
            let dot = if path.is_empty() { "" } else { "." };
            fields(value, &format!("{path}{dot}{name}"), names);
        }),
        Value::Array(list) if list.iter().any(Value::is_object) => {
            list.iter()
                .for_each(|value| fields(value, &format!("{path}[]"), names));
        }
        _ => drop(names.insert(path.to_string())),
    }
}

#[test]
fn the_figures_are_those_of_the_report() {
    let place = Place::new();
    let bots = [
        "--play 8 ;; name=eight",
        "--play 9 --trouble say=x@10 ;; name=nine",
    ];
    let bots = bots.map(|options| place.bot(options));
    let options = "--games 80 --side 5 --openings random:3 --sprt 0,5 --threads 1";
    let report = succeed(&mut place.play(options, &[&bots[0], &bots[1]]));
    let summary = summary(&place);
    let [pairing, test] = [&summary["pairings"][0], &summary["test"]];
    let number = |value: &Value| value.as_u64().unwrap();
    let (wins, losses) = (number(&pairing["wins"]), number(&pairing["losses"]));
    let (pairs, elo) = (&pairing["pairs"], &pairing["elo"]);
    let error = (elo["high"].as_f64().unwrap() - elo["low"].as_f64().unwrap()) / 2.0;
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let [llr, lower, upper] = ["llr", "lower", "upper"].map(|name| test[name].as_f64().unwrap());
    for line in [
        format!(
            "eight vs nine: {wins} - {losses} of {} games",
            number(&pairing["games"])
        ),
        format!(
            "as Red {}-{}, as Blue {}-{}; pairs 2-0: {}, 1-1: {}, 0-2: {}",
            pairing["wins_as_red"],
            pairing["losses_as_red"],
            pairing["wins_as_blue"],
            pairing["losses_as_blue"],
            pairs["won"],
            pairs["split"],
            pairs["lost"]
        ),
        format!("Elo {} ± {error:.1} (95 %)", signed(&elo["elo"])),
        format!("LOS {}", percent(pairing["los"].as_f64().unwrap())),
        format!("LLR {llr:.2} ({lower:.2}, {upper:.2}) [{}, {}]", 0, 5),
        format!(
            "nine   illegal move {}",
            summary["players"][1]["faults"]["illegal move"]
        ),
    ] {
        assert!(report.contains(&line), "no {line:?} in {report}");
    }
    assert_eq!(summary["games"], 80);
    assert_eq!(test["verdict"].is_null(), !report.contains("accepted"));
    assert_eq!(summary["ended_by"], "games");
    let noise = summary["clock_noise"]["worst_gap_ms"].as_f64().unwrap();
    assert!(
        report.contains(&format!("gaps of at most {noise:.1} ms")),
        "{report}"
    );
    let header = place.log().0;
    assert_eq!(
        summary["players"][0]["programs"],
        header["players"][0]["programs"]
    );
}

/// Every field is in the document, and every field of the document exists.
#[test]
fn the_document_names_every_field() {
    let place = Place::new();
    let bots = [
        place.bot("--play 8"),
        place.bot("--play 9 --trouble say=x@10"),
    ];
    let options = "--games 80 --side 5 --openings random:3 --sprt 0,400 --threads 1";
    succeed(&mut place.play(options, &[&bots[0], &bots[1]]));
    let mut names = BTreeSet::new();
    fields(&summary(&place), "", &mut names);
    let document = include_str!("../../../docs/arena.md");
    let schema = document
        .split("## summary.json")
        .nth(1)
        .expect("the chapter");
    let schema = schema.split("\n## ").next().unwrap();
    let mut documented = BTreeSet::new();
    for row in schema.lines().filter(|line| line.starts_with("| `")) {
        let cell = row.split('|').nth(1).unwrap();
        let listed = cell.split('`').skip(1).step_by(2).map(String::from);
        documented.extend(listed);
    }
    // Fields that are there only after what did not happen here.
    let rare =
        |name: &&String| name.starts_with("program_changes") || name.starts_with("stopped_by");
    let documented: BTreeSet<&String> = documented.iter().filter(|name| !rare(name)).collect();
    let names: BTreeSet<&String> = names.iter().filter(|name| !rare(name)).collect();
    assert_eq!(names, documented);
}

/// Several players have ratings, and a match that nobody has played has no figures.
#[test]
fn ratings_and_nothing() {
    let place = Place::new();
    let bots =
        ["path", "1", "first"].map(|rule| place.bot(&format!("--play {rule} ;; name={rule}")));
    let arguments = ["--games", "8", "--side", "5", "--openings", "random:2"];
    let play = |more: &[&str]| {
        let mut hex = place.hex_match(&arguments);
        hex.args(&bots).args(more);
        succeed(&mut hex)
    };
    play(&["--only-pairs", "0..0"]);
    let begun = summary(&place);
    assert_eq!(
        (begun["games"].as_u64(), &begun["pairings"][2]["elo"]),
        (Some(0), &Value::Null)
    );
    assert!(begun["players"][0]["rating"].is_null() && begun["clock_noise"].is_null());
    let report = play(&["--resume"]);
    let done = summary(&place);
    assert_eq!(done["ended_by"], "games");
    for player in done["players"].as_array().unwrap() {
        let row = format!("{:7}", player["name"].as_str().unwrap());
        let row = report.lines().find(|line| line.starts_with(&row)).unwrap();
        assert!(row.contains(&signed(&player["rating"]["elo"])), "{report}");
    }
}
