//! Commands whose answers HexGui draws on its board. Commands about the search use the last
//! analysis of the position, and search only if there is none.

use super::arguments::GtpArguments;
use crate::gtp::graphics;
use crate::gtp::protocol::CommandFailure;
use crate::gtp::session::{Context, GtpSession};
use hex_core::engine::{Analysis, MoveAnalysis};
use hex_core::record::AnyCell;
use hexbot::cell::Color;
use hexbot::shortest_path::Distances;

/// The analysis of the position for the player in the first argument.
fn analysis(
    session: &mut GtpSession,
    arguments: &GtpArguments,
    context: &mut Context,
) -> Result<(Color, Analysis), CommandFailure> {
    let color = arguments.color(0)?;
    Ok((color, session.analysis(color, context)?))
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

pub(crate) fn gfx_analyze(
    session: &mut GtpSession,
    arguments: &GtpArguments,
    context: &mut Context,
) -> Result<String, CommandFailure> {
    let color = arguments.color(0)?;
    let analysis = session.think_drawing(color, Some(graphics::kata), context)?;
    (context.show)(&graphics::kata(&analysis, color));
    Ok(graphics::summary(&analysis, color))
}

pub(crate) fn best_line(
    session: &mut GtpSession,
    arguments: &GtpArguments,
    context: &mut Context,
) -> Result<String, CommandFailure> {
    let (_, analysis) = analysis(session, arguments, context)?;
    Ok(cells(analysis.principal_variation.into_iter()))
}

pub(crate) fn visits(
    session: &mut GtpSession,
    arguments: &GtpArguments,
    context: &mut Context,
) -> Result<String, CommandFailure> {
    let (_, analysis) = analysis(session, arguments, context)?;
    Ok(tried(&analysis, |known| known.visits.to_string()))
}

pub(crate) fn win_rates(
    session: &mut GtpSession,
    arguments: &GtpArguments,
    context: &mut Context,
) -> Result<String, CommandFailure> {
    let (_, analysis) = analysis(session, arguments, context)?;
    Ok(tried(&analysis, |known| {
        format!("{:.0}", 100.0 * known.value)
    }))
}

pub(crate) fn priors(
    session: &mut GtpSession,
    arguments: &GtpArguments,
    context: &mut Context,
) -> Result<String, CommandFailure> {
    let (_, analysis) = analysis(session, arguments, context)?;
    let known = analysis.moves.iter();
    Ok(pairs(known.filter_map(|known| {
        Some((known.cell, format!("{:.2}", known.prior?)))
    })))
}

pub(crate) fn search(
    session: &mut GtpSession,
    arguments: &GtpArguments,
    context: &mut Context,
) -> Result<String, CommandFailure> {
    let (color, analysis) = analysis(session, arguments, context)?;
    Ok(graphics::summary(&analysis, color))
}

pub(crate) fn shortest_path(
    session: &mut GtpSession,
    arguments: &GtpArguments,
    _: &mut Context,
) -> Result<String, CommandFailure> {
    let color = arguments.color(0)?;
    let position = session.game().position();
    let distances = Distances::new(position, color);
    let missing = |cell: &AnyCell| position.at(*cell).is_none();
    Ok(cells(distances.shortest_path().filter(missing)))
}

pub(crate) fn distances(
    session: &mut GtpSession,
    arguments: &GtpArguments,
    _: &mut Context,
) -> Result<String, CommandFailure> {
    let color = arguments.color(0)?;
    let position = session.game().position();
    let distances = Distances::new(position, color);
    let moves = |cell| Some((cell, distances.moves_through(cell)?.to_string()));
    Ok(pairs(position.empty_cells().iter().filter_map(moves)))
}
