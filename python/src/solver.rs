//! The exact solver, with a limit of time and an eye on Ctrl-C.

use crate::wrong;
use hex_core::record::AnyCell;
use hex_core::service::messages::open_game;
use hex_core::solver::{SearchWatch, Solver, SolverQuestion};
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the solver goes on before it looks for signals.
const ROUND: Duration = Duration::from_millis(100);

/// The winner's name and the moves that win, lose and are left unknown.
type Solution = (Option<String>, [Vec<String>; 3]);

/// What comes of each move of a game's position with perfect play, as far as it is found out within
/// the limit.
#[pyfunction]
pub fn solve(py: Python, game: &str, ms: Option<u64>) -> PyResult<Solution> {
    let game = open_game(game).map_err(|problem| wrong(problem.message()))?;
    let position = game.position();
    let solver = Solver::new(position, u64::MAX).map_err(wrong)?;
    let signal = Arc::default();
    let mut solver = solver.watched(watch(ms.map(Duration::from_millis), Arc::clone(&signal)));
    let found = py.detach(|| solver.appraise(position, SolverQuestion::AllMoves));
    let signal = signal.lock().unwrap_or_else(PoisonError::into_inner).take();
    match signal {
        Some(error) => Err(error),
        None => Ok((
            found.winner.map(|winner| winner.to_string()),
            [found.winning, found.losing, found.unknown].map(names),
        )),
    }
}

fn names(cells: Vec<AnyCell>) -> Vec<String> {
    cells.iter().map(AnyCell::to_string).collect()
}

/// Ends the search at the limit, or by a signal, whose error it leaves in `signal`.
fn watch(limit: Option<Duration>, signal: Arc<Mutex<Option<PyErr>>>) -> SearchWatch {
    let start = Instant::now();
    let mut next_look = ROUND;
    Box::new(move |_| {
        let time = start.elapsed();
        if limit.is_some_and(|limit| time >= limit) {
            return ControlFlow::Break(());
        }
        if time >= next_look {
            next_look = time + ROUND;
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                *signal.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            }
        }
        match signal
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_some()
        {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })
}
