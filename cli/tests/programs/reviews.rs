//! `hex review` of matches and of records: what it writes, what it refuses, and that a review that
//! was killed ends as if it had not been.

use crate::common::{
    assert_says, ended, ends, lines_of, refused, signal, started, succeed, wait_until, Place,
};
use crate::schema;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

/// A match of two bots that play at random, in the folder `out`, and whether one of them crashes.
fn a_match(place: &Place, games: &str, trouble: &str) {
    let first = format!("--play 1 {trouble} ;; name=a");
    let bots = [&first, "--play 2 ;; name=b"].map(|options| place.bot(options));
    let options = format!("--games {games} --side 5 --openings random:2 --threads 1");
    place.played(&options, &bots);
}

/// `hex review` in the place's folder, so that no name of it stands in the report.
fn review(place: &Place, arguments: &str) -> Command {
    place.hex(&format!("review {arguments}"))
}

/// The report of a review.
fn reviewed(place: &Place, arguments: &str) -> String {
    succeed(&mut review(place, arguments))
}

fn summary(place: &Place, folder: &str) -> Value {
    place.json(format!("{folder}/summary.json"))
}

/// The lines of a log after the first, in some order that is always the same.
fn log(place: &Place, folder: &str) -> BTreeSet<String> {
    let text = place.read(format!("{folder}/review.jsonl"));
    let lines = text.lines().skip(1).map(str::to_owned);
    let set: BTreeSet<String> = lines.collect();
    assert_eq!(set.len(), text.lines().count() - 1, "a game is there twice");
    set
}

#[test]
fn a_killed_review_goes_on_where_it_was() {
    let place = Place::new();
    a_match(&place, "12", "");
    let arguments = |out: &str| format!("out --simulations 200 --threads 1 --out {out}/r");
    place.write("killed/a", "");
    place.write("whole/a", "");
    let whole = reviewed(&place, &arguments("whole"));
    for lines in [1, 4, 8] {
        let mut run = review(&place, &arguments("killed"));
        let mut child = started(&mut run);
        let path = place.at("killed/r/review.jsonl");
        let done = || lines_of(&path);
        let deadline = Instant::now() + Duration::from_secs(30);
        while done() < lines && child.try_wait().unwrap().is_none() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        // As `kill -9`. It may tear the last line.
        child.kill().unwrap();
        child.wait().unwrap();
        let mut torn = fs::OpenOptions::new().append(true).open(&path).unwrap();
        std::io::Write::write_all(&mut torn, b"{\"id\":12,\"posi").unwrap();
    }
    let resumed = reviewed(&place, &arguments("killed"));
    assert_eq!(resumed, whole.replace("whole/r", "killed/r"));
    assert_eq!(log(&place, "killed/r"), log(&place, "whole/r"));
    assert_eq!(summary(&place, "killed/r"), summary(&place, "whole/r"));
    for number in 1..=12 {
        let name = format!("r/sgf/{number:06}.sgf");
        let [one, other] = ["killed", "whole"].map(|out| place.read(format!("{out}/{name}")));
        assert_eq!(one, other);
    }
    // Nothing is left to be analysed; the same report comes.
    assert_eq!(reviewed(&place, &arguments("whole")), whole);
}

#[test]
fn ctrl_c_ends_a_review_that_can_go_on() {
    let place = Place::new();
    a_match(&place, "2", "");
    let mut run = review(&place, "out --simulations 100000000 --out r");
    let child = started(&mut run);
    let path = place.at("r/review.jsonl");
    wait_until("the log is begun", || path.exists());
    std::thread::sleep(Duration::from_millis(200));
    signal("-INT", child.id());
    let output = child.wait_with_output().unwrap();
    ended(&output, 130, &["the same command goes on"]);
}

/// All games of a file are reviewed, in any format.
#[test]
fn games_that_come_together_are_all_reviewed() {
    let place = Place::new();
    let other = GIVEN_AWAY.replace("SZ[5]", "SZ[6]");
    place.write("two.sgf", GIVEN_AWAY.to_owned() + &other);
    let site = include_str!("../../../core/tests/data/site/whole.json");
    place.write("whole.json", site);
    let text = reviewed(&place, "two.sgf whole.json --simulations 10 --out r");
    assert!(text.starts_with("both players: 6 games"), "{text}");
    assert_eq!(log(&place, "r").len(), 3);
}

#[test]
fn faults_and_times_of_a_match_are_told() {
    let place = Place::new();
    a_match(&place, "4", "--trouble say=x@3");
    let text = reviewed(&place, "out --player a --simulations 50 --out r");
    let summary = summary(&place, "r");
    assert_eq!(summary["faults"].as_array().unwrap().len(), 4, "{text}");
    assert_eq!(summary["total"]["lost"], 4);
    let words = ["lost by faults: 4 games", "out game 0: a: illegal move: "];
    assert_says(&text, &words);
    assert!(summary["times"]["count"].as_u64().unwrap() > 0);
    let page = place.read("r/report.html");
    assert_says(&page, &["illegal move: ", "hex web r/sgf/000001.sgf"]);
    // Nobody has chosen the moves of the opening. Other reviews and the page know the remark.
    let again = "r/sgf/000001.sgf --simulations 50 --out again";
    reviewed(&place, again);
    for file in ["r/sgf/000001.sgf", "again/sgf/000001.sgf"] {
        let game = place.read(file);
        assert_eq!(game.matches("C[forced]").count(), 2, "{game}");
    }
}

/// Both players give away a won game in turn, Red last.
const GIVEN_AWAY: &str = "(;FF[4]GM[11]SZ[5]PB[me]PW[you]RE[W+]
;B[c3];W[a5];B[d1];W[e5];B[a1];W[d2];B[b5];W[c2])";

#[test]
fn a_game_that_was_given_away_is_shown_with_the_move_that_did_it() {
    let place = Place::new();
    place.write("game.sgf", GIVEN_AWAY);
    let text = reviewed(&place, "game.sgf --player me --simulations 300 --out r");
    let summary = summary(&place, "r");
    let thrown = &summary["thrown"][0];
    assert_eq!(thrown["move_number"].as_u64().unwrap() % 2, 1, "{text}");
    assert_eq!(thrown["grade"], "??", "{text}");
    assert!(text.contains("hex web r/sgf/000001.sgf"), "{text}");
    let record = place.read("r/sgf/000001.sgf");
    assert_says(&record, &["BM[2]", "better: "]);
    assert!(place.read("r/report.html").contains("<svg"));
    // What the record says of the moves is read again as it was written.
    let tree = hex_core::record::sgf::parse_tree(&record).unwrap();
    assert_eq!(hex_core::record::sgf::write_tree(&tree), record);
}

/// By first stone and swap, then by reply; half a turn of the board makes no other opening.
#[test]
fn openings_are_counted_by_stone_swap_and_reply() {
    let place = Place::new();
    let games = [
        ("PB[me]PW[you]RE[W+]", ";B[a1];W[b3];B[c1]"),
        ("PB[me]PW[you]RE[W+]", ";B[a1];W[d3];B[c1]"),
        ("PB[me]PW[you]RE[W+]", ";B[e5];W[d3];B[c1]"),
        ("PB[me]PW[you]RE[B+]", ";B[a1];W[swap-pieces];B[c3]"),
        ("PB[you]PW[me]RE[B+]", ";B[c3];W[swap-pieces];B[b2]"),
        ("PB[you]PW[me]RE[B+]", ";B[c3];W[swap-pieces];B[d4]"),
    ];
    let games = games.map(|(head, moves)| format!("(;FF[4]GM[11]SZ[5]{head}{moves})\n"));
    place.write("games.sgf", games.concat());
    let text = reviewed(&place, "games.sgf --player me --simulations 10 --out r");
    let counted = |rows: &Value| {
        let rows = rows.as_array().unwrap().iter();
        let row = |row: &Value| format!("{} {}", row["name"].as_str().unwrap(), row["games"]);
        rows.map(row).collect::<Vec<_>>()
    };
    let openings = summary(&place, "r")["openings"].take();
    let first = "a1 not swapped, as Red 3; c3 swapped, as Blue 2; a1 swapped, as Red 1";
    assert_eq!(counted(&openings).join("; "), first);
    let replies = openings.as_array().unwrap().iter();
    let replies: Vec<_> = replies.map(|row| counted(&row["replies"])).collect();
    assert_eq!(replies, [vec!["b3 2", "d3 1"], vec!["b2 2"], vec!["c3 1"]]);
    let lines = text.lines().filter(|line| line.contains("swapped, as"));
    assert_eq!(lines.count(), 3, "{text}");
    assert!(text.contains("\n    then b3 "), "{text}");
    assert!(!text.contains("then d3"), "one game is no habit: {text}");
}

#[test]
fn the_summary_is_as_its_schema_says() {
    let place = Place::new();
    place.write("game.sgf", GIVEN_AWAY);
    a_match(&place, "4", "--trouble say=x@3");
    reviewed(&place, "out game.sgf --simulations 50 --out r");
    let schema = include_str!("../../../docs/review-summary.schema.json");
    schema::check(&summary(&place, "r"), schema, &[]);
}

#[test]
fn bad_input_is_refused_in_a_sentence() {
    let place = Place::new();
    place.write("game.sgf", GIVEN_AWAY);
    place.write("torn.sgf", "(;FF[4]GM[11]SZ[5];B[c3");
    place.write("tiny.sgf", "(;GM[11]SZ[1];B[a1])");
    fs::create_dir(place.at("empty")).unwrap();
    place.write("match/games.jsonl", "{}\n");
    reviewed(&place, "game.sgf --simulations 10 --out r");
    let names = "\"x\" plays none of the games; there are \"me\", \"you\"";
    let other = "this is another review; give the same";
    let log = "match/games.jsonl, line 1: not the log of a match";
    for (arguments, sentence) in [
        ("none.sgf", "cannot read none.sgf"),
        ("torn.sgf", "torn.sgf: line 1"),
        ("tiny.sgf", "does not play on a board of side 1"),
        ("empty", "empty: no game is there"),
        ("match", log),
        ("game.sgf --player x", names),
        ("game.sgf --out match", "is the folder of a match"),
        ("game.sgf --simulations 20 --out r", other),
        ("game.sgf --simulations 0", "\"0\" is not a whole number"),
        ("game.sgf --time 0", "\"0\" is not a number of seconds"),
    ] {
        refused(review(&place, arguments), &[sentence]);
    }
    // A record that cannot be read does not keep the others of its folder from being reviewed.
    let rest = review(&place, ". --simulations 10 --out r");
    ends(rest, 0, &["left out: ./torn.sgf: line 1"]);
}
