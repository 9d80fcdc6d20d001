//! Commands for GoGui to learn the rules of another game than Go. GoGui counts rows from the
//! bottom, so the board is upside down there. It has no column i, so its names of cells equal ours
//! only up to side 8.

use super::analysis::cells;
use super::{Call, Reply};
use crate::gtp::game::name;
use hexbot::cell::Color;

/// Begins with a capital letter, as GoGui expects.
pub(crate) fn game_id(_: &mut Call) -> Reply {
    Ok("Hex".to_owned())
}

pub(crate) fn board_size(call: &mut Call) -> Reply {
    Ok(format!("{} hex", call.session.game().side()))
}

pub(crate) fn board(call: &mut Call) -> Reply {
    let game = call.session.game();
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

pub(crate) fn side_to_move(call: &mut Call) -> Reply {
    Ok(name(call.session.game().next_player()).to_owned())
}

/// In capital letters, because GoGui compares them with its own names.
pub(crate) fn legal_moves(call: &mut Call) -> Reply {
    let game = call.session.game();
    Ok(match game.position().winner() {
        None => cells(game.position().empty_cells().iter()).to_uppercase(),
        Some(_) => String::new(),
    })
}

pub(crate) fn final_result(call: &mut Call) -> Reply {
    let text = match call.session.game().position().winner() {
        Some(Color::Red) => "Black wins.",
        Some(Color::Blue) => "White wins.",
        None => "Nobody has won yet.",
    };
    Ok(text.to_owned())
}
