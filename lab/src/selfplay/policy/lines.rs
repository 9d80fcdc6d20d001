//! Lines of moves that games begin with.

use anyhow::{ensure, Context};
use hexbot::board::Board;
use hexbot::cell::Cell;
use std::path::Path;

/// The lines of a file: cells separated by spaces, Red first, up to a tab or the end of the line.
///
/// # Errors
/// If the file cannot be read, has no lines, or a line is not a sequence of legal moves of an
/// undecided game on 11×11. The message names the line and the cell.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Vec<Cell<11>>>> {
    let name = path.display();
    let text = hex_common::input::read_text(path).with_context(|| format!("cannot read {name}"))?;
    let lines = text
        .lines()
        .enumerate()
        .map(|(number, line)| parse(line).with_context(|| format!("{name}, line {}", number + 1)));
    let lines: Vec<_> = lines.collect::<anyhow::Result<_>>()?;
    ensure!(!lines.is_empty(), "{name} has no lines of moves");
    Ok(lines)
}

fn parse(line: &str) -> anyhow::Result<Vec<Cell<11>>> {
    let moves = line.split('\t').next().unwrap_or(line);
    let mut board = Board::<11>::new();
    let mut cells = Vec::new();
    for word in moves.split_whitespace() {
        let cell = word.parse().map_err(|error| anyhow::anyhow!("{error}"))?;
        board.try_play(cell)?;
        ensure!(board.winner().is_none(), "{word} ends the game");
        cells.push(cell);
    }
    ensure!(!cells.is_empty(), "there are no moves");
    Ok(cells)
}
