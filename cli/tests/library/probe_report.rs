//! The lines of the upload with a probe: what the bot writes, its reader knows, and what is damaged
//! is named.

use crate::common::cases;
use hex_arena::probe_report::{of_remarks, of_stderr};
use hex_core::record::parse_game;
use hex_core::record::Side;
use hexbot::budget::{Clock, SystemClock};
use hexbot::probe::Probe;
use hexbot::settings::Settings;
use std::time::Duration;

/// A probe of this machine with a short first limit.
fn probe() -> (Probe, Settings) {
    let settings = Settings {
        first_limit: Duration::from_millis(50),
        ..Settings::default()
    };
    Probe::start(SystemClock::start(), settings)
}

/// All lines of a game with waits of this time between the turns.
fn lines(wait: Duration) -> String {
    let (clock, _) = probe();
    let turns = (0..6).map(|_| {
        clock.now();
        let report = clock.report();
        std::thread::sleep(wait);
        report
    });
    turns.collect()
}

#[test]
fn the_reader_knows_each_line_of_the_probe() {
    let written = lines(Duration::from_millis(3));
    let (facts, unreadable) = of_stderr(written.as_bytes());
    assert!(unreadable.is_empty(), "{written}");
    let names: Vec<&str> = facts.iter().map(|fact| &*fact.name).collect();
    let expected = [
        "processor",
        "instructions",
        "cores",
        "evaluation",
        "second thread",
        "wait",
        "wait",
        "wait",
        "gap",
    ];
    assert_eq!(names, expected, "{written}");
    assert_eq!(written.lines().count(), expected.len(), "{written}");
    // The judge keeps 4,096 bytes a turn.
    assert!(written.len() < 1000, "{written}");
}

/// What the measurements take is no longer there for the first answer.
#[test]
fn the_first_answer_has_less_time() {
    let before = SystemClock::start();
    let (_, settings) = probe();
    let (whole, took) = (Duration::from_millis(50), before.now());
    let less = whole.saturating_sub(settings.first_limit);
    assert!(less >= 4 * (whole / 50), "{less:?} for four windows");
    assert!(less <= took, "{less:?} of {took:?}");
    assert_eq!(settings.turn_limit, Settings::default().turn_limit);
}

#[test]
fn each_line_is_explained_or_named() {
    for case in cases(include_str!("../data/probe-lines.txt")) {
        let [line, meaning, bad] = case[..] else {
            panic!("{case:?}")
        };
        let (name, value) = line.split_once(':').unwrap();
        let value = value.trim_start();
        let text = format!("something else\nhexbot probe {name}: {value}\n");
        let (facts, unreadable) = of_stderr(text.as_bytes());
        if meaning.is_empty() {
            assert!(facts.is_empty(), "{line}");
            let error = unreadable[0].to_string();
            let begin =
                format!("line 2 of standard error: the probe's {name} is {value:?}, which is not ");
            assert!(error.starts_with(&begin), "{line}: {error}");
        } else {
            let [fact] = &facts[..] else {
                panic!("{line}: {unreadable:?}")
            };
            let is_bad = bad == "bad";
            assert_eq!((&*fact.meaning, fact.is_bad), (meaning, is_bad), "{line}");
            assert_eq!((&*fact.name, &*fact.value), (name, value));
        }
    }
}

#[test]
fn an_unknown_fact_is_named_and_other_output_is_not() {
    let text = "probe: mine\nhexbot probe colour: red\nhexbot probe\n";
    let (facts, unreadable) = of_stderr(text.as_bytes());
    assert!(facts.is_empty());
    let errors: Vec<String> = unreadable.iter().map(ToString::to_string).collect();
    let expected = ["line 2 of standard error: \"colour\" is no fact of the probe"];
    assert_eq!(errors, expected);
}

/// The site keeps the standard error of a frame; its first line has a word before it.
#[test]
fn the_site_s_games_have_the_lines() {
    let frame = |agent: usize, stdout: &str, stderr: &str| serde_json::json!({"agentId": agent, "stdout": stdout, "stderr": stderr});
    let first = "hexbot probe cores: 2\nhexbot probe gap: 0.1 ms\n";
    let frames = [
        frame(0, "c2\n", first),
        frame(1, "d4\n", ""),
        frame(0, "e5\n", "50% 1000\nhexbot probe cores: none\n"),
    ];
    let text = serde_json::json!({"frames": frames, "agents": []}).to_string();
    let game = parse_game(&text, Side::CODINGAME).unwrap();
    let (facts, unreadable) = of_remarks(&game);
    let values: Vec<&str> = facts.iter().map(|fact| &*fact.value).collect();
    assert_eq!(values, ["2", "0.1 ms"]);
    let errors: Vec<String> = unreadable.iter().map(ToString::to_string).collect();
    let expected =
        "the remark on move 3: the probe's cores is \"none\", which is not a whole number";
    assert_eq!(errors, [expected]);
}
