//! Players of `hex match` that speak GTP: the commands for their time and simulations.

use crate::common::{assert_says, ended, side_by_side, Place};
use std::time::{Duration, Instant};

/// Plays a game with a GTP engine of this name that plays only after the command `pace` (words
/// joined by `_`), with these `settings`.
fn play(name: &str, pace: &str, settings: &str) -> (Place, std::process::Output) {
    let place = Place::new();
    let engine = place.bot(&format!("--gtp --name {name} --pace {pace}"));
    let (engine, bot) = (format!("gtp:{engine} ;; {settings}"), place.bot(""));
    let options = "--games 2 --side 4 --openings random:2";
    let output = place.play(options, &[engine, bot]).output().unwrap();
    (place, output)
}

#[test]
fn engines_are_told_how_long_to_think_in_their_own_words() {
    let cases = [
        ("MoHex", "param_mohex_max_time_0.25", "move-ms=250"),
        ("MoHex-2.0", "param_mohex_max_games_800", "simulations=800"),
        ("Wolve", "param_wolve_max_time_2", "move-ms=2000"),
        // Whole seconds are all that this command knows.
        ("other", "time_settings_0_1_1", "move-ms=250"),
        ("other", "time_settings_0_3_1", "move-ms=2001"),
    ];
    side_by_side(&cases, |(name, pace, settings)| {
        let (place, output) = play(name, pace, settings);
        ended(&output, 0, &[]);
        place.assert_each("/reason", "connection");
        // The engine does want that very command.
        let (place, _) = play(name, "something_else", settings);
        assert!(place.log().1.iter().all(|game| game["fault"].is_object()));
    });
}

#[test]
fn simulations_that_an_engine_cannot_be_told_are_an_error_that_names_the_cure() {
    let (place, _) = play("other", "none", "simulations=800");
    for game in place.log().1 {
        let fault = game["fault"].to_string();
        let command = "the command that sets simulations for";
        assert_says(&fault, &[command, "give the line itself"]);
    }
}

/// An engine that is this script of a shell.
fn scripted(place: &Place, script: &str, settings: &str) -> String {
    place.write("engine.sh", script);
    let path = place.at("engine.sh");
    format!("gtp:{} sh {} {settings}", place.mark, path.display())
}

/// One that writes lines without end, before its answer or in it, loses by that and no more.
#[test]
fn an_engine_that_chatters_for_ever_loses_the_game() {
    let cases = [
        ("yes chatter", 300, "silence", "but no answer"),
        // Not even on a busy machine does it write so much for so long.
        (
            "echo '= c3'; yes chatter",
            10_000,
            "illegal move",
            "more than",
        ),
    ];
    side_by_side(&cases, |(answer, limit, reason, detail)| {
        let place = Place::new();
        let text = format!(
            "while read line; do\n  if [ \"${{line#genmove}}\" != \"$line\" ]; then {answer}; fi\n  \
             printf '=\\n\\n'\ndone\n"
        );
        let limits = format!(";; first-ms={limit} ;; turn-ms={limit}");
        let engine = scripted(&place, &text, &limits);
        let arguments = "--games 2 --side 5 --openings all";
        place.played(arguments, &[&engine, &place.bot("")]);
        for game in place.log().1 {
            assert_eq!(game["reason"], *reason, "{game}");
            assert!(game["fault"].to_string().contains(detail), "{game}");
        }
        place.assert_no_process_left();
    });
}

/// An engine that hangs in a command loses in the time that it has for a move, whatever the
/// command.
#[test]
fn an_engine_that_hangs_in_any_command_loses_in_its_own_time() {
    let begun = Instant::now();
    let commands = "boardsize known_command param_game clear_board play name time_settings ready \
                    genmove";
    let commands: Vec<&str> = commands.split_whitespace().collect();
    side_by_side(&commands, |command| hangs_in(command));
    // One such command took a minute.
    assert!(begun.elapsed() < Duration::from_secs(60));
}

fn hangs_in(command: &str) {
    let place = Place::new();
    let text = format!(
        "while read -r word rest; do\n  if [ $word = {command} ]; then sleep 987; fi\n  \
         if [ $word = known_command ]; then echo '= true'; else echo '='; fi\n  echo\ndone\n"
    );
    let settings = ";; first-ms=1000 ;; turn-ms=100 ;; move-ms=50 ;; ready";
    let engine = scripted(&place, &text, settings);
    let options = "--games 2 --side 5 --openings random:2 --threads 2";
    place.played(options, &[&engine, &place.bot("")]);
    let games = place.log().1;
    assert_eq!(games.len(), 2);
    for game in games {
        let detail = game["fault"]["detail"].as_str().unwrap();
        assert_eq!(game["reason"], "silence", "{command}: {game}");
        let begin = format!("\"{command}");
        assert!(detail.starts_with(&begin), "{command}: {detail}");
    }
    place.assert_no_process_left();
}
