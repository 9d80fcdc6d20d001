//! Commands whose answers HexGui draws on its board. Those about the search use what was thought of
//! the position last and think only if nothing was.

use super::arguments::GtpArguments;
use crate::gtp::graphics;
use crate::gtp::protocol::CommandFailure;
use crate::gtp::session::{Context, GtpSession};
use hex_core::engine::{Analysis, MoveAnalysis};
use hex_core::paths;
use hex_core::record::Point;
use hexbot::cell::Color;

/// What is known of the position for the player that the first argument names.
fn analysis(
    session: &mut GtpSession,
    arguments: &GtpArguments,
    context: &mut Context,
) -> Result<(Color, Analysis), CommandFailure> {
    let color = arguments.color(0)?;
    Ok((color, session.analysis(color, context)?))
}

/// Pairs of a cell and a text, all on one line.
fn pairs(values: impl Iterator<Item = (Point, String)>) -> String {
    let pairs: Vec<String> = values
        .map(|(point, text)| format!("{point} {text}"))
        .collect();
    pairs.join(" ")
}

/// Pairs for the moves that were tried.
fn tried(analysis: &Analysis, text: impl Fn(&MoveAnalysis) -> String) -> String {
    pairs(graphics::tried(analysis).map(|known| (known.point, text(known))))
}

/// The names of cells.
pub fn cells(points: impl Iterator<Item = Point>) -> String {
    let names: Vec<String> = points.map(|point| point.to_string()).collect();
    names.join(" ")
}

pub fn gfx_analyze(
    session: &mut GtpSession,
    arguments: &GtpArguments,
    context: &mut Context,
) -> Result<String, CommandFailure> {
    let color = arguments.color(0)?;
    let analysis = session.think_drawing(color, Some(graphics::kata), context)?;
    (context.show)(&graphics::kata(&analysis, color));
    Ok(graphics::summary(&analysis, color))
}

pub fn best_line(
    session: &mut GtpSession,
    arguments: &GtpArguments,
    context: &mut Context,
) -> Result<String, CommandFailure> {
    let (_, analysis) = analysis(session, arguments, context)?;
    Ok(cells(analysis.principal_variation.into_iter()))
}

pub fn visits(
    session: &mut GtpSession,
    arguments: &GtpArguments,
    context: &mut Context,
) -> Result<String, CommandFailure> {
    let (_, analysis) = analysis(session, arguments, context)?;
    Ok(tried(&analysis, |known| known.visits.to_string()))
}

pub fn win_rates(
    session: &mut GtpSession,
    arguments: &GtpArguments,
    context: &mut Context,
) -> Result<String, CommandFailure> {
    let (_, analysis) = analysis(session, arguments, context)?;
    Ok(tried(&analysis, |known| {
        format!("{:.0}", 100.0 * known.value)
    }))
}

pub fn priors(
    session: &mut GtpSession,
    arguments: &GtpArguments,
    context: &mut Context,
) -> Result<String, CommandFailure> {
    let (_, analysis) = analysis(session, arguments, context)?;
    let known = analysis.moves.iter();
    Ok(pairs(known.filter_map(|known| {
        Some((known.point, format!("{:.2}", known.prior?)))
    })))
}

pub fn search(
    session: &mut GtpSession,
    arguments: &GtpArguments,
    context: &mut Context,
) -> Result<String, CommandFailure> {
    let (color, analysis) = analysis(session, arguments, context)?;
    Ok(graphics::summary(&analysis, color))
}

pub fn shortest_path(
    session: &mut GtpSession,
    arguments: &GtpArguments,
    _: &mut Context,
) -> Result<String, CommandFailure> {
    let color = arguments.color(0)?;
    let position = session.game().position();
    let path = paths::shortest_path(position, color);
    Ok(cells(path.iter().flat_map(|path| path.missing(position))))
}

pub fn distances(
    session: &mut GtpSession,
    arguments: &GtpArguments,
    _: &mut Context,
) -> Result<String, CommandFailure> {
    let color = arguments.color(0)?;
    let position = session.game().position();
    let values = paths::moves_through(position, color).into_iter();
    Ok(pairs(
        values.map(|(point, moves)| (point, moves.to_string())),
    ))
}
