//! The reports of a match: a transcript of the text, and what the page holds.

mod common;

use common::{succeed, Place};
use std::fs;

/// The text without what the machine's speed decides: times become `#`.
fn without_times(report: &str) -> String {
    let mut in_times = false;
    let mut lines = Vec::new();
    for line in report
        .lines()
        .filter(|line| !line.starts_with("clock noise"))
    {
        if line.is_empty() {
            in_times = false;
        }
        let line = match (in_times, line.split_whitespace().collect::<Vec<_>>()) {
            (true, words) if words.get(2).is_some_and(|word| *word != "-") => {
                let (name, count, late) = (words[0], words[1], words[6]);
                format!("{name} {count} # # # # {late} {}", words[7..].join(" "))
            }
            _ => line.to_string(),
        };
        in_times |= line.starts_with("player ");
        lines.push(line);
    }
    lines.join("\n") + "\n"
}

/// Plays a fixed match of deterministic bots and compares the report with the transcript; the
/// variable UPDATE writes the transcript anew.
fn check(name: &str, arguments: &[&str], players: &[&str]) -> Place {
    let place = Place::new();
    let bots: Vec<String> = players.iter().map(|options| place.bot(options)).collect();
    let report = succeed(place.hex_match(arguments).args(&bots));
    let kept = fs::read_to_string(place.path().join("out/report.txt")).unwrap();
    assert_eq!(report, kept);
    let transcript = format!("{}/tests/data/{name}", env!("CARGO_MANIFEST_DIR"));
    let got = without_times(&report);
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&transcript, &got).unwrap();
    }
    assert_eq!(
        got,
        fs::read_to_string(&transcript).unwrap(),
        "{transcript}"
    );
    place
}

#[test]
fn two_players() {
    let arguments = [
        "--games",
        "80",
        "--side",
        "5",
        "--openings",
        "random:3",
        "--sprt",
        "0,5",
        "--threads",
        "1",
    ];
    let players = [
        "--play 8 ;; name=eight",
        "--play 9 --trouble say=x@10 ;; name=nine",
    ];
    check("report-two.txt", &arguments, &players);
}

#[test]
fn three_players() {
    let arguments = ["--games", "20", "--side", "4", "--openings", "random:2"];
    let players = [
        "--play path ;; name=path",
        "--play 1 ;; name=one",
        "--trouble exit@1 ;; name=dead",
    ];
    check("report-three.txt", &arguments, &players);
}

/// With every first move played, the page has a map of them.
#[test]
fn a_map_of_first_moves() {
    let place = Place::new();
    let bot = place.bot("--play path");
    let arguments = [
        "--games",
        "18",
        "--side",
        "3",
        "--openings",
        "all",
        &bot,
        &bot,
    ];
    succeed(&mut place.hex_match(&arguments));
    let page = fs::read_to_string(place.path().join("out/report.html")).unwrap();
    let map = page
        .split("<h2>First moves</h2>")
        .nth(1)
        .unwrap()
        .split("</section>")
        .next()
        .unwrap();
    assert_eq!(map.matches("class=\"label\"").count(), 9, "{map}");
    assert!(map.contains("2 games at most"), "{map}");
    let place = Place::new();
    let arguments = [
        "--games",
        "2",
        "--side",
        "3",
        "--openings",
        "own",
        &bot,
        &bot,
    ];
    succeed(&mut place.hex_match(&arguments));
    let page = fs::read_to_string(place.path().join("out/report.html")).unwrap();
    assert!(!page.contains("First moves"));
}

#[test]
fn a_page_that_needs_nothing_else() {
    let arguments = ["--games", "4", "--side", "4", "--openings", "random:2"];
    let players = [
        "--play path ;; name=</script><b>{{data}}",
        "--trouble 'say=</script>@2' ;; name=\"quoted\" & co",
    ];
    let place = Place::new();
    let bots = players.map(|options| place.bot(options));
    succeed(place.hex_match(&arguments).args(&bots));
    let page = fs::read_to_string(place.path().join("out/report.html")).unwrap();
    assert!(!page.contains("<b>"), "a name becomes part of the page");
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(
        !page.contains("NaN") && !page.contains("inf,"),
        "a figure is none"
    );
    assert!(!page.contains("src=") && !page.contains("@import") && !page.contains("url("));
    assert!(!page.contains("{{") || page.matches("{{").count() == page.matches("{{data}}").count());
    let begin = page.find("id=\"data\">").unwrap() + "id=\"data\">".len();
    let end = begin + page[begin..].find("</script>").unwrap();
    let data: serde_json::Value = serde_json::from_str(&page[begin..end]).unwrap();
    assert_eq!(data["players"][0], "</script><b>{{data}}");
    let games = data["games"].as_array().unwrap();
    assert_eq!(games.len(), 4);
    assert!(games[0]["link"]
        .as_str()
        .unwrap()
        .starts_with("https://hexworld.org/board/#4c1,"));
    assert!(games
        .iter()
        .all(|game| game["moves"].as_array().unwrap().len() >= 2));
}
