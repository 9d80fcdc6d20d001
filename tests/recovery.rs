//! What goes wrong is told and survived: settings that make no sense, and a search that panics.

use hexbot::board::Board;
use hexbot::budget::Clock;
use hexbot::cell_set::CellSet;
use hexbot::player::{Answer, Player};
use hexbot::settings::Settings;
use hexbot::shortest_path::heuristic_move;
use std::cell::Cell as Shared;
use std::time::Duration;

const MS: Duration = Duration::from_millis(1);

fn settings(variables: &[(&str, &str)]) -> (Settings, String) {
    Settings::from_environment(|name| {
        let found = variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    })
}

#[test]
fn settings_that_make_sense_are_taken() {
    let (taken, warnings) = settings(&[
        ("HEXBOT_SEED", "18446744073709551615"),
        ("HEXBOT_PLAYOUTS", " 7\n"),
        ("HEXBOT_FIRST_MS", "2000"),
        ("HEXBOT_TURN_MS", "86400000"),
    ]);
    assert_eq!(warnings, "");
    assert_eq!(taken.seed, Some(u64::MAX));
    assert_eq!(taken.simulations, Some(7));
    assert_eq!(taken.first_limit, 2000 * MS);
    assert_eq!(taken.turn_limit, 86_400_000 * MS);
}

#[test]
fn settings_that_make_no_sense_are_named_and_ignored() {
    let default = Settings::default();
    for (name, value, shown) in [
        (
            "HEXBOT_SEED",
            "-1",
            r#"HEXBOT_SEED="-1" is ignored: a whole number from 0 to"#,
        ),
        (
            "HEXBOT_PLAYOUTS",
            "0",
            r#"HEXBOT_PLAYOUTS="0" is ignored: a whole number from 1 to"#,
        ),
        (
            "HEXBOT_FIRST_MS",
            "1e3",
            r#"HEXBOT_FIRST_MS="1e3" is ignored: a whole number from 1 to 86400000 is needed"#,
        ),
        (
            "HEXBOT_TURN_MS",
            "86400001",
            r#"HEXBOT_TURN_MS="86400001" is ignored"#,
        ),
        ("HEXBOT_TURN_MS", "", r#"HEXBOT_TURN_MS="" is ignored"#),
    ] {
        let (taken, warnings) = settings(&[(name, value)]);
        assert!(warnings.starts_with(shown), "{warnings}");
        assert_eq!(warnings.lines().count(), 1, "{warnings}");
        assert_eq!((taken.seed, taken.simulations), (None, None));
        assert_eq!(taken.first_limit, default.first_limit);
        assert_eq!(taken.turn_limit, default.turn_limit);
    }
    // One that is wrong does not spoil another.
    let (taken, warnings) = settings(&[("HEXBOT_SEED", "x"), ("HEXBOT_PLAYOUTS", "5")]);
    assert_eq!(taken.simulations, Some(5));
    assert_eq!(warnings.lines().count(), 1, "{warnings}");
}

/// A clock that stands still and breaks at one of its readings.
struct BreakingClock {
    readings: Shared<u32>,
    breaks_at: u32,
}

impl Clock for BreakingClock {
    fn now(&self) -> Duration {
        self.readings.set(self.readings.get() + 1);
        assert_ne!(
            self.readings.get(),
            self.breaks_at,
            "the clock breaks, as the test wants"
        );
        // Two hundred readings and the time is up.
        self.readings.get() * MS / 2
    }
}

#[test]
fn a_panic_in_the_search_is_survived() {
    let mut board = Board::<11>::new();
    for cell in ["a2", "f6", "d8"] {
        board.play(cell.parse().unwrap());
    }
    let mut player = Player::<11>::new(Settings::default());
    // Before the first simulation, and in the middle of the search.
    for breaks_at in [1, 30] {
        let clock = BreakingClock {
            readings: Shared::new(0),
            breaks_at,
        };
        let reply = player.reply(&board, CellSet::EMPTY, &clock, Duration::ZERO);
        let reply = reply.expect("an answer");
        assert!(reply.result.is_none(), "the search has told {reply}");
        let cell = heuristic_move(&board).expect("an empty cell");
        assert_eq!(reply.answer, Answer::Play(cell));
        // The next answer is thought about again.
        let clock = BreakingClock {
            readings: Shared::new(0),
            breaks_at: u32::MAX,
        };
        let reply = player.reply(&board, CellSet::EMPTY, &clock, Duration::ZERO);
        let result = reply.and_then(|reply| reply.result).expect("a thought");
        assert!(result.simulations > 10, "{result}");
    }
}
