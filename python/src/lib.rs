//! What Python calls: [`hex_core::service`], the service that the page and the npm package use, on
//! the caller's thread and without the interpreter's lock. `hexbot/__init__.py` makes Python's types
//! of it and describes it for users; `_hexbot.pyi` has the types of what is here.

mod searcher;
mod solver;

use hex_core::record::conversion::WrittenFormat;
use hex_core::record::{conversion, move_list, Game, Move, Side};
use hex_core::service::messages::token;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::fmt::Display;

/// An error of the caller's, in words.
fn wrong(why: impl Display) -> PyErr {
    PyValueError::new_err(why.to_string())
}

fn side(side: usize) -> PyResult<Side> {
    Side::try_from(side).map_err(wrong)
}

/// A game as the service reads it, as in a HexWorld link. Two passes in front make it a game in
/// which nobody may swap.
#[pyfunction]
fn game_text(side: usize, moves: &str, swap: bool) -> PyResult<String> {
    let mut game = Game::new(self::side(side)?);
    let mut text = format!("{side},");
    let passes = if swap { 0 } else { 2 };
    let words = moves.lines().flat_map(move_list::words);
    let words = (0..passes).map(|_| "pass".to_owned()).chain(words);
    for (index, word) in words.enumerate() {
        let number = (index + 1).saturating_sub(passes);
        let failed = |why: String| wrong(format!("move {number}, {word:?}: {why}"));
        let action = Move::parse(&word, game.side()).map_err(|error| failed(error.to_string()))?;
        game.play(action)
            .map_err(|error| failed(error.to_string()))?;
        text += &token(action);
    }
    Ok(text)
}

/// A record in another format, and what it does not hold, a sentence each.
#[pyfunction]
fn convert(text: &str, to: &str, side: usize) -> PyResult<(String, Vec<String>)> {
    let target: WrittenFormat = to.parse().map_err(wrong)?;
    conversion::convert(text, target, self::side(side)?, None).map_err(wrong)
}

#[pymodule]
fn _hexbot(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<searcher::Searcher>()?;
    module.add_function(wrap_pyfunction!(game_text, module)?)?;
    module.add_function(wrap_pyfunction!(convert, module)?)?;
    module.add_function(wrap_pyfunction!(solver::solve, module)?)
}
