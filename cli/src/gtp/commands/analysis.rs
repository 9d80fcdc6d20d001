//! Commands whose answers HexGui draws on its board. Commands about the search use the last
//! analysis of the position, and search only if there is none.

use super::{Call, Reply};
use crate::gtp::graphics;
use crate::gtp::protocol::CommandFailure;
use hex_core::engine::{Analysis, MoveAnalysis};
use hex_core::record::AnyCell;
use hexbot::cell::Color;
use hexbot::shortest_path::Distances;

/// The analysis of the position for the player in the first argument.
fn analysis(call: &mut Call) -> Result<(Color, Analysis), CommandFailure> {
    let color = call.arguments.color(0)?;
    Ok((color, call.session.analysis(color, call.context)?))
}

/// Pairs of a cell and a text, all on one line.
fn pairs(values: impl Iterator<Item = (AnyCell, String)>) -> String {
    let pairs: Vec<String> = values
        .map(|(cell, text)| format!("{cell} {text}"))
        .collect();
    pairs.join(" ")
}

/// Pairs for the moves with visits.
fn tried(analysis: &Analysis, text: impl Fn(&MoveAnalysis) -> String) -> String {
    pairs(graphics::tried(analysis).map(|known| (known.cell, text(known))))
}

/// The names of cells.
pub(crate) fn cells(cells: impl Iterator<Item = AnyCell>) -> String {
    let names: Vec<String> = cells.map(|cell| cell.to_string()).collect();
    names.join(" ")
}

pub(crate) fn gfx_analyze(call: &mut Call) -> Reply {
    let color = call.arguments.color(0)?;
    let analysis = call
        .session
        .think_drawing(color, Some(graphics::kata), call.context)?;
    (call.context.show)(&graphics::kata(&analysis, color));
    Ok(graphics::summary(&analysis, color))
}

pub(crate) fn best_line(call: &mut Call) -> Reply {
    let (_, analysis) = analysis(call)?;
    Ok(cells(analysis.principal_variation.into_iter()))
}

pub(crate) fn visits(call: &mut Call) -> Reply {
    let (_, analysis) = analysis(call)?;
    Ok(tried(&analysis, |known| known.visits.to_string()))
}

pub(crate) fn win_rates(call: &mut Call) -> Reply {
    let (_, analysis) = analysis(call)?;
    Ok(tried(&analysis, |known| {
        format!("{:.0}", 100.0 * known.value)
    }))
}

pub(crate) fn priors(call: &mut Call) -> Reply {
    let (_, analysis) = analysis(call)?;
    let known = analysis.moves.iter();
    Ok(pairs(known.filter_map(|known| {
        Some((known.cell, format!("{:.2}", known.prior?)))
    })))
}

pub(crate) fn search(call: &mut Call) -> Reply {
    let (color, analysis) = analysis(call)?;
    Ok(graphics::summary(&analysis, color))
}

pub(crate) fn shortest_path(call: &mut Call) -> Reply {
    let color = call.arguments.color(0)?;
    let position = call.session.game().position();
    let distances = Distances::new(position, color);
    let missing = |cell: &AnyCell| position.at(*cell).is_none();
    Ok(cells(distances.shortest_path().filter(missing)))
}

pub(crate) fn distances(call: &mut Call) -> Reply {
    let color = call.arguments.color(0)?;
    let position = call.session.game().position();
    let distances = Distances::new(position, color);
    let moves = |cell| Some((cell, distances.moves_through(cell)?.to_string()));
    Ok(pairs(position.empty_cells().iter().filter_map(moves)))
}
