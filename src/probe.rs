//! Facts about the judge's machine, for the upload that reports them (`cargo bundle --probe`). The
//! other uploads leave this module out.
//!
//! Each fact is a line for stderr, `hexbot probe NAME: VALUE`. `hex check` and `hex replay` read
//! them.

use crate::board::Board;
use crate::bridges::Bridges;
use crate::budget::{Clock, SystemClock};
use crate::cell::Cell;
use crate::evaluation::Evaluator;
use crate::settings::Settings;
use crate::shipped::shipped_evaluator;
use crate::turn::SIDE;
use std::cell::RefCell;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Arc;
use std::thread::{available_parallelism, sleep, Builder};
use std::time::Duration;

/// The begin of each line.
pub const PREFIX: &str = "hexbot probe ";

/// Evaluations are counted for the first answer's limit divided by this, four times: on one thread
/// and on two.
const WINDOWS: u32 = 50;

/// The fewest evaluations of a thread that show what a second one gains.
const ENOUGH: f64 = 10.0;

/// The turns after which the wait for the next turn is measured, from the first on.
const WAITS: u32 = 3;

/// How long the thread that counts sleeps each time.
const NAP: Duration = Duration::from_millis(1);

/// A clock that also watches how long the bot and its process stand still.
pub struct Probe {
    clock: SystemClock,
    state: RefCell<State>,
}

/// What is known so far.
struct State {
    /// Lines that have not been reported yet.
    lines: String,
    /// Turns that have been answered.
    turns: u32,
    /// The last readings of the clock. The last two of a turn are those of `Player::tidy_up`, after
    /// the answer.
    last: [Duration; 3],
    /// The longest time between two readings within a turn.
    longest_gap: Duration,
    /// Whether the next reading is the arrival of a turn.
    is_waiting: bool,
    /// When the wait for the next turn began, and the naps meanwhile.
    naps: Option<(Duration, Arc<Naps>)>,
}

/// The naps of a thread while the opponent thinks. Times are in microseconds.
#[derive(Default)]
struct Naps {
    over: AtomicBool,
    count: AtomicU64,
    longest: AtomicU64,
    last: AtomicU64,
}

impl Probe {
    /// Measures the machine, for a tenth of the first answer's limit. The settings in the result
    /// have a first limit that is shorter by the time that this took.
    pub fn start(clock: SystemClock, settings: Settings) -> (Self, Settings) {
        let begun = clock.now();
        let lines = processor() + &speed(&clock, &settings);
        let end = clock.now();
        let first_limit = settings.first_limit.saturating_sub(end - begun);
        let state = State {
            lines,
            turns: 0,
            last: [end; 3],
            longest_gap: Duration::ZERO,
            is_waiting: true,
            naps: None,
        };
        let settings = Settings {
            first_limit,
            ..settings
        };
        let state = state.into();
        (Probe { clock, state }, settings)
    }

    /// The lines since the last call. Call it last in a turn: the next reading of the clock is the
    /// arrival of the next turn. Until then a thread naps and counts in the first turns.
    pub fn report(&self) -> String {
        let state = &mut *self.state.borrow_mut();
        state.turns += 1;
        state.is_waiting = true;
        if state.turns <= WAITS {
            // From before the answer on: the process may have been stopped right after it.
            let (clock, begun) = (self.clock, state.last[0]);
            let naps = Arc::new(Naps::default());
            naps.last.store(micros(begun), Ordering::Relaxed);
            state.naps = Some((begun, naps.clone()));
            // If the machine refuses the thread, the second thread's line shows it.
            let _ = Builder::new().spawn(move || naps.take(clock));
        }
        if state.turns == WAITS + 1 {
            let gap = milliseconds(micros(state.longest_gap));
            state.lines += &line("gap", &format!("{gap} ms"));
        }
        std::mem::take(&mut state.lines)
    }
}

impl Clock for Probe {
    fn now(&self) -> Duration {
        let now = self.clock.now();
        let state = &mut *self.state.borrow_mut();
        if std::mem::take(&mut state.is_waiting) {
            state.last = [now; 3];
        }
        let [older, old, last] = state.last;
        state.longest_gap = state.longest_gap.max(old - older);
        state.last = [old, last, now];
        if let Some((begun, naps)) = state.naps.take() {
            state.lines += &line("wait", &naps.end(begun, now));
        }
        now
    }
}

impl Naps {
    /// Naps until the wait is over.
    fn take(&self, clock: SystemClock) {
        while !self.over.load(Ordering::Relaxed) {
            sleep(NAP);
            let now = micros(clock.now());
            let nap = now - self.last.swap(now, Ordering::Relaxed);
            self.longest.fetch_max(nap, Ordering::Relaxed);
            self.count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Ends the counting. The wait, how many naps there were, and the longest.
    fn end(&self, begun: Duration, now: Duration) -> String {
        self.over.store(true, Ordering::Relaxed);
        // A process that was stopped may read the clock here before the thread has woken.
        let last = micros(now).saturating_sub(self.last.load(Ordering::Relaxed));
        let longest = self.longest.load(Ordering::Relaxed).max(last);
        format!(
            "{} ms, {} naps, longest {} ms",
            milliseconds(micros(now - begun)),
            self.count.load(Ordering::Relaxed),
            milliseconds(longest)
        )
    }
}

/// The processor's name and its instructions.
fn processor() -> String {
    let file = File::open("/proc/cpuinfo").ok().map(BufReader::new);
    let lines = file
        .into_iter()
        .flat_map(|file| file.lines().map_while(Result::ok));
    let name = lines
        .filter_map(|line| Some(line.strip_prefix("model name")?.to_owned()))
        .next();
    let name = name.as_deref().and_then(|rest| rest.split_once(": "));
    let name = line("processor", name.map_or("unknown", |(_, name)| name));
    name + &line("instructions", &instructions())
}

/// The instructions that the bot uses, and two more, each after + or -. Of other processors none.
fn instructions() -> String {
    #[cfg(target_arch = "x86_64")]
    let known = [
        ("avx2", std::is_x86_feature_detected!("avx2")),
        ("popcnt", std::is_x86_feature_detected!("popcnt")),
        ("bmi1", std::is_x86_feature_detected!("bmi1")),
        ("fma", std::is_x86_feature_detected!("fma")),
        ("avx512f", std::is_x86_feature_detected!("avx512f")),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    let known: [(&str, bool); 0] = [];
    let shown = |(name, is_there)| format!("{}{name} ", if is_there { '+' } else { '-' });
    known.map(shown).concat()
}

/// Cores, the time of an evaluation, and what a second thread gains.
fn speed(clock: &SystemClock, settings: &Settings) -> String {
    let window = settings.first_limit / WINDOWS;
    let evaluator = || shipped_evaluator::<SIDE>(&settings.params, settings.rng()).0;
    let (mut first, mut alone, mut together) = (evaluator(), 0_f64, Some(0_f64));
    // The better of two measurements, so that a stall does not decide.
    for mut second in [evaluator(), evaluator()] {
        alone = alone.max(rate(clock, window, &mut first, &AtomicU64::new(0)));
        let counted = Arc::new(AtomicU64::new(0));
        let (their_clock, theirs) = (*clock, counted.clone());
        let thread = Builder::new().spawn(move || rate(&their_clock, window, &mut second, &theirs));
        let begun = clock.now();
        let own = rate(clock, window, &mut first, &AtomicU64::new(0));
        // Not joined: it may be late.
        let other = counted.load(Ordering::Relaxed) as f64 / (clock.now() - begun).as_secs_f64();
        together = together.filter(|_| thread.is_ok());
        together = together.map(|most| most.max(own + other));
    }
    let threads = match together {
        None => "no thread".to_owned(),
        Some(_) if alone * window.as_secs_f64() < ENOUGH => "too slow to tell".to_owned(),
        Some(together) => format!("{:.2} times", together / alone),
    };
    let cores = available_parallelism().map_or("unknown".to_owned(), |count| count.to_string());
    line("cores", &cores)
        + &line("evaluation", &format!("{:.1} us", 1e6 / alone))
        + &line("second thread", &threads)
}

/// Evaluations a second in this time, at least one. `count` counts them.
fn rate(
    clock: &SystemClock,
    window: Duration,
    evaluator: &mut impl Evaluator<SIDE>,
    count: &AtomicU64,
) -> f64 {
    let mut board = Board::new();
    // Each seventh cell: no two of them are neighbours.
    for index in (0..SIDE * SIDE).step_by(7) {
        board.play_unchecked(Cell::from_index(index));
    }
    let bridges = Bridges::new(&board, 0);
    // The first one also loads the weights into the caches.
    evaluator.evaluate(&board, &bridges);
    let begun = clock.now();
    loop {
        evaluator.evaluate(&board, &bridges);
        let evaluations = count.fetch_add(1, Ordering::Relaxed) + 1;
        let time = clock.now() - begun;
        if time >= window {
            return evaluations as f64 / time.as_secs_f64();
        }
    }
}

/// A line of the report.
fn line(name: &str, value: &str) -> String {
    format!("{PREFIX}{name}: {}\n", value.trim())
}

fn micros(time: Duration) -> u64 {
    time.as_micros() as u64
}

/// Milliseconds with one digit after the point.
fn milliseconds(micros: u64) -> String {
    format!("{:.1}", micros as f64 / 1e3)
}
