//! Answer times: percentiles, and the number of late answers.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The answer times of one player, and the number of late answers.
#[derive(Clone, Debug, Default)]
pub struct Latencies {
    times: Vec<Duration>,
    late: u64,
}

/// The summary of many answer times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The number of answers.
    pub count: usize,
    /// Half of the answers took no longer.
    pub p50: Duration,
    /// 99 % of the answers took no longer.
    pub p99: Duration,
    /// 99.9 % of the answers took no longer.
    pub p999: Duration,
    /// The slowest answer.
    pub max: Duration,
    /// The number of late answers.
    pub late: u64,
}

impl Latencies {
    /// Counts an answer that took `time` under the time limit `limit`.
    pub fn add(&mut self, time: Duration, limit: Duration) {
        self.times.push(time);
        self.late += u64::from(time > limit);
    }

    /// All answer times, in the order in which they were added.
    pub fn times(&self) -> &[Duration] {
        &self.times
    }

    /// The summary; `None` if and only if there are no answers. O(n log n).
    pub fn summary(&self) -> Option<Summary> {
        let mut sorted = self.times.clone();
        sorted.sort_unstable();
        Some(Summary {
            count: sorted.len(),
            p50: percentile(&sorted, 500)?,
            p99: percentile(&sorted, 990)?,
            p999: percentile(&sorted, 999)?,
            max: *sorted.last()?,
            late: self.late,
        })
    }
}

/// The nearest-rank percentile (Hyndman and Fan 1996, definition 1): the smallest value such that
/// at least `permille` thousandths of `sorted` do not exceed it. `None` if and only if `sorted` is
/// empty.
pub fn percentile<T: Copy>(sorted: &[T], permille: usize) -> Option<T> {
    let rank = (sorted.len() * permille).div_ceil(1000).max(1);
    sorted.get(rank - 1).copied()
}
