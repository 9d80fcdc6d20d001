//! Writes the results of `hex analyze`, as the contest's text or as JSON.

use super::{ContestPlayer, PathVerdict};
use hex_core::record::{AnyBoard, AnyCell, Side};
use serde::Serialize;
use std::io::{self, Write};

/// Writes a result in the contest's format.
pub(crate) fn write_text(
    output: &mut impl Write,
    number: usize,
    position: &AnyBoard,
    verdict: &PathVerdict,
) -> io::Result<()> {
    writeln!(output, "\nData Set {number}\nBoard Position:")?;
    let side = Side::of_board(position);
    let stones = |point| {
        ContestPlayer::ALL
            .into_iter()
            .find(|player| position.at(point) == Some(player.color()))
    };
    write_board(output, side, stones)?;
    match verdict {
        PathVerdict::Won(winner) => writeln!(output, "\n{} has won!", winner.name())?,
        PathVerdict::Open(cases) => {
            for case in cases {
                writeln!(output, "\nBest case for {}:", case.player.name())?;
                write_board(output, side, |point| {
                    if case.path.contains(&point) {
                        Some(case.player)
                    } else {
                        stones(point)
                    }
                })?;
                writeln!(output, "Number of moves: {}", case.path.len())?;
                if let Some(count) = &case.count {
                    writeln!(output, "Number of shortest paths: {count}")?;
                }
            }
        }
    }
    Ok(())
}

/// Writes a board with three blanks between the characters. Each row is indented two more than the
/// row above.
fn write_board(
    output: &mut impl Write,
    side: Side,
    stone: impl Fn(AnyCell) -> Option<ContestPlayer>,
) -> io::Result<()> {
    for row in 0..side.get() {
        let stones: Vec<&str> = (0..side.get())
            .filter_map(|col| side.cell(row, col))
            .map(|point| stone(point).map_or("-", ContestPlayer::name))
            .collect();
        writeln!(
            output,
            "{:indent$}{}",
            "",
            stones.join("   "),
            indent = 2 * row
        )?;
    }
    Ok(())
}

/// Writes a result as one line of JSON.
pub(crate) fn write_json(
    output: &mut impl Write,
    number: usize,
    side: Side,
    verdict: &PathVerdict,
) -> io::Result<()> {
    let result = JsonResult {
        data_set: number,
        side: side.get(),
        winner: match verdict {
            PathVerdict::Won(winner) => Some(winner.name()),
            PathVerdict::Open(_) => None,
        },
        best_cases: match verdict {
            PathVerdict::Won(_) => Vec::new(),
            PathVerdict::Open(cases) => cases
                .iter()
                .map(|case| JsonBestCase {
                    player: case.player.name(),
                    moves: case.path.len(),
                    path: names(&case.path),
                    shortest_paths: case.count.as_ref().map(ToString::to_string),
                })
                .collect(),
        },
    };
    serde_json::to_writer(&mut *output, &result)?;
    writeln!(output)
}

/// The cells as the contest names them.
fn names(cells: &[AnyCell]) -> Vec<String> {
    cells
        .iter()
        .map(|cell| cell.to_string().to_uppercase())
        .collect()
}

#[derive(Serialize)]
struct JsonResult {
    data_set: usize,
    side: usize,
    /// `X` or `O`; null if the game is not over.
    winner: Option<&'static str>,
    /// X's and O's; empty if the game is over.
    best_cases: Vec<JsonBestCase>,
}

#[derive(Serialize)]
struct JsonBestCase {
    player: &'static str,
    moves: usize,
    /// The empty cells to fill, from the left or top edge to the other.
    path: Vec<String>,
    /// A string, because many JSON readers cannot represent so large a number exactly.
    #[serde(skip_serializing_if = "Option::is_none")]
    shortest_paths: Option<String>,
}
