//! The counts as text, and the blunders as drawings.

use super::trial::{Blunder, PortionResult};
use anyhow::Context;
use hex_common::stats::proportion::interval_95;
use hex_core::draw::Drawing;
use hex_core::record::{AnyCell, Side};
use hexbot::cell::Color;
use std::fmt;
use std::path::Path;

/// The sum of all results.
pub(crate) struct BlunderReport {
    side: Side,
    sum: PortionResult,
}

impl BlunderReport {
    /// The sum of these results.
    pub(crate) fn new<'a>(side: Side, all: impl Iterator<Item = &'a PortionResult>) -> Self {
        let sum = all.fold(PortionResult::default(), |mut sum, found| {
            sum.unsolved += found.unsolved;
            sum.unfit += found.unfit;
            sum.tried += found.tried;
            sum.random_losses += found.random_losses;
            sum.blunders.extend(found.blunders.iter().cloned());
            sum
        });
        BlunderReport { side, sum }
    }

    /// Draws each blunder into a file of its own.
    ///
    /// # Errors
    /// If the folder or a file cannot be written.
    pub(crate) fn draw(&self, folder: &Path) -> anyhow::Result<()> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        for (index, blunder) in self.sum.blunders.iter().enumerate() {
            let path = folder.join(format!("blunder-{}.svg", index + 1));
            let drawn = drawing(blunder, self.side)?;
            std::fs::write(&path, drawn)
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }
}

impl fmt::Display for BlunderReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let PortionResult {
            unsolved,
            unfit,
            tried,
            random_losses,
            blunders,
        } = &self.sum;
        writeln!(
            f,
            "{tried} positions won by proof, not at sight and not by every move; left out: {unfit} others, {unsolved} unsolved"
        )?;
        writeln!(f, "blunders: {}", share(blunders.len() as u64, *tried))?;
        writeln!(
            f,
            "of moves drawn at random: {}",
            share(*random_losses, *tried)
        )?;
        for blunder in blunders {
            let Blunder {
                link,
                played,
                winning,
                ..
            } = blunder;
            let winning = if winning.is_empty() {
                "unsolved".to_owned()
            } else {
                winning.join(" ")
            };
            writeln!(f, "{link} {played} loses, winning: {winning}")?;
        }
        Ok(())
    }
}

/// `3 of 200, 1.50 %, 95 % from 0.51 % to 4.32 %`.
fn share(hits: u64, trials: u64) -> String {
    let (low, high) = interval_95(hits, trials);
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    let share = hits as f64 / trials.max(1) as f64;
    let [share, low, high] = [share, low, high].map(percent);
    format!("{hits} of {trials}, {share}, 95 % from {low} to {high}")
}

/// A drawing with the bot's move as `×`, and the winning moves marked.
fn drawing(blunder: &Blunder, side: Side) -> anyhow::Result<String> {
    let mut stones = Vec::new();
    for (text, color) in [(&blunder.red, Color::Red), (&blunder.blue, Color::Blue)] {
        stones.extend(cells(text, side)?.into_iter().map(|cell| (cell, color)));
    }
    let mover = if blunder.blue_moves {
        Color::Blue
    } else {
        Color::Red
    };
    let position = side.position(stones, mover);
    let mut drawing = Drawing::new(&position).label(side.parse_cell(&blunder.played)?, "×");
    for winning in &blunder.winning {
        drawing = drawing.mark(side.parse_cell(winning)?, mover);
    }
    Ok(drawing.svg())
}

/// Reads `a1b12c3`.
fn cells(text: &str, side: Side) -> anyhow::Result<Vec<AnyCell>> {
    let starts = text.match_indices(|c: char| c.is_ascii_alphabetic());
    let starts: Vec<usize> = starts.map(|(at, _)| at).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let words = starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| &text[start..end]);
    Ok(words
        .map(|word| side.parse_cell(word))
        .collect::<Result<_, _>>()?)
}
