//! The shards of a run: numbered files in a folder. A shard is written as a whole or not at all, so
//! that a killed run continues with the missing shards.

use anyhow::Context;
use hex_core::record::counted;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A shard whose games have been played, or the sum of several.
#[derive(Default)]
pub(crate) struct PlayedShard {
    /// The contents of its file.
    pub(crate) bytes: Vec<u8>,
    /// The number of its games.
    pub(crate) games: u64,
    /// The number of stones on the last boards of all games together.
    pub(crate) plies: u64,
    /// The number of positions for training.
    pub(crate) positions: u64,
}

impl PlayedShard {
    /// Adds the counts of another shard.
    pub(crate) fn add(&mut self, other: &PlayedShard) {
        self.games += other.games;
        self.plies += other.plies;
        self.positions += other.positions;
    }

    /// The counts, reached in this time, for the progress of a run.
    pub fn describe(&self, seconds: f64) -> String {
        let pace = self.games as f64 / seconds * 3600.0;
        let length = self.plies as f64 / self.games as f64;
        let (games, positions) = (
            counted(self.games, "game"),
            counted(self.positions, "position"),
        );
        format!("{games}, {pace:.0} an hour, {length:.1} plies each, {positions}")
    }
}

/// Writes a shard: all of it or nothing.
///
/// # Errors
/// If the folder cannot be written.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let part = path.with_extension("part");
    fs::write(&part, bytes)
        .and_then(|()| fs::rename(&part, path))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// The numbers of the shards in `folder` that have their `name`.
///
/// # Errors
/// If the folder cannot be read.
pub(crate) fn finished(folder: &Path, name: fn(u64) -> String) -> anyhow::Result<BTreeSet<u64>> {
    let cannot = || format!("cannot read the folder {}", folder.display());
    let mut numbers = BTreeSet::new();
    for entry in fs::read_dir(folder).with_context(cannot)? {
        let file = entry.with_context(cannot)?.file_name();
        let stem = file.to_str().and_then(|file| file.split('.').next());
        let number = stem.and_then(|stem| stem.parse().ok());
        numbers.extend(number.filter(|&number| file == *name(number)));
    }
    Ok(numbers)
}
