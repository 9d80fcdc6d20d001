//! Engines that nobody needs any more are handed out, so that whoever holds the lock need not wait
//! until their memory is given back.

use hex_core::record::Side;
use hex_web::messages::Purpose;
use hex_web::minds::{Minds, Owner, TabId};
use hexbot::cell::Color;
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

fn owner(tab: u64) -> Owner {
    Owner::new(TabId(tab), Color::Red, Purpose::Analysis)
}

#[test]
fn no_engine_is_dropped_while_the_lock_is_held() {
    let there = Arc::new(AtomicUsize::new(0));
    let count = || there.load(Ordering::SeqCst);
    let mut minds = Minds::new(1);
    // Only some can be kept.
    let mut let_go = Vec::new();
    for tab in 0..100 {
        let_go.extend(minds.keep(owner(tab), Side::of(5), Counted::new(&there)));
        assert_eq!(count(), tab as usize + 1, "all are there still");
    }
    assert!(!let_go.is_empty() && let_go.len() < 100);
    let kept = 100 - let_go.len();
    drop(let_go);
    assert_eq!(count(), kept);
    // An owner's new engine takes the place of the one before.
    let let_go = minds.keep(owner(99), Side::of(5), Counted::new(&there));
    assert_eq!((let_go.len(), count()), (1, kept + 1));
    drop(let_go);
    // On a board of another side the old one is of no use.
    let found = minds.take(owner(99), Side::of(8));
    assert!(found.engine.is_none());
    assert_eq!((found.let_go.len(), count()), (1, kept));
    drop(found);
    let found = minds.take(owner(98), Side::of(5));
    assert!(found.engine.is_some() && found.let_go.is_empty());
    drop(found);
    let forgotten = minds.forget(TabId(97));
    assert_eq!((forgotten.len(), count()), (1, kept - 2));
}
