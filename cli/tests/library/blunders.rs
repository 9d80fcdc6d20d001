//! `hex lab blunders` on small tasks: what it prints, that a count goes on where it was, and that
//! bad play is found out.

use crate::common::{assert_says, ended, hex};
use hexbot::network::packing::about;
use std::fs;
use std::process::Output;

fn blunders(args: &[&str]) -> Output {
    let mut command = hex();
    command
        .args(["lab", "blunders"])
        .args(args)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The numbers before and after ` of ` in the line that begins so.
fn counts(report: &str, start: &str) -> (u64, u64) {
    let line = report.lines().find_map(|line| line.strip_prefix(start));
    let line = line.unwrap_or_else(|| panic!("no line {start:?} in\n{report}"));
    let (hits, rest) = line.split_once(" of ").unwrap();
    let trials = rest.split(',').next().unwrap();
    (hits.parse().unwrap(), trials.parse().unwrap())
}

const ENDGAMES: [&str; 6] = ["--side", "5", "--empty", "14", "--positions", "12"];

/// One playout for each move is almost random play.
const WEAK_PLAY: [&str; 6] = [
    "--side",
    "4",
    "--openings",
    "--playouts-only",
    "--simulations",
    "1",
];

#[test]
fn a_good_bot_does_not_blunder_where_chance_does() {
    let args = [&ENDGAMES[..], &["--simulations", "2000"]].concat();
    let output = blunders(&args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report = text(&output.stdout);
    assert_eq!(counts(&report, "blunders: "), (0, 12), "{report}");
    let (random, trials) = counts(&report, "of moves drawn at random: ");
    assert!(random > 0 && trials == 12, "{report}");
    assert_eq!(text(&blunders(&args).stdout), report, "the seed fixes it");
}

/// Whichever thread a position or a game falls to, it is the same.
#[test]
fn several_threads_count_what_one_counts() {
    let openings = ["--side", "4", "--openings", "--playouts-only"];
    for task in [&ENDGAMES[..], &openings] {
        let count = |threads: &str| {
            let args = [task, &["--simulations", "20", "--threads", threads]].concat();
            let output = blunders(&args);
            assert!(output.status.success(), "{}", text(&output.stderr));
            text(&output.stdout)
        };
        let report = count("1");
        assert!(counts(&report, "blunders: ").1 > 0, "{report}");
        assert_eq!(count("3"), report);
    }
}

/// Against every reply there are the positions of random replies and more; all are judged alike.
#[test]
fn every_reply_finds_what_random_ones_find() {
    let count = |more: &[&str]| {
        let report = text(&blunders(&[&WEAK_PLAY[..], more].concat()).stdout);
        let links = report.lines().filter(|line| line.starts_with("https://"));
        let links: Vec<String> = links.map(str::to_owned).collect();
        (counts(&report, "blunders: "), links)
    };
    let ((random_lost, random_tried), _) = count(&[]);
    let ((lost, tried), links) = count(&["--every-reply"]);
    assert!(
        lost >= random_lost && tried > random_tried,
        "{lost} of {tried}"
    );
    assert_eq!(links.len() as u64, lost);
}

/// The policy alone plays the move that it gives most: another one than the search here and there.
#[test]
fn the_policy_alone_plays_without_a_search() {
    let args = ["--side", "5", "--openings", "--policy-alone"];
    let report = text(&blunders(&args).stdout);
    assert!(report.contains("the policy alone, network"), "{report}");
    let (lost, tried) = counts(&report, "blunders: ");
    let random = counts(&report, "of moves drawn at random: ").0;
    assert!(tried > 50 && 10 * lost < random, "{report}");
}

#[test]
fn blunders_are_named_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let drawings = folder.path().join("drawn");
    let args = [&WEAK_PLAY[..], &["--svg", drawings.to_str().unwrap()]].concat();
    let report = text(&blunders(&args).stdout);
    let (found, trials) = counts(&report, "blunders: ");
    assert!(found > 0 && trials > found, "{report}");
    let named = report
        .lines()
        .filter(|line| line.starts_with("https://hexworld.org/board/#4c1,"));
    let named: Vec<&str> = named.collect();
    assert_eq!(named.len() as u64, found);
    assert!(
        named.iter().all(|line| line.contains(" loses, winning: ")),
        "{report}"
    );
    let drawn = fs::read_dir(&drawings)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let drawn = drawn.filter(|path| path.extension().is_some_and(|end| end == "svg"));
    assert_eq!(drawn.count() as u64, found);
    let first = fs::read_to_string(drawings.join("blunder-1.svg")).unwrap();
    assert_says(&first, &["×", "class=\"mark "]);
}

#[test]
fn a_count_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("endgames.txt");
    let args = [
        &ENDGAMES[..],
        // Several threads may keep their results in another order.
        &["--simulations", "50", "--threads", "1"],
        &["--out", file.to_str().unwrap()],
    ]
    .concat();
    let report = text(&blunders(&args).stdout);
    let whole = fs::read_to_string(&file).unwrap();
    // Cut in the middle of a line, or of the first line's "×", as an interruption does.
    for length in [whole.len() * 2 / 3, whole.find('×').unwrap() + 1] {
        fs::write(&file, &whole.as_bytes()[..length]).unwrap();
        assert_eq!(text(&blunders(&args).stdout), report);
        assert_eq!(fs::read_to_string(&file).unwrap(), whole);
    }
    let other = [&args[..], &["--seed", "2"]].concat();
    let words = ["line 1: ", "use another file with --out"];
    ended(&blunders(&other), 2, &words);
}

#[test]
fn impossible_wishes_are_refused() {
    for (args, why) in [
        (
            &["--side", "3", "--empty", "10"][..],
            "choose a smaller --empty",
        ),
        (&["--side", "12", "--openings"], "choose a smaller --side"),
        (&["--every-reply"], "--openings"),
        (
            &["--policy-alone", "--simulations", "5"],
            "cannot be used with",
        ),
        (
            &["--side", "20", "--empty", "9"],
            "is not a side from 2 to 19",
        ),
    ] {
        ended(&blunders(args), 2, &[why]);
    }
}

/// A network is known by what its file says, not by where the file is.
#[test]
fn a_count_is_of_one_network() {
    let shipped = include_bytes!("../../../src/network/shipped.weights");
    let other = [&shipped[..shipped.len() - about(shipped).len()], b"other\n"].concat();
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("same.weights"), shipped).unwrap();
    fs::write(path("other.weights"), other).unwrap();
    let count = |more: &[&str]| {
        let out = path("endgames.txt");
        let fixed = ["--positions", "1", "--simulations", "1", "--out", &out];
        let args = [&["--side", "4", "--empty", "10"], &fixed[..], more].concat();
        blunders(&args)
    };
    ended(&count(&[]), 0, &[]);
    ended(&count(&["--weights", &path("same.weights")]), 0, &[]);
    let other = path("other.weights");
    for more in [&["--playouts-only"][..], &["--weights", &other]] {
        ended(&count(more), 2, &["use another file with --out"]);
    }
}
