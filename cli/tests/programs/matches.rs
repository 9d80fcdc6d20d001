//! Whole matches: pairs, seeds, tests that stop them, interruption and resumption, several players.

use crate::common::{assert_says, ended, refused, side_by_side, started, succeed, Place};
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

fn opening(game: &Value) -> Vec<Value> {
    let count = game["opening"].as_u64().unwrap() as usize;
    game["moves"].as_array().unwrap()[..count].to_vec()
}

#[test]
fn pairs_share_an_opening_with_colours_exchanged() {
    for mode in ["all", "random:4", "own"] {
        let place = Place::new();
        let bots = [place.bot(""), place.bot("--play 7")];
        place.played(&format!("--games 10 --side 5 --openings {mode}"), &bots);
        place.assert_each("/seed", 1);
        let games = Vec::from_iter(place.games().into_values());
        for pair in games.chunks(2) {
            assert_eq!(opening(&pair[0]), opening(&pair[1]), "{mode}");
            let [one, other] = [&pair[0], &pair[1]];
            assert_eq!((&one["red"], &one["blue"]), (&other["blue"], &other["red"]));
        }
        let different: BTreeSet<String> =
            games.iter().map(|g| format!("{:?}", opening(g))).collect();
        assert_eq!(different.len(), if mode == "own" { 1 } else { 5 }, "{mode}");
        if mode == "all" {
            place.assert_each("/moves/1", "swap-pieces");
        }
    }
}

#[test]
fn the_seed_replays_the_openings() {
    let [one, same, other] = ["5", "5", "6"].map(|seed| {
        let place = Place::new();
        let bot = place.bot("");
        let options = format!("--games 4 --seed {seed} --threads 2");
        place.played(&options, &[&bot, &bot]);
        let games = Vec::from_iter(place.games().into_values());
        games.iter().map(opening).collect::<Vec<_>>()
    });
    assert_eq!(one, same);
    assert_ne!(one, other);
}

/// Their copies are no evidence: the test has no verdict, and the match ends when nothing else
/// comes.
#[test]
fn repeated_games_decide_no_test() {
    let place = Place::new();
    place.write("openings.txt", "a1\nb2\n");
    let openings = place.at("openings.txt");
    let options = format!(
        "--side 5 --openings file:{} --sprt 0,10 --threads 2",
        openings.display()
    );
    let bots = [place.bot(""), place.bot("--play path")];
    let report = place.played(&options, &bots);
    assert!(!report.contains("accepted"), "{report}");
    assert_says(&report, &["pairs of games only repeated earlier ones"]);
    let score = |report: &str| report.lines().take(5).map(String::from).collect::<Vec<_>>();
    let pairs = score(&report)[1].clone();
    let counts = pairs.split("pairs ").nth(1).unwrap().split(", ");
    let counts = counts.map(|count| count.rsplit(' ').next().unwrap().parse::<u64>().unwrap());
    assert_eq!(counts.sum::<u64>(), 2, "{report}");
    let games = place.log().1.len();
    assert!((104..110).contains(&games), "{games} games");
    // There is nothing left to do.
    let again = succeed(place.play(&options, &bots).arg("--resume"));
    assert_eq!(score(&again), score(&report));
    assert_eq!(place.log().1.len(), games);
}

/// Two equal players: no test may find a difference. The bots are deterministic, so is the match.
#[test]
fn an_a_a_match_does_not_accept() {
    let place = Place::new();
    let bots = [place.bot("--play 11"), place.bot("--play 22")];
    let options = "--games 400 --side 5 --openings random:3 --sprt 0,60 --threads 2";
    let report = place.played(options, &bots);
    assert!(!report.contains("H1 accepted"), "{report}");
    assert!(report.contains("LLR"), "{report}");
}

/// The bounds of a test are fixed before the match, so that it cannot be stopped at a favourable
/// moment.
#[test]
fn a_test_is_resumed_with_its_own_bounds() {
    let place = Place::new();
    let bots = [place.bot("--play 11"), place.bot("--play 22")];
    let options = "--games 8 --side 5 --openings random:3 --threads 1";
    let play = |more: &str| place.play(&format!("{options} {more}"), &bots);
    let report = succeed(&mut play("--sprt 0,60"));
    assert_says(&report, &["the test has no verdict after all 8 games"]);
    assert_eq!(place.log().0["sprt"]["elo1"], 60.0);
    let log = place.log();
    for other in ["--sprt 0,50", "--sprt 0,60 --alpha 0.1", ""] {
        let resumed = play(&format!("{other} --resume"));
        refused(resumed, &["seed, limits and test"]);
    }
    assert_eq!(place.log(), log);
    succeed(&mut play("--sprt 0,60 --resume"));
}

/// A verdict that crashes have brought about says so in its line.
#[test]
fn a_verdict_names_the_faults_it_rests_on() {
    let place = Place::new();
    let bots = [place.bot(""), place.bot("--trouble crash@2")];
    let options = "--games 200 --side 5 --openings random:3 --sprt 0,100 --threads 2";
    let report = place.played(options, &bots);
    let verdict = report.lines().find(|line| line.contains("H1 accepted"));
    let verdict = verdict.unwrap_or_else(|| panic!("no verdict: {report}"));
    assert_says(verdict, &["faults, not play, decided", "(crash "]);
}

/// A clear difference is found, long before all games are played.
#[test]
fn a_better_player_is_accepted_early() {
    let place = Place::new();
    let bots = [place.bot("--play path"), place.bot("--play 3")];
    let options = "--games 1000 --side 6 --openings random:2 --sprt 0,100";
    let report = place.played(options, &bots);
    assert!(report.contains("H1 accepted"), "{report}");
    let games = place.log().1.len();
    assert!((60..200).contains(&games), "{games} games\n{report}");
}

#[test]
fn round_robin_and_gauntlet() {
    for (schedule, pairings) in [("round-robin", 3), ("gauntlet", 2)] {
        let place = Place::new();
        let bots =
            ["path", "1", "first"].map(|rule| place.bot(&format!("--play {rule} ;; name={rule}")));
        let options = "--games 20 --side 5 --openings random:2 --schedule";
        let report = place.played(&format!("{options} {schedule}"), &bots);
        let games = Vec::from_iter(place.games().into_values());
        assert_eq!(games.len(), 20 * pairings);
        // All pairings of a round have the same opening.
        for round in games.chunks(2 * pairings) {
            assert!(round.iter().all(|game| opening(game) == opening(&round[0])));
        }
        assert_eq!(report.matches(" vs ").count(), pairings, "{report}");
        let table: Vec<&str> = report.lines().take(4).collect();
        assert!(table[0].starts_with("rating"), "{report}");
        assert!(table[1].starts_with("path"), "{report}");
    }
}

/// A GTP engine that means something else by a swap meets a CodinGame bot; both swap when they can.
#[test]
fn swaps_are_translated() {
    for (rule, side) in [("5", "5"), ("first", "4"), ("path", "7")] {
        let place = Place::new();
        let gtp = format!("gtp:{}", place.bot(&format!("--gtp --swap --play {rule}")));
        let bot = place.bot(&format!("--swap --play {rule}"));
        let options = format!("--games 2 --side {side} --openings own");
        place.played(&options, &[&gtp, &bot]);
        place.assert_each("/reason", "connection");
        place.assert_each("/moves/1", "swap-pieces");
        // Forced openings are already swapped: a second swap is not allowed.
        let place = Place::new();
        let options = format!("--games 6 --side {side} --openings all");
        place.played(&options, &[&gtp, &bot]);
        place.assert_each("/reason", "connection");
    }
}

#[test]
fn interrupted_with_a_report() {
    let signals = [("-INT", 130), ("-TERM", 143), ("-HUP", 129)];
    side_by_side(&signals, |&(signal, status)| interrupt(signal, status));
}

/// Sends a match this signal, which must end it with a report and this status.
fn interrupt(signal: &str, status: i32) {
    let place = Place::new();
    let stalling = place.bot("--trouble stall@9 --stubborn ;; turn-ms=600000");
    let options = "--games 1000 --side 7 --openings random:2";
    let child = started(&mut place.play(options, &[stalling, place.bot("")]));
    // The bot stalls within a long limit: the match waits for it.
    place.wait_for_lines(1);
    std::thread::sleep(Duration::from_millis(300));
    let begin = Instant::now();
    crate::common::signal(signal, child.id());
    let output = child.wait_with_output().unwrap();
    let took = begin.elapsed();
    assert!(took < Duration::from_secs(20), "it waited for the bot");
    ended(&output, status, &["--resume goes on", " vs "]);
    let summary = place.json("out/summary.json");
    assert_eq!(summary["games"], place.log().1.len());
    assert_eq!(summary["ended_by"], Value::Null);
    place.assert_no_process_left();
}

#[test]
fn a_finished_folder_is_not_overwritten() {
    let place = Place::new();
    let bot = place.bot("");
    let play = || place.play("--games 2 --side 4 --openings all", &[&bot, &bot]);
    succeed(&mut play());
    refused(play(), &["--resume"]);
    // Another match cannot go on with it.
    refused(play().args(["--seed", "2", "--resume"]), &["another match"]);
    // A broken line is named.
    let text = place
        .read("out/games.jsonl")
        .replacen("\"id\":0", "\"id\":zero", 1);
    place.write("out/games.jsonl", text);
    refused(play().arg("--resume"), &["games.jsonl, line 2: "]);
}

/// A match ends early for a player that does not answer in any game, and for no other fault.
#[test]
fn a_player_that_cannot_play_ends_the_match() {
    let place = Place::new();
    let mute = "sh -c 'echo error: no such knob foo >&2; echo a hint >&2; exit 2' ;; name=mute";
    let options = "--games 100 --side 4 --openings all";
    let hundred = place.play(options, &[mute, &place.bot("")]);
    let never = "\"mute\" never answered in 4 games";
    refused(hundred, &[never, "no such knob foo", "--out"]);
    let games = place.log().1.len();
    assert!((4..10).contains(&games), "{games} games");
    // One that fails after an answer plays on.
    let place = Place::new();
    let bots = [place.bot("--trouble crash@2"), place.bot("")];
    place.played("--games 10 --side 4 --openings all", &bots);
}

/// An engine that refuses a line of its set-up takes no time to lose hundreds of games.
#[test]
fn a_player_that_refuses_everything_ends_the_match() {
    let place = Place::new();
    let engine = place.bot("--gtp ;; name=refuses ;; no-such-command");
    let bots = [format!("gtp:{engine}"), place.bot("")];
    let hundred = place.play("--games 100 --side 4 --openings all", &bots);
    let never = "\"refuses\" never answered in 4 games";
    refused(hundred, &[never, "no-such-command"]);
}

/// A file of openings may change between a match and its resumption; pairs would then not be pairs.
#[test]
fn a_match_goes_on_with_the_openings_it_began_with() {
    let place = Place::new();
    let openings = place.at("openings.txt").display().to_string();
    let bots = [place.bot(""), place.bot("--play path")];
    let options = format!("--side 5 --openings file:{openings} --games");
    let play = |more: &str| place.play(&format!("{options} {more}"), &bots);
    place.write("openings.txt", "a1\nb2\n");
    succeed(&mut play("2"));
    // Comments and a byte order mark change nothing.
    place.write("openings.txt", "\u{feff}a1 # the corner\n\nb2\n");
    succeed(&mut play("4 --resume"));
    place.write("openings.txt", "c1\nd2\n");
    let words = "this is another match; give the same players, openings";
    refused(play("6 --resume"), &[words]);
    assert_eq!(place.log().1.len(), 4);
}

#[test]
fn sgf_of_every_game() {
    use hex_core::record::{sgf, Ending};
    let place = Place::new();
    let bots = [";; name=A]", "--trouble say=z@4 ;; name=B"].map(|options| place.bot(options));
    place.played("--games 4 --side 5 --openings random:2", &bots);
    for line in place.log().1 {
        let id = line["id"].as_u64().unwrap();
        let game = sgf::parse(&place.read(format!("out/sgf/{id:06}.sgf"))).unwrap();
        let moves = game.turns().iter().map(|turn| turn.action.to_string());
        assert_eq!(line["moves"], moves.collect::<Value>());
        let outcome = game.outcome().unwrap();
        assert_eq!(line["winner"], outcome.winner.to_string());
        let by_fault = line["fault"].is_object();
        assert_eq!(outcome.ending == Ending::Forfeit, by_fault);
        let names = game.players.iter().map(String::as_str);
        assert_eq!(names.collect::<BTreeSet<_>>(), ["A]", "B"].into());
        assert!(game.turns()[3].comment.contains(" ms; at your service"));
        // Moves that the match made have no clock, others what was left of 20 s.
        let times = line["times_ms"].as_array().unwrap();
        for (turn, time) in game.turns().iter().zip(times) {
            let (own, other) = (turn.color.index(), turn.color.opponent().index());
            let left = turn.clocks[own].parse::<f64>().ok();
            let wanted = time.as_f64().map(|ms| 20.0 - ms / 1e3);
            assert_eq!(left.is_some(), wanted.is_some(), "{turn:?} {time}");
            let difference = left.unwrap_or(0.0) - wanted.unwrap_or(0.0);
            assert!(difference.abs() < 0.002, "{turn:?}");
            assert_eq!(turn.clocks[other], "");
        }
    }
}
