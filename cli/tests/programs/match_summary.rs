//! `summary.json` says in numbers what the report says in words.

use crate::common::{assert_says, Place};
use crate::schema;
use serde_json::Value;

fn summary(place: &Place) -> Value {
    place.json("out/summary.json")
}

/// An Elo difference with its sign and one decimal, as in reports.
fn signed(elo: &Value) -> String {
    format!("{:+.1}", elo.as_f64().unwrap())
}

/// The summary of a match of 80 games with a test of 0 and 5: its figures are those of the report.
/// Every field is in the schema with its type, and every field of the schema exists.
pub fn assert_is_right(place: &Place, report: &str) {
    let summary = summary(place);
    let schema = include_str!("../../../docs/match-summary.schema.json");
    // Fields that are there only after what did not happen here.
    schema::check(&summary, schema, &["program_changes", "stopped_by"]);
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
    assert_says(report, &[&format!("gaps of at most {noise:.1} ms")]);
    let header = place.log().0;
    let [told, logged] = [&summary, &header].map(|of| &of["players"][0]["programs"]);
    assert_eq!(told, logged);
}

/// Several players have ratings, and a match without games has no figures.
#[test]
fn ratings_and_nothing() {
    let place = Place::new();
    let bots =
        ["path", "1", "first"].map(|rule| place.bot(&format!("--play {rule} ;; name={rule}")));
    let options = "--games 8 --side 5 --openings random:2";
    place.played(&format!("{options} --only-pairs 0..0"), &bots);
    let begun = summary(&place);
    assert_eq!(begun["games"], 0);
    for figure in ["/pairings/2/elo", "/players/0/rating", "/clock_noise"] {
        assert_eq!(begun.pointer(figure), Some(&Value::Null), "{figure}");
    }
    let report = place.played(&format!("{options} --resume"), &bots);
    let done = summary(&place);
    assert_eq!(done["ended_by"], "games");
    for player in done["players"].as_array().unwrap() {
        let row = format!("{:7}", player["name"].as_str().unwrap());
        let row = report.lines().find(|line| line.starts_with(&row)).unwrap();
        let rating = &player["rating"];
        let [low, high] = ["low", "high"].map(|end| rating[end].as_f64().unwrap());
        let error = format!("{:.1}", (high - low) / 2.0);
        assert!(row.contains(&signed(&rating["elo"])), "{report}");
        assert!(row.contains(&error), "{error} in {report}");
    }
}
