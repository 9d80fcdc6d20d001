//! What was measured of the openings so far, kept in a file if there is one.

use super::Results;
use crate::hold;
use crate::record::{Point, Side};
use anyhow::Context;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Results by opening; each is written to the file as it comes.
pub struct Store {
    results: HashMap<Point, Results>,
    file: Option<(File, PathBuf)>,
}

impl Store {
    /// Reads what an earlier run has left in the file at `path`, if there is one, and goes on there.
    ///
    /// # Errors
    /// If the file cannot be read or written, is not such a file, or another process has it.
    pub fn open(path: Option<&Path>, side: Side) -> anyhow::Result<Self> {
        let Some(path) = path else {
            return Ok(Store {
                results: HashMap::new(),
                file: None,
            });
        };
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.with_context(|| format!("cannot write {}", path.display()))?;
        hold::file(&file, path)?;
        Ok(Store {
            results: read(path, side)?,
            file: Some((file, path.to_owned())),
        })
    }

    /// All that is known.
    pub fn results(&self) -> &HashMap<Point, Results> {
        &self.results
    }

    /// Takes note of an opening.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add(&mut self, opening: Point, results: Results) -> anyhow::Result<()> {
        let Results { wins, games, value } = results;
        if let Some((file, path)) = &mut self.file {
            writeln!(file, "{opening} {wins} {games} {value:.4}")
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        self.results.insert(opening, results);
        Ok(())
    }
}

fn read(path: &Path, side: Side) -> anyhow::Result<HashMap<Point, Results>> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = text.lines().enumerate();
    lines
        .map(|(index, line)| {
            parse(line, side).with_context(|| {
                format!(
                    "{}, line {}: {line:?} is not CELL WINS GAMES VALUE on a board of side {side}; \
                     use another file with --out",
                    path.display(),
                    index + 1
                )
            })
        })
        .collect()
}

fn parse(line: &str, side: Side) -> Option<(Point, Results)> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [cell, wins, games, value] = words[..] else {
        return None;
    };
    let results = Results {
        wins: wins.parse().ok()?,
        games: games.parse().ok()?,
        value: value.parse().ok()?,
    };
    let sound = results.wins <= results.games && (0.0..=1.0).contains(&results.value);
    sound.then_some((Point::parse(cell, side).ok()?, results))
}
