//! Solves positions of Hex exactly: who wins, and by which moves. Made for endgames of large boards
//! and for small boards from the start; it knows neither playouts nor networks.
//!
//! # How
//! Proof-number search, depth-first and with a table of positions (Nagai's df-pn; Arneson, Hayward
//! and Henderson, *Solving Hex: beyond humans*, 2010), in which every result comes with its
//! *carrier*: a set of empty cells such that the winner wins even if the opponent owns all other
//! empty cells. A position goes through these steps (Hayward, Björnsson, Johanson, Kan, Po and van
//! Rijswijck, *Solving 7×7 Hex: virtual connections and game-state reduction*, 2003):
//!
//! 0. Cells that need no search are filled in: those that decide nothing, and pairs that are one
//!    colour's anyway (`inferior.rs`).
//! 1. A position whose opponent has joined the edges for certain, whoever moves, is lost. Links are
//!    pairs of cells of which one is enough, or detours by further stones of which the opponent
//!    cannot stop all (`groups.rs`).
//! 2. A move that joins what hangs on one edge with what hangs on the other is a win.
//! 3. Such a move of the opponent, if it were the opponent's turn, is a threat: the mover has to
//!    play in its carrier. The cells in the carriers of all threats are the *must-play* region; if
//!    none is left the position is lost.
//! 4. What steps 1 to 3 leave open is looked at again by H-search, which sees more and takes longer
//!    (`connections.rs`).
//! 5. Each move of the region gets a look at the position behind it, by steps 0 to 4. One that wins
//!    ends the search. One that loses shrinks the region to the carrier of its refutation: the
//!    opponent would refute any move elsewhere in the same way.
//! 6. The moves left are searched, that one first which takes the least to prove (`search.rs`).
//!
//! A win's carrier is the move with the carrier of what follows; a loss's is the union of the
//! carriers of all threats and refutations. To both belong the pairs that the winner got in step 0.
//! What is known of positions is remembered as far as there is room (`known.rs`, `table.rs`). The
//! proofs are exact; a position is left unsolved only if the search reaches its limit of positions
//! or is stopped.

mod appraisal;
mod board;
mod connections;
mod base_cells;
mod groups;
mod inferior;
mod known;
mod ordering;
mod search;
mod set;
mod table;

use crate::record::{stones, AnyBoard, AnyCell};
pub use appraisal::{Appraisal, SolverQuestion};
use base_cells::BaseCells;
use board::SolverBoard;
use hexbot::cell::Color;
use known::Known;
use set::Set;
use std::ops::ControlFlow;
use table::PositionTable;

/// The most empty cells of a position that can be solved.
pub const MOST_EMPTY: usize = Set::CAPACITY;

/// Solves positions that follow from one position. What it finds out it remembers for the next
/// question.
///
/// ```
/// use hex_core::record::Side;
/// use hex_core::solver::Solver;
/// use hexbot::cell::Color;
/// let empty = Side::of(4).board();
/// let mut solver = Solver::new(&empty, 100_000).unwrap();
/// assert_eq!(solver.winner(&empty), Ok(Color::Red));
/// let winning = solver.winning_moves(&empty).unwrap();
/// assert_eq!(winning[0].to_string(), "d1");
/// ```
pub struct Solver {
    base: AnyBoard,
    base_cells: BaseCells,
    known: PositionTable,
    /// The most positions that one question may search.
    limit: u64,
    searched: u64,
    /// Positions searched for all questions.
    searched_in_all: u64,
    watch: Option<SearchWatch>,
}

/// Is told at every position how many the solver has searched since it was made, and says whether
/// it shall go on.
pub type SearchWatch = Box<dyn FnMut(u64) -> ControlFlow<()> + Send>;

/// Why a position was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolved {
    /// There are more empty cells than the solver can number.
    #[error("{0} cells are empty, the solver can deal with at most {most}", most = Set::CAPACITY)]
    TooManyCells(usize),
    /// The search has reached its limit.
    #[error("not solved within {0} positions")]
    TooHard(u64),
    /// The watch has said so.
    #[error("stopped before it was solved")]
    Stopped,
}

type SolverResult<T> = Result<T, Unsolved>;

impl Solver {
    /// What a solver remembers takes at most so many bytes, unless it is told otherwise.
    pub const MEMORY: usize = 256 << 20;

    /// A solver for positions that have the stones of `base` and more. It searches at most `limit`
    /// positions for an answer.
    ///
    /// # Errors
    /// If too many cells are empty.
    pub fn new(base: &AnyBoard, limit: u64) -> Result<Self, Unsolved> {
        let too_many = || Unsolved::TooManyCells(base.empty_cells().len());
        let base_cells = BaseCells::new(base).ok_or_else(too_many)?;
        Ok(Solver {
            base: base.clone(),
            base_cells,
            known: PositionTable::new(Self::MEMORY),
            limit,
            searched: 0,
            searched_in_all: 0,
            watch: None,
        })
    }

    /// The same solver with a watch. What it found out before it was stopped it remembers, so that
    /// the same question again goes on from there.
    pub fn watched(mut self, watch: SearchWatch) -> Self {
        self.watch = Some(watch);
        self
    }

    /// The same solver with at most so many bytes for what it remembers: 200 kB or more. What it
    /// has to forget it searches again when it needs it.
    pub fn remembering(mut self, bytes: usize) -> Self {
        self.known = PositionTable::new(bytes);
        self
    }

    /// Lets it search so many positions for the next answers.
    pub fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// Who wins `position`.
    ///
    /// # Errors
    /// If the search reaches its limit or is stopped.
    ///
    /// # Panics
    /// If the position does not have all stones of the base.
    pub fn winner(&mut self, position: &AnyBoard) -> Result<Color, Unsolved> {
        let board = self.settled(position);
        self.searched = 0;
        Ok(self.solve(&board, position.to_move())?.winner)
    }

    /// Who wins, if that is seen without a search: by connections that are safe already, or will be
    /// after one move.
    ///
    /// # Panics
    /// If the position does not have all stones of the base.
    pub fn winner_at_sight(&self, position: &AnyBoard) -> Option<Color> {
        match self.sight(&self.settled(position), position.to_move()) {
            Known::Decided(outcome) => Some(outcome.winner),
            Known::Open(_) => None,
        }
    }

    /// The moves by which the player to move wins `position`, row by row; none if it is lost.
    ///
    /// # Errors
    /// If the search of a move reaches its limit or is stopped.
    ///
    /// # Panics
    /// If the position does not have all stones of the base.
    pub fn winning_moves(&mut self, position: &AnyBoard) -> Result<Vec<AnyCell>, Unsolved> {
        let to_move = position.to_move();
        let board = self.board(position);
        let mut winning = Vec::new();
        for cell in board.empty().iter() {
            let after = board.after(cell, to_move, &self.base_cells);
            self.searched = 0;
            if self.solve(&after, to_move.opponent())?.winner == to_move {
                winning.push(self.base_cells.cell(cell));
            }
        }
        Ok(winning)
    }

    /// How many positions the last question took, not counting those remembered.
    pub fn searched(&self) -> u64 {
        self.searched
    }

    /// How many positions all questions took, not counting those remembered.
    pub fn searched_in_all(&self) -> u64 {
        self.searched_in_all
    }

    /// The board of `position`, settled.
    fn settled(&self, position: &AnyBoard) -> SolverBoard {
        let mut board = self.board(position);
        board.settle(&self.base_cells);
        board
    }

    /// The board of `position`: the stones that it has beside the base's.
    fn board(&self, position: &AnyBoard) -> SolverBoard {
        let mut board = SolverBoard::new(&self.base, &self.base_cells);
        for (stone, color) in stones(position) {
            match self.base_cells.number(stone) {
                Some(cell) => board.place(cell, color, &self.base_cells),
                None => assert_eq!(self.base.at(stone), Some(color), "another base"),
            }
        }
        let count = |position: &AnyBoard, color| position.own_stones(color).len();
        for color in Color::ALL {
            let placed = board.stones()[color.index()].iter().count();
            let all = count(&self.base, color) + placed;
            assert_eq!(count(position, color), all, "another base");
        }
        board
    }
}
