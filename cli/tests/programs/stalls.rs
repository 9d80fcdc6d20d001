//! Games that are lost because of the machine and not because of the bot: they are reported, marked
//! and played again.

use crate::common::{
    assert_says, cases, ended, refused, signal, started, succeed, wait_until, Place,
};
use serde_json::{json, Value};
use std::process::Command;
use std::time::Duration;

/// Two games of this bot. The arena is stopped as a machine may be, `stop` milliseconds after the
/// first game, and goes on `on` milliseconds later. Returns the report.
fn play_with_a_stop(place: &Place, bot: &str, options: &str, [stop, on]: [u64; 2]) -> String {
    let options = format!("--games 2 --openings random:2 --threads 1 {options}");
    let bots = [place.bot(bot), place.bot("")];
    let arena = started(&mut place.play(&options, &bots));
    place.wait_for_lines(1);
    for (name, wait) in [("-STOP", stop), ("-CONT", on)] {
        std::thread::sleep(Duration::from_millis(wait));
        signal(name, arena.id());
    }
    ended(&arena.wait_with_output().unwrap(), 0, &[])
}

/// The arena is stopped in the middle of an answer.
#[test]
fn a_game_lost_while_the_machine_stalled_is_marked() {
    let place = Place::new();
    // Each answer takes most of the time that is allowed.
    let slow = "--think 600 ;; name=slow ;; first-ms=2000 ;; turn-ms=2000";
    let report = play_with_a_stop(&place, slow, "--side 4", [1000, 2500]);
    let games = place.log().1;
    let (lost, others): (Vec<_>, Vec<_>) = games.iter().partition(|game| game["fault"].is_object());
    assert_eq!((lost.len(), others.len()), (1, 1), "{games:?}");
    assert_eq!(lost[0]["reason"], "timeout", "{games:?}");
    assert!(lost[0]["stalled_ms"].as_f64() > Some(1000.0), "{games:?}");
    assert!(others[0].get("stalled_ms").is_none(), "{games:?}");
    let late = "timeout 1 (1 of them while the machine stalled)";
    let lost = "1 of 2 games were lost by late answers";
    assert_says(&report, &[late, lost, "--replay-stalled"]);
    let page = place.read("out/report.html");
    assert!(page.contains("\"stalled\":true") && page.contains("--replay-stalled"));
}

/// A bot that hangs is silent, not stalled, however busy the machine was meanwhile.
#[test]
fn silence_is_no_stall() {
    let place = Place::new();
    let silent = "--trouble stall@2 ;; first-ms=2000 ;; turn-ms=1000";
    play_with_a_stop(&place, silent, "--side 6", [500, 1000]);
    for game in place.log().1 {
        assert_eq!(game["reason"], "silence", "{game}");
        assert!(game.get("stalled_ms").is_none(), "{game}");
    }
}

/// A match of 40 games.
fn play(place: &Place, more: &str) -> Command {
    let bots = [place.bot("--play 1"), place.bot("--play 2")];
    let options = format!("--games 40 --side 5 --openings random:2 {more}");
    place.play(&options, &bots)
}

/// Finishes this match and marks some of its games as lost by stalls.
fn finish_and_mark(place: &Place, marked: &[u64]) {
    succeed(&mut play(place, ""));
    let lines = place.json_lines("out/games.jsonl");
    let lines = lines.into_iter().map(|mut line| {
        let is_marked = line["id"].as_u64().is_some_and(|id| marked.contains(&id));
        if is_marked {
            // The loser has not answered its last turn.
            let moves = line["moves"].as_array().unwrap().len();
            let loser = if line["winner"] == "red" { 1 } else { 0 };
            let played = moves - if (moves - 1) % 2 == loser { 1 } else { 2 };
            for list in ["moves", "times_ms"] {
                line[list].as_array_mut().unwrap().truncate(played);
            }
            line["reason"] = json!("timeout");
            line["fault"] = json!({ "kind": "timeout", "detail": "late", "ms": 20_100.0 });
            line["stalled_ms"] = json!(150.0);
        }
        line.to_string() + "\n"
    });
    place.write("out/games.jsonl", lines.collect::<String>());
}

#[test]
fn stalled_games_are_played_again() {
    let place = Place::new();
    let marked = [3, 17, 18, 39];
    finish_and_mark(&place, &marked);
    let before = place.games();
    // Without the option they stay, and the report names them.
    let report = succeed(&mut play(&place, "--resume"));
    assert_says(&report, &["4 of 40 games were lost by late answers"]);
    assert_eq!(place.games(), before);
    let report = succeed(&mut play(&place, "--replay-stalled"));
    assert!(!report.contains("stalled"), "{report}");
    assert!(report.contains("of 40 games"), "{report}");
    let after = place.games();
    assert_eq!(after.len(), 40);
    for (id, game) in &after {
        if marked.contains(id) {
            assert_eq!(game["reason"], "connection", "{game}");
            assert!(game.get("stalled_ms").is_none(), "{game}");
            let sgf = place.read(format!("out/sgf/{id:06}.sgf"));
            let moves = game["moves"].as_array().unwrap().len();
            assert!(sgf.matches(" ms").count() + 2 >= moves, "{game}");
        } else {
            assert_eq!(game, &before[id]);
        }
    }
    // The statistics are those of the games as they are now.
    let again = succeed(&mut play(&place, "--resume"));
    let score = |report: &str| report.lines().take(3).map(String::from).collect::<Vec<_>>();
    assert_eq!(score(&again), score(&report));
    // There is nothing left to do.
    succeed(&mut play(&place, "--replay-stalled"));
    assert_eq!(place.games(), after);
}

/// A kill between two replayed games leaves each as it was or as it is now.
#[test]
fn replaying_is_resumed_after_a_kill() {
    let place = Place::new();
    let marked: Vec<u64> = (5..30).collect();
    finish_and_mark(&place, &marked);
    let left = |place: &Place| {
        let games = place.games();
        assert_eq!(games.len(), 40);
        let is_stalled = |game: &&Value| game.get("stalled_ms").is_some();
        games.values().filter(is_stalled).count()
    };
    let mut kills = 0;
    while left(&place) > 0 {
        let mut arena = started(&mut play(&place, "--replay-stalled --threads 1"));
        let before = left(&place);
        wait_until("a game is played again", || {
            left(&place) <= before.saturating_sub(6) || arena.try_wait().unwrap().is_some()
        });
        arena.kill().unwrap();
        arena.wait().unwrap();
        kills += 1;
        assert!(kills < 20);
    }
    let report = succeed(&mut play(&place, "--resume"));
    assert_says(&report, &["of 40 games"]);
    assert!(!report.contains("stalled"), "{report}");
}

/// The old and the new text in the second game's line, and words of the error.
const DAMAGES: &str = r#"
"red":0 | "red":7 | players 7 and 1 of 2 cannot meet
"blue":1 | "blue":0 | players 0 and 0 of 2 cannot meet
"times_ms":[null, | "times_ms":[ | times for
ms":[null,null, | ms":[null,-3.0, | -3 ms is not a time
"moves":[" | "moves":["z | move 1:
"winner":" | "winner":"dark | unknown variant
"moves" | "motions" | missing field `moves`
"id":0 | "id":1 | game 1 occurs twice
"#;

#[test]
fn a_damaged_log_is_told_in_words() {
    let place = Place::new();
    let bots = [place.bot("--play 1"), place.bot("--play 2")];
    let options = "--games 2 --side 4 --openings random:2";
    place.played(&format!("{options} --threads 1"), &bots);
    let whole = place.read("out/games.jsonl");
    let mut lines = whole.lines();
    let line = lines.find(|line| line.contains("\"id\":0")).unwrap();
    for case in cases(DAMAGES) {
        let [from, to, words] = case[..] else {
            panic!("{case:?}")
        };
        assert!(line.contains(from), "{line}");
        let damaged = whole.replacen(line, &line.replacen(from, to, 1), 1);
        place.write("out/games.jsonl", damaged);
        let resumed = place.play(&format!("{options} --resume"), &bots);
        refused(resumed, &["games.jsonl, line ", words]);
    }
}
