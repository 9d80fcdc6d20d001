//! Faults are reported and survived: invalid settings, and a search that panics.

use crate::common::{answer_on, begun};
use hexbot::board::Board;
use hexbot::bridges::Bridges;
use hexbot::budget::{Clock, SystemClock};
use hexbot::cell_set::CellSet;
use hexbot::evaluation::{Evaluation, Evaluator};
use hexbot::opening::Answer;
use hexbot::player::Player;
use hexbot::settings::Settings;
use hexbot::shortest_path::heuristic_move;
use std::cell::Cell as Shared;
use std::rc::Rc;
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
        ("HEXBOT_SIMULATIONS", " 7\n"),
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
            "HEXBOT_SIMULATIONS",
            "0",
            r#"HEXBOT_SIMULATIONS="0" is ignored: a whole number from 1 to"#,
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
    let (taken, warnings) = settings(&[("HEXBOT_SEED", "x"), ("HEXBOT_SIMULATIONS", "5")]);
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
        let reply = answer_on(&mut player, &board, &clock, Duration::ZERO);
        assert!(reply.result.is_none(), "the search has told {reply}");
        let cell = heuristic_move(&board).expect("an empty cell");
        assert_eq!(reply.answer, Answer::Play(cell));
        // The next answer is searched again.
        let clock = BreakingClock {
            readings: Shared::new(0),
            breaks_at: u32::MAX,
        };
        let reply = answer_on(&mut player, &board, &clock, Duration::ZERO);
        let result = reply.result.expect("a thought");
        assert!(result.simulations > 10, "{result}");
    }
}

/// Evaluates every position as even, and panics at one of its calls.
struct BreakingEvaluator {
    asked: Rc<Shared<u32>>,
    breaks_at: u32,
}

impl Evaluator<5> for BreakingEvaluator {
    fn evaluate(&mut self, board: &Board<5>, _: &Bridges<5>) -> Evaluation<5> {
        self.asked.set(self.asked.get() + 1);
        assert_ne!(
            self.asked.get(),
            self.breaks_at,
            "the evaluator breaks, as the test wants"
        );
        Evaluation::of(0.5, board.to_move())
    }
}

#[test]
fn whoever_evaluates_a_panic_is_survived() {
    let asked = Rc::new(Shared::new(0));
    let evaluator = BreakingEvaluator {
        asked: asked.clone(),
        breaks_at: 30,
    };
    let settings = Settings {
        simulations: Some(100),
        ..Settings::default()
    };
    let mut player = Player::with_evaluator(settings, evaluator);
    let clock = SystemClock::start();
    let board = begun();
    let mut reply = || player.reply(&board, CellSet::EMPTY, &clock, clock.now());
    let broken = reply().expect("an answer");
    assert!(broken.result.is_none());
    assert_eq!(
        broken.answer,
        Answer::Play(heuristic_move(&board).expect("an empty cell"))
    );
    assert_eq!(asked.get(), 30);
    // Nothing of the tree is left, and the same evaluator goes on.
    let result = reply().and_then(|reply| reply.result).expect("a result");
    assert_eq!(result.simulations, 100);
    assert!(asked.get() > 60, "{} evaluations", asked.get());
}
