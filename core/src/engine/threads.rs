//! Several threads on one tree: [`shared`] tells what they do with it, here are the lock, the
//! threads, and how they end.
//!
//! A thread holds the lock once a simulation, to bring what it found of one leaf and to take the
//! next; evaluations, nine tenths of the work, run outside. Each looks at the clock and the stop
//! sign after every evaluation. One that panics ends all of them, and the panic goes on in the
//! thread that asked.
//!
//! [`shared`]: super::shared

use super::shared::{Leaf, NextLeaf, SharedSearch, SimulationTally};
use super::simd::{self, SimdWork};
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

/// How many threads may think about one position. They share one lock, which is good for about
/// eight: sixteen gain next to nothing more (docs/threads.md), and more would only wait.
pub const THREADS: RangeInclusive<usize> = 1..=16;

/// The longest that a thread waits for others before it looks at the clock again.
const LONGEST_WAIT: Duration = Duration::from_millis(1);

/// What threads evaluate leaves with: searches whose own trees stay empty. A thread's is made when
/// it is first needed, and kept.
pub struct LeafEvaluators<const N: usize, E> {
    params: Params,
    make: Box<dyn FnMut() -> E + Send>,
    made: Vec<Search<N, E>>,
}

impl<const N: usize, E: Evaluator<N>> LeafEvaluators<N, E> {
    /// None yet. `make` makes one evaluator after the other, each with random numbers of its own.
    pub fn new(params: &Params, make: impl FnMut() -> E + Send + 'static) -> Self {
        // No memory for a tree.
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

    /// Those of this many threads.
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
    /// When it begins, as the clock shows it, and for how long; `None` for no limit.
    pub time: Option<(Duration, Duration)>,
    /// The most simulations.
    pub simulations: u64,
}

impl Portion {
    /// The budget of a search by one thread.
    pub fn budget(self, clock: &StoppableClock) -> Budget<&StoppableClock> {
        match self.time {
            Some((start, limit)) => Budget::until(clock, start, limit),
            None => Budget::simulations(clock, self.simulations),
        }
    }
}

/// [`Search::think`] with simulations by as many threads as there are `evaluators`. There are none
/// if the clock has been stopped.
///
/// # Panics
/// If a thread does. The tree may be half written then.
pub fn think<const N: usize, E: Evaluator<N> + Send>(
    search: &mut Search<N, E>,
    evaluators: &mut [Search<N, E>],
    board: &Board<N>,
    clock: &StoppableClock,
    portion: Portion,
) -> Option<SearchResult<N>> {
    // Without any simulation: makes the board the root, and tells what the tree knows of it.
    let look = |search: &mut Search<N, E>| search.think(board, &mut Budget::simulations(clock, 0));
    let known = look(search)?;
    if known.proof.is_some() {
        return Some(known);
    }
    let tally = simulate(search, evaluators, board, clock, portion);
    Some(SearchResult {
        simulations: tally.simulations,
        ..look(search)?
    })
}

/// Runs simulations of `board`, which `search` has thought about last, on as many threads as there
/// are `evaluators`, this one included; until the portion is spent, the clock is stopped, or
/// simulations can tell no more. With one thread the tree becomes what [`Search::think`] makes of
/// it.
///
/// # Panics
/// If a thread does, with what it said, once all have ended. The tree may be half written then.
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
    // What all have run together is counted elsewhere.
    let portion = Portion {
        simulations: u64::MAX,
        ..portion
    };
    let mut workers = evaluators.iter_mut().map(|evaluator| Worker {
        team: &team,
        clock,
        budget: portion.budget(clock),
        evaluator,
    });
    std::thread::scope(|scope| {
        let mine = workers.next();
        let mut others = Vec::new();
        for worker in workers {
            let thread = std::thread::Builder::new().name("search".to_owned());
            // Where the machine gives no more threads, those that there are do the work.
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
    /// Told whenever something was brought.
    brought: Condvar,
    /// True once a thread has panicked.
    failed: AtomicBool,
}

/// One thread at its work.
struct Worker<'a, 'b, const N: usize, E> {
    team: &'a Team<'b, N, E>,
    clock: &'a StoppableClock,
    budget: Budget<&'a StoppableClock>,
    evaluator: &'a mut Search<N, E>,
}

/// A leaf, and what a thread has found out of it.
pub type Brought<const N: usize> = (Leaf<N>, (Evaluation<N>, Option<Proof>));

impl<'b, const N: usize, E: Evaluator<N>> Worker<'_, 'b, N, E> {
    fn work(self) {
        let _alarm = Alarm(&self.team.failed);
        simd::run(self);
    }

    /// What to do next, after what was brought has been taken in; waits where that helps.
    #[inline(always)]
    fn next(&mut self, brought: Option<Brought<N>>) -> NextLeaf<N> {
        // Whoever panicked with the lock in hand may have left the tree half written.
        let Ok(mut shared) = self.team.shared.lock() else {
            return NextLeaf::Done;
        };
        if let Some((leaf, found)) = brought {
            shared.absorb(&leaf, found);
            self.team.brought.notify_all();
        }
        let ends = self.clock.is_stopped() || self.team.failed.load(Ordering::Relaxed);
        if ends || !self.budget.allows_another() {
            return NextLeaf::Done;
        }
        let next = shared.next_leaf();
        if matches!(next, NextLeaf::Missed) {
            self.budget.look_soon();
            self.wait(shared);
        }
        next
    }

    /// Waits until another thread has brought something.
    #[cold]
    fn wait(&self, shared: MutexGuard<SharedSearch<'b, N, E>>) {
        // If somebody has panicked meanwhile, the next lock tells.
        drop(self.team.brought.wait_timeout(shared, LONGEST_WAIT));
    }
}

impl<const N: usize, E: Evaluator<N>> SimdWork for Worker<'_, '_, N, E> {
    type Output = ();
    const HAS_COPY: bool = Search::<N, E>::HAS_SIMD_COPY;

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
}

/// Ends the other threads if its own panics.
struct Alarm<'a>(&'a AtomicBool);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        self.0.fetch_or(std::thread::panicking(), Ordering::Relaxed);
    }
}
