//! What the search makes of an evaluator's judgements: when it asks for them, what they change, and
//! that it can do without. The judge here is an impostor whose answers the tests choose.

mod common;

use common::rng;
use hexbot::board::Board;
use hexbot::budget::{Budget, Clock, SystemClock};
use hexbot::cell::Cell;
use hexbot::evaluation::{Evaluation, Evaluator, Judgement};
use hexbot::grid::Grid;
use hexbot::links::Links;
use hexbot::mixture::Mixture;
use hexbot::network::Network;
use hexbot::params::{Bridges, Params};
use hexbot::playout::PlayoutEvaluator;
use hexbot::search::Search;
use std::cell::Cell as Shared;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// A judge that likes one cell wherever it is empty and takes its time.
struct Impostor {
    playouts: PlayoutEvaluator,
    favourite: Cell<7>,
    wins: f32,
    /// What a judgement takes on the clock below.
    takes: Duration,
    clock: FakeClock,
    asked: Rc<Shared<u32>>,
}

#[derive(Clone, Default)]
struct FakeClock(Rc<Shared<Duration>>);

impl Clock for FakeClock {
    fn now(&self) -> Duration {
        self.0.get()
    }
}

impl Evaluator<7> for Impostor {
    fn evaluate(&mut self, board: &Board<7>, links: &Links<7>) -> Evaluation<7> {
        self.clock
            .0
            .set(self.clock.now() + Duration::from_micros(4));
        self.playouts.evaluate(board, links)
    }

    fn judge(&mut self, board: &Board<7>) -> Option<Judgement<7>> {
        self.asked.set(self.asked.get() + 1);
        self.clock.0.set(self.clock.now() + self.takes);
        let empty = board.empty_cells();
        let mut priors = Grid::filled(0.0);
        for cell in empty.iter() {
            priors[cell] = 0.1 / empty.len() as f32;
        }
        if board.at(self.favourite).is_none() {
            priors[self.favourite] += 0.9;
        }
        // After the favourite is played, whoever moves has the worse game.
        let wins = if board.at(self.favourite).is_none() {
            0.5
        } else {
            1.0 - self.wins
        };
        Some(Judgement { wins, priors })
    }
}

fn impostor(wins: f32, takes: Duration) -> Impostor {
    Impostor {
        playouts: PlayoutEvaluator::new(Bridges::Seen, rng(1)),
        favourite: "b1".parse().expect("a cell"),
        wins,
        takes,
        clock: FakeClock::default(),
        asked: Rc::default(),
    }
}

#[test]
fn a_judgement_changes_the_move() {
    let budget = || Budget::simulations(SystemClock::start(), 2000);
    let choose = |params, wins| {
        let mut search = Search::new(params, impostor(wins, Duration::ZERO));
        search
            .think(&Board::new(), &mut budget())
            .expect("a move")
            .best
    };
    let favourite = "b1".parse().expect("a cell");
    let trusting = Params {
        network_weight: 1.0,
        ..Params::default()
    };
    assert_eq!(choose(trusting, 0.9), favourite, "praise is heard");
    assert_ne!(
        choose(trusting, 0.1),
        favourite,
        "blame is heard, however high the prior"
    );
    assert_ne!(
        choose(Params::playouts_only(), 0.9),
        favourite,
        "nobody is asked"
    );
}

#[test]
fn positions_are_judged_when_they_have_their_visits() {
    let asked_with = |judge_at_visit| {
        let judge = impostor(0.5, Duration::ZERO);
        let asked = judge.asked.clone();
        let params = Params {
            judge_at_visit,
            ..Params::default()
        };
        let mut search = Search::new(params, judge);
        search.think(
            &Board::new(),
            &mut Budget::simulations(SystemClock::start(), 1000),
        );
        let positions = search.positions(judge_at_visit.max(1.0));
        // A visit that ends in the node does not count as one that chose a move there; so the
        // judgement comes with the next visit.
        let due = positions
            .iter()
            .filter(|(_, node)| node.is_judged())
            .count();
        assert_eq!(asked.get() as usize, due, "each is judged once");
        let ripe = |visits: f32| visits > judge_at_visit;
        let late = positions
            .iter()
            .find(|(_, node)| ripe(node.total_visits()) && !node.is_judged());
        assert!(
            late.is_none(),
            "a position was passed over:\n{}",
            late.expect("one").0
        );
        asked.get()
    };
    let [often, seldom] = [4.0, 64.0].map(asked_with);
    assert!(seldom > 0 && often > 4 * seldom, "{often} against {seldom}");
    assert_eq!(asked_with(f32::INFINITY), 0);
}

#[test]
fn a_slow_judge_is_sent_home_and_time_is_kept() {
    let limit = Duration::from_millis(100);
    for (takes, most) in [
        (Duration::from_millis(10), 4),
        (Duration::from_micros(100), 2000),
    ] {
        let judge = impostor(0.5, takes);
        let (clock, asked) = (judge.clock.clone(), judge.asked.clone());
        let mut search = Search::new(Params::default(), judge);
        let thought = search.think(
            &Board::new(),
            &mut Budget::until(&clock, clock.now(), limit),
        );
        let thought = thought.expect("a move");
        assert!(asked.get() <= most, "{} times {takes:?}", asked.get());
        assert!(
            asked.get() >= most.min(100),
            "{} times {takes:?}",
            asked.get()
        );
        assert!(
            thought.elapsed <= limit + takes + Budget::<FakeClock>::RESOLUTION * 2,
            "{thought}"
        );
    }
}

#[test]
fn a_fixed_number_of_simulations_is_the_same_search_with_a_slow_judge() {
    let think = |takes| {
        let judge = impostor(0.5, takes);
        let clock = judge.clock.clone();
        let mut search = Search::new(Params::default(), judge);
        let thought = search.think(&Board::new(), &mut Budget::simulations(&clock, 3000));
        thought.expect("a move").line
    };
    assert_eq!(think(Duration::ZERO), think(Duration::from_millis(10)));
}

#[test]
fn a_missing_network_leaves_the_playouts() {
    let line = |network: Option<Arc<Network>>, params| {
        let playouts = PlayoutEvaluator::new(Bridges::Seen, rng(1));
        let mut search = Search::<11, _>::new(params, Mixture::new(playouts, network));
        let mut budget = Budget::simulations(SystemClock::start(), 2000);
        search
            .think(&Board::new(), &mut budget)
            .expect("a move")
            .line
    };
    let network = Network::shipped().ok().map(Arc::new);
    assert!(network.is_some());
    let without = line(None, Params::default());
    assert_eq!(without, line(network.clone(), Params::playouts_only()));
    assert_ne!(without, line(network, Params::default()));
}
