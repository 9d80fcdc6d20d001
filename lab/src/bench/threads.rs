//! `hex lab bench --threads`: the cost of the lock in a search by several threads, also on machines
//! with fewer cores.
//!
//! One thread simulates all threads, in the order that they would have with a core each. The
//! measured times decide which thread gets the lock next, and its work is really done. So virtual
//! losses, misses and waits are those of many threads, but threads do not disturb the measured
//! times. The simulation leaves out other effects between cores, such as memory bandwidth and heat.
//! If the machine has enough cores, real threads are measured too, and, as an upper limit, as many
//! searches that share nothing.

use super::{BenchPosition, N, SEED};
use hex_common::options;
use hex_common::system::MachineError;
use hex_common::workers::at_the_same_time;
use hex_core::engine::shared::{NextLeaf, SharedSearch};
use hex_core::engine::simd::{self, SimdWork};
use hex_core::engine::threads::{simulate, Brought, LeafEvaluators, Portion};
use hex_core::engine::{network, Stop, StoppableClock};
use hexbot::budget::Budget;
use hexbot::fallback::FallbackEvaluator;
use hexbot::params::Params;
use hexbot::search::Search;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io::Write;
use std::time::Instant;

/// The numbers of threads.
const THREADS: [usize; 5] = [1, 2, 4, 8, 16];

/// Every position of the bench with a multiple of this number is used.
const STRIDE: usize = 4;

/// A time longer than this multiple of the typical one contains an interruption by the operating
/// system.
const INTERRUPTED: f64 = 6.0;

/// How often everything is measured, in turns, so that the machine's load affects all measurements
/// equally.
const ROUNDS: usize = 5;

/// The costs of evaluations, in microseconds.
#[derive(Clone, Copy, Default)]
struct Costs {
    leaves: u64,
    misses: u64,
    /// Time with the lock.
    locked: f64,
    /// Time without the lock.
    outside: f64,
    /// The elapsed time if each thread has a core.
    elapsed: f64,
}

impl Costs {
    /// The time with the lock as a share of the time without it.
    fn locked_share(self) -> f64 {
        self.locked / self.outside
    }

    /// The ratio of evaluations a second to those of one thread, whose costs are `alone`. Times are
    /// measured in evaluations, because the machine's speed may differ between both measurements.
    fn gain(self, alone: Costs) -> f64 {
        self.outside * (1.0 + alone.locked_share()) / self.elapsed
    }

    fn each(self, time: f64) -> f64 {
        time / self.leaves.max(1) as f64
    }
}

/// Prints a line for each number of threads.
///
/// # Errors
/// If the output is closed.
pub(crate) fn run(
    positions: &[BenchPosition],
    simulations: u64,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let positions: Vec<&BenchPosition> = positions.iter().step_by(STRIDE).collect();
    let cores = options::all_cores();
    let mut costs = [Costs::default(); THREADS.len()];
    // The first measurement gives the typical times.
    let typical = simulate_threads(positions[0], 1, simulations, None);
    for _ in 0..ROUNDS {
        for position in &positions {
            for (costs, threads) in costs.iter_mut().zip(THREADS) {
                let more = simulate_threads(position, threads, simulations, Some(typical));
                costs.leaves += more.leaves;
                costs.misses += more.misses;
                costs.locked += more.locked;
                costs.outside += more.outside;
                costs.elapsed += more.elapsed;
            }
        }
    }
    writeln!(
        output,
        "threads  locked µs  outside µs   missed  gain  measured  apart"
    )?;
    for (costs_of, threads) in costs.iter().zip(THREADS) {
        write!(
            output,
            "{threads:7}  {:9.2}  {:10.2}  {:6.1}%  {:4.2}",
            costs_of.each(costs_of.locked),
            costs_of.each(costs_of.outside),
            100.0 * costs_of.each(costs_of.misses as f64),
            costs_of.gain(costs[0]),
        )?;
        if threads > 1 && threads <= cores {
            let [together, apart] = measured(&positions, threads, simulations)?;
            write!(output, "  {together:8.2}  {apart:5.2}")?;
        }
        writeln!(output)?;
        output.flush()?;
    }
    Ok(())
}

/// A search, and evaluators for threads.
type SearchAndEvaluators = (
    Search<N, FallbackEvaluator<N>>,
    LeafEvaluators<N, FallbackEvaluator<N>>,
);

/// A search with the position as its root, without any simulation, and evaluators for threads.
fn prepare(position: &BenchPosition) -> SearchAndEvaluators {
    let params = Params::default();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut evaluator = move || {
        let own = rng.clone();
        rng.jump();
        FallbackEvaluator::<N>::new(&params, own, network())
    };
    let mut search = Search::new(params, evaluator());
    let clock = StoppableClock::start(&Stop::never());
    search.think(&position.board, &mut Budget::simulations(&clock, 0));
    (search, LeafEvaluators::new(&params, evaluator))
}

/// Does the work of `threads` on one thread. Replaces times far above the `typical` ones, the means
/// of an earlier measurement, by these.
fn simulate_threads(
    position: &BenchPosition,
    threads: usize,
    simulations: u64,
    typical: Option<Costs>,
) -> Costs {
    let (mut search, mut evaluators) = prepare(position);
    let Some(shared) = SharedSearch::new(&mut search, &position.board, simulations) else {
        return Costs::default();
    };
    let work = SimulatedThreads {
        shared,
        evaluator: &mut evaluators.first(1)[0],
        wants_lock: vec![0.0; threads],
        typical: typical.map(|costs| [costs.locked, costs.outside].map(|time| costs.each(time))),
    };
    simd::run(work)
}

struct SimulatedThreads<'a, 'b> {
    shared: SharedSearch<'b, N, FallbackEvaluator<N>>,
    evaluator: &'a mut Search<N, FallbackEvaluator<N>>,
    /// When each thread wants the lock; infinite if it waits for others or has stopped.
    wants_lock: Vec<f64>,
    /// Times with the lock and without.
    typical: Option<[f64; 2]>,
}

impl SimulatedThreads<'_, '_> {
    /// The time since `started`, or the typical time with this index if there was an interruption.
    fn since(&self, started: Instant, index: usize) -> f64 {
        let time = started.elapsed().as_secs_f64() * 1e6;
        match self.typical {
            Some(typical) if time > INTERRUPTED * typical[index] => typical[index],
            _ => time,
        }
    }
}

impl SimdWork for SimulatedThreads<'_, '_> {
    type Output = Costs;
    const HAS_COPY: bool = true;

    #[inline(always)]
    fn run(mut self) -> Costs {
        let clock = StoppableClock::start(&Stop::never());
        let mut budget = Budget::simulations(&clock, u64::MAX);
        let threads = self.wants_lock.len();
        let mut hands: Vec<Option<Brought<N>>> = (0..threads).map(|_| None).collect();
        let (mut waiting, mut free, mut costs) = (Vec::new(), 0.0, Costs::default());
        loop {
            let first =
                (0..threads).min_by(|&a, &b| self.wants_lock[a].total_cmp(&self.wants_lock[b]));
            let thread = first.expect("there are threads");
            if self.wants_lock[thread].is_infinite() {
                break;
            }
            let started = Instant::now();
            let brought = hands[thread].take();
            let brings = brought.is_some();
            if let Some((leaf, found)) = brought {
                self.shared.absorb(&leaf, found);
            }
            let next = self.shared.next_leaf();
            let took = self.since(started, 0);
            costs.locked += took;
            free = f64::max(free, self.wants_lock[thread]) + took;
            if brings {
                let woken = waiting.drain(..);
                woken.for_each(|thread: usize| self.wants_lock[thread] = free);
            }
            self.wants_lock[thread] = match next {
                NextLeaf::Leaf(leaf) => {
                    let started = Instant::now();
                    let (board, depth) = (leaf.board(), leaf.depth());
                    let found = self.evaluator.evaluate_leaf(board, depth, &mut budget);
                    let took = self.since(started, 1);
                    hands[thread] = Some((leaf, found));
                    costs.outside += took;
                    free + took
                }
                NextLeaf::Again => free,
                NextLeaf::Missed => {
                    waiting.push(thread);
                    f64::INFINITY
                }
                NextLeaf::Done => f64::INFINITY,
            };
        }
        let tally = self.shared.tally();
        Costs {
            leaves: tally.leaves,
            misses: tally.misses,
            elapsed: free,
            ..costs
        }
    }
}

/// The ratios of evaluations a second of real threads to those of one: together on one tree, and
/// apart, each with its own tree. Medians of several rounds, with all measurements in turns.
fn measured(
    positions: &[&BenchPosition],
    threads: usize,
    simulations: u64,
) -> Result<[f64; 2], MachineError> {
    let mut gains = [const { Vec::new() }; 2];
    for _ in 0..ROUNDS {
        let alone = speed(positions, 1, 1, simulations)?;
        gains[0].push(speed(positions, 1, threads, simulations)? / alone);
        let each = simulations.div_ceil(threads as u64);
        gains[1].push(speed(positions, threads, 1, each)? / alone);
    }
    Ok(gains.map(|mut gains| {
        gains.sort_by(f64::total_cmp);
        gains[ROUNDS / 2]
    }))
}

/// Evaluations a second of this number of searches at the same time, each with `threads` threads
/// and `simulations` simulations.
fn speed(
    positions: &[&BenchPosition],
    searches: usize,
    threads: usize,
    simulations: u64,
) -> Result<f64, MachineError> {
    let portion = Portion {
        time: None,
        simulations,
    };
    let (mut leaves, mut seconds) = (0, 0.0);
    for position in positions {
        let clock = StoppableClock::start(&Stop::never());
        let mut prepared: Vec<_> = (0..searches).map(|_| prepare(position)).collect();
        // Evaluators are made before the time counts.
        prepared.iter_mut().for_each(|(_, evaluators)| {
            evaluators.first(threads);
        });
        let search_one = |(search, evaluators): &mut SearchAndEvaluators| {
            let evaluators = evaluators.first(threads);
            simulate(search, evaluators, &position.board, &clock, portion).leaves
        };
        let started = Instant::now();
        let mut prepared = prepared.iter_mut();
        let mine = prepared.next();
        let (others, mine) = at_the_same_time(prepared.collect(), search_one, || {
            mine.map_or(0, search_one)
        })?;
        leaves += mine + others.into_iter().sum::<u64>();
        seconds += started.elapsed().as_secs_f64();
    }
    Ok(leaves as f64 / f64::max(seconds, f64::MIN_POSITIVE))
}
