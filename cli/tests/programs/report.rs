//! The reports of a match: a transcript of the text, and what the page holds.

use crate::common::{assert_says, without_times, Place};
use crate::match_summary;
use std::collections::BTreeSet;
use std::fs;

/// Plays a fixed match of deterministic bots and compares the report with the transcript; the
/// variable UPDATE writes the transcript anew.
fn check(name: &str, options: &str, players: &[&str]) -> (Place, String) {
    let place = Place::new();
    let bots: Vec<String> = players.iter().map(|player| place.bot(player)).collect();
    let report = place.played(options, &bots);
    let kept = place.read("out/report.txt");
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
    (place, report)
}

#[test]
fn two_players() {
    let arguments = "--games 80 --side 5 --openings random:3 --sprt 0,5 --threads 1";
    let players = [
        "--play 8 ;; name=eight",
        "--play 9 --trouble say=x@10 ;; name=nine",
    ];
    let (place, report) = check("report-two.txt", arguments, &players);
    match_summary::assert_is_right(&place, &report);
}

#[test]
fn three_players() {
    let arguments = "--games 20 --side 4 --openings random:2";
    let players = [
        "--play path ;; name=path",
        "--play 1 ;; name=one",
        "--trouble exit@2 ;; name=dead",
    ];
    check("report-three.txt", arguments, &players);
}

/// With every first move played, the page has a map of them.
#[test]
fn a_map_of_first_moves() {
    let [all, own] = ["--games 18 --openings all", "--games 2 --openings own"].map(|options| {
        let place = Place::new();
        let bot = place.bot("--play path");
        place.played(&format!("--side 3 {options}"), &[&bot, &bot]);
        place.read("out/report.html")
    });
    let map = all.split("<h2>First moves</h2>").nth(1).unwrap();
    let map = map.split("</section>").next().unwrap();
    assert_eq!(map.matches("class=\"label\"").count(), 9, "{map}");
    assert!(map.contains("2 games at most"), "{map}");
    assert!(!own.contains("First moves"));
}

#[test]
fn a_page_that_needs_nothing_else() {
    let arguments = "--games 4 --side 4 --openings random:2";
    let players = [
        "--play path ;; name=</script><b>{{data}}",
        "--trouble 'say=</script>@2' ;; name=\"quoted\" & co",
    ];
    let place = Place::new();
    let bots = players.map(|options| place.bot(options));
    place.played(arguments, &bots);
    let page = place.read("out/report.html");
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
    let link = games[0]["link"].as_str().unwrap();
    assert!(link.starts_with("https://hexworld.org/board/#4c1,"));
    let mut lengths = games
        .iter()
        .map(|game| game["moves"].as_array().unwrap().len());
    assert!(lengths.all(|length| length >= 2));
}

/// The rows of the table of answer times: player, kind, count, limit, p50, p99, p99.9, max,
/// headroom, late.
fn times(report: &str) -> Vec<Vec<String>> {
    let rows = report
        .lines()
        .skip_while(|line| !line.contains("headroom"))
        .skip(1);
    let rows = rows.take_while(|line| !line.is_empty()).map(|line| {
        let words = line.split_whitespace().map(String::from);
        words.collect::<Vec<String>>()
    });
    rows.collect()
}

/// A slow first answer is not lost among many fast ones, and either is held against its own limit.
#[test]
fn first_answers_have_figures_of_their_own() {
    let place = Place::new();
    let slow = place.bot("--trouble late=200@1 ;; name=slow ;; first-ms=30000");
    let arguments = "--games 4 --side 6 --openings random:2";
    let report = place.played(arguments, &[&slow, &place.bot("")]);
    let rows = times(&report);
    assert_eq!(rows.len(), 4, "{report}");
    let number = |text: &str| text.parse::<f64>().unwrap();
    let (first, later) = (&rows[0][1..], &rows[1]);
    assert_eq!(rows[0][0], "slow");
    assert_eq!(
        (&first[0][..], &first[1][..], &first[2][..]),
        ("first", "4", "30000")
    );
    assert_eq!((&later[0][..], &later[2][..]), ("later", "20000"));
    assert!(number(&first[3]) >= 200.0, "{report}");
    assert!(number(&later[3]) < 200.0, "{report}");
    for row in [first, later] {
        let (limit, max, headroom) = (number(&row[2]), number(&row[6]), number(&row[7]));
        assert!((limit - max - headroom).abs() < 0.11, "{report}");
    }
    let page = place.read("out/report.html");
    for kind in ["first", "later"] {
        assert!(page.contains(&format!("{kind} answers of slow")), "{kind}");
    }
    for figure in &first[3..8] {
        assert!(page.contains(&format!("<td>{figure}</td>")), "{figure}");
    }
}

/// A name as long as a page, with line breaks and a terminal's commands in it.
#[test]
fn a_long_name_does_not_break_the_report() {
    let place = Place::new();
    let long = "very ".repeat(100) + "long";
    let player = |end: &str| {
        let bot = place.bot("");
        format!("[[player]]\nname = \"{long}/\\n\\u001b[31m{end}\"\ncommand = '{bot}'\n")
    };
    place.write("players.toml", player("one") + &player("two"));
    let limits = crate::common::PATIENT.join(" ");
    let report = place.run(&format!(
        "match --players players.toml --games 2 --side 3 --openings all {limits}"
    ));
    let widest = report.lines().map(|line| line.chars().count()).max();
    assert!(widest < Some(130), "{report}");
    assert!(!report.contains('\u{1b}'), "{report}");
    let starts: Vec<String> = times(&report).iter().map(|row| row[0].clone()).collect();
    assert_eq!(starts, ["very", "later", "very", "later"], "{report}");
    let columns = report.lines().filter_map(|line| line.split_once(" 20000 "));
    let columns = columns.map(|(before, _)| before.chars().count());
    assert_eq!(columns.collect::<BTreeSet<_>>().len(), 1, "{report}");
    assert_says(&report, &["31mone vs very", "31mtwo: "]);
    let folders = fs::read_dir(place.at("results")).unwrap();
    assert_eq!(folders.count(), 1);
}
