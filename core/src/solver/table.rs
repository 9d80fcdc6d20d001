//! The table of positions that a solver remembers, with a limit on its memory.

use super::known::Known;
use super::set::Set;
use hexbot::cell::Color;
use std::collections::HashMap;

/// Identifies a position: the stones placed since the base, and the player to move.
pub(crate) type Key = ([Set; 2], Color);

/// Positions and what is known of them.
pub(crate) struct PositionTable {
    entries: HashMap<Key, Entry>,
    most: usize,
}

struct Entry {
    known: Known,
    /// How many positions were searched to know it.
    work: u32,
}

impl PositionTable {
    /// A table of at most this number of bytes; while it grows it takes half as much again. Memory
    /// is allocated when positions are added.
    pub(crate) fn new(bytes: usize) -> Self {
        // A hash table has a power of two of slots with one extra byte each, and is full at seven
        // eighths.
        let place = size_of::<(Key, Entry)>() + 1;
        let places = (bytes / place).max(Self::FEWEST_PLACES);
        let places = 1 << places.ilog2();
        PositionTable {
            entries: HashMap::new(),
            most: places / 8 * 7,
        }
    }

    const FEWEST_PLACES: usize = 1 << 10;

    /// What is known of a position.
    pub(crate) fn get(&self, key: &Key) -> Option<Known> {
        self.entries.get(key).map(|entry| entry.known)
    }

    /// How many positions were searched to know a position; 0 if it is unknown.
    pub(crate) fn work(&self, key: &Key) -> u64 {
        self.entries.get(key).map_or(0, |entry| entry.work.into())
    }

    /// Stores what is known of a position, and how many positions were searched for it. A full
    /// table first forgets at least half of its positions.
    pub(crate) fn insert(&mut self, key: Key, known: Known, work: u64) {
        if self.entries.len() >= self.most && !self.entries.contains_key(&key) {
            self.forget();
        }
        let work = u32::try_from(work).unwrap_or(u32::MAX);
        self.entries.insert(key, Entry { known, work });
    }

    /// Forgets half of the positions or more, those that took the least work: they are the cheapest
    /// to search again (SmallTreeGC in Nagai, *Df-pn algorithm for searching AND/OR trees and its
    /// applications*, 2002).
    fn forget(&mut self) {
        let magnitude = |entry: &Entry| (u32::BITS - entry.work.leading_zeros()) as usize;
        let mut counts = [0; u32::BITS as usize + 1];
        for entry in self.entries.values() {
            counts[magnitude(entry)] += 1;
        }
        let (mut gone, mut least) = (0, 0);
        while gone < self.entries.len().div_ceil(2) {
            gone += counts[least];
            least += 1;
        }
        self.entries.retain(|_, entry| magnitude(entry) >= least);
    }
}
