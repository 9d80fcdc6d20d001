//! Work that is shared out among threads: each piece once, and an end after the first failure.

use anyhow::bail;
use hex_common::progress::Progress;
use hex_common::workers::share_out;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::Mutex;
use std::time::Duration;

#[test]
fn each_piece_of_work_is_done_once() {
    for (workers, items) in [(1, 100), (3, 100), (3, 2), (3, 0)] {
        let done = Mutex::new(Vec::new());
        let progress = Progress::new("pieces", items, 0);
        let workers = (0..workers).map(|_| 0).collect();
        share_out(progress, 0..items, workers, |own: &mut u64, item| {
            *own += 1;
            done.lock().unwrap().push((item, *own));
            Ok(String::new())
        })
        .unwrap();
        let mut done = done.into_inner().unwrap();
        done.sort_unstable();
        let numbers: Vec<u64> = done.iter().map(|(item, _)| *item).collect();
        assert_eq!(numbers, (0..items).collect::<Vec<_>>());
    }
}

#[test]
fn nobody_begins_anything_after_a_failure() {
    let (has_failed, begun) = (AtomicBool::new(false), AtomicU64::new(0));
    let progress = Progress::new("pieces", None, 0);
    let end = share_out(progress, 0.., vec![(); 2], |(), item: u64| {
        begun.fetch_add(1, Ordering::SeqCst);
        if item == 0 {
            has_failed.store(true, Ordering::SeqCst);
            bail!("the disk is full");
        }
        // The other one is at work when the first fails, and is done a good while later.
        while !has_failed.load(Ordering::SeqCst) {
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_millis(500));
        Ok(String::new())
    });
    assert_eq!(end.unwrap_err().to_string(), "the disk is full");
    assert!(begun.into_inner() <= 2);
}
