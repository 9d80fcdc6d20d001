//! The proof-number search of a solver.
//!
//! An undecided position has two proof numbers: how many positions, at the least, have yet to be
//! decided to show that the mover wins, and to show that it loses. The first is the minimum of the
//! second numbers after all moves. In a tree, the second would be the sum of the first numbers
//! after all moves. Because many moves lead to the same positions, we use their maximum plus one
//! for each other move.

use super::board::SolverBoard;
use super::known::{Known, Open, ProofNumbers, Solution};
use super::ordering;
use super::set::Set;
use super::{Solver, SolverResult, Unsolved};
use hexbot::cell::Color;

/// A move and the position after it.
struct SolverChild {
    cell: usize,
    after: SolverBoard,
}

/// The state of a position, by its moves.
enum Moves {
    /// The position is decided.
    Decided(Solution),
    /// The proof numbers of the position, the move to search next, and how far.
    Next {
        effort: ProofNumbers,
        at: usize,
        child: Open,
        /// The smallest number after any other move.
        second: u32,
    },
}

impl Solver {
    /// Searches until a position is decided.
    pub(super) fn solve(&mut self, board: &SolverBoard, mover: Color) -> SolverResult<Solution> {
        loop {
            match self.look(board, mover)? {
                Known::Decided(outcome) => return Ok(outcome),
                Known::Open(open) => self.search(board, mover, open, ProofNumbers::UNBOUNDED)?,
            }
        }
    }

    /// Returns what is remembered of a position, or else examines and counts it.
    fn look(&mut self, board: &SolverBoard, mover: Color) -> SolverResult<Known> {
        let key = (board.stones(), mover);
        if let Some(known) = self.known.get(&key) {
            return Ok(known);
        }
        if self.searched >= self.limit {
            return Err(Unsolved::TooHard(self.limit));
        }
        if let Some(watch) = &mut self.watch {
            if watch(self.searched_in_all).is_break() {
                return Err(Unsolved::Stopped);
            }
        }
        self.searched += 1;
        self.searched_in_all += 1;
        let seen = self.look_closely(board, mover);
        self.known.insert(key, seen, 1);
        Ok(seen)
    }

    /// Steps 1 to 4, which need no search, for a settled position.
    pub(super) fn look_closely(&self, board: &SolverBoard, mover: Color) -> Known {
        let mut open = match self.sight(board, mover) {
            Known::Open(open) => open,
            decided => return decided,
        };
        let won = |winner, carrier| Known::Decided(Solution { winner, carrier });
        let opponent = mover.opponent();
        let theirs = board.connections(opponent, &self.base_cells);
        if let Some(carrier) = theirs.full {
            return won(opponent, carrier);
        }
        let own = board.connections(mover, &self.base_cells);
        if let Some(carrier) = own.full.or(own.semi.first().copied()) {
            return won(mover, carrier);
        }
        open.refute_all(theirs.semi);
        if open.region.is_empty() {
            won(opponent, open.carrier)
        } else {
            open.effort.lose = open.region.len() as u32;
            Known::Open(open)
        }
    }

    /// Steps 1 to 3, which are cheap.
    pub(super) fn sight(&self, board: &SolverBoard, mover: Color) -> Known {
        let won = |winner, carrier| Known::Decided(Solution { winner, carrier });
        let prospects = Color::ALL.map(|color| board.prospects(color, &self.base_cells));
        let [own, other] = [mover, mover.opponent()].map(|color| &prospects[color.index()]);
        if board.groups(mover).joined() {
            return won(mover, Set::EMPTY);
        }
        if let Some(carrier) = other.proof() {
            return won(mover.opponent(), carrier);
        }
        if let Some(carrier) = own.proof().or_else(|| own.threats().next()) {
            return won(mover, carrier);
        }
        let mut open = Open {
            region: board.empty(),
            carrier: Set::EMPTY,
            effort: ProofNumbers { win: 1, lose: 1 },
        };
        open.refute_all(other.threats());
        Known::Open(open)
    }

    /// Steps 5 and 6: searches below an open position until it is decided or one of its proof
    /// numbers reaches that of `most`. Stores the result in the table.
    fn search(
        &mut self,
        board: &SolverBoard,
        mover: Color,
        open: Open,
        most: ProofNumbers,
    ) -> SolverResult<()> {
        let key = (board.stones(), mover);
        let mut here = open;
        // The positions searched below this one are all positions searched less this number.
        let others = self.searched_in_all - self.known.work(&key);
        let cells = ordering::ordered(board, here.region, &self.base_cells);
        let replies = cells.into_iter().map(|cell| SolverChild {
            cell,
            after: board.after(cell, mover, &self.base_cells),
        });
        let mut replies: Vec<SolverChild> = replies.collect();
        loop {
            let moves = self.weigh(&mut replies, mover, &mut here)?;
            let work = self.searched_in_all - others;
            let (effort, at, child, second) = match moves {
                Moves::Decided(outcome) => {
                    self.known.insert(key, Known::Decided(outcome), work);
                    return Ok(());
                }
                Moves::Next {
                    effort,
                    at,
                    child,
                    second,
                } => (effort, at, child, second),
            };
            here.effort = effort;
            self.known.insert(key, Known::Open(here), work);
            if effort.win >= most.win || effort.lose >= most.lose {
                return Ok(());
            }
            // A little more than the second best, so that the search does not switch too often.
            let tolerated = second.saturating_add(1 + second / 4);
            let most_there = ProofNumbers {
                win: most.lose - (replies.len() as u32 - 1),
                lose: most.win.min(tolerated),
            };
            let after = replies[at].after.clone();
            self.search(&after, mover.opponent(), child, most_there)?;
        }
    }

    /// Examines the positions after all moves of the region. Removes moves that lose, and all moves
    /// that the same refutation answers.
    fn weigh(
        &mut self,
        replies: &mut Vec<SolverChild>,
        mover: Color,
        here: &mut Open,
    ) -> SolverResult<Moves> {
        loop {
            let before = replies.len();
            let mut open = Vec::with_capacity(before);
            let mut kept = Vec::with_capacity(before);
            for reply in replies.drain(..) {
                if !here.region.contains(reply.cell) {
                    continue;
                }
                match self.look(&reply.after, mover.opponent())? {
                    Known::Decided(outcome) if outcome.winner == mover => {
                        let carrier = outcome.before(&reply.after) | Set::of(reply.cell);
                        return Ok(Moves::Decided(Solution {
                            winner: mover,
                            carrier,
                        }));
                    }
                    Known::Decided(outcome) => here.refute(outcome.before(&reply.after)),
                    Known::Open(child) => {
                        open.push(child);
                        kept.push(reply);
                    }
                }
            }
            *replies = kept;
            if replies.is_empty() {
                return Ok(Moves::Decided(Solution {
                    winner: mover.opponent(),
                    carrier: here.carrier,
                }));
            }
            if replies.iter().all(|reply| here.region.contains(reply.cell)) {
                return Ok(next(&open));
            }
        }
    }
}

/// The move to search next, from at least one: the one after which it takes the least to show that
/// the opponent loses.
fn next(open: &[Open]) -> Moves {
    let to_lose = |at: &usize| open[*at].effort.lose;
    let at = (0..open.len()).min_by_key(to_lose).unwrap_or(0);
    let others = (0..open.len()).filter(|&other| other != at);
    let hardest = open.iter().map(|child| child.effort.win).max();
    Moves::Next {
        effort: ProofNumbers {
            win: open[at].effort.lose,
            lose: hardest.unwrap_or(0).saturating_add(open.len() as u32 - 1),
        },
        at,
        child: open[at],
        second: others.map(|at| to_lose(&at)).min().unwrap_or(u32::MAX),
    }
}
