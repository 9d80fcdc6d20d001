//! Commands that ask the exact solver. They end with the time that is given, or when the controller
//! interrupts, and then tell what is known.

use super::analysis::cells;
use super::arguments::Arguments;
use crate::gtp::game::name;
use crate::gtp::protocol::Failure;
use crate::gtp::session::{Context, Session};
use crate::solver::{Appraisal, Question, Solver};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How long a solver searches unless the controller says it.
const DEFAULT_TIME: Duration = Duration::from_secs(10);

/// What the solver finds out, and how many positions it took.
fn appraise(
    session: &Session,
    arguments: &Arguments,
    context: &Context,
    question: Question,
) -> Result<(Appraisal, u64), Failure> {
    let color = arguments.color(0)?;
    let time = match arguments.count() {
        1 => DEFAULT_TIME,
        _ => arguments.seconds(1)?,
    };
    let (started, stop) = (Instant::now(), context.stop.clone());
    let watch = move |_| match stop.is_set() || started.elapsed() >= time {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let position = session.game().position();
    let solver = Solver::new(position, u64::MAX).map_err(|error| Failure(error.to_string()))?;
    let mut solver = solver.watched(Box::new(watch));
    let found = solver.appraise(position, color, question);
    Ok((found, solver.searched_in_all()))
}

pub fn solve(
    session: &mut Session,
    arguments: &Arguments,
    context: &mut Context,
) -> Result<String, Failure> {
    let (found, searched) = appraise(session, arguments, context, Question::Winner)?;
    let winner = found.winner.map_or("unknown", name);
    let best = cells(found.winning.iter().take(1).copied());
    let separator = if best.is_empty() { "" } else { " " };
    Ok(format!("{winner}{separator}{best}, {searched} positions"))
}

pub fn winning_moves(
    session: &mut Session,
    arguments: &Arguments,
    context: &mut Context,
) -> Result<String, Failure> {
    let (found, _) = appraise(session, arguments, context, Question::AllMoves)?;
    match found.unknown.is_empty() {
        true => Ok(cells(found.winning.into_iter())),
        false => Err(Failure(format!(
            "unknown: {}; known to win: {}",
            cells(found.unknown.into_iter()),
            cells(found.winning.into_iter())
        ))),
    }
}
