//! The results so far, kept in a log if there is one: a line with the conditions, then a line of
//! JSON for each portion.

use super::trial::PortionResult;
use anyhow::{Context, Result};
use hex_common::append_log::{AppendLog, LogFormat};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Results by the number of the portion.
pub(crate) struct PortionStore {
    found: BTreeMap<u64, PortionResult>,
    log: Option<AppendLog>,
}

/// A line of the log.
#[derive(Serialize, Deserialize)]
struct Portion {
    number: u64,
    #[serde(flatten)]
    found: PortionResult,
}

/// The format of a log with these conditions.
struct PortionLines<'a>(&'a str);

impl LogFormat for PortionLines<'_> {
    type Entry = Portion;

    fn header(&self) -> String {
        self.0.to_owned()
    }

    fn read(&mut self, line: &str) -> Result<Portion> {
        serde_json::from_str(line).with_context(|| format!("{line:?} is no result"))
    }
}

impl PortionStore {
    /// Reads the results of an earlier run with the same conditions from the file, if there is one.
    ///
    /// # Errors
    /// If the file cannot be read or written, has another format or other conditions, or another
    /// process uses it.
    pub(crate) fn open(path: Option<&Path>, conditions: &str) -> Result<Self> {
        let mut format = PortionLines(conditions);
        let opened = path.map(|path| AppendLog::open(path, &mut format));
        let (log, portions) = opened.transpose()?.unzip();
        let portions = portions.into_iter().flatten();
        let found = portions.map(|portion| (portion.number, portion.found));
        let found = found.collect();
        Ok(PortionStore { found, log })
    }

    /// Returns true if this portion has been examined.
    pub(crate) fn has(&self, number: u64) -> bool {
        self.found.contains_key(&number)
    }

    /// All results, in order.
    pub(crate) fn all(&self) -> impl Iterator<Item = &PortionResult> {
        self.found.values()
    }

    /// Adds the result of a portion.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn add(&mut self, number: u64, found: PortionResult) -> Result<()> {
        let portion = Portion { number, found };
        if let Some(log) = &mut self.log {
            log.append(&serde_json::to_string(&portion)?)?;
        }
        self.found.insert(number, portion.found);
        Ok(())
    }
}
