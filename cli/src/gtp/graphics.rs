//! Drawings for HexGui while a search runs: blocks that begin with `gogui-gfx:` and end with an
//! empty line, sent before the response.

use super::game::name;
use hex_core::engine::{Analysis, MoveAnalysis};
use hexbot::cell::Color;
use std::fmt::Write;

/// The most moves that are shown, so that the board stays readable.
const SHOWN_MOVES: usize = 20;

/// The moves with visits, and the best one, which may have none. The values of other moves mean
/// nothing.
pub(crate) fn tried(analysis: &Analysis) -> impl Iterator<Item = &MoveAnalysis> {
    let is_tried = |known: &&MoveAnalysis| known.visits > 0 || known.cell == analysis.best;
    analysis.moves.iter().filter(is_tried)
}

/// The search's state in MoHex's format: the principal variation, the win rates and the visits of
/// the moves, a line of text.
pub(crate) fn uct(analysis: &Analysis, color: Color) -> String {
    let mut out = String::from("gogui-gfx:\nuct\nVAR");
    let mut mover = color;
    for point in &analysis.principal_variation {
        let letter = match mover {
            Color::Red => 'B',
            Color::Blue => 'W',
        };
        let _ = write!(out, " {letter} {point}");
        mover = mover.opponent();
    }
    let moves = || tried(analysis).take(SHOWN_MOVES);
    out += "\nINFLUENCE";
    for known in moves() {
        let _ = write!(out, " {} {:.2}", known.cell, known.value);
    }
    out += "\nLABEL";
    for known in moves() {
        let _ = write!(out, " {} {}", known.cell, known.visits);
    }
    let _ = write!(out, "\nTEXT {}\n\n", summary(analysis, color));
    out
}

/// The search's state in the format of `gogui-gfx-analyze`: one `info` for each move.
pub(crate) fn kata(analysis: &Analysis, _: Color) -> String {
    let mut out = String::from("gogui-gfx:\nkata");
    for (order, known) in tried(analysis).take(SHOWN_MOVES).enumerate() {
        // HexGui requires a score. Hex has none, so we send the win rate's distance from one half.
        let _ = write!(
            out,
            " info move {} visits {} winrate {:.4} scoreLead {:.4} order {order}",
            known.cell,
            known.visits,
            known.value,
            known.value - 0.5
        );
    }
    out + "\n\n"
}

/// One line about a search.
pub(crate) fn summary(analysis: &Analysis, color: Color) -> String {
    let verdict = match analysis.proof {
        Some(proof) => format!("{} wins in {}", name(proof.winner), proof.plies),
        None => format!(
            "{} wins {:.1} %",
            name(color),
            100.0 * analysis.win_probability
        ),
    };
    let line: Vec<String> = analysis
        .principal_variation
        .iter()
        .map(ToString::to_string)
        .collect();
    format!(
        "{verdict}, {} simulations in {:.2} s, {}",
        analysis.simulations,
        analysis.time.as_secs_f64(),
        line.join(" ")
    )
}
