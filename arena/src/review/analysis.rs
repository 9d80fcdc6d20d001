//! The search of all positions of a game.

use super::games::RecordedGame;
use super::judgement;
use super::log::{AnalysedGame, ReviewedPosition};
use anyhow::Result;
use hex_core::engine::{engine, Analysis, Engine, Task};
use hex_core::record::{AnyBoard, AnyCell, Game, Move};
use hex_core::solver::Solver;
use hexbot::params::Params;

/// Where the random numbers of each game begin: the same game is analysed alike, whichever is
/// analysed before it.
const SEED: u64 = 1;

/// Positions that the solver may search to find out who wins one.
const MOST_SOLVED: u64 = 500;

/// It is not asked about positions with more empty cells than this, which it hardly ever solves.
const MOST_EMPTY: usize = 70;

/// What the solver may remember, in bytes.
const SOLVER_MEMORY: usize = 4 << 20;

/// Moves of a line that are kept.
const LINE: usize = 10;

/// Searches the positions of a game one after the other, so that each search finds the tree of the
/// one before. Moves that seem to have lost something are looked at again.
///
/// `None` if the task is stopped.
///
/// # Errors
/// If the engine does not play on the board's side.
pub fn analyse(recorded: &RecordedGame, task: &Task) -> Result<Option<AnalysedGame>> {
    let game = &recorded.game;
    let boards = boards(game);
    let mut positions = Vec::new();
    let mut thinker = engine(game.side(), &Params::default(), SEED)?;
    for (ply, board) in boards.iter().enumerate() {
        let found = if decides_nothing(game, ply) {
            None
        } else {
            search(&mut thinker, board, task)
        };
        if task.stop.is_set() {
            return Ok(None);
        }
        positions.push(found);
    }
    let id = recorded.id();
    let mut analysed = AnalysedGame { id, positions };
    look_closer(recorded, &mut analysed, &boards, task)?;
    Ok((!task.stop.is_set()).then_some(analysed))
}

/// Looks again at the moves that seem to have lost something: the solver may know the result of the
/// position before or after, and else the best move is searched as the played one was.
fn look_closer(
    recorded: &RecordedGame,
    analysed: &mut AnalysedGame,
    boards: &[AnyBoard],
    task: &Task,
) -> Result<()> {
    let game = &recorded.game;
    // The best moves are elsewhere in the tree, so they begin with a new one.
    let mut thinker = engine(game.side(), &Params::default(), SEED)?;
    let judged = judgement::judge(recorded, analysed);
    for ply in judged.iter().filter(|m| m.grade().is_some()).map(|m| m.ply) {
        if task.stop.is_set() {
            break;
        }
        solve(analysed, boards, ply);
        let Some(before) = &mut analysed.positions[ply] else {
            continue;
        };
        if !before.is_proven {
            let best = game.side().parse_cell(&before.best)?;
            before.best_value = Some(value_after(&mut thinker, &boards[ply], best, task));
        }
    }
    Ok(())
}

/// Asks the solver who wins before and after a move, and keeps what decides the judgement. That a
/// position is won does not say that the best move of the search wins.
fn solve(analysed: &mut AnalysedGame, boards: &[AnyBoard], ply: usize) {
    let board = &boards[ply];
    let solver = Solver::new(board, MOST_SOLVED).ok();
    let solver = solver.filter(|_| board.empty_cells().len() <= MOST_EMPTY);
    let (Some(solver), Some(before)) = (solver, &mut analysed.positions[ply]) else {
        return;
    };
    let mut solver = solver.remembering(SOLVER_MEMORY);
    let mover = board.to_move();
    if boards[ply + 1].winner().is_none() {
        let after = solver.winner(&boards[ply + 1]).ok();
        before.played_value = after.map(|winner| f64::from(u8::from(winner == mover)));
    }
    if solver.winner(board).is_ok_and(|winner| winner != mover) {
        (before.value, before.is_proven) = (0.0, true);
    }
}

/// The positions before each move, its player to move, and after the last one.
fn boards(game: &Game) -> Vec<AnyBoard> {
    let mut boards = judgement::positions(game);
    for (board, turn) in boards.iter_mut().zip(game.turns()) {
        board.set_to_move(turn.color);
    }
    boards
}

/// Returns true for the empty board, on which the swap decides, and for a position in which Blue
/// swapped.
fn decides_nothing(game: &Game, ply: usize) -> bool {
    let is_swapped = |turn: usize| {
        let turn = game.turns().get(turn);
        turn.is_some_and(|turn| matches!(turn.action, Move::SwapPieces | Move::SwapSides))
    };
    judgement::is_first_move(game, ply) || is_swapped(ply)
}

/// What a search finds; `None` if somebody has won.
fn search(engine: &mut Engine, board: &AnyBoard, task: &Task) -> Option<ReviewedPosition> {
    let found = engine.think(board, task, &mut |_| {})?;
    let line = found.principal_variation.iter().take(LINE);
    Some(ReviewedPosition {
        value: rounded(found.win_probability),
        is_proven: found.proof.is_some(),
        best: found.best.to_string(),
        line: line.map(ToString::to_string).collect(),
        is_forced: is_forced(board, &found),
        best_value: None,
        played_value: None,
    })
}

/// Whether all moves but the best are proven to lose.
fn is_forced(board: &AnyBoard, found: &Analysis) -> bool {
    let is_open = found.proof.is_none();
    let left = found.moves.iter().filter(|known| known.prior.is_some());
    board.empty_cells().len() == 1 || is_open && left.count() == 1
}

/// The mover's probability to win after `cell`.
fn value_after(engine: &mut Engine, board: &AnyBoard, cell: AnyCell, task: &Task) -> f64 {
    let mut after = board.clone();
    let mover = board.to_move();
    after
        .set_up(cell, mover)
        .expect("the best move is possible");
    after.set_to_move(mover.opponent());
    match engine.think(&after, task, &mut |_| {}) {
        Some(found) => rounded(1.0 - found.win_probability),
        None => 1.0,
    }
}

/// Four digits are enough. What is not proven stays off 0 and 1.
fn rounded(value: f32) -> f64 {
    (f64::from(value) * 1e4).round() / 1e4
}
