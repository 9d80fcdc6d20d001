//! Commands that set up games, play and show them.

use super::analysis::cells;
use super::{Call, Reply};
use crate::gtp::game::{GtpGame, SwapRule};
use crate::gtp::protocol::CommandFailure;
use crate::gtp::session::SearchStart;
use hex_common::diagram::Diagram;
use hex_common::input;
use hex_common::record_input::show_notes;
use hex_core::engine::SIDES;
use hex_core::record::sgf::SwapMeaning;
use hex_core::record::{decode, sgf, Move, Side};
use hexbot::cell::Color;
use std::path::Path;

pub(crate) fn boardsize(call: &mut Call) -> Reply {
    let sides = (0..call.arguments.count())
        .map(|index| call.arguments.parse(index, "a side"))
        .collect::<Result<Vec<usize>, _>>()?;
    if sides.iter().any(|side| *side != sides[0]) {
        return Err(CommandFailure(
            "only square boards are possible, give the same number twice".to_owned(),
        ));
    }
    let side = Side::try_from(sides[0]).map_err(|_| {
        let (side, least, most) = (sides[0], SIDES.start(), SIDES.end());
        CommandFailure(format!(
            "the engine does not play on a board of side {side}, only on sides {least} to {most}"
        ))
    })?;
    call.session.set_game(GtpGame::new(side))?;
    Ok(String::new())
}

pub(crate) fn clear_board(call: &mut Call) -> Reply {
    call.session
        .set_game(GtpGame::new(call.session.game().side()))?;
    Ok(String::new())
}

pub(crate) fn play(call: &mut Call) -> Reply {
    let color = call.arguments.color(0)?;
    if let Some(action) = action(call, 1)? {
        call.session.play(color, action)?;
    }
    Ok(String::new())
}

/// The move that an argument names; `None` for `resign`, after which nothing is played.
fn action(call: &Call, index: usize) -> Result<Option<Move>, CommandFailure> {
    match call.arguments.text(index).to_ascii_lowercase().as_str() {
        "resign" => Ok(None),
        "swap-sides" => Ok(Some(Move::SwapSides)),
        "swap" | "swap-pieces" => {
            let off = || CommandFailure("swaps are switched off".to_owned());
            call.session.swap_action().map(Some).ok_or_else(off)
        }
        _ => {
            let point = call.arguments.point(index, call.session.game().side())?;
            Ok(Some(Move::Place(point)))
        }
    }
}

pub(crate) fn play_game(call: &mut Call) -> Reply {
    clear_board(call)?;
    let mut color = Color::Red;
    for index in 0..call.arguments.count() {
        let Some(action) = action(call, index)? else {
            break;
        };
        let played = call.session.play(color, action);
        played
            .map_err(|CommandFailure(why)| CommandFailure(format!("move {}: {why}", index + 1)))?;
        // After a swap of sides the same colour moves again.
        if action != Move::SwapSides {
            color = color.opponent();
        }
    }
    Ok(String::new())
}

pub(crate) fn undo(call: &mut Call) -> Reply {
    call.session.undo()?;
    Ok(String::new())
}

pub(crate) fn genmove(call: &mut Call) -> Reply {
    let color = call.arguments.color(0)?;
    let chosen = call
        .session
        .choose(color, SearchStart::Ordinary, call.context)?;
    if let Some(action) = chosen {
        call.session.play(color, action)?;
        call.session.await_answer(color);
    }
    Ok(word(chosen))
}

pub(crate) fn reg_genmove(call: &mut Call) -> Reply {
    let color = call.arguments.color(0)?;
    Ok(word(call.session.choose(
        color,
        SearchStart::Reproducible,
        call.context,
    )?))
}

/// A move in the form that controllers expect. A swap is `swap-pieces` under both rules, also in
/// benzene, which leaves the stone.
fn word(action: Option<Move>) -> String {
    match action {
        None => "resign".to_owned(),
        Some(Move::Place(point)) => point.to_string(),
        Some(_) => "swap-pieces".to_owned(),
    }
}

pub(crate) fn all_legal_moves(call: &mut Call) -> Reply {
    if call.arguments.count() == 1 {
        call.arguments.color(0)?;
    }
    let game = call.session.game();
    Ok(cells(game.position().empty_cells().iter()))
}

pub(crate) fn final_score(call: &mut Call) -> Reply {
    let text = match call.session.game().position().winner() {
        Some(Color::Red) => "B+",
        Some(Color::Blue) => "W+",
        None => "cannot score",
    };
    Ok(text.to_owned())
}

pub(crate) fn showboard(call: &mut Call) -> Reply {
    let game = call.session.game();
    let diagram = Diagram::new(game.position())
        .with_stones(['B', 'W'])
        .with_last_move(game.last_stone());
    Ok(format!("\n{diagram}"))
}

pub(crate) fn printsgf(call: &mut Call) -> Reply {
    Ok(format!("\n{}", sgf::write(&call.session.game().record()?)))
}

pub(crate) fn savesgf(call: &mut Call) -> Reply {
    let path = call.arguments.text(0);
    let text = sgf::write(&call.session.game().record()?);
    std::fs::write(path, text)
        .map_err(|error| CommandFailure(format!("cannot write {path}: {error}")))?;
    Ok(String::new())
}

pub(crate) fn loadsgf(call: &mut Call) -> Reply {
    let path = call.arguments.text(0);
    let moves = match call.arguments.count() {
        2 => call.arguments.parse(1, "a number of moves")?,
        _ => usize::MAX,
    };
    let bytes = input::read(Path::new(path))
        .map_err(|error| CommandFailure(format!("cannot read {path}: {error}")))?;
    let text = decode(bytes).map_err(|error| CommandFailure(format!("{path}: {error}")))?;
    // With `None` the program that wrote the record decides, or a note shows the meaning.
    let undecided = match call.session.settings.swap {
        SwapRule::Sides => Some(SwapMeaning::Sides),
        SwapRule::Pieces | SwapRule::Off => None,
    };
    let record = sgf::parse_with(&text, undecided)
        .map_err(|error| CommandFailure(format!("{path}: {error}")))?;
    show_notes("gtp", &record.notes);
    call.session
        .set_game(GtpGame::from_record(&record, moves)?)?;
    Ok(String::new())
}
