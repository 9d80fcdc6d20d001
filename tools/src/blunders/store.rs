//! What was found so far, kept in a file if there is one: a line with the conditions, then a line of
//! JSON a portion.

use super::trial::Found;
use crate::hold;
use anyhow::{ensure, Context};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Results by the number of the portion.
pub struct Store {
    found: BTreeMap<u64, Found>,
    file: Option<(File, PathBuf)>,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    number: u64,
    #[serde(flatten)]
    found: Found,
}

impl Store {
    /// Reads what an earlier run under the same conditions has left in the file, if there is one.
    ///
    /// # Errors
    /// If the file cannot be read or written, is not such a file, is of other conditions, or another
    /// process has it.
    pub fn open(path: Option<&Path>, conditions: &str) -> anyhow::Result<Self> {
        let Some(path) = path else {
            return Ok(Store {
                found: BTreeMap::new(),
                file: None,
            });
        };
        let shown = path.display();
        let file = OpenOptions::new().create(true).append(true).open(path);
        let mut file = file.with_context(|| format!("cannot write {shown}"))?;
        hold::file(&file, path)?;
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
        // What an interrupted run has left of a line goes.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let found = read(&text[..whole], path, conditions)?;
        let mut begin = || {
            file.set_len(whole as u64)?;
            match whole {
                0 => writeln!(file, "{conditions}"),
                _ => Ok(()),
            }
        };
        begin().with_context(|| format!("cannot write {shown}"))?;
        Ok(Store {
            found,
            file: Some((file, path.to_owned())),
        })
    }

    /// Has this portion been examined?
    pub fn has(&self, number: u64) -> bool {
        self.found.contains_key(&number)
    }

    /// Everything, in order.
    pub fn all(&self) -> impl Iterator<Item = &Found> {
        self.found.values()
    }

    /// Takes note of a portion.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, number: u64, found: Found) -> anyhow::Result<()> {
        if let Some((file, path)) = &mut self.file {
            let line = Line {
                number,
                found: found.clone(),
            };
            let line = serde_json::to_string(&line)? + "\n";
            file.write_all(line.as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        self.found.insert(number, found);
        Ok(())
    }
}

fn read(text: &str, path: &Path, conditions: &str) -> anyhow::Result<BTreeMap<u64, Found>> {
    let mut lines = text.lines().enumerate();
    let Some((_, first)) = lines.next() else {
        return Ok(BTreeMap::new());
    };
    let shown = path.display();
    ensure!(
        first == conditions,
        "{shown} holds results for {first:?}, not for {conditions:?}; use another file with --out"
    );
    lines
        .map(|(index, line)| {
            let line: Line = serde_json::from_str(line)
                .with_context(|| format!("{shown}, line {}: {line:?} is no result", index + 1))?;
            Ok((line.number, line.found))
        })
        .collect()
}
