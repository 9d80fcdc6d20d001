//! Results by key, kept in a log if there is one: a line with the conditions, then a line for each.

use super::{AppendLog, LogFormat};
use anyhow::Result;
use std::collections::BTreeMap;
use std::path::Path;

/// Results by key. Each is written to the log when it is added.
#[derive(Debug)]
pub struct KeptResults<K, V> {
    found: BTreeMap<K, V>,
    log: Option<AppendLog>,
}

/// How to read a result and its key from a line.
pub type ReadResult<'a, K, V> = &'a dyn Fn(&str) -> Result<(K, V)>;

/// A log with these conditions.
struct ResultLines<'a, K, V> {
    conditions: &'a str,
    read: ReadResult<'a, K, V>,
}

impl<K, V> LogFormat for ResultLines<'_, K, V> {
    type Entry = (K, V);

    fn header(&self) -> String {
        self.conditions.to_owned()
    }

    fn read(&mut self, line: &str) -> Result<(K, V)> {
        (self.read)(line)
    }
}

impl<K: Ord, V> KeptResults<K, V> {
    /// Reads what an earlier run under the same conditions has left in the file at `path`, if there
    /// is one, and goes on there.
    ///
    /// # Errors
    /// If the file cannot be read or written, has another format or other conditions, or another
    /// process uses it.
    pub fn open(path: Option<&Path>, conditions: &str, read: ReadResult<'_, K, V>) -> Result<Self> {
        let mut format = ResultLines { conditions, read };
        let opened = path.map(|path| AppendLog::open(path, &mut format));
        let (log, found) = opened.transpose()?.unzip();
        let found = found.into_iter().flatten().collect();
        Ok(KeptResults { found, log })
    }

    /// All results.
    pub fn found(&self) -> &BTreeMap<K, V> {
        &self.found
    }

    /// Adds a result, which the log has as this line.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, key: K, result: V, line: &str) -> Result<()> {
        if let Some(log) = &mut self.log {
            log.append(line)?;
        }
        self.found.insert(key, result);
        Ok(())
    }
}
