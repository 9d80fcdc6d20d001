//! `hex lab blunders` on small tasks: what it prints, that a count goes on where it was, and that
//! bad play is found out.

use crate::common::{assert_says, ended, ends, refused, Place};
use hexbot::network::packing::about;
use std::fs;

/// What `hex lab blunders` prints. "1 simulations a move" is a condition of a count, not a
/// sentence.
fn report_in(place: &Place, words: &str) -> String {
    let output = place
        .hex(&format!("lab blunders {words}"))
        .output()
        .unwrap();
    ended(&output, 0, &[]);
    String::from_utf8(output.stdout).unwrap()
}

fn report(words: &str) -> String {
    report_in(&Place::new(), words)
}

/// The numbers before and after ` of ` in the line that begins so.
fn counts(report: &str, start: &str) -> (u64, u64) {
    let line = report.lines().find_map(|line| line.strip_prefix(start));
    let line = line.unwrap_or_else(|| panic!("no line {start:?} in\n{report}"));
    let (hits, rest) = line.split_once(" of ").unwrap();
    let trials = rest.split(',').next().unwrap();
    (hits.parse().unwrap(), trials.parse().unwrap())
}

const ENDGAMES: &str = "--side 5 --empty 14 --positions 12";

/// One playout for each move is almost random play.
const WEAK_PLAY: &str = "--side 4 --openings --playouts-only --simulations 1";

#[test]
fn a_good_bot_does_not_blunder_where_chance_does() {
    let words = format!("{ENDGAMES} --simulations 2000");
    let told = report(&words);
    assert_eq!(counts(&told, "blunders: "), (0, 12), "{told}");
    let (random, trials) = counts(&told, "of moves drawn at random: ");
    assert!(random > 0 && trials == 12, "{told}");
    assert_eq!(report(&words), told, "the seed fixes it");
}

/// Whichever thread a position or a game falls to, it is the same.
#[test]
fn several_threads_count_what_one_counts() {
    for task in [ENDGAMES, "--side 4 --openings --playouts-only"] {
        let [one, several] = ["1", "3"]
            .map(|threads| report(&format!("{task} --simulations 20 --threads {threads}")));
        assert!(counts(&one, "blunders: ").1 > 0, "{one}");
        assert_eq!(several, one);
    }
}

/// Against every reply there are the positions of random replies and more; all are judged alike.
#[test]
fn every_reply_finds_what_random_ones_find() {
    let [random, every] = ["", "--every-reply"].map(|more| report(&format!("{WEAK_PLAY} {more}")));
    let (random_lost, random_tried) = counts(&random, "blunders: ");
    let (lost, tried) = counts(&every, "blunders: ");
    assert!(
        lost >= random_lost && tried > random_tried,
        "{lost} of {tried}"
    );
    let links = every.lines().filter(|line| line.starts_with("https://"));
    assert_eq!(links.count() as u64, lost);
}

/// The policy alone plays the move that it gives most: another one than the search here and there.
#[test]
fn the_policy_alone_plays_without_a_search() {
    let report = report("--side 5 --openings --policy-alone");
    assert!(report.contains("the policy alone, network"), "{report}");
    let (lost, tried) = counts(&report, "blunders: ");
    let random = counts(&report, "of moves drawn at random: ").0;
    assert!(tried > 50 && 10 * lost < random, "{report}");
}

#[test]
fn blunders_are_named_and_drawn() {
    let place = Place::new();
    let report = report_in(&place, &format!("{WEAK_PLAY} --svg drawn"));
    let (found, trials) = counts(&report, "blunders: ");
    assert!(found > 0 && trials > found, "{report}");
    let is_named = |line: &&str| line.starts_with("https://hexworld.org/board/#4c1,");
    let named: Vec<&str> = report.lines().filter(is_named).collect();
    assert_eq!(named.len() as u64, found);
    let is_told = |line: &&str| line.contains(" loses, winning: ");
    assert!(named.iter().all(is_told), "{report}");
    let drawn = fs::read_dir(place.at("drawn")).unwrap().flatten();
    let drawn = drawn.filter(|entry| entry.path().extension().is_some_and(|end| end == "svg"));
    assert_eq!(drawn.count() as u64, found);
    assert_says(&place.read("drawn/blunder-1.svg"), &["×", "class=\"mark "]);
}

#[test]
fn a_count_goes_on_where_it_was() {
    let place = Place::new();
    // Several threads may keep their results in another order.
    let words = format!("{ENDGAMES} --simulations 50 --threads 1 --out endgames.txt");
    let report = report_in(&place, &words);
    let whole = place.read("endgames.txt");
    // Cut in the middle of a line, or of the first line's "×", as an interruption does.
    for length in [whole.len() * 2 / 3, whole.find('×').unwrap() + 1] {
        place.write("endgames.txt", &whole.as_bytes()[..length]);
        assert_eq!(report_in(&place, &words), report);
        assert_eq!(place.read("endgames.txt"), whole);
    }
    let other = place.hex(&format!("lab blunders {words} --seed 2"));
    refused(other, &["line 1: ", "use another file with --out"]);
}

#[test]
fn impossible_wishes_are_refused() {
    for (words, why) in [
        ("--side 3 --empty 10", "choose a smaller --empty"),
        ("--side 12 --openings", "choose a smaller --side"),
        ("--every-reply", "--openings"),
        ("--policy-alone --simulations 5", "cannot be used with"),
        ("--side 20 --empty 9", "is not a side from 2 to 19"),
    ] {
        refused(Place::new().hex(&format!("lab blunders {words}")), &[why]);
    }
}

/// A network is known by what its file says, not by where the file is.
#[test]
fn a_count_is_of_one_network() {
    let shipped = include_bytes!("../../../src/network/shipped.weights");
    let other = [&shipped[..shipped.len() - about(shipped).len()], b"other\n"].concat();
    let place = Place::new();
    place.write("same.weights", shipped);
    place.write("other.weights", other);
    let fixed = "lab blunders --side 4 --empty 10 --positions 1 --simulations 1 --out endgames.txt";
    let count = |more: &str| place.hex(&format!("{fixed} {more}"));
    ends(count(""), 0, &[]);
    ends(count("--weights same.weights"), 0, &[]);
    for more in ["--playouts-only", "--weights other.weights"] {
        refused(count(more), &["use another file with --out"]);
    }
}
