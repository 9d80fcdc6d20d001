//! `hex tune` from start to end: it finds what is better, goes on where it was, and says what is
//! wrong.

use crate::common::{assert_says, hex, refused, succeed, Place, BOT, PATIENT};
use serde_json::Value;
use std::process::Command;

/// `hex tune` on a small board, its folder in this place.
fn tune(place: &Place, player: &str, options: &str) -> Command {
    let mut command = hex();
    command.args(["tune", player]).args(PATIENT);
    command.args(["--side", "5", "--openings", "random:2", "--threads", "2"]);
    command.arg("--out").arg(place.at("out"));
    command.args(options.split_whitespace());
    command
}

/// The lines of the log: the header, then the pairs.
fn log(place: &Place) -> Vec<Value> {
    place.json_lines("out/pairs.jsonl")
}

const SIMULATIONS: &str = "builtin:preset=playouts-only,simulations={n},seed=1";

#[test]
fn more_simulations_are_found_to_be_better() {
    let place = Place::new();
    let options = "--vary n=1..4..64:whole --games 200";
    let printed = succeed(&mut tune(&place, SIMULATIONS, options));
    let row = printed.lines().find(|line| line.starts_with("n ")).unwrap();
    let words: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(words[1..4], ["1", "4", "64"], "{printed}");
    let best: u32 = words[4].parse().unwrap();
    assert!(best >= 16, "{printed}");
    let player =
        |n, name| format!("'builtin:preset=playouts-only,simulations={n},seed=1 ;; name={name}'");
    let advice = format!(
        "hex match {} {} --openings random:2 --side 5 --first-ms",
        player(best, "best"),
        player(4, "now")
    );
    let elo = "best against current values by the surface: Elo +";
    assert_says(&printed, &[elo, &advice]);
    let lines = log(&place);
    assert_eq!(lines.len(), 1 + 100);
    assert_eq!(lines[0]["vary"][0], "n=1..4..64:whole");
    let is_whole = |pair: &Value| pair["values"][0].as_f64().unwrap().fract() == 0.0;
    assert!(lines[1..].iter().all(is_whole));
    let page = place.read("out/report.html");
    assert!(page.contains("Elo against now by n") && page.contains(&best.to_string()));
    assert_eq!(place.read("out/report.txt"), printed);
}

/// The ends of the range would do, the values between would not.
#[test]
fn whole_numbers_that_are_not_said_to_be_whole_are_refused() {
    let place = Place::new();
    refused(
        tune(&place, SIMULATIONS, "--vary n=1..4..64"),
        &["need :whole behind the range"],
    );
    assert!(!place.at("out").exists());
}

#[test]
fn it_goes_on_where_it_was_and_with_nothing_else() {
    let place = Place::new();
    let vary = "--vary n=1..4..8:whole";
    let tuned = |options: &str| tune(&place, SIMULATIONS, options);
    succeed(&mut tuned(&format!("{vary} --games 10")));
    let first = log(&place);
    succeed(&mut tuned(&format!("{vary} --games 24 --resume")));
    let all = log(&place);
    assert_eq!(all[..6], first[..]);
    let ids = all[1..].iter().map(|pair| pair["id"].as_u64().unwrap());
    let mut ids: Vec<u64> = ids.collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..12).collect::<Vec<u64>>());
    let again = format!("{vary} --games 10");
    let other = format!("{vary} --seed 2 --resume");
    for (options, wanted) in [
        (&again[..], "resume it with --resume"),
        ("--vary n=1..4..9:whole --resume", "this is another tuning"),
        (&other, "give the same player, parameters"),
    ] {
        refused(tuned(options), &[wanted]);
    }
    assert_eq!(log(&place), all, "nothing is lost by a refusal");
    let text = place
        .read("out/pairs.jsonl")
        .replace("\"wins\":", "\"wins\":7");
    place.write("out/pairs.jsonl", text);
    let words = ["pairs.jsonl, line 2: pair ", "games won of 2"];
    refused(tuned(&format!("{vary} --resume")), &words);
}

#[test]
fn what_cannot_be_tuned_is_told_before_anything_is_played() {
    let bot = format!("{BOT} --play {{n}}");
    let twice = "--vary n=1..2..3 --vary n=1..2..4";
    let odd = "--vary n=1..2..3:whole --games 7";
    let whole = "--vary n=1..2..3:whole";
    let none = "there is no tuning to resume";
    for (player, options, wanted) in [
        (SIMULATIONS, "", "--vary"),
        (
            SIMULATIONS,
            "--vary c=1..2..3",
            "write {c} in place of its value",
        ),
        (SIMULATIONS, twice, "--vary n is given twice"),
        (
            SIMULATIONS,
            "--vary n=1..2.5..3 --games 2",
            "simulations=2.5",
        ),
        (SIMULATIONS, "--vary n=0..2..3:whole", "simulations=0"),
        (SIMULATIONS, odd, "--games 7: give an even number"),
        (&bot, &format!("{whole} --resume"), none),
        ("./no-such-bot {n}", whole, "no-such-bot"),
    ] {
        let place = Place::new();
        refused(tune(&place, player, options), &[wanted]);
        assert!(!place.at("out/pairs.jsonl").exists(), "{options}");
    }
}

#[test]
fn players_that_never_play_end_it() {
    let place = Place::new();
    let player = format!("{BOT} --play {{n}} --trouble crash@1");
    refused(
        tune(&place, &player, "--vary n=1..2..3:whole"),
        &["the last 8 games were all lost by faults (tried: crash"],
    );
    assert!(log(&place).len() < 10, "it ends soon");
}

/// The command at the end can be copied: it plays under the conditions of the tuning, and each
/// player has its own name, for any name of the tuned player.
#[test]
fn the_match_that_confirms_has_the_conditions_of_the_tuning() {
    let place = Place::new();
    place.write("my openings.txt", "a1 b2\nb1 c3\n");
    let conditions = "--openings 'file:my openings.txt' --side 5 --first-ms 9000 --turn-ms 8000";
    let printed = place.run(&format!(
        "tune '{SIMULATIONS} ;; name=mine' --games 8 --vary n=1..4..8:whole {conditions} --out out"
    ));
    let advice = printed
        .lines()
        .find(|line| line.contains("hex match"))
        .unwrap();
    let mut words = shell_words::split(advice).unwrap();
    assert_eq!(words.drain(..2).collect::<Vec<_>>(), ["hex", "match"]);
    let [best, now] = [&words[0], &words[1]];
    assert!(
        best.ends_with(" ;; name=best") && now.ends_with(" ;; name=now"),
        "{advice}"
    );
    assert_eq!(
        words[2..10],
        shell_words::split(conditions).unwrap(),
        "{advice}"
    );
    let mut confirm = place.hex("match --games 2 --threads 1 --out confirm");
    succeed(confirm.args(&words));
}
