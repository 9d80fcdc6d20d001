//! Several threads on one tree: the lock, the threads, and how they end. [`shared`] contains what
//! they do with the tree.
//!
//! A thread takes the lock once a simulation, to store the result of one leaf and to select the
//! next. Evaluations, nine tenths of the work, run without the lock. Each thread checks the clock,
//! which shows a stop too, after every evaluation. If one panics, all end, and the panic continues
//! in the calling thread.
//!
//! [`shared`]: super::shared

use super::shared::{Leaf, NextLeaf, SharedSearch, SimulationTally};
use super::StoppableClock;
use hexbot::board::Board;
use hexbot::budget::Budget;
use hexbot::evaluation::{Evaluation, Evaluator};
use hexbot::node::Proof;
use hexbot::params::Params;
use hexbot::search::{Search, SearchResult};
use std::ops::RangeInclusive;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How many threads may search one position. They share one lock, which limits the gain: sixteen
/// are hardly faster than eight (docs/threads.md), and more would only wait.
pub const THREADS: RangeInclusive<usize> = 1..=16;

/// The longest that a thread waits for others before it checks the clock again.
const LONGEST_WAIT: Duration = Duration::from_millis(1);

/// The evaluators of the threads: searches whose own trees stay empty. Each is made when it is
/// first needed, and kept.
pub struct LeafEvaluators<const N: usize, E> {
    params: Params,
    make: Box<dyn FnMut() -> E + Send>,
    made: Vec<Search<N, E>>,
}

impl<const N: usize, E: Evaluator<N>> LeafEvaluators<N, E> {
    /// An empty list. `make` returns a new evaluator with its own random numbers at each call.
    pub fn new(params: &Params, make: impl FnMut() -> E + Send + 'static) -> Self {
        // They need no memory for a tree.
        let params = Params {
            max_nodes: 0,
            ..*params
        };
        LeafEvaluators {
            params,
            make: Box::new(make),
            made: Vec::new(),
        }
    }

    /// The evaluators for this number of threads.
    pub fn first(&mut self, threads: usize) -> &mut [Search<N, E>] {
        while self.made.len() < threads {
            let evaluator = Search::new(self.params, (self.make)());
            self.made.push(evaluator);
        }
        &mut self.made[..threads]
    }
}

/// How long to search.
#[derive(Clone, Copy, Debug)]
pub struct Portion {
    /// When the time began, as a reading of the clock, and how long it lasts; `None` for no limit.
    pub time: Option<(Duration, Duration)>,
    /// The most simulations.
    pub simulations: u64,
}

impl Portion {
    /// The budget of a search by one thread.
    pub(crate) fn budget(self, clock: &StoppableClock) -> Budget<&StoppableClock> {
        let (start, limit) = self.time.unwrap_or((Duration::ZERO, Duration::MAX));
        Budget::new(clock, start, limit, self.simulations)
    }
}

/// [`Search::think`] on one thread for each of the `evaluators`. Runs no simulation if the clock is
/// stopped already.
///
/// # Panics
/// If a thread panics. The tree may be half written then.
pub fn think<const N: usize, E: Evaluator<N> + Send>(
    search: &mut Search<N, E>,
    evaluators: &mut [Search<N, E>],
    board: &Board<N>,
    clock: &StoppableClock,
    portion: Portion,
) -> Option<SearchResult<N>> {
    // Without any simulation this makes the board the root and returns what the tree knows of it.
    let known = search.think(board, &mut Budget::simulations(clock, 0))?;
    if known.proof.is_some() {
        return Some(known);
    }
    go_on(search, evaluators, board, clock, portion)
}

/// [`Search::go_on`] on one thread for each of the `evaluators`.
///
/// # Panics
/// If a thread panics. The tree may be half written then.
pub(crate) fn go_on<const N: usize, E: Evaluator<N> + Send>(
    search: &mut Search<N, E>,
    evaluators: &mut [Search<N, E>],
    board: &Board<N>,
    clock: &StoppableClock,
    portion: Portion,
) -> Option<SearchResult<N>> {
    let tally = simulate(search, evaluators, board, clock, portion);
    Some(SearchResult {
        simulations: tally.simulations,
        ..search.go_on(&mut Budget::simulations(clock, 0))?
    })
}

/// Runs simulations of `board`, the position that `search` searched last, on one thread for each of
/// the `evaluators`; the calling thread is one of them. Ends when the portion is spent, the clock
/// is stopped, or more simulations cannot change the result. With one thread the tree becomes the
/// same as with [`Search::think`].
///
/// # Panics
/// If a thread panics, with the same payload, after all threads have ended. The tree may be half
/// written then.
pub fn simulate<const N: usize, E: Evaluator<N> + Send>(
    search: &mut Search<N, E>,
    evaluators: &mut [Search<N, E>],
    board: &Board<N>,
    clock: &StoppableClock,
    portion: Portion,
) -> SimulationTally {
    let Some(shared) = SharedSearch::new(search, board, portion.simulations) else {
        return SimulationTally::default();
    };
    let team = Team {
        shared: Mutex::new(shared),
        brought: Condvar::new(),
        failed: AtomicBool::new(false),
    };
    // `SharedSearch` counts the simulations of all threads together.
    let portion = Portion {
        simulations: u64::MAX,
        ..portion
    };
    let mut workers = evaluators.iter_mut().map(|evaluator| Worker {
        team: &team,
        budget: portion.budget(clock),
        evaluator,
    });
    std::thread::scope(|scope| {
        let mine = workers.next();
        let mut others = Vec::new();
        for worker in workers {
            let thread = std::thread::Builder::new().name("search".to_owned());
            // If the system starts no more threads, the others do the work.
            others.extend(thread.spawn_scoped(scope, move || worker.work()));
        }
        let mine = catch_unwind(AssertUnwindSafe(|| mine.map(Worker::work)));
        let ends = others.into_iter().map(|other| other.join());
        // All of them are joined before a panic goes on.
        let failed: Vec<_> = ends.filter_map(Result::err).collect();
        let failed = mine.err().into_iter().chain(failed).next();
        if let Some(panic) = failed {
            resume_unwind(panic);
        }
    });
    let shared = team.shared.into_inner();
    shared.unwrap_or_else(PoisonError::into_inner).tally()
}

/// What all threads share.
struct Team<'a, const N: usize, E> {
    shared: Mutex<SharedSearch<'a, N, E>>,
    /// Notified whenever a thread has stored a result.
    brought: Condvar,
    /// True once a thread has panicked.
    failed: AtomicBool,
}

/// One thread at its work.
struct Worker<'a, 'b, const N: usize, E> {
    team: &'a Team<'b, N, E>,
    budget: Budget<&'a StoppableClock>,
    evaluator: &'a mut Search<N, E>,
}

/// A leaf and its evaluation.
type Brought<const N: usize> = (Leaf<N>, (Evaluation<N>, Option<Proof>));

impl<'b, const N: usize, E: Evaluator<N>> Worker<'_, 'b, N, E> {
    fn work(self) {
        let _alarm = Alarm(&self.team.failed);
        #[cfg(target_arch = "x86_64")]
        if Search::<N, E>::HAS_SIMD_COPY && hexbot::search::has_simd() {
            // SAFETY: the features have just been detected.
            return unsafe { self.run_avx2() };
        }
        self.run();
    }

    /// As [`hexbot::search`] does with simulations, compiles the work a second time, for processors
    /// with AVX2. Only what is inlined into `run` is.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt,bmi1")]
    fn run_avx2(self) {
        self.run();
    }

    #[inline(always)]
    fn run(mut self) {
        let mut brought = None;
        loop {
            match self.next(brought.take()) {
                NextLeaf::Leaf(leaf) => {
                    let (board, depth) = (leaf.board(), leaf.depth());
                    let found = self.evaluator.evaluate_leaf(board, depth, &mut self.budget);
                    brought = Some((leaf, found));
                }
                NextLeaf::Again | NextLeaf::Missed => {}
                NextLeaf::Done => return,
            }
        }
    }

    /// Stores the last result and returns what to do next. Waits if every leaf is taken.
    #[inline(always)]
    fn next(&mut self, brought: Option<Brought<N>>) -> NextLeaf<N> {
        // A thread that panicked while it held the lock may have left the tree half written.
        let Ok(mut shared) = self.team.shared.lock() else {
            return NextLeaf::Done;
        };
        if let Some((leaf, found)) = brought {
            shared.absorb(&leaf, found);
            self.team.brought.notify_all();
        }
        if self.team.failed.load(Ordering::Relaxed) || !self.budget.allows_another() {
            return NextLeaf::Done;
        }
        let next = shared.next_leaf();
        if matches!(next, NextLeaf::Missed) {
            self.wait(shared);
            self.budget.read_clock();
        }
        next
    }

    /// Waits until another thread has stored a result.
    #[cold]
    fn wait(&self, shared: MutexGuard<SharedSearch<'b, N, E>>) {
        // If a thread has panicked meanwhile, taking the lock fails next time.
        drop(self.team.brought.wait_timeout(shared, LONGEST_WAIT));
    }
}

/// Ends the other threads when its own thread panics.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        self.0.fetch_or(std::thread::panicking(), Ordering::Relaxed);
    }
}
