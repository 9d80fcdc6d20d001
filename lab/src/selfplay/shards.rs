//! The shards of a run: numbered files in a folder, made by several threads. A shard is finished or
//! not there, so that a run that was killed goes on with the shards that are missing.

use anyhow::Context;
use hex_common::options;
use hex_common::progress::Progress;
use hex_common::workers;
use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

/// The shards of a run.
pub struct ShardRun {
    /// Their numbers; a run without end ends at the largest number there is.
    pub numbers: Range<u64>,
    /// The numbers of those that are finished.
    pub finished: BTreeSet<u64>,
    /// Threads; `None`: as many as there are cores.
    pub threads: Option<usize>,
}

impl ShardRun {
    /// Makes every shard that is missing by `make`, which returns some counts. `describe` makes a
    /// phrase of the sums of all counts and the seconds that have passed.
    ///
    /// # Errors
    /// The first error of `make`; no shard is begun after it.
    pub fn make_missing<const K: usize>(
        self,
        make: impl Fn(u64) -> anyhow::Result<[u64; K]> + Sync,
        describe: impl Fn([u64; K], f64) -> String + Sync,
    ) -> anyhow::Result<()> {
        let Range { start, end } = self.numbers;
        let all = (end < u64::MAX).then_some(end - start);
        let finished = self.finished.range(start..end).count() as u64;
        let missing = (start..end).filter(|number| !self.finished.contains(number));
        let progress = Progress::new("shards", all, finished);
        let (started, sums) = (Instant::now(), Mutex::new([0; K]));
        let workers = vec![(); self.threads.unwrap_or_else(options::all_cores)];
        workers::share_out(progress, missing, workers, |(), number| {
            let counts = make(number)?;
            let mut sums = sums.lock().expect("no panics");
            let both = sums.iter_mut().zip(counts);
            both.for_each(|(sum, count)| *sum += count);
            Ok(describe(*sums, started.elapsed().as_secs_f64()))
        })
    }
}

/// Writes a shard: all of it or nothing.
///
/// # Errors
/// If the folder cannot be written.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let part = path.with_extension("part");
    fs::write(&part, bytes)
        .and_then(|()| fs::rename(&part, path))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// The numbers of the shards in `folder`, whose files end with `extension`.
///
/// # Errors
/// If the folder cannot be read.
pub fn numbers(folder: &Path, extension: &str) -> anyhow::Result<BTreeSet<u64>> {
    let cannot = || format!("cannot read the folder {}", folder.display());
    let mut numbers = BTreeSet::new();
    for entry in fs::read_dir(folder).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        let is_shard = path.extension().is_some_and(|its| its == extension);
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        let number = stem.filter(|_| is_shard).map(str::parse::<u64>);
        numbers.extend(number.and_then(Result::ok));
    }
    Ok(numbers)
}
