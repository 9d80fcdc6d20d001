//! A bot that changes while it plays a match is another player: its games are not mixed with those
//! of the one that began it.

use crate::common::{
    ended, lines_of, refused, started, succeed, wait_until, Place, BOT, BOT_PATH, PATIENT,
};
use serde_json::Value;
use std::fmt::Display;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What begins the script of a bot that plays by this rule.
fn script(rule: &str) -> String {
    format!("#!/bin/sh\nexec {BOT} --think 5 --play {rule}\n")
}

/// Writes a program beside its place and moves it there, as a build does it.
fn build(path: &Path, contents: &str) {
    let unfinished = path.with_extension("unfinished");
    fs::write(&unfinished, contents).unwrap();
    fs::set_permissions(&unfinished, fs::Permissions::from_mode(0o755)).unwrap();
    fs::rename(unfinished, path).unwrap();
}

/// A place with a bot that plays by the first free cell, and the bot.
fn place_with_bot() -> (Place, PathBuf) {
    let place = Place::new();
    let bot = place.at("bot.sh");
    build(&bot, &script("first"));
    (place, bot)
}

/// The match that a bot plays.
fn a_match(place: &Place, command: impl Display, games: u32, more: &[&str]) -> Command {
    let options = format!("--side 5 --openings random:3 --threads 2 --games {games}");
    let bot = format!("{} {command} ;; name=new", place.mark);
    let mut hex = place.play(&options, &[bot, place.bot("")]);
    hex.args(more);
    hex
}

/// All games of this match were played by a bot that answers by the first free cell.
fn assert_plays_first(games: &[Value]) {
    let first_answer = |game: &Value| {
        let (moves, opening) = (&game["moves"], game["opening"].as_u64().unwrap() as usize);
        let asked = usize::from(game["blue"] == 0) != opening % 2;
        let place = opening + usize::from(asked);
        moves[place].as_str().unwrap().to_string()
    };
    for game in games.iter().filter(|game| game["fault"].is_null()) {
        let answer = first_answer(game);
        assert!(answer.ends_with('1'), "{game}");
    }
}

#[test]
fn the_log_names_programs_and_scripts_with_their_hashes() {
    let (place, bot) = place_with_bot();
    let command = format!("sh -c 'exec {} --log=missing.txt'", bot.display());
    let mut hex = a_match(&place, &command, 2, &["builtin:simulations=1 ;; name=own"]);
    succeed(&mut hex);
    let players = &place.log().0["players"];
    let files = players[0]["programs"].as_array().unwrap();
    let paths: Vec<_> = files.iter().map(|file| file["path"].as_str()).collect();
    assert_eq!(paths, [Some("sh"), bot.to_str()]);
    // The sum of the bytes by the published constants, computed here anew.
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    let fnv1a = |bytes: &[u8]| bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    let other = &players[1]["programs"][0];
    for (file, path) in [(&files[1], &bot), (other, &BOT_PATH.into())] {
        let bytes = fs::read(path).unwrap();
        assert_eq!(file["fnv1a"], format!("{:016x}", fnv1a(&bytes)), "{file}");
        assert_eq!(file["bytes"], bytes.len(), "{file}");
    }
    assert_eq!(players[2]["programs"][0]["path"], "hex");
}

#[test]
fn a_match_stops_when_a_program_changes() {
    let (place, bot) = place_with_bot();
    let child = started(&mut a_match(&place, bot.display(), 100_000, &[]));
    place.wait_for_lines(8);
    build(&bot, &script("path"));
    let changed = format!("hex: {} of player \"new\" has changed", bot.display());
    let words = [&changed[..], "--changed-programs", " vs "];
    let told = ended(&child.wait_with_output().unwrap(), 2, &words);
    place.assert_no_process_left();
    // No game of the new program is among them.
    let games = place.log().1;
    assert!(games.len() >= 7, "{told}");
    place.assert_each("/fault", Value::Null);
    assert_plays_first(&games);
    let report = place.read("out/report.txt");
    let stopped = format!("the match was stopped after {} games", games.len());
    assert!(report.contains(&stopped), "{report}");
}

/// While a build writes it, a program is not there at all.
#[test]
fn a_program_that_is_gone_loses_no_game() {
    let (place, bot) = place_with_bot();
    let child = started(&mut a_match(&place, bot.display(), 100_000, &[]));
    place.wait_for_lines(8);
    fs::remove_file(&bot).unwrap();
    let output = child.wait_with_output().unwrap();
    ended(&output, 2, &["is gone or cannot be read"]);
    place.assert_each("/fault", Value::Null);
}

/// The same content is the same program, with other times and another inode, too.
#[test]
fn a_program_that_is_built_again_to_the_same_goes_on() {
    let (place, bot) = place_with_bot();
    let child = started(&mut a_match(&place, bot.display(), 40, &[]));
    place.wait_for_lines(4);
    build(&bot, &script("first"));
    ended(&child.wait_with_output().unwrap(), 0, &[]);
    build(&bot, &script("first"));
    succeed(&mut a_match(&place, bot.display(), 44, &["--resume"]));
    assert_eq!(place.log().1.len(), 44);
}

#[test]
fn a_match_does_not_go_on_with_another_program_unless_asked() {
    let (place, bot) = place_with_bot();
    let play = |games, more: &[&str]| a_match(&place, bot.display(), games, more);
    succeed(&mut play(8, &[]));
    build(&bot, &script("path"));
    let log = place.log();
    let words = ["has changed", "since the match began", "--changed-programs"];
    refused(play(12, &["--resume"]), &words);
    assert_eq!(place.log(), log);
    // There is nothing to play, so nothing can be mixed.
    succeed(&mut play(8, &["--resume"]));
    let warning = "warning: after 8 games";
    let report = succeed(&mut play(12, &["--resume", "--changed-programs"]));
    assert!(report.contains(warning), "{report}");
    let (header, games) = place.log();
    assert_eq!(games.len(), 12);
    assert_eq!(header["changes"][0]["games"], 8, "{header}");
    // From then on the log names the new one, and every report shows the change.
    let report = succeed(&mut play(14, &["--resume"]));
    assert!(report.contains(warning), "{report}");
    build(&bot, &script("first"));
    refused(play(16, &["--resume"]), &[]);
}

/// With leave a match goes on through a change, and reports it.
#[test]
fn a_change_with_leave_stops_nothing() {
    let (place, bot) = place_with_bot();
    let more = ["--changed-programs"];
    let child = started(&mut a_match(&place, bot.display(), 60, &more));
    place.wait_for_lines(8);
    build(&bot, &script("path"));
    let output = child.wait_with_output().unwrap();
    ended(&output, 0, &["the figures mix both"]);
    let (header, games) = place.log();
    let changes = header["changes"].as_array().unwrap();
    assert_eq!((games.len(), changes.len()), (60, 1));
}

/// A log from before programs were in its header.
#[test]
fn an_old_log_goes_on() {
    let (place, bot) = place_with_bot();
    let play = |games, more: &[&str]| a_match(&place, bot.display(), games, more);
    succeed(&mut play(4, &[]));
    let mut lines = place.json_lines("out/games.jsonl");
    for player in lines[0]["players"].as_array_mut().unwrap() {
        player.as_object_mut().unwrap().remove("programs");
    }
    let lines = lines.iter().map(|line| format!("{line}\n"));
    place.write("out/games.jsonl", lines.collect::<String>());
    build(&bot, &script("path"));
    succeed(&mut play(6, &["--resume"]));
    let (header, games) = place.log();
    let programs = &header["players"][0]["programs"];
    assert_eq!((games.len(), programs), (6, &Value::Null));
}

/// What goes for matches goes for the other runs that can be resumed.
#[test]
fn a_soak_and_a_tuning_go_on_with_their_program_only() {
    let runs = [
        ("soak", "--stalls 0", "soak.jsonl"),
        ("tune", "--vary n=1..2..3:whole", "pairs.jsonl"),
    ];
    for (command, options, log) in runs {
        let (place, bot) = place_with_bot();
        let run = |games: &str, resumes: bool| {
            let number = if command == "tune" { "N={n} " } else { "" };
            let fixed = "--side 5 --openings random:3 --threads 2 --out out";
            let mut hex = place.hex(&format!("{command} {options} {fixed} --games {games}"));
            hex.arg(format!("{} {number}{}", place.mark, bot.display()));
            hex.args(PATIENT).args(resumes.then_some("--resume"));
            hex
        };
        succeed(&mut run("4", false));
        let path = place.at("out").join(log);
        let before = fs::read_to_string(&path).unwrap();
        assert!(before.contains("\"fnv1a\""), "{before}");
        build(&bot, &script("path"));
        refused(run("8", true), &["has changed", "--out"]);
        assert_eq!(fs::read_to_string(&path).unwrap(), before);
        // One that changes while it plays.
        build(&bot, &script("first"));
        let mut hex = run("100000", true);
        let child = started(&mut hex);
        let begun = lines_of(&path);
        wait_until(command, || lines_of(&path) >= begun + 3);
        build(&bot, &script("path"));
        let output = child.wait_with_output().unwrap();
        ended(&output, 2, &["meanwhile: finished games are kept"]);
        place.assert_no_process_left();
    }
}
