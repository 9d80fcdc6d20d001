//! Commands of the exact solver. They end after their time, or when the controller interrupts, and
//! return what is known then.

use super::analysis::cells;
use super::{Call, Reply};
use crate::gtp::game::name;
use crate::gtp::protocol::CommandFailure;
use hex_core::record::counted;
use hex_core::solver::{Appraisal, Solver, SolverQuestion};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How long a solver searches by default.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// The result of the solver, and the number of positions searched.
fn appraise(call: &Call, question: SolverQuestion) -> Result<(Appraisal, u64), CommandFailure> {
    let color = call.arguments.color(0)?;
    let time = match call.arguments.count() {
        1 => DEFAULT_TIME,
        _ => call.arguments.seconds(1)?,
    };
    let (started, stop) = (Instant::now(), call.context.stop.clone());
    let watch = move |_| {
        if stop.is_set() || started.elapsed() >= time {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let position = call.session.game().position().with_to_move(color);
    let solver =
        Solver::new(&position, u64::MAX).map_err(|error| CommandFailure(error.to_string()))?;
    let mut solver = solver.watched(Box::new(watch));
    let found = solver.appraise(&position, question);
    Ok((found, solver.searched_in_all()))
}

pub(crate) fn solve(call: &mut Call) -> Reply {
    let (found, searched) = appraise(call, SolverQuestion::Winner)?;
    let winner = found.winner.map_or("unknown", name);
    let best = cells(found.winning.iter().take(1).copied());
    let separator = if best.is_empty() { "" } else { " " };
    Ok(format!(
        "{winner}{separator}{best}, {}",
        counted(searched, "position")
    ))
}

/// Only the winner, in the form of benzene's solver. An unknown winner is a failure, because HexGui
/// then continues with `gogui-gfx-analyze`.
pub(crate) fn solve_state(call: &mut Call) -> Reply {
    let (found, searched) = appraise(call, SolverQuestion::Winner)?;
    let unknown = || CommandFailure(format!("unknown after {}", counted(searched, "position")));
    found
        .winner
        .map(|winner| name(winner).to_owned())
        .ok_or_else(unknown)
}

pub(crate) fn winning_moves(call: &mut Call) -> Reply {
    let (found, _) = appraise(call, SolverQuestion::AllMoves)?;
    if found.unknown.is_empty() {
        Ok(cells(found.winning.into_iter()))
    } else {
        Err(CommandFailure(format!(
            "unknown: {}; known to win: {}",
            cells(found.unknown.into_iter()),
            cells(found.winning.into_iter())
        )))
    }
}
