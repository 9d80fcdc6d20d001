//! Time: the budget under clocks that tests make up, and whole games against the judge's limits.

mod common;

use common::{answer_on, changed, diagram, played, rng};
use hexbot::board::Board;
use hexbot::budget::{Budget, Clock, SystemClock};
use hexbot::cell::Color;
use hexbot::node::Node;
use hexbot::opening::Answer;
use hexbot::params::{Params, CLOCK_RESOLUTION};
use hexbot::player::Player;
use hexbot::playout::PlayoutEvaluator;
use hexbot::search::Search;
use hexbot::settings::Settings;
use std::cell::Cell as Shared;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A clock that only tests move; every reading can cost time by itself, and one much more.
#[derive(Default)]
struct FakeClock {
    now: Shared<Duration>,
    per_reading: Duration,
    readings: Shared<u64>,
    /// When it stalls, and for how long.
    stall: (Duration, Duration),
}

impl FakeClock {
    fn new(per_reading: Duration) -> Self {
        FakeClock {
            per_reading,
            ..FakeClock::default()
        }
    }

    fn advance(&self, by: Duration) {
        self.now.set(self.now.get() + by);
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Duration {
        let before = self.now.get();
        self.advance(self.per_reading);
        let (at, length) = self.stall;
        if before < at && at <= self.now.get() {
            self.advance(length);
        }
        self.readings.set(self.readings.get() + 1);
        self.now.get()
    }
}

const MS: Duration = Duration::from_millis(1);
const US: Duration = Duration::from_micros(1);

/// Runs simulations of a given length until the budget ends; returns the time then and the number.
fn spend(clock: &FakeClock, limit: Duration, length: impl Fn(u64) -> Duration) -> (Duration, u64) {
    let mut budget = Budget::until(clock, Duration::ZERO, limit);
    while budget.allows_another() {
        clock.advance(length(budget.simulations_run()));
    }
    (clock.now.get(), budget.simulations_run())
}

#[test]
fn a_steady_machine_is_stopped_within_the_resolution() {
    let longest = 32; // simulations between two readings
    for micros in [1, 5, 20, 50, 200, 1_000, 10_000] {
        let clock = FakeClock::default();
        let (end, count) = spend(&clock, 100 * MS, |_| micros * US);
        let late = end - 100 * MS;
        let most = (micros * US).max(4 * CLOCK_RESOLUTION);
        assert!(late <= most.min(longest * micros * US), "{late:?}");
        assert!(
            count >= 100_000 / u64::from(micros),
            "stopped after {count}"
        );
    }
}

#[test]
fn a_fast_machine_rarely_reads_the_clock() {
    let clock = FakeClock::default();
    let (_, count) = spend(&clock, 100 * MS, |_| 2 * US);
    let readings = clock.readings.get();
    assert!(readings * 20 < count, "{readings} readings");
}

#[test]
fn a_machine_that_slows_down_is_noticed() {
    // Fast for a while, then a thousand times slower.
    let length = |count| if count < 10_000 { 5 * US } else { 5 * MS };
    let (end, _) = spend(&FakeClock::default(), 100 * MS, length);
    // At worst one whole stride of slow simulations passes before the next reading.
    assert!(end <= 100 * MS + 32 * 5 * MS, "{end:?}");
    // One that was slow from the start overruns by a single simulation.
    let (end, _) = spend(&FakeClock::default(), 100 * MS, |_| 30 * MS);
    assert!(end <= 130 * MS, "{end:?}");
}

#[test]
fn a_jump_beyond_the_limit_ends_at_the_next_reading() {
    let jump = |count| if count == 5_000 { 10_000 * MS } else { 5 * US };
    let (_, count) = spend(&FakeClock::default(), 100 * MS, jump);
    assert!((5_000..=5_032).contains(&count), "{count}");
}

#[test]
fn a_limit_that_has_passed_allows_nothing() {
    let clock = FakeClock::default();
    clock.advance(500 * MS);
    assert_eq!(spend(&clock, 100 * MS, |_| MS), (500 * MS, 0));
}

/// A clock that shows [`Duration::MAX`] stops every budget at the next reading, one without a time
/// limit too, however long the simulations are.
#[test]
fn a_clock_at_its_end_stops_a_number_of_simulations() {
    for length in [US, 10 * US, 5 * MS] {
        for stopped_after in [1, 2, 700] {
            let clock = FakeClock::default();
            let mut budget = Budget::simulations(&clock, 10_000);
            while budget.allows_another() {
                clock.now.set(clock.now.get().saturating_add(length));
                if budget.simulations_run() == stopped_after {
                    clock.now.set(Duration::MAX);
                }
            }
            let late = budget.simulations_run() - stopped_after;
            assert!(late <= 32, "{late} after {stopped_after}");
        }
    }
}

/// What comes first ends a budget: the time or the number.
#[test]
fn a_budget_ends_with_its_first_limit() {
    for (limit, most, expected) in [(10 * MS, 5, 5), (3 * MS, 50, 3), (Duration::MAX, 7, 7)] {
        let clock = FakeClock::default();
        let mut budget = Budget::new(&clock, Duration::ZERO, limit, most);
        while budget.allows_another() {
            clock.advance(MS);
        }
        assert_eq!(budget.simulations_run(), expected, "{limit:?}");
    }
}

#[test]
fn the_search_ends_when_the_fake_clock_says_so() {
    // Every reading takes 40 µs, so that the limit comes after at most 2,500 of them.
    let clock = FakeClock::new(40 * US);
    let params = Params::default();
    let mut search = Search::new(params, PlayoutEvaluator::new(params.bridge_use, rng(1)));
    let mut budget = Budget::until(&clock, Duration::ZERO, 100 * MS);
    let result = search.think(&Board::<11>::new(), &mut budget).unwrap();
    assert!(result.simulations > 2_000, "{result}");
    let end = clock.now.get();
    assert!((100 * MS..102 * MS).contains(&end), "{end:?}");
}

/// The planned time of an answer if no answer has been late.
fn planned(settings: &Settings, answer: usize) -> Duration {
    settings.thinking_time(answer, Duration::ZERO)
}

#[test]
fn answers_keep_a_margin_below_the_judges_limits() {
    let settings = Settings::default();
    let (first, later) = (planned(&settings, 0), planned(&settings, 1));
    let first_limit = 1000 * MS - settings.params.first_margin;
    assert!((801 * MS..=first_limit).contains(&first), "{first:?}");
    let limit = 100 * MS - settings.params.margin;
    assert!((81 * MS..=limit).contains(&later), "{later:?}");
    assert_eq!(planned(&settings, 57), later);
    // Limits smaller than the margin leave something to think with.
    let hasty = changed(|settings: &mut Settings| settings.turn_limit = 4 * MS);
    assert_eq!(planned(&hasty, 1), 2 * MS);
}

#[test]
fn a_late_answer_shortens_the_later_ones() {
    let settings = Settings::default();
    let (first, later) = (planned(&settings, 0), planned(&settings, 1));
    let board = played::<7>("d4 a1");
    // How long the answers take when the clock stalls shortly before the second one is ready.
    let answers = |stall| {
        let mut clock = FakeClock::new(100 * US);
        clock.stall = (first + later - 2 * MS, stall);
        let mut player = Player::new(settings.clone());
        [0; 4].map(|_| {
            let arrival = clock.now.get();
            answer_on(&mut player, &board, &clock, arrival);
            clock.now.get() - arrival
        })
    };
    // There is always half of the time to think.
    let least = settings.turn_limit / 2;
    for (stall, after) in [(0, later), (20, later - 20 * MS), (500, least)] {
        let times = answers(stall * MS);
        let wanted = [first, later + stall * MS, after, after];
        let mut pairs = times.iter().zip(wanted);
        assert!(
            pairs.all(|(time, wanted)| time.abs_diff(wanted) < 4 * MS),
            "{times:?}"
        );
    }
}

/// Red's first move and the swap follow from a table, but the first answer has a second: the bot
/// thinks about what the other player may do, and its next answer finds that in the tree.
#[test]
fn the_time_of_an_answer_from_the_table_is_used() {
    for (opening, next) in [("", Color::Blue), ("f6", Color::Red)] {
        let board = played::<11>(opening);
        // So slow that all positions find room in the tree.
        let clock = FakeClock::new(MS);
        let settings = Settings::default();
        let evaluator = PlayoutEvaluator::new(settings.params.bridge_use, rng(1));
        let mut player = Player::with_evaluator(settings.clone(), evaluator);
        let reply = answer_on(&mut player, &board, &clock, Duration::ZERO);
        let took = clock.now.get();
        assert!(took.abs_diff(planned(&settings, 0)) < 4 * MS, "{took:?}");
        assert!(reply.result.is_none(), "the search has told {reply}");
        let mut board = reply.answer.played_on(&board);
        assert_eq!(board.to_move(), next);
        let root = player.search_mut().root_node().expect("a search");
        let expected = root.best_move(&settings.params).expect("a move");
        let known = root.edge_visits(expected);
        assert!(known > 50.0, "{known} visits of {expected}");
        board.play(expected);
        let reply = answer_on(&mut player, &board, &clock, took);
        let result = reply.result.expect("a search");
        let visits = player.search_mut().root_node().map(Node::total_visits);
        let least = 0.9 * (known + result.simulations as f32);
        assert!(visits > Some(least), "{opening:?}: {visits:?}, {least}");
    }
}

/// The only answer, which takes no time to think.
fn instant_answer<const N: usize>(board: &Board<N>) -> String {
    let mut player = Player::new(Settings::default());
    let reply = answer_on(&mut player, board, &FakeClock::default(), Duration::ZERO);
    assert_eq!(reply.result.unwrap().simulations, 0);
    reply.answer.to_string()
}

#[test]
fn decided_games_and_forced_moves_take_no_time() {
    let moves: String = (1..=10).map(|row| format!("f{row} a{row} ")).collect();
    let answer = instant_answer(&played::<11>(&moves));
    assert!(["e11", "f11"].contains(&answer.as_str()), "{answer}");
    // A single cell is empty and the game is not decided before it is taken.
    assert_eq!(instant_answer::<2>(&diagram("r b . r", Color::Blue)), "a2");
}

/// The time that this thread has waited for a processor, as Linux measures it.
fn waited_for_processor() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().nth(1);
    Duration::from_nanos(nanoseconds.map_or(0, |count| count.parse().unwrap_or(0)))
}

/// A thread that sleeps a millisecond again and again, and measures the delay of each wake-up. It
/// also sees stalls of a virtual machine that the operating system does not report.
struct Sleeper {
    overslept: Arc<AtomicU64>,
}

impl Sleeper {
    fn start() -> Self {
        let overslept = Arc::new(AtomicU64::new(0));
        let total = Arc::downgrade(&overslept);
        std::thread::spawn(move || {
            let mut asleep = Instant::now();
            while let Some(total) = total.upgrade() {
                std::thread::sleep(MS);
                let slept = asleep.elapsed();
                asleep = Instant::now();
                let late = slept.saturating_sub(2 * MS);
                total.fetch_add(late.as_nanos() as u64, Ordering::Relaxed);
            }
        });
        Sleeper { overslept }
    }

    fn overslept(&self) -> Duration {
        // It may still be asleep for as long as the answer was late.
        std::thread::sleep(2 * MS);
        Duration::from_nanos(self.overslept.load(Ordering::Relaxed))
    }
}

/// A whole game of the bot against itself by the machine's clock, at the judge's limits. What other
/// work on the machine took from an answer's time is not counted as the bot's: waiting for a
/// processor, and what a sleeping thread overslept meanwhile.
#[test]
fn a_whole_game_keeps_the_judges_limits() {
    let clock = SystemClock::start();
    let sleeper = Sleeper::start();
    let settings = changed(|settings: &mut Settings| settings.seed = Some(1));
    let mut players = [0; 2].map(|_| Player::<11>::new(settings.clone()));
    let mut board = Board::new();
    for answer in 0.. {
        if board.winner().is_some() {
            break;
        }
        let player = &mut players[board.to_move().index()];
        let limit = match answer {
            0 | 1 => settings.first_limit,
            _ => settings.turn_limit,
        };
        let (overslept, waited) = (sleeper.overslept(), waited_for_processor());
        let arrival = clock.now();
        let reply = answer_on(player, &board, &clock, arrival);
        let taken = clock.now() - arrival;
        let waited = waited_for_processor() - waited;
        if taken > limit {
            let stalled = waited + sleeper.overslept() - overslept;
            assert!(
                taken <= limit + stalled,
                "answer {answer}: {taken:?}, {stalled:?} stalled"
            );
        }
        player.tidy_up(&board, reply.answer, &clock);
        match reply.answer {
            Answer::Play(cell) => board.try_play(cell).unwrap(),
            Answer::SwapPieces => board = board.transposed(),
        }
    }
}
