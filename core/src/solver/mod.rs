//! Solves positions of Hex exactly: who wins, and by which moves. Suits endgames on large boards,
//! and small boards from the start. It uses neither playouts nor networks.
//!
//! # How
//! Proof-number search, depth-first and with a table of positions (Nagai's df-pn; Arneson, Hayward
//! and Henderson, *Solving Hex: beyond humans*, 2010), in which every result comes with its
//! *carrier*: a set of empty cells such that the winner wins even if the opponent owns all other
//! empty cells. A position goes through these steps (Hayward, Björnsson, Johanson, Kan, Po and van
//! Rijswijck, *Solving 7×7 Hex: virtual connections and game-state reduction*, 2003):
//!
//! 0. Dead cells and captured pairs are filled in, because they need no search (`inferior.rs`).
//! 1. A position is lost if the opponent has certainly joined their edges, no matter who moves.
//!    They are joined by links: pairs of cells where either cell is enough, or detours by further
//!    stones that cannot all be stopped (`groups.rs`).
//! 2. A move that joins the groups of one edge with those of the other wins.
//! 3. Such a move of the opponent is a threat, and the mover has to play in its carrier. The cells
//!    that are in the carriers of all threats are the *must-play* region. If it is empty, the
//!    position is lost.
//! 4. A position that steps 1 to 3 leave open is examined by H-search, which sees more and takes
//!    longer (`connections.rs`).
//! 5. Steps 0 to 4 are applied to the position after each move of the region. A winning move ends
//!    the search. A losing one shrinks the region to the carrier of its refutation: the opponent
//!    would refute any move elsewhere in the same way.
//! 6. The remaining moves are searched, the one with the smallest proof number first (`search.rs`).
//!
//! The carrier of a win is the move plus the carrier of the position after it. The carrier of a
//! loss is the union of the carriers of all threats and refutations. Both include the pairs that
//! the winner captured in step 0. Results are remembered as far as there is room (`known.rs`,
//! `table.rs`). The proofs are exact. A position stays unsolved only if the search reaches its
//! limit of positions or is stopped.

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

/// Solves positions that follow from one base position, and remembers results for later calls.
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
    /// The most positions to search in one call.
    limit: u64,
    searched: u64,
    /// Positions searched in all calls.
    searched_in_all: u64,
    watch: Option<SearchWatch>,
}

/// Called at every position with the number of positions searched since the solver was made.
/// Decides whether the search continues.
pub type SearchWatch = Box<dyn FnMut(u64) -> ControlFlow<()> + Send>;

/// Why a position was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolved {
    /// There are more empty cells than the solver can number.
    #[error("{0} cells are empty, the solver can handle at most {most}", most = Set::CAPACITY)]
    TooManyCells(usize),
    /// The search has reached its limit.
    #[error("not solved within {0} positions")]
    TooHard(u64),
    /// The watch has stopped the search.
    #[error("stopped before it was solved")]
    Stopped,
}

type SolverResult<T> = Result<T, Unsolved>;

impl Solver {
    /// The default memory of a solver's table, in bytes; see [`Solver::remembering`].
    pub(crate) const MEMORY: usize = 256 << 20;

    /// A solver for positions that have all stones of `base`, and perhaps more. A call searches at
    /// most `limit` positions.
    ///
    /// # Errors
    /// If more than [`MOST_EMPTY`] cells are empty.
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

    /// The same solver with a watch. It remembers what it found before the watch stopped it, so the
    /// same call later continues from there.
    pub fn watched(mut self, watch: SearchWatch) -> Self {
        self.watch = Some(watch);
        self
    }

    /// The same solver with a table of at most this number of bytes, 200 kB or more. It searches
    /// forgotten positions again when it needs them.
    pub fn remembering(mut self, bytes: usize) -> Self {
        self.known = PositionTable::new(bytes);
        self
    }

    /// Sets the most positions to search in each later call.
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

    /// The winner, if it is seen without a search: by connections that are safe already, or after
    /// one move.
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

    /// How many positions the last call searched, without those remembered.
    pub fn searched(&self) -> u64 {
        self.searched
    }

    /// How many positions all calls searched, without those remembered.
    pub fn searched_in_all(&self) -> u64 {
        self.searched_in_all
    }

    /// The board of `position`, settled.
    fn settled(&self, position: &AnyBoard) -> SolverBoard {
        let mut board = self.board(position);
        board.settle(&self.base_cells);
        board
    }

    /// The board of `position`, with the stones that the base does not have.
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
