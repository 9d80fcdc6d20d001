//! Faults are reported and survived: invalid settings, and a search that panics.

use crate::common::{answer_on, begun, played, simulating};
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
    assert_eq!((taken.seed, taken.simulations), (Some(u64::MAX), Some(7)));
    assert_eq!(
        (taken.first_limit, taken.turn_limit),
        (2000 * MS, 86_400_000 * MS)
    );
}

#[test]
fn settings_that_make_no_sense_are_named_and_ignored() {
    let default = Settings::default();
    for (name, value, needed) in [
        ("HEXBOT_SEED", "-1", ": a whole number from 0 to"),
        ("HEXBOT_SIMULATIONS", "0", ": a whole number from 1 to"),
        (
            "HEXBOT_FIRST_MS",
            "1e3",
            ": a whole number from 1 to 86400000 is needed",
        ),
        ("HEXBOT_TURN_MS", "86400001", ""),
        ("HEXBOT_TURN_MS", "", ""),
    ] {
        let (taken, warnings) = settings(&[(name, value)]);
        let shown = format!("{name}={value:?} is ignored{needed}");
        assert!(warnings.starts_with(&shown), "{warnings}");
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

/// Counts calls, and panics at one of them.
#[derive(Clone)]
struct Breaking {
    calls: Rc<Shared<u32>>,
    at: u32,
}

impl Breaking {
    fn at(at: u32) -> Self {
        let calls = Rc::default();
        Breaking { calls, at }
    }

    fn call(&self) -> u32 {
        self.calls.set(self.calls.get() + 1);
        assert_ne!(self.calls.get(), self.at, "it breaks, as the test wants");
        self.calls.get()
    }
}

/// Two hundred readings and the time is up.
impl Clock for Breaking {
    fn now(&self) -> Duration {
        self.call() * MS / 2
    }
}

/// Evaluates every position as even.
impl Evaluator<5> for Breaking {
    fn evaluate(&mut self, board: &Board<5>, _: &Bridges<5>) -> Evaluation<5> {
        self.call();
        Evaluation::of(0.5, board.to_move())
    }
}

#[test]
fn a_panic_in_the_search_is_survived() {
    let board = played::<11>("a2 f6 d8");
    let mut player = Player::<11>::new(Settings::default());
    // Before the first simulation, and in the middle of the search.
    for breaks_at in [1, 30] {
        let reply = answer_on(
            &mut player,
            &board,
            &Breaking::at(breaks_at),
            Duration::ZERO,
        );
        assert!(reply.result.is_none(), "the search has told {reply}");
        let cell = heuristic_move(&board).expect("an empty cell");
        assert_eq!(reply.answer, Answer::Play(cell));
        // The next answer is searched again.
        let reply = answer_on(&mut player, &board, &Breaking::at(u32::MAX), Duration::ZERO);
        let result = reply.result.expect("a thought");
        assert!(result.simulations > 10, "{result}");
    }
}

#[test]
fn whoever_evaluates_a_panic_is_survived() {
    let evaluator = Breaking::at(30);
    let asked = Rc::clone(&evaluator.calls);
    let mut player = Player::with_evaluator(simulating(100), evaluator);
    let clock = SystemClock::start();
    let board = begun();
    let mut reply = || player.reply(&board, CellSet::EMPTY, &clock, clock.now());
    let broken = reply().expect("an answer");
    assert!(broken.result.is_none());
    let cell = heuristic_move(&board).expect("an empty cell");
    assert_eq!(broken.answer, Answer::Play(cell));
    assert_eq!(asked.get(), 30);
    // Nothing of the tree is left, and the same evaluator goes on.
    let result = reply().and_then(|reply| reply.result).expect("a result");
    assert_eq!(result.simulations, 100);
    assert!(asked.get() > 60, "{} evaluations", asked.get());
}
