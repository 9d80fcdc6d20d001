//! The engines of a page's service: their number and their memory. Engines that are no longer
//! needed are returned to the caller, so that it can free their memory without the lock.

use hex_core::engine::{engine, network, node_bytes, Effort, Networks, Task};
use hex_core::record::Side;
use hex_core::service::engine_cache::{CacheLimits, CachedEngine, EngineCache, Owner, TabId};
use hex_core::service::messages::Purpose;
use hexbot::cell::Color;
use hexbot::params::Params;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

/// Counts those that are there.
struct Counted(Arc<AtomicUsize>);

impl Counted {
    fn new(there: &Arc<AtomicUsize>) -> Counted {
        there.fetch_add(1, Ordering::SeqCst);
        Counted(there.clone())
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

const GIB: usize = 1 << 30;

fn limits(engines: usize, memory: usize) -> CacheLimits {
    CacheLimits {
        engines,
        memory,
        tree: GIB,
    }
}

fn owner(tab: u64) -> Owner {
    Owner::new(TabId(tab), Color::Red, Purpose::Analysis)
}

fn is_kept<E>(engine: &CachedEngine<E>) -> bool {
    matches!(engine, CachedEngine::Kept(_))
}

#[test]
fn no_engine_is_dropped_while_the_lock_is_held() {
    let there = Arc::new(AtomicUsize::new(0));
    let count = || there.load(Ordering::SeqCst);
    let limits = limits(usize::MAX, GIB);
    let mut cache = EngineCache::new(limits, 1, Networks::PlayoutsOnly);
    // Only some can be kept.
    let mut evicted = Vec::new();
    for tab in 0..100 {
        evicted.extend(cache.keep(owner(tab), Side::of(5), Counted::new(&there)));
        assert_eq!(count(), tab as usize + 1, "all are there still");
    }
    assert!(!evicted.is_empty() && evicted.len() < 100);
    let kept = 100 - evicted.len();
    let bytes = kept * Params::default().max_nodes * node_bytes(Side::of(5));
    assert!((GIB / 2..=GIB).contains(&bytes), "{bytes}");
    drop(evicted);
    assert_eq!(count(), kept);
    // An owner's new engine takes the place of the one before.
    let evicted = cache.keep(owner(99), Side::of(5), Counted::new(&there));
    assert_eq!((evicted.len(), count()), (1, kept + 1));
    drop(evicted);
    // On a board of another side the old one is of no use.
    let (engine, evicted) = cache.take(owner(99), Side::of(8)).unwrap();
    assert!(!is_kept(&engine));
    assert_eq!((evicted.len(), count()), (1, kept));
    drop(evicted);
    let (engine, evicted) = cache.take(owner(98), Side::of(5)).unwrap();
    assert!(is_kept(&engine) && evicted.is_empty());
    drop(engine);
    let forgotten = cache.forget(TabId(97));
    assert_eq!((forgotten.len(), count()), (1, kept - 2));
}

/// The engine at work counts: of two, one is kept while another is at work.
#[test]
fn no_more_engines_are_kept_than_allowed() {
    let there = Arc::new(AtomicUsize::new(0));
    let limits = limits(2, GIB);
    let mut cache = EngineCache::new(limits, 1, Networks::PlayoutsOnly);
    for tab in [1, 2] {
        let (engine, evicted) = cache.take(owner(tab), Side::of(11)).unwrap();
        assert!(!is_kept(&engine) && evicted.is_empty(), "{tab}");
        let evicted = cache.keep(owner(tab), Side::of(11), Counted::new(&there));
        assert!(evicted.is_empty());
    }
    let (engine, evicted) = cache.take(owner(3), Side::of(11)).unwrap();
    assert!(!is_kept(&engine));
    assert_eq!(evicted.len(), 1, "the first makes room for the third");
    assert!(is_kept(&cache.take(owner(2), Side::of(11)).unwrap().0));
    let another = cache.take(owner(4), Side::of(11));
    assert!(another.is_none(), "both are at work");
}

/// The property that the limit promises: whatever is taken, kept and forgotten, all trees together
/// fit, but for a single one.
#[test]
fn the_memory_of_all_engines_is_limited() {
    let tree_bytes = |side| Params::default().max_nodes * node_bytes(Side::of(side));
    let memory = 3 * tree_bytes(11) + 1;
    let limits = limits(usize::MAX, memory);
    let sides = [5, 11, 14, 19];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut cache: EngineCache<Vec<u64>> = EngineCache::new(limits, 1, Networks::PlayoutsOnly);
    // The owners and sides of the engines that are there, at work and idle.
    let [mut busy, mut idle] = [const { Vec::<(u64, u8)>::new() }; 2];
    let (mut full, mut most) = (0, 0);
    for _ in 0..20_000 {
        let (tab, side) = (rng.random_range(0..8), sides[rng.random_range(0..4)]);
        let at_work = busy.iter().position(|&(owner, _)| owner == tab);
        let evicted = match at_work {
            Some(at) => {
                let (_, side) = busy.remove(at);
                cache.release(owner(tab));
                if rng.random_bool(0.8) {
                    idle.push((tab, side));
                    cache.keep(owner(tab), Side::of(side), vec![tab])
                } else {
                    Vec::new()
                }
            }
            None if rng.random_bool(0.1) => cache.forget(TabId(tab)),
            None => match cache.take(owner(tab), Side::of(side)) {
                Some((engine, evicted)) => {
                    if is_kept(&engine) {
                        idle.retain(|&(owner, _)| owner != tab);
                    }
                    busy.push((tab, side));
                    evicted
                }
                None => {
                    full += 1;
                    assert!(!busy.is_empty(), "somebody must be waited for");
                    Vec::new()
                }
            },
        };
        for owner in evicted.concat() {
            idle.retain(|&(other, _)| other != owner);
        }
        let all = busy.iter().chain(&idle);
        let bytes: usize = all.map(|&(_, side)| tree_bytes(side)).sum();
        let fits = bytes <= memory || busy.len() + idle.len() == 1;
        assert!(fits, "{busy:?} {idle:?}");
        most = most.max(bytes);
    }
    assert!(full > 1000, "{full} times full");
    assert!(most > memory / 2, "{most} bytes");
}

/// The system's allocator, which counts.
struct Counting;

thread_local! {
    /// The bytes that this thread has allocated and not freed: tests run side by side.
    static BYTES: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: all is left to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.set(BYTES.get() + layout.size() as isize);
        System.alloc(layout)
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        BYTES.set(BYTES.get() + layout.size() as isize);
        System.alloc_zeroed(layout)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        BYTES.set(BYTES.get() - layout.size() as isize);
        System.dealloc(memory, layout);
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        BYTES.set(BYTES.get() + size as isize - layout.size() as isize);
        System.realloc(memory, layout, size)
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// What an engine whose tree is full takes, in bytes.
fn engine_bytes(side: Side, max_nodes: usize) -> usize {
    let before = BYTES.get();
    let params = Params {
        max_nodes,
        ..Params::default()
    };
    let mut engine = engine(side, &params, 1).unwrap();
    let task = Task::new(Effort::Simulations(2 * max_nodes as u64));
    drop(engine.think(&side.board(), &task, &mut |_| {}));
    (BYTES.get() - before) as usize
}

#[test]
fn a_node_takes_what_is_estimated() {
    // They are unpacked once, and not a part of any engine.
    for side in [11, 19].map(Side::of) {
        network(side).unwrap();
    }
    for side in [11, 13, 19].map(Side::of) {
        let [few, many] = [200, 700].map(|nodes| engine_bytes(side, nodes));
        let (real, estimate) = ((many - few) / 500, node_bytes(side));
        println!("side {side}: a node takes {real} bytes, {estimate} are estimated");
        let is_near = (real..=13 * real / 10).contains(&estimate);
        assert!(is_near, "side {side}: {estimate} for {real}");
    }
}
