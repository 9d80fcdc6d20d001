//! `hex check` and `hex replay` with a bot that writes the lines of a probe to standard error.

use crate::checks::{check, PATIENT};
use crate::common::{assert_says, describe, ends, hex, Place, BOT};
use std::fs;

/// A bot that writes these lines to standard error, and then plays.
fn bot(place: &Place, lines: &[&str]) -> String {
    let script = place.at("bot.sh");
    let tell: String = lines
        .iter()
        .map(|line| format!("echo '{line}' >&2\n"))
        .collect();
    fs::write(&script, format!("{tell}exec {BOT} --play path\n")).unwrap();
    format!("sh {} {PATIENT}", script.display())
}

#[test]
fn the_check_lists_what_the_probe_found() {
    let place = Place::new();
    let lines = [
        "hexbot probe cores: 2",
        "hexbot probe instructions: -avx2 +popcnt +bmi1",
        "hexbot probe gap: soon",
        "depth 3",
    ];
    let words = [
        "✓ probe: cores               2\n",
        "! probe: instructions        -avx2 +popcnt +bmi1: without avx2 the slow code runs\n",
        "! probe                      line 3 of standard error: the probe's gap is \"soon\", \
         which is not a number of ms\n",
    ];
    ends(check(&bot(&place, &lines), "--games 0"), 0, &words);
    let plain = check(&bot(&place, &["depth 3"]), "--games 0");
    let told = ends(plain, 0, &[]);
    assert!(!told.contains("probe"), "{told}");
}

/// The record is of the judge's machine, the bot runs on this one.
#[test]
fn the_replay_shows_both_machines() {
    let place = Place::new();
    let record = place.at("game.json");
    let stderr = [
        "hexbot probe cores: 1",
        "hexbot probe wait: 500.0 ms, 2 naps, longest 499.0 ms",
        "hexbot probe cores: many",
    ];
    let stderr = stderr.join("\\n");
    let frames = format!(
        r#"{{"frames": [{{"agentId": 0, "stdout": "c2\n", "stderr": "{stderr}"}},
            {{"agentId": 1, "stdout": "d4\n"}}]}}"#
    );
    fs::write(&record, frames).unwrap();
    let mut command = hex();
    command.arg("replay").arg(&record);
    command.args(["--player", "red", "--simulations", "0", "--"]);
    command.arg(bot(&place, &["hexbot probe cores: 2"]));
    let told = describe(&command.output().unwrap());
    let words = [
        "by the probe, the record's machine:\n  cores          1\n  wait           500.0 ms, 2 naps, \
         longest 499.0 ms     the bot stands still while the opponent thinks\n",
        "by the probe, this machine:\n  cores          2\n",
        "hex replay: note: the remark on move 1: the probe's cores is \"many\", which is not a \
         whole number\n",
    ];
    assert_says(&told, &words);
}
