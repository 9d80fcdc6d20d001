//! Commands for GoGui to learn the rules of another game than Go. GoGui counts rows from the
//! bottom, so the board is upside down there. It has no column i, so its names of cells equal ours
//! only up to side 8.

use super::analysis::cells;
use super::arguments::GtpArguments;
use crate::gtp::game::name;
use crate::gtp::protocol::CommandFailure;
use crate::gtp::session::{Context, GtpSession};
use hexbot::cell::Color;

/// Begins with a capital letter, as GoGui expects.
pub(crate) fn game_id(
    _: &mut GtpSession,
    _: &GtpArguments,
    _: &mut Context,
) -> Result<String, CommandFailure> {
    Ok("Hex".to_owned())
}

pub(crate) fn board_size(
    session: &mut GtpSession,
    _: &GtpArguments,
    _: &mut Context,
) -> Result<String, CommandFailure> {
    Ok(format!("{} hex", session.game().side()))
}

pub(crate) fn board(
    session: &mut GtpSession,
    _: &GtpArguments,
    _: &mut Context,
) -> Result<String, CommandFailure> {
    let game = session.game();
    let mut rows = vec![String::new(); game.side().get()];
    for point in game.side().cells() {
        rows[point.row()].push_str(match game.position().at(point) {
            None => " .",
            Some(Color::Red) => " X",
            Some(Color::Blue) => " O",
        });
    }
    rows.reverse();
    Ok(format!("\n{}", rows.join("\n")))
}

pub(crate) fn side_to_move(
    session: &mut GtpSession,
    _: &GtpArguments,
    _: &mut Context,
) -> Result<String, CommandFailure> {
    Ok(name(session.game().next_player()).to_owned())
}

/// In capital letters, because GoGui compares them with its own names.
pub(crate) fn legal_moves(
    session: &mut GtpSession,
    _: &GtpArguments,
    _: &mut Context,
) -> Result<String, CommandFailure> {
    let game = session.game();
    Ok(match game.position().winner() {
        None => cells(game.position().empty_cells().iter()).to_uppercase(),
        Some(_) => String::new(),
    })
}

pub(crate) fn final_result(
    session: &mut GtpSession,
    _: &GtpArguments,
    _: &mut Context,
) -> Result<String, CommandFailure> {
    let text = match session.game().position().winner() {
        Some(Color::Red) => "Black wins.",
        Some(Color::Blue) => "White wins.",
        None => "Nobody has won yet.",
    };
    Ok(text.to_owned())
}
