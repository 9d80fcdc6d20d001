//! `hex lab bench --threads`: what the lock of a search by several threads costs, on machines with
//! fewer cores, too.
//!
//! One thread plays the part of all, in an order as if each had a core: whose turn it is with the
//! lock is computed from the times that were measured, and what it then does is really done. So
//! virtual losses, misses and waiting are those of many threads, and no time is disturbed by other
//! threads. Left out is what cores take from each other beside the lock, such as memory and heat;
//! where the machine has the cores, the real thing is measured beside it, and so is the most that
//! it could be there: as many searches that share nothing.

use super::{BenchPosition, N, SEED};
use hex_common::options;
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

/// So many threads each time.
const THREADS: [usize; 5] = [1, 2, 4, 8, 16];

/// Every such position of the bench is taken.
const STRIDE: usize = 4;

/// A time longer than so many typical ones is not the search's: the operating system was at work.
const INTERRUPTED: f64 = 6.0;

/// How often everything is measured, in turns, so that the machine's load concerns all alike.
const ROUNDS: usize = 5;

/// What evaluations cost, in microseconds.
#[derive(Clone, Copy, Default)]
struct Costs {
    leaves: u64,
    misses: u64,
    /// With the lock in hand.
    locked: f64,
    /// Without.
    outside: f64,
    /// From the beginning to the end, if each thread has a core.
    elapsed: f64,
}

impl Costs {
    /// The part of the time with the lock in hand that an evaluation takes outside.
    fn locked_share(self) -> f64 {
        self.locked / self.outside
    }

    /// How many evaluations are made in the time of one by one thread, whose costs are `alone`. As
    /// both may be measured at times when the machine is not as fast, times count in evaluations.
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
/// If nothing can be written.
pub fn run(
    positions: &[BenchPosition],
    simulations: u64,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let positions: Vec<&BenchPosition> = positions.iter().step_by(STRIDE).collect();
    let cores = options::all_cores();
    let mut costs = [Costs::default(); THREADS.len()];
    // The first one tells what times are typical.
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
            let [together, apart] = measured(&positions, threads, simulations);
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

/// A search that has thought about the position without any simulation, and evaluators for threads.
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

/// Has one thread do the work of `threads`. Times far above the `typical` ones, the means of an
/// earlier measurement, are replaced by them.
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
        asks: vec![0.0; threads],
        typical: typical.map(|costs| [costs.locked, costs.outside].map(|time| costs.each(time))),
    };
    simd::run(work)
}

struct SimulatedThreads<'a, 'b> {
    shared: SharedSearch<'b, N, FallbackEvaluator<N>>,
    evaluator: &'a mut Search<N, FallbackEvaluator<N>>,
    /// When each thread asks for the lock; infinite if it waits for others or has stopped.
    asks: Vec<f64>,
    /// Times with the lock in hand and without.
    typical: Option<[f64; 2]>,
}

impl SimulatedThreads<'_, '_> {
    /// The time since `started`, by the typical one with this index.
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
        let threads = self.asks.len();
        let mut hands: Vec<Option<Brought<N>>> = (0..threads).map(|_| None).collect();
        let (mut waiting, mut free, mut costs) = (Vec::new(), 0.0, Costs::default());
        loop {
            let first = (0..threads).min_by(|&a, &b| self.asks[a].total_cmp(&self.asks[b]));
            let thread = first.expect("there are threads");
            if self.asks[thread].is_infinite() {
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
            free = f64::max(free, self.asks[thread]) + took;
            if brings {
                let woken = waiting.drain(..);
                woken.for_each(|thread: usize| self.asks[thread] = free);
            }
            self.asks[thread] = match next {
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

/// How many times as many evaluations a second real threads make as one alone, together on one tree
/// and apart, each on a tree of its own: medians of some rounds, in which all take turns.
fn measured(positions: &[&BenchPosition], threads: usize, simulations: u64) -> [f64; 2] {
    let mut gains = [const { Vec::new() }; 2];
    for _ in 0..ROUNDS {
        let alone = speed(positions, 1, 1, simulations);
        gains[0].push(speed(positions, 1, threads, simulations) / alone);
        gains[1].push(speed(positions, threads, 1, simulations.div_ceil(threads as u64)) / alone);
    }
    gains.map(|mut gains| {
        gains.sort_by(f64::total_cmp);
        gains[ROUNDS / 2]
    })
}

/// Evaluations a second of so many searches at the same time, each by so many threads and of so
/// many simulations.
fn speed(positions: &[&BenchPosition], searches: usize, threads: usize, simulations: u64) -> f64 {
    let portion = Portion {
        time: None,
        simulations,
    };
    let (mut leaves, mut seconds) = (0, 0.0);
    for position in positions {
        let clock = StoppableClock::start(&Stop::never());
        let mut prepared: Vec<_> = (0..searches).map(|_| prepare(position)).collect();
        // What evaluates is made before the time counts.
        prepared.iter_mut().for_each(|(_, evaluators)| {
            evaluators.first(threads);
        });
        let search_one = |(search, evaluators): &mut SearchAndEvaluators| {
            let evaluators = evaluators.first(threads);
            simulate(search, evaluators, &position.board, &clock, portion).leaves
        };
        let started = Instant::now();
        leaves += std::thread::scope(|scope| {
            let mut prepared = prepared.iter_mut();
            let mine = prepared.next();
            let others: Vec<_> = prepared
                .map(|one| scope.spawn(|| search_one(one)))
                .collect();
            let mine = mine.map_or(0, search_one);
            let others = others.into_iter().map(|other| other.join());
            mine + others.map(|leaves| leaves.expect("no panics")).sum::<u64>()
        });
        seconds += started.elapsed().as_secs_f64();
    }
    leaves as f64 / f64::max(seconds, f64::MIN_POSITIVE)
}
