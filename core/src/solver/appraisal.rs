//! What a solver knows of every move of a position, also when it was stopped.

use super::board::SolverBoard;
use super::known::Known;
use super::{Solver, Unsolved};
use crate::record::{AnyBoard, AnyCell};
use hexbot::cell::Color;

/// The moves of a position by what comes of them with perfect play; row by row in each list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Appraisal {
    /// Who wins; `None` if that is not known.
    pub winner: Option<Color>,
    /// The moves by which the player to move wins.
    pub winning: Vec<AnyCell>,
    /// The moves that lose.
    pub losing: Vec<AnyCell>,
    /// The moves of which it is not known.
    pub unknown: Vec<AnyCell>,
}

/// What a solver is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverQuestion {
    /// Who wins, and a move that does it.
    Winner,
    /// What comes of every move.
    AllMoves,
}

impl Solver {
    /// Finds out what comes of the moves of `position`. A search that reaches its limit or is
    /// stopped leaves moves unknown; what was found out until then is told. The limit counts for
    /// each move anew.
    ///
    /// If the winner is the player to move, the answer has a winning move. Where the search ends
    /// before it has found one, the winner stays unknown.
    ///
    /// # Panics
    /// If the position does not have all stones of the base.
    pub fn appraise(&mut self, position: &AnyBoard, question: SolverQuestion) -> Appraisal {
        let to_move = position.to_move();
        let mut found = Appraisal {
            winner: position.winner(),
            ..Appraisal::default()
        };
        if found.winner.is_some() {
            return found;
        }
        let board = self.board(position);
        found.winner = self.winner(position).ok();
        let mut is_stopped = found.winner.is_none();
        for cell in board.empty().iter() {
            let after = board.after(cell, to_move, &self.base_cells);
            let winner = match (found.winner, question) {
                (Some(winner), _) if winner != to_move => Some(winner),
                (Some(_), SolverQuestion::AllMoves) if !is_stopped => {
                    self.searched = 0;
                    let solved = self.solve(&after, to_move.opponent());
                    is_stopped = matches!(solved, Err(Unsolved::Stopped));
                    solved.ok().map(|outcome| outcome.winner)
                }
                _ => self.seen(&after, to_move.opponent()),
            };
            let point = self.base_cells.cell(cell);
            match winner {
                Some(winner) if winner == to_move => found.winning.push(point),
                Some(_) => found.losing.push(point),
                None => found.unknown.push(point),
            }
        }
        if found.winner == Some(to_move) && found.winning.is_empty() {
            self.find_winning_move(position, &mut found);
        }
        if !found.winning.is_empty() {
            found.winner = Some(to_move);
        } else if found.unknown.is_empty() {
            found.winner = Some(to_move.opponent());
        }
        found
    }

    /// Searches the unknown moves of a position that the player to move wins until one of them
    /// wins. The proof alone does not name it: a win that is seen at once comes without a move, and
    /// the table may have forgotten the position behind it. Moves in the proof's carrier come
    /// first. The winner becomes unknown if no move is found.
    fn find_winning_move(&mut self, position: &AnyBoard, found: &mut Appraisal) {
        let to_move = position.to_move();
        let proof = self.solve(&self.settled(position), to_move).ok();
        let board = self.board(position);
        let cell = |point: AnyCell| self.base_cells.number(point);
        let is_in_carrier = |point: &AnyCell| match (proof, cell(*point)) {
            (Some(proof), Some(cell)) => proof.carrier.contains(cell),
            _ => false,
        };
        let (inside, outside): (Vec<AnyCell>, Vec<AnyCell>) =
            found.unknown.iter().copied().partition(is_in_carrier);
        let winning = inside.into_iter().chain(outside).find(|&point| {
            let Some(cell) = self.base_cells.number(point) else {
                return false;
            };
            let after = board.after(cell, to_move, &self.base_cells);
            self.searched = 0;
            let solved = self.solve(&after, to_move.opponent());
            solved.is_ok_and(|solution| solution.winner == to_move)
        });
        found.winner = winning.map(|_| to_move);
        found.unknown.retain(|&point| Some(point) != winning);
        found.winning.extend(winning);
    }

    /// Who wins, as it is remembered or seen without a search.
    fn seen(&self, board: &SolverBoard, mover: Color) -> Option<Color> {
        let known = self.known.get(&(board.stones(), mover));
        match known.unwrap_or_else(|| self.look_closely(board, mover)) {
            Known::Decided(outcome) => Some(outcome.winner),
            Known::Open(_) => None,
        }
    }
}
