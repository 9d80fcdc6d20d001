//! `hex soak`: runs with bots that are stopped.

use crate::common::{
    assert_says, hex, lines_of, refused, started, starting, succeed, wait_until, Place,
};
use hex_arena::soak::staller::{within, Span};
use hex_arena::soak::waiting::{waited, watch};
use hex_common::system::ProcessId;
use serde_json::Value;
use std::fs;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// More processes that never rest than there are processors: they wait for each other.
#[cfg(target_os = "linux")]
#[test]
fn waits_for_a_processor_are_told() {
    let processors = std::thread::available_parallelism().unwrap().get();
    let start = |_| {
        let mut shell = starting("sh");
        shell.args(["-c", "while :; do :; done"]).spawn().unwrap()
    };
    let mut busy: Vec<Child> = (0..=processors).map(start).collect();
    let process = ProcessId::of;
    let begun = Instant::now();
    let watches = busy.iter().map(process).map(watch);
    let watches: Vec<_> = watches.collect::<Result<_, _>>().unwrap();
    std::thread::sleep(ms(500));
    let spans = watches.into_iter().map(|watch| watch.finish().unwrap());
    let spans: Vec<Vec<Span>> = spans.collect();
    let ended = Instant::now();
    for child in &mut busy {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let told: Vec<Duration> = spans.iter().map(|of| within(of, begun, ended)).collect();
    let (all, took) = (told.iter().sum::<Duration>(), ended - begun);
    // One of them at a time has none, more if other programs run.
    assert!(all >= took / 4, "{told:?} in {took:?}");
    assert!(told.iter().all(|of| *of <= took), "{told:?} in {took:?}");
    assert_eq!(waited(process(&busy[0])), None);
}

/// `hex soak` of the scripted bot in this place.
fn soak(place: &Place, bot: &str, options: &str) -> Command {
    let fixed = "soak --side 4 --openings random:2 --first-ms 20000 --threads 2 --out out";
    let mut command = place.hex(&format!("{fixed} {options}"));
    command.arg(place.bot(bot));
    command
}

/// The log's games.
fn games(place: &Place) -> Vec<Value> {
    place.json_lines("out/soak.jsonl").split_off(1)
}

fn ids(place: &Place) -> Vec<u64> {
    let games = games(place);
    let ids = games.iter().filter_map(|game| game["line"]["id"].as_u64());
    let mut ids: Vec<u64> = ids.collect();
    ids.sort();
    ids
}

/// The answers of all games.
fn answers(place: &Place) -> Vec<Value> {
    let answers = games(place).into_iter();
    answers
        .flat_map(|game| game["answers"].as_array().unwrap().clone())
        .collect()
}

/// All answers that are put down to something, with what.
fn late(place: &Place) -> Vec<(Value, String)> {
    let blamed = answers(place).into_iter().filter_map(|answer| {
        let blame = answer["blame"].as_str()?.to_owned();
        Some((answer, blame))
    });
    blamed.collect()
}

/// Stalls of more than the limit several times a second: most games are lost by them, and said to
/// be.
#[test]
fn stalls_of_the_bot_make_answers_late() {
    let place = Place::new();
    let arguments = "--games 4 --turn-ms 250 --stalls 8 --stall-ms 400..450";
    let report = succeed(&mut soak(&place, "--think 100", arguments));
    place.assert_no_process_left();
    assert_eq!(ids(&place), (0..4).collect::<Vec<u64>>());
    let mut injected = late(&place);
    injected.retain(|(_, blame)| blame == "injected");
    assert!(injected.len() >= 2, "{report}");
    for (answer, _) in injected {
        let number = |name: &str| answer[name].as_f64().unwrap();
        assert!(number("ms") > 250.0, "{answer}");
        assert!(number("ms") - number("injected_ms") <= 250.0, "{answer}");
    }
    assert!(report.contains("by the stalls put on the bot"), "{report}");
    assert!(report.starts_with("4 games\n"), "{report}");
    let page = place.read("out/report.html");
    assert!(page.contains("<polyline class=\"course\" points=\""));
    assert!(!page.contains("NaN") && !page.contains("inf"));
}

/// Short stalls stop the bot and cost nothing: the limit is far away.
#[test]
fn short_stalls_are_told_and_do_no_harm() {
    let place = Place::new();
    let arguments = "--games 2 --turn-ms 20000 --stalls 50 --stall-ms 5..10";
    let report = succeed(&mut soak(&place, "--think 50", arguments));
    assert!(report.contains("0 late answers"), "{report}");
    let mut stopped = answers(&place);
    stopped.retain(|answer| answer["injected_ms"].is_number());
    assert!(stopped.len() > 3);
    let is_whole = |game: &Value| game["line"]["reason"] == "connection";
    assert!(games(&place).iter().all(is_whole));
}

/// A bot that is late by itself is to blame, and named.
#[test]
fn the_bot_is_to_blame_for_its_own_lateness() {
    let place = Place::new();
    let arguments = "--games 2 --turn-ms 300 --stalls 0";
    let report = succeed(&mut soak(&place, "--trouble late=30000@2", arguments));
    place.assert_no_process_left();
    let late = late(&place);
    assert_eq!(late.len(), 2, "{report}");
    assert!(late.iter().all(|(_, blame)| blame == "bot"), "{report}");
    let told = "2 late answers: 0 by the stalls put on the bot, 0 by the machine, 2 by the bot";
    let words = [told, "the bot's own: game ", "2 games ended by silence"];
    assert_says(&report, &words);
}

#[test]
fn a_run_goes_on_where_it_was_killed() {
    let place = Place::new();
    // A number of stalls whose last bit an inexact reader loses.
    let base = "--turn-ms 20000 --stalls 1.7976931348623157 --stall-ms 20..30 --games";
    let more = |games: &str| soak(&place, "--think 20", &format!("{base} {games}"));
    // Killed as soon as there is a game.
    let mut child = started(&mut more("1000"));
    let path = place.at("out/soak.jsonl");
    wait_until("a game ends", || lines_of(&path) >= 3);
    child.kill().unwrap();
    child.wait().unwrap();
    // A stopped bot ends, too.
    place.assert_no_process_left();
    let before = games(&place);
    let whole = place.read("out/soak.jsonl");
    place.write("out/soak.jsonl", format!("{whole}{{\"line\":{{\"id\":9"));
    let total = before.len() + 2;
    let resumed = format!("{total} --resume");
    succeed(&mut more(&resumed));
    let after = games(&place);
    assert_eq!(after[..before.len()], before[..]);
    assert_eq!(ids(&place), (0..total as u64).collect::<Vec<u64>>());
    // Done: nothing more is played.
    succeed(&mut more(&resumed));
    assert_eq!(games(&place).len(), after.len());
}

#[test]
fn a_run_goes_on_with_what_it_began_with() {
    let place = Place::new();
    let run = |extra: &str| soak(&place, "", &format!("--turn-ms 20000 --games 2 {extra}"));
    succeed(&mut run(""));
    refused(run(""), &["resume it with --resume"]);
    refused(run("--resume --seed 2"), &["this is another run"]);
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    for (option, words) in [
        ("--stalls=-1", "not a number from 0 to 100"),
        ("--stalls=many", "not a number from 0 to 100"),
        ("--stall-ms=10", "a range such as 1..60"),
        ("--stall-ms=10..5", "a range such as 1..60"),
        ("--stall-ms=0..5", "a range such as 1..60"),
        ("--games=0", "0"),
        ("--side=0", "--side"),
    ] {
        refused(hex().args(["soak", "no-such-bot", option]), &[words]);
    }
    for bot in ["no-such-bot", "builtin:", "gtp:x"] {
        refused(hex().args(["soak", bot]), &[]);
    }
    assert!(!std::path::Path::new("results/soak/soak.jsonl").exists());
}

#[test]
fn a_bot_that_cannot_start_loses_its_games_and_the_run_ends() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    place.write("broken", "\u{7f}ELF and nothing more");
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(place.at("broken"), mode).unwrap();
    place.run("soak ./broken --games 2 --side 4 --openings random:2 --out out");
    let log = place.read("out/soak.jsonl");
    let faults = log.lines().filter(|line| line.contains("fault"));
    assert_eq!(faults.count(), 2, "{log}");
}
