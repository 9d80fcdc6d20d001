//! The bot behind one door: every side, stopping, levels, clocks, the pie rule.

use hex_core::engine::game_clock::GameClock;
use hex_core::engine::strength::Level;
use hex_core::engine::{
    engine, network, player, Analysis, Effort, Engine, Stop, StopSign, StoppableClock, Task, SIDES,
};
use hex_core::record::{AnyBoard, AnyCell, Game, Move, Side};
use hex_core::service::messages::{OrderLimit, Subject};
use hexbot::book;
use hexbot::budget::Clock;
use hexbot::cell::Color;
use hexbot::opening::{self, Answer, Swaps};
use hexbot::params::Params;
use hexbot::settings::Settings;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::{Duration, Instant};

fn position(side: usize, red: &[&str], blue: &[&str]) -> AnyBoard {
    let side = Side::try_from(side).unwrap();
    let stones = [(red, Color::Red), (blue, Color::Blue)].into_iter();
    let stones = stones.flat_map(|(cells, color)| {
        let cells = cells.iter().map(|cell| side.parse_cell(cell).unwrap());
        cells.map(move |cell| (cell, color))
    });
    side.position(stones, Color::Red)
}

fn think(position: &AnyBoard, color: Color, task: &Task) -> Option<Analysis> {
    let mut engine = engine(Side::of_board(position), &Params::default(), 1).unwrap();
    engine.think(&position.with_to_move(color), task, &mut |_| {})
}

#[test]
fn it_plays_on_every_side_it_names_and_no_other() {
    for side in Side::MIN..=Side::MAX {
        let side = Side::try_from(side).unwrap();
        let made = engine(side, &Params::default(), 1);
        assert_eq!(made.is_ok(), SIDES.contains(&side.get()), "{side}");
        if let Ok(mut engine) = made {
            let task = Task::new(Effort::Simulations(4));
            let position = side.board();
            let thought = engine.think(&position, &task, &mut |_| {});
            let thought = thought.unwrap();
            assert!(position.at(thought.best).is_none());
            assert!(!thought.principal_variation.is_empty() && !thought.moves.is_empty());
        }
    }
}

#[test]
fn no_time_at_all_still_gives_a_considered_move() {
    // Only c3 joins Red's two halves, and the win there is seen without any search.
    let position = position(5, &["c1", "c2", "c4", "c5"], &["a1", "b2", "d4", "e5"]);
    for effort in [Effort::Time(Duration::ZERO), Effort::Simulations(0)] {
        let thought = think(&position, Color::Red, &Task::new(effort)).unwrap();
        assert_eq!(thought.best.to_string(), "c3");
        assert_eq!(thought.win_probability, 1.0);
    }
    // Where nothing is certain some simulations are run all the same.
    let empty = Side::CODINGAME.board();
    let thought = think(&empty, Color::Red, &Task::new(Effort::Time(Duration::ZERO))).unwrap();
    assert!(thought.simulations > 0);
}

/// Time that is over before the first simulation is not the end of what there is to find out: pages
/// think in rounds of a tenth of a second, in which a slow machine may evaluate the root alone.
#[test]
fn time_that_is_over_too_soon_still_gives_simulations() {
    let empty = Side::CODINGAME.board();
    for threads in [1, 2] {
        for micros in [5, 10, 20, 40, 80, 160] {
            let effort = Effort::Time(Duration::from_micros(micros));
            let task = Task {
                threads,
                ..Task::new(effort)
            };
            let thought = think(&empty, Color::Red, &task).unwrap();
            assert!(thought.simulations > 0, "{micros} µs, {threads} threads");
        }
    }
}

/// Blue must take c3, or Red wins there at once: no search is needed, so the answer comes at once
/// under any limit.
#[test]
fn a_forced_move_ends_the_thinking() {
    let position = position(5, &["c1", "c2", "c4", "c5"], &["a1", "b2", "d4"]);
    let started = Instant::now();
    for effort in [
        Effort::Time(Duration::from_secs(3600)),
        Effort::Simulations(u64::MAX),
    ] {
        let thought = think(&position, Color::Blue, &Task::new(effort)).unwrap();
        assert_eq!(thought.best.to_string(), "c3");
    }
    // Far from the hour that was allowed.
    assert!(started.elapsed() < Duration::from_secs(600));
}

/// The surest win is played, which is not always the move that was looked at most: a list of moves
/// begins with it all the same.
#[test]
fn the_best_move_comes_first() {
    // It depends on the network where this happens; in this number of searches it does.
    let openings: [(&[&str], &[&str]); 4] = [
        (&["c2", "d8", "g4"], &["f6", "e7", "h5"]),
        (&["c2", "d8"], &["g4", "h5"]),
        (&["a2", "h4", "d5"], &["e9", "f3", "g7"]),
        (&["f3"], &["d8"]),
    ];
    let mut looked_at_less = 0;
    for (red, blue) in openings {
        let position = position(11, red, blue);
        for simulations in (100..=1500).step_by(100) {
            let task = Task::new(Effort::Simulations(simulations));
            let thought = think(&position, Color::Red, &task).unwrap();
            let (first, others) = thought.moves.split_first().unwrap();
            assert_eq!(first.cell, thought.best);
            assert!(others.is_sorted_by(|a, b| a.visits >= b.visits));
            looked_at_less += usize::from(first.visits < others[0].visits);
        }
    }
    assert!(looked_at_less > 0);
}

#[test]
fn a_won_game_needs_no_thought() {
    let position = position(2, &["a1", "a2"], &["b1"]);
    assert!(think(&position, Color::Blue, &Task::new(Effort::Simulations(1))).is_none());
}

#[test]
fn the_same_seed_and_simulations_give_the_same_thought() {
    let position = position(9, &["d4"], &["f6"]);
    let task = Task::new(Effort::Simulations(300));
    let [a, b] = [(), ()].map(|()| think(&position, Color::Red, &task).unwrap());
    assert_eq!(a.best, b.best);
    assert_eq!(a.principal_variation, b.principal_variation);
    assert_eq!(a.simulations, 300);
    let visits: u32 = a.moves.iter().map(|known| known.visits).sum();
    assert!(visits <= 300);
    assert!(a.moves.is_sorted_by(|one, next| one.visits >= next.visits));
}

/// A search that can be stopped is the same search, in as many pieces, as one that cannot: a piece
/// costs time.
#[test]
fn a_search_that_can_be_stopped_pauses_no_more_often() {
    let position = position(9, &["d4"], &["f6"]);
    let search = |stop: Stop, simulations| {
        let task = Task {
            stop,
            ..Task::new(Effort::Simulations(simulations))
        };
        let mut engine = engine(Side::of_board(&position), &Params::default(), 1).unwrap();
        let mut pauses = 0;
        let position = position.with_to_move(Color::Red);
        let analysis = engine.think(&position, &task, &mut |_| pauses += 1);
        let moves = analysis.unwrap().moves;
        let visits = moves.iter().map(|known| (known.cell, known.visits));
        (pauses, visits.collect::<Vec<_>>())
    };
    let stoppable = || StopSign::default().for_task(1);
    for simulations in [300, 1200] {
        let plain = search(Stop::never(), simulations);
        assert_eq!(search(stoppable(), simulations), plain);
    }
}

#[test]
fn a_task_that_is_stopped_ends_whatever_its_limit() {
    let sign = StopSign::default();
    sign.stop_up_to(1);
    assert!(sign.for_task(1).is_set());
    assert!(!sign.for_task(2).is_set());
    assert!(!Stop::never().is_set());
    let started = Instant::now();
    for effort in [
        Effort::Time(Duration::from_secs(3600)),
        Effort::Simulations(u64::MAX),
    ] {
        let task = Task {
            stop: sign.for_task(1),
            ..Task::new(effort)
        };
        let position = Side::CODINGAME.board();
        assert!(think(&position, Color::Red, &task).is_some());
    }
    // Far from the hour that was allowed.
    assert!(started.elapsed() < Duration::from_secs(600));
}

#[test]
fn levels_go_from_1_to_10_and_never_get_weaker() {
    let levels: Vec<Level> = Level::all().collect();
    assert_eq!(levels.len(), 10);
    for pair in levels.windows(2) {
        let [weak, strong] = [pair[0].handicap(), pair[1].handicap()];
        let most = |simulations: Option<u64>| simulations.unwrap_or(u64::MAX);
        assert!(most(weak.simulations) <= most(strong.simulations));
        assert!(weak.temperature >= strong.temperature);
        assert_ne!(weak, strong);
    }
    let strongest = Level::STRONGEST.handicap();
    assert_eq!((strongest.simulations, strongest.temperature), (None, 0.0));
    assert_eq!("10".parse(), Ok(Level::STRONGEST));
    for wrong in ["0", "11", "-1", "x", ""] {
        assert!(wrong.parse::<Level>().is_err(), "{wrong:?}");
    }
}

/// How often each of the moves of `thought` is played at a level, the best first.
fn choices(level: Level, thought: &Analysis, tries: u32) -> Vec<u32> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut counts = vec![0; thought.moves.len()];
    for _ in 0..tries {
        let cell = level.handicap().choose(thought, &mut rng);
        let known = thought.moves.iter().position(|known| known.cell == cell);
        counts[known.unwrap()] += 1;
    }
    counts
}

/// The weaker the level, the more often it plays another move than the best; but one that is both
/// unlikely at first sight and without visits is played at no level.
#[test]
fn weak_levels_choose_among_plausible_moves() {
    let position = position(11, &["d4"], &["f6"]);
    let thought = think(&position, Color::Red, &Task::new(Effort::Simulations(64))).unwrap();
    let tries = 2000;
    let mut best = 0;
    for level in Level::all() {
        let counts = choices(level, &thought, tries);
        assert!(counts[0] > best || best == tries, "level {level}");
        best = counts[0];
        for (known, count) in thought.moves.iter().zip(counts) {
            let is_plausible = known.visits > 0 || known.prior.unwrap() > 1e-4;
            assert!(count == 0 || is_plausible, "level {level}: {}", known.cell);
        }
    }
    assert_eq!(best, tries);
}

/// The answer to an intrusion into a bridge, and a win that the search has proven.
#[test]
fn no_level_misses_an_obvious_move() {
    let mut missed = Vec::new();
    for (red, blue, answer) in OBVIOUS {
        let position = position(11, red, blue);
        let thought = think(&position, Color::Red, &Task::new(Effort::Simulations(64))).unwrap();
        assert_eq!(thought.best.to_string(), *answer);
        for level in Level::all() {
            let others: u32 = choices(level, &thought, 200)[1..].iter().sum();
            if others > 0 {
                missed.push(format!("level {level}: {answer} in {others} of 200"));
            }
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

/// Red's and Blue's stones, and the only good move of Red.
type Obvious = (
    &'static [&'static str],
    &'static [&'static str],
    &'static str,
);

const OBVIOUS: &[Obvious] = &[
    (&["f6", "e8", "h3"], &["c5", "i5", "e7"], "f7"),
    (
        &["f1", "f2", "f3", "f4", "f5", "f7", "f8", "f9", "f10", "f11"],
        &["a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2", "a3", "b3"],
        "f6",
    ),
];

/// However the game goes, the shares of the clock and the cost of each move stay within the total.
#[test]
fn the_clock_of_a_game_is_never_overrun() {
    let cost = Duration::from_millis(19);
    for total in [10, 60, 300, 3600].map(Duration::from_secs) {
        for cells in [4usize, 121, 196, 361] {
            let mut clock = GameClock::new(total);
            let mut used = Duration::ZERO;
            for moves in 0..cells.div_ceil(2) {
                let share = clock.share(cells - 2 * moves);
                assert!(share < total / 2);
                used += share + cost;
                clock.spend(share + cost);
            }
            assert!(used < total, "{used:?} of {total:?} on {cells} cells");
            // A game that fills the board uses most of the time, on boards that people play on.
            let wasted = cells > 100 && used < total * 2 / 3;
            assert!(!wasted, "{used:?} of {total:?} on {cells} cells");
        }
    }
}

/// Red's answer by the bot's own book.
fn from_the_book(position: &AnyBoard) -> AnyCell {
    book::answer(position).expect("the book has the position")
}

#[test]
fn the_strongest_level_alone_plays_the_opening_book() {
    let c2_d8 = position(11, &["c2"], &["d8"]);
    let level = |text: &str| text.parse::<Level>().unwrap();
    let answer = |position: &AnyBoard, color, level: Level| {
        let position = position.with_to_move(color);
        match opening::decide(&position, Swaps::Off, level.opening_book()) {
            Some(Answer::Play(cell)) => Some(cell),
            _ => None,
        }
    };
    let known = Some(from_the_book(&c2_d8));
    let larger = position(12, &["c2"], &["d8"]);
    for (position, color, text, wanted) in [
        (&c2_d8, Color::Red, "10", known),
        (&c2_d8, Color::Red, "9", None),
        (&c2_d8, Color::Blue, "10", None),
        (&larger, Color::Red, "10", None),
    ] {
        assert_eq!(answer(position, color, level(text)), wanted, "level {text}");
    }
}

/// A game as the page names it, at a level: the move that needs no search.
#[test]
fn the_page_has_the_moves_that_need_no_search() {
    let limit = OrderLimit {
        ms: Some(100),
        simulations: None,
    };
    let ready = |game, level| {
        let subject = Subject::to_move(game, level, limit).unwrap();
        subject.ready_move()
    };
    let cell = |name| Some(Move::Place(Side::CODINGAME.parse_cell(name).unwrap()));
    assert_eq!(ready("11,", 1), cell("c2"));
    assert_eq!(ready("11,f6", 1), Some(Move::SwapPieces));
    let c2_d8 = from_the_book(&position(11, &["c2"], &["d8"]));
    assert_eq!(ready("11,c2d8", 10), Some(Move::Place(c2_d8)));
    assert_eq!(ready("11,c2d8", 9), None);
    assert_eq!(ready("11,c2d8a1", 10), None);
    let analysis = Subject::to_analyse("11,c2d8", limit).unwrap();
    assert_eq!(analysis.ready_move(), None);
}

/// What is freed in the other player's time cannot come up again: the moves are the same without
/// it, on boards of their own, in the corner of larger ones, and after a swap.
#[test]
fn moves_do_not_depend_on_what_is_freed_between_them() {
    for (side, first) in [(5, "c3"), (9, "e5"), (11, "f6"), (13, "a1")] {
        let side = Side::of(side);
        let settings = || Settings {
            simulations: Some(60),
            ..Settings::default()
        };
        let mut tidy = player(side, settings(), 1, network(side)).unwrap();
        let mut untidy = player(side, settings(), 1, network(side)).unwrap();
        let clock = StoppableClock::start(&Stop::never());
        let mut game = Game::new(side);
        game.play(Move::parse(first, side).unwrap()).unwrap();
        while game.outcome().is_none() && game.turns().len() < 12 {
            let position = game.position().clone();
            let reply = |bot: &mut Engine| {
                let reply = bot.reply(&position, &[], &clock, clock.now());
                reply.expect("there is a move").action
            };
            let action = reply(&mut tidy);
            assert_eq!(reply(&mut untidy), action, "side {side}\n{position}");
            tidy.tidy_up(&position, action, &clock);
            game.play(action).unwrap();
            // The other player takes the first free cell.
            let free = game.position().empty_cells().iter().next();
            if let (Some(point), None) = (free, game.outcome()) {
                game.play(Move::Place(point)).unwrap();
            }
        }
    }
}
