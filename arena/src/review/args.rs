//! The arguments of `hex review`.

use super::log::ReviewHeader;
use anyhow::{ensure, Result};
use hex_common::match_folder;
use hex_common::options;
use hex_core::engine::Effort;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What `--help` ends with.
const EXAMPLES: &str = "\
Examples:
  hex review games/ --player mybot                 all records of a folder
  hex review results/a-vs-b --player a --threads 2  a match of `hex match`
  hex review lost.sgf --simulations 20000 --out results/lost

docs/arena.md tells how moves are judged.";

/// Find where a player lost games that it should have won
///
/// The engine searches every position of the games, and the report says where win probability was
/// lost: the games given away, by ply, by opening, by colour, and the faults. The folder gets
/// report.txt, report.html, summary.json, and each game as SGF with values and grades. A review
/// that was stopped goes on when the same command is given again.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Records of games, folders and zips of them, and folders of `hex match`
    #[arg(value_name = "GAMES", required = true)]
    pub(crate) games: Vec<PathBuf>,
    /// Whose moves are reviewed, by the name in the records [default: both players']
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Option<String>,
    /// The folder for the analyses and the reports [default: results/review-GAMES]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Simulations of each position
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = options::whole(options::SIMULATIONS))]
    simulations: u64,
    /// Search each position for this time instead
    #[arg(long, value_name = "SECONDS", conflicts_with = "simulations", value_parser = options::seconds(SECONDS))]
    time: Option<Duration>,
    /// Games at a time [default: as many as this machine has cores]
    #[arg(long, value_name = "N", default_value_t = options::all_cores(), hide_default_value = true, value_parser = options::whole(options::THREADS))]
    pub(crate) threads: usize,
}

/// How long a position may be searched, in seconds.
const SECONDS: std::ops::RangeInclusive<f64> = 0.001..=options::DAY;

impl Args {
    /// How long a position is searched.
    pub(crate) fn effort(&self) -> Effort {
        match self.time {
            Some(time) => Effort::Time(time),
            None => Effort::Simulations(self.simulations),
        }
    }

    /// The first line of the log.
    pub(crate) fn header(&self) -> ReviewHeader {
        ReviewHeader::of(self.effort())
    }

    /// The folder of the review.
    ///
    /// # Errors
    /// If it is that of a match, whose reports would be lost.
    pub(crate) fn folder(&self) -> Result<PathBuf> {
        let folder = self
            .out
            .clone()
            .unwrap_or_else(|| default_folder(&self.games[0]));
        let name = folder.display();
        ensure!(
            !folder.join(match_folder::LOG).exists(),
            "{name} is the folder of a match, whose reports would be lost; choose another --out"
        );
        Ok(folder)
    }
}

/// The folder of a review that begins with these games.
fn default_folder(games: &Path) -> PathBuf {
    let real = games.canonicalize().unwrap_or_else(|_| games.to_owned());
    let stem = real.file_stem().unwrap_or_default();
    Path::new("results").join(format!("review-{}", stem.to_string_lossy()))
}
