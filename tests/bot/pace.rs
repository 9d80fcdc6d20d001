//! Evaluations at any pace: when the evaluator is given up, and that time is kept; and what is done
//! in the other player's time.

use crate::common::{answer_on, begun, simulating};
use crate::impostor::{impostor, FakeClock, Impostor};
use hexbot::board::Board;
use hexbot::budget::{Budget, Clock, SystemClock};
use hexbot::cell_set::CellSet;
use hexbot::node::Node;
use hexbot::opening::Answer;
use hexbot::params::{Params, CLOCK_RESOLUTION, SLOW_EVALUATION};
use hexbot::player::Player;
use hexbot::search::Search;
use hexbot::settings::Settings;
use hexbot::shortest_path::heuristic_move;
use std::cell::Cell as Shared;
use std::time::Duration;

#[test]
fn a_slow_evaluator_degrades_and_time_is_kept() {
    let limit = Duration::from_millis(100);
    for (takes, least, most) in [
        (SLOW_EVALUATION * 2, 4, 4),
        (SLOW_EVALUATION, 10, 11),
        (Duration::from_micros(100), 900, 1001),
    ] {
        let impostor = impostor(0.5, takes);
        let (clock, asked) = (impostor.clock.clone(), impostor.asked.clone());
        let mut search = Search::new(Params::default(), impostor);
        let mut budget = Budget::until(&clock, clock.now(), limit);
        let result = search.think(&Board::new(), &mut budget).expect("a move");
        let times = asked.get();
        assert!((least..=most).contains(&times), "{times} times {takes:?}");
        let latest = limit + takes + CLOCK_RESOLUTION * 2;
        assert!(result.elapsed <= latest, "{result}");
    }
}

/// The pace at which the network is still kept, and paces at which it is given up in the first
/// answer's long time: all answers are ready before the judge's limit.
#[test]
fn time_is_kept_however_slow_evaluations_are() {
    let settings = Settings::default();
    assert!(SLOW_EVALUATION < settings.params.margin);
    for milliseconds in [1, 5, 9, 10, 11, 30, 100, 200] {
        let impostor = impostor(0.5, Duration::from_millis(milliseconds));
        let (clock, asked) = (impostor.clock.clone(), impostor.asked.clone());
        let mut player = Player::with_evaluator(settings.clone(), impostor);
        let mut board = begun::<7>();
        for answer in 0..6 {
            let (arrival, before) = (clock.now(), asked.get());
            let reply = player.reply(&board, CellSet::EMPTY, &clock, arrival);
            let limit = [settings.first_limit, settings.turn_limit][usize::from(answer > 0)];
            let took = clock.now() - arrival;
            assert!(
                took < limit,
                "{took:?} of {limit:?}, {milliseconds} ms each"
            );
            let kept = milliseconds <= SLOW_EVALUATION.as_millis() as u64;
            let is_asked = asked.get() - before >= 7;
            assert_eq!(is_asked, kept, "answer {answer}, {milliseconds} ms each");
            board = reply.expect("a move").answer.played_on(&board);
            clock.advance(Duration::from_millis(50));
        }
    }
}

/// A player whose evaluator is slow.
type Slow = Player<7, Impostor>;

/// A clock that goes on by so much whenever it is read.
struct Ticking {
    clock: FakeClock,
    tick: Shared<Duration>,
}

impl Ticking {
    fn on(impostor: &Impostor) -> Self {
        let (clock, tick) = (impostor.clock.clone(), Shared::default());
        Ticking { clock, tick }
    }

    /// The player tidies up after its answer, and every reading takes so long.
    fn tidy_up(&self, player: &mut Slow, board: &Board<7>, answer: Answer<7>, takes: Duration) {
        self.tick.set(takes);
        player.tidy_up(board, answer, self);
        self.tick.set(Duration::ZERO);
    }
}

impl Clock for Ticking {
    fn now(&self) -> Duration {
        self.clock.advance(self.tick.get());
        self.clock.now()
    }
}

#[test]
fn a_turn_that_came_while_the_player_tidied_up_is_answered_in_time() {
    let settings = Settings::default();
    let milliseconds = Duration::from_millis;
    for (waited, late) in [(milliseconds(0), true), (milliseconds(1), false)] {
        let impostor = impostor(0.5, milliseconds(1));
        let clock = Ticking::on(&impostor);
        let mut player = Player::with_evaluator(settings.clone(), impostor);
        let board = begun::<7>();
        let reply = player.reply(&board, CellSet::EMPTY, &clock, clock.now());
        let answer = reply.expect("a move").answer;
        let answered = clock.now() + milliseconds(20);
        clock.tidy_up(&mut player, &board, answer, milliseconds(20));
        clock.clock.advance(waited);
        let arrival = clock.now();
        assert_eq!(arrival, answered + milliseconds(20) + waited);
        let mut board = answer.played_on(&board);
        board.play(board.empty_cells().iter().next().expect("a cell"));
        player.reply(&board, CellSet::EMPTY, &clock, arrival);
        let since = if late { answered } else { arrival };
        let thinking_time = settings.thinking_time(1, Duration::ZERO);
        assert_eq!(clock.now(), since + thinking_time, "{waited:?}");
    }
}

/// A judge that stops the process right after each answer and lets it go on with the next turn. The
/// player has its whole time for each answer, and no stop counts as lag.
#[test]
fn a_judge_that_stops_the_process_between_turns_costs_no_time() {
    let settings = Settings::default();
    let impostor = impostor(0.5, Duration::from_millis(1));
    let clock = Ticking::on(&impostor);
    let mut player = Player::with_evaluator(settings.clone(), impostor);
    let mut board = begun::<7>();
    for answer in 0..5 {
        let arrival = clock.now();
        let reply = player.reply(&board, CellSet::EMPTY, &clock, arrival);
        let thinking_time = settings.thinking_time(answer, Duration::ZERO);
        assert_eq!(clock.now() - arrival, thinking_time, "answer {answer}");
        let action = reply.expect("a move").answer;
        clock.tidy_up(&mut player, &board, action, settings.turn_limit);
        board = action.played_on(&board);
        board.play(board.empty_cells().iter().next().expect("a cell"));
    }
}

/// A player that tidies up after each of its answers plays the same as one that does not.
#[test]
fn what_is_freed_after_an_answer_is_not_missed_at_the_next_turn() {
    let mut settings = simulating(300);
    settings.seed = Some(1);
    let [mut tidy, mut other] = [0, 1].map(|_| Player::<11>::new(settings.clone()));
    let (mut board, clock) = (Board::new(), SystemClock::start());
    for turn in 0..8 {
        let [found, expected] = [&mut tidy, &mut other].map(|player| {
            let reply = answer_on(player, &board, &clock, clock.now());
            let visits = player.search_mut().root_node().map(Node::total_visits);
            (reply.answer, visits)
        });
        assert_eq!(found, expected, "turn {turn}");
        let (answer, _) = found;
        tidy.tidy_up(&board, answer, &clock);
        assert!(tidy.search_mut().root_node().is_none());
        board = answer.played_on(&board);
        board.play(heuristic_move(&board).unwrap());
    }
}

#[test]
fn slow_evaluations_without_a_limit_count_too() {
    let impostor = impostor(0.5, SLOW_EVALUATION * 2);
    let (clock, asked) = (impostor.clock.clone(), impostor.asked.clone());
    let mut search = Search::new(Params::default(), impostor);
    search.think(&Board::new(), &mut Budget::simulations(&clock, 20));
    let before = asked.get();
    let mut budget = Budget::until(&clock, clock.now(), Duration::from_millis(100));
    search.think(&Board::new(), &mut budget);
    assert_eq!(asked.get() - before, 1, "it degrades at the first one");
}

#[test]
fn a_turn_that_arrives_on_a_stopped_clock_is_answered() {
    let impostor = impostor(0.5, Duration::ZERO);
    let clock = impostor.clock.clone();
    clock.advance(Duration::MAX);
    let mut player = Player::with_evaluator(Settings::default(), impostor);
    for _ in 0..2 {
        let reply = player.reply(&begun(), CellSet::EMPTY, &clock, clock.now());
        assert!(reply.is_some());
    }
}

#[test]
fn a_fixed_number_of_simulations_is_the_same_search_with_a_slow_evaluator() {
    let think = |takes| {
        let impostor = impostor(0.5, takes);
        let clock = impostor.clock.clone();
        let mut search = Search::new(Params::default(), impostor);
        let result = search.think(&Board::new(), &mut Budget::simulations(&clock, 1000));
        result.expect("a move").principal_variation
    };
    assert_eq!(think(Duration::ZERO), think(SLOW_EVALUATION * 2));
}
