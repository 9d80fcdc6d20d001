//! Solves positions of Hex exactly: who wins, and by which moves. Made for endgames of large boards and for
//! small boards from the start; it knows neither playouts nor networks.
//!
//! # How
//! A depth-first search with a table of positions, in which every result comes with its *carrier*: a set
//! of empty cells such that the winner wins even if the opponent owns all other empty cells. A position
//! goes through these steps (Hayward, Björnsson, Johanson, Kan, Po and van Rijswijck, *Solving 7×7
//! Hex: virtual connections and game-state reduction*, 2003):
//!
//! 0. Cells that need no search are filled in: those that decide nothing, and pairs that are one colour's
//!    anyway (`inferior.rs`).
//! 1. A position whose opponent has joined the edges for certain, whoever moves, is lost. Links are pairs of cells
//!    of which one is enough, or detours by further stones of which the opponent cannot stop all
//!    (`groups.rs`).
//! 2. A move that joins what hangs on one edge with what hangs on the other is a win.
//! 3. Such a move of the opponent, if it were the opponent's turn, is a threat: the mover has to play in its
//!    carrier. The cells in the carriers of all threats are the *must-play* region; if none is left the
//!    position is lost.
//! 4. Each move of the region gets a look at the position behind it, by steps 1 to 3. One that wins ends
//!    the search. One that loses shrinks the region to the carrier of its refutation: the opponent would
//!    refute any move elsewhere in the same way.
//! 5. The moves left are searched, with what comes of them as in step 4. The order is that of the sum of two
//!    numbers: a move's place among all by the measure of `ordering.rs`, and the number of cells in
//!    the must-play region that it leaves to the opponent.
//!
//! A win's carrier is the move with the carrier of what follows; a loss's is the union of the carriers of
//! all threats and refutations. To both belong the pairs that the winner got in step 0. The proofs are exact; a position is left unsolved only if the search reaches
//! its limit of positions.

mod ground;
mod groups;
mod inferior;
mod ordering;
mod set;

use crate::record::{Point, Position};
use ground::{Field, Ground};
use hexbot::cell::Color;
use set::Set;
use std::collections::HashMap;

/// The most empty cells of a position that can be solved.
pub const MOST_EMPTY: usize = Set::CAPACITY;

/// Solves positions that follow from one position. What it finds out it remembers for the next question.
pub struct Solver {
    base: Position,
    ground: Ground,
    known: HashMap<Key, Outcome>,
    /// The most positions that one question may search.
    limit: u64,
    searched: u64,
}

/// Why a position was not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsolved {
    /// There are more empty cells than the solver can number.
    #[error("{0} cells are empty, the solver can deal with at most {most}", most = Set::CAPACITY)]
    TooManyCells(usize),
    /// The search has reached its limit.
    #[error("not solved within {0} positions")]
    TooHard(u64),
}

/// What tells positions apart: the stones placed since the base, and the mover.
type Key = ([Set; 2], Color);

/// Who wins, and in which cells.
#[derive(Clone, Copy, Debug)]
struct Outcome {
    winner: Color,
    carrier: Set,
}

/// What is seen of a position without a search.
enum Sight {
    Decided(Outcome),
    Open(Open),
}

/// A position that is not decided at sight.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// The cells outside which every move loses.
    region: Set,
    /// Where the opponent wins against moves outside.
    carrier: Set,
}

/// A move and the position behind it.
struct Reply {
    cell: usize,
    after: Field,
    seen: Open,
}

impl Outcome {
    /// The carrier as it was before the move that led to `field`, when cells filled in since were empty.
    fn before(&self, field: &Field) -> Set {
        self.carrier | field.captured(self.winner)
    }
}

impl Open {
    /// The opponent wins in the cells of `carrier` unless the mover plays there.
    fn refute(&mut self, carrier: Set) {
        self.region &= carrier;
        self.carrier |= carrier;
    }
}

type Answer<T> = Result<T, Unsolved>;

/// The most positions that are remembered; one takes about 100 bytes.
const MAX_KNOWN: usize = 1 << 21;

impl Solver {
    /// A solver for positions that have the stones of `base` and more. It searches at most `limit`
    /// positions for an answer.
    ///
    /// # Errors
    /// If too many cells are empty.
    pub fn new(base: &Position, limit: u64) -> Result<Self, Unsolved> {
        let ground = Ground::new(base).ok_or_else(|| {
            let is_empty = |point: &Point| base.at(*point).is_none();
            Unsolved::TooManyCells(base.side().points().filter(is_empty).count())
        })?;
        Ok(Solver {
            base: base.clone(),
            ground,
            known: HashMap::new(),
            limit,
            searched: 0,
        })
    }

    /// Who wins `position` with `to_move` to move.
    ///
    /// # Errors
    /// If the search reaches its limit.
    ///
    /// # Panics
    /// If the position does not have all stones of the base.
    pub fn winner(&mut self, position: &Position, to_move: Color) -> Result<Color, Unsolved> {
        let field = self.settled(position);
        self.searched = 0;
        Ok(self.solve(&field, to_move)?.winner)
    }

    /// Who wins, if that is seen without a search: by connections that are safe already, or will be after
    /// one move.
    ///
    /// # Panics
    /// If the position does not have all stones of the base.
    pub fn winner_at_sight(&self, position: &Position, to_move: Color) -> Option<Color> {
        match self.sight(&self.settled(position), to_move) {
            Sight::Decided(outcome) => Some(outcome.winner),
            Sight::Open(_) => None,
        }
    }

    /// The moves by which `to_move` wins `position`, row by row; none if it is lost.
    ///
    /// # Errors
    /// If the search of a move reaches its limit.
    ///
    /// # Panics
    /// If the position does not have all stones of the base.
    pub fn winning_moves(
        &mut self,
        position: &Position,
        to_move: Color,
    ) -> Result<Vec<Point>, Unsolved> {
        let field = self.field(position);
        let mut winning = Vec::new();
        for cell in field.empty().iter() {
            let after = field.after(cell, to_move, &self.ground);
            self.searched = 0;
            if self.solve(&after, to_move.opponent())?.winner == to_move {
                winning.push(self.ground.point(cell));
            }
        }
        Ok(winning)
    }

    /// How many positions the last question took, not counting those remembered.
    pub fn searched(&self) -> u64 {
        self.searched
    }

    /// The field of `position`, settled.
    fn settled(&self, position: &Position) -> Field {
        let mut field = self.field(position);
        field.settle(&self.ground);
        field
    }

    /// The stones that `position` has beside the base's.
    fn field(&self, position: &Position) -> Field {
        let mut field = self.ground.field(&self.base);
        for color in Color::ALL {
            for stone in position.stones(color) {
                match self.ground.number(stone) {
                    Some(cell) => field.place(cell, color, &self.ground),
                    None => assert_eq!(self.base.at(stone), Some(color), "another base"),
                }
            }
        }
        let stones = |position: &Position| Color::ALL.map(|color| position.stones(color).count());
        let (has, base) = (stones(position), stones(&self.base));
        let placed = field.stones().map(|stones| stones.iter().count());
        assert_eq!(
            has,
            [base[0] + placed[0], base[1] + placed[1]],
            "another base"
        );
        field
    }

    fn solve(&mut self, field: &Field, mover: Color) -> Answer<Outcome> {
        match self.look(field, mover)? {
            Sight::Decided(outcome) => Ok(outcome),
            Sight::Open(open) => self.search(field, mover, open),
        }
    }

    /// What is remembered of a position or seen at once; counts it.
    fn look(&mut self, field: &Field, mover: Color) -> Answer<Sight> {
        if let Some(&known) = self.known.get(&(field.stones(), mover)) {
            return Ok(Sight::Decided(known));
        }
        self.searched += 1;
        match self.searched > self.limit {
            true => Err(Unsolved::TooHard(self.limit)),
            false => Ok(self.sight(field, mover)),
        }
    }

    /// Steps 1 to 3, which need no search.
    fn sight(&self, field: &Field, mover: Color) -> Sight {
        let won = |winner, carrier| Outcome { winner, carrier };
        let prospects = Color::ALL.map(|color| field.prospects(color, &self.ground));
        let [own, other] = [mover, mover.opponent()].map(|color| &prospects[color.index()]);
        if field.groups(mover).joined() {
            return Sight::Decided(won(mover, Set::EMPTY));
        }
        if let Some(carrier) = other.proof() {
            return Sight::Decided(won(mover.opponent(), carrier));
        }
        if let Some(carrier) = own.proof().or_else(|| own.threats().next()) {
            return Sight::Decided(won(mover, carrier));
        }
        let mut open = Open {
            region: field.empty(),
            carrier: Set::EMPTY,
        };
        for threat in other.threats() {
            // A threat that leaves the region as it is would only widen the carrier.
            if !(open.region - threat).is_empty() {
                open.refute(threat);
            }
        }
        Sight::Open(open)
    }

    /// Steps 4 and 5: a look behind each move of the region, then the moves in order.
    fn search(&mut self, field: &Field, mover: Color, open: Open) -> Answer<Outcome> {
        let opponent = mover.opponent();
        let mut here = open;
        let mut won = None;
        let mut replies = Vec::new();
        for cell in ordering::ordered(field, here.region, &self.ground) {
            let after = field.after(cell, mover, &self.ground);
            match self.look(&after, opponent)? {
                Sight::Decided(reply) if reply.winner == mover => {
                    won = Some(reply.before(&after) | Set::of(cell));
                    break;
                }
                Sight::Decided(reply) => here.refute(reply.before(&after)),
                Sight::Open(seen) => replies.push(Reply { cell, after, seen }),
            }
        }
        if won.is_none() {
            let rank = |reply: &Reply, place: usize| place + reply.seen.region.len();
            let mut ranked: Vec<_> = replies.into_iter().enumerate().collect();
            ranked.sort_by_key(|(place, reply)| rank(reply, *place));
            let replies = ranked.into_iter().map(|(_, reply)| reply);
            won = self.try_moves(mover, replies, &mut here)?;
        }
        let outcome = match won {
            Some(carrier) => Outcome {
                winner: mover,
                carrier,
            },
            None => Outcome {
                winner: opponent,
                carrier: here.carrier,
            },
        };
        if self.known.len() >= MAX_KNOWN {
            self.known.clear();
        }
        self.known.insert((field.stones(), mover), outcome);
        Ok(outcome)
    }

    /// Searches moves until one wins: its carrier. `None` if the opponent refutes all.
    fn try_moves(
        &mut self,
        mover: Color,
        replies: impl Iterator<Item = Reply>,
        here: &mut Open,
    ) -> Answer<Option<Set>> {
        for Reply { cell, after, seen } in replies {
            if !here.region.contains(cell) {
                continue;
            }
            let reply = self.search(&after, mover.opponent(), seen)?;
            if reply.winner == mover {
                return Ok(Some(reply.before(&after) | Set::of(cell)));
            }
            here.refute(reply.before(&after));
        }
        Ok(None)
    }
}
