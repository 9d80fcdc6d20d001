//! The result of every move of a position, as far as a solver knows it, even when it was stopped.

use super::board::SolverBoard;
use super::known::Known;
use super::{Solver, Unsolved};
use crate::record::{AnyBoard, AnyCell};
use hexbot::cell::Color;

/// The moves of a position by their result with perfect play. Each list is row by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Appraisal {
    /// The winner; `None` if unknown.
    pub winner: Option<Color>,
    /// The moves by which the player to move wins.
    pub winning: Vec<AnyCell>,
    /// The moves that lose.
    pub losing: Vec<AnyCell>,
    /// The moves whose result is unknown.
    pub unknown: Vec<AnyCell>,
}

/// How much a solver shall find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverQuestion {
    /// The winner, and one winning move.
    Winner,
    /// The result of every move.
    AllMoves,
}

impl Solver {
    /// Finds the results of the moves of `position`. A search that reaches its limit or is stopped
    /// leaves moves unknown and returns the others. The limit applies to each move separately.
    ///
    /// If the player to move wins, at least one winning move is known. If the search ends before it
    /// has found one, the winner is unknown too.
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

    /// In a position that the player to move wins, searches the unknown moves until one of them
    /// wins. The proof does not name a winning move: a win at sight has none, and the table may
    /// have forgotten the position after it. Moves in the proof's carrier come first. If no move is
    /// found, the winner becomes unknown.
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

    /// The winner, if it is remembered or seen without a search.
    fn seen(&self, board: &SolverBoard, mover: Color) -> Option<Color> {
        let known = self.known.get(&(board.stones(), mover));
        match known.unwrap_or_else(|| self.look_closely(board, mover)) {
            Known::Decided(outcome) => Some(outcome.winner),
            Known::Open(_) => None,
        }
    }
}
