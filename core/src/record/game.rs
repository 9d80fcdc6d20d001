//! A game: its moves, the position they lead to, and how it ended.

use super::any_board::{stones, AnyBoard, AnyCell, NotOnBoard, Side};
use hexbot::cell::Color;
use hexbot::cell_set::CellSet;
use std::fmt;
use thiserror::Error;

/// What a player does on a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A stone of the player's colour.
    Place(AnyCell),
    /// Blue takes over Red's first stone: it is mirrored and changes colour.
    SwapPieces,
    /// The players change colours; the stone stays. The same colour that would have moved moves.
    SwapSides,
    /// Nothing.
    Pass,
}

impl Move {
    /// Reads `d4`, `swap-pieces` (or `swap`), `swap-sides` or `pass`.
    ///
    /// # Errors
    /// If the text is anything else or the cell is off a board of `side`.
    pub fn parse(text: &str, side: Side) -> Result<Move, MoveError> {
        match text {
            "swap-pieces" | "swap" => Ok(Move::SwapPieces),
            "swap-sides" => Ok(Move::SwapSides),
            "pass" => Ok(Move::Pass),
            cell => Ok(Move::Place(side.parse_cell(cell)?)),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Move::Place(point) => point.fmt(f),
            Move::SwapPieces => f.write_str("swap-pieces"),
            Move::SwapSides => f.write_str("swap-sides"),
            Move::Pass => f.write_str("pass"),
        }
    }
}

/// The text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}, nor swap-pieces, swap-sides or pass")]
pub struct MoveError(#[from] NotOnBoard);

/// A move that was made, by whom, with a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// Who made it.
    pub color: Color,
    /// What was done.
    pub action: Move,
    /// Anything that is to be kept with the move; empty if nothing.
    pub comment: String,
}

/// How a game was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The winner joined their edges.
    Connection,
    /// The loser resigned.
    Resignation,
    /// The loser overran the time.
    Time,
    /// The loser broke a rule or fell silent.
    Forfeit,
    /// The record does not say.
    Unstated,
}

/// Who won, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won.
    pub winner: Color,
    /// How.
    pub ending: Ending,
}

impl Outcome {
    /// How a game ended of which a record states one outcome and whose moves tell another. The
    /// record is believed, unless the stones have decided the game, or the moves tell how the
    /// player won of whom the record states only that they did.
    pub fn of_record(stated: Option<Outcome>, played: Option<Outcome>) -> Option<Outcome> {
        match (stated, played) {
            (_, Some(played)) if played.ending == Ending::Connection => Some(played),
            (Some(stated), Some(played))
                if stated.ending == Ending::Unstated && stated.winner == played.winner =>
            {
                Some(played)
            }
            (stated, played) => stated.or(played),
        }
    }
}

impl Outcome {
    /// The note about a record that states another winner than its moves have; `None` if it does
    /// not.
    pub fn contradiction(stated: Option<Outcome>, played: Option<Outcome>) -> Option<String> {
        let (stated, played) = (stated?.winner, played?.winner);
        (stated != played)
            .then(|| format!("the record states that {stated} has won, but its moves say {played}"))
    }
}

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// The cell holds a stone already.
    #[error("{0} holds a {1} stone already")]
    Occupied(AnyCell, Color),
    /// Somebody has won.
    #[error("the game is over, {0} has won")]
    GameOver(Color),
    /// Swaps are Blue's answer to Red's first stone, and nothing else.
    #[error("a swap is possible only as Blue's answer to Red's first stone")]
    Swap,
    /// Stones are set up, and it is said who begins, before the first move.
    #[error("stones can be set up only before the first move")]
    LateSetup,
    /// The cell belongs to a larger board.
    #[error("{0} is off the board of side {1}")]
    OffBoard(AnyCell, Side),
}

/// A game from its beginning. Moves, position and outcome change together, in [`Game::play_as`],
/// [`Game::set_up`], [`Game::begin_with`] and [`Game::try_end`] alone.
///
/// ```
/// use hex_core::record::{Game, Move, Side};
/// let mut game = Game::new(Side::try_from(3).unwrap());
/// game.play(Move::parse("a2", game.side()).unwrap()).unwrap();
/// game.play(Move::SwapPieces).unwrap();
/// assert_eq!(game.position().to_string(), ". b .\n . . .\n  . . .\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    setup: Vec<(AnyCell, Color)>,
    first: Color,
    turns: Vec<PlayedMove>,
    position: AnyBoard,
    outcome: Option<Outcome>,
    /// The players' names, by [`Color::index`]; empty where unknown.
    pub players: [String; 2],
    /// What the reader of the record should show its user, a sentence each.
    pub notes: Vec<String>,
    /// Anything that is to be kept with the beginning; empty if nothing.
    pub comment: String,
}

impl Game {
    /// The empty board, Red to move.
    pub fn new(side: Side) -> Self {
        Game {
            setup: Vec::new(),
            first: Color::Red,
            turns: Vec::new(),
            position: side.board(),
            outcome: None,
            players: Default::default(),
            notes: Vec::new(),
            comment: String::new(),
        }
    }

    /// The game with these moves, made in turn.
    ///
    /// # Errors
    /// The first move that cannot be played, with its number from 1.
    pub fn from_moves(
        side: Side,
        moves: impl IntoIterator<Item = Move>,
    ) -> Result<Self, (usize, GameError)> {
        let mut game = Game::new(side);
        for (number, action) in moves.into_iter().enumerate() {
            game.play(action).map_err(|error| (number + 1, error))?;
        }
        Ok(game)
    }

    /// The board's side.
    pub fn side(&self) -> Side {
        Side::of_board(&self.position)
    }

    /// The stones that stood on the board before the first move.
    pub fn setup(&self) -> &[(AnyCell, Color)] {
        &self.setup
    }

    /// Who was to move first: Red, unless the game began with a position in which Blue was.
    pub fn first(&self) -> Color {
        self.first
    }

    /// The moves so far.
    pub fn turns(&self) -> &[PlayedMove] {
        &self.turns
    }

    /// The stones now.
    pub fn position(&self) -> &AnyBoard {
        &self.position
    }

    /// Who moves next; meaningless once there is an outcome.
    pub fn to_move(&self) -> Color {
        self.position.to_move()
    }

    /// Who won and how; `None` while the game goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The stones after the first `count` moves (all, if there are fewer).
    pub fn position_after(&self, count: usize) -> AnyBoard {
        self.after(count).position
    }

    /// The game up to its first `count` moves (all, if there are fewer), without names, remarks and
    /// an end that no stone made.
    pub fn after(&self, count: usize) -> Game {
        let mut earlier = Game {
            position: self.side().position(self.setup.iter().copied(), self.first),
            setup: self.setup.clone(),
            first: self.first,
            ..Game::new(self.side())
        };
        for turn in self.turns.iter().take(count) {
            let replayed = earlier.play_as(turn.color, turn.action);
            replayed.expect("what was legal stays legal");
        }
        earlier
    }

    /// Returns true if the player to move may swap: Blue alone, after Red's first stone and nothing
    /// else. Records agree on that, and HexWorld's links know no other swap.
    pub fn may_swap(&self) -> bool {
        self.outcome.is_none() && self.swappable().is_some()
    }

    /// Red's first stone, if it is all that there is.
    fn swappable(&self) -> Option<AnyCell> {
        match self.turns[..] {
            [PlayedMove {
                color: Color::Red,
                action: Move::Place(stone),
                ..
            }] if self.setup.is_empty() => Some(stone),
            _ => None,
        }
    }

    /// Whose name the player of `color` has after `count` moves, as an index of
    /// [`players`](Game::players): players change colours when they swap sides.
    pub fn player_at(&self, count: usize, color: Color) -> usize {
        let before = self.turns.iter().take(count);
        let swaps = before.filter(|turn| turn.action == Move::SwapSides).count();
        (color.index() + swaps) % 2
    }

    /// Lets `color` move first. Games begin with Red; positions that were set up need not.
    ///
    /// # Errors
    /// If a move has been made; the game is then unchanged.
    pub fn begin_with(&mut self, color: Color) -> Result<(), GameError> {
        if !self.turns.is_empty() {
            return Err(GameError::LateSetup);
        }
        self.first = color;
        self.position.set_to_move(color);
        Ok(())
    }

    /// Puts a stone on the board before the first move. That does not change who moves first.
    ///
    /// # Errors
    /// If a move has been made or the cell is taken; the game is then unchanged.
    pub fn set_up(&mut self, point: AnyCell, color: Color) -> Result<(), GameError> {
        if !self.turns.is_empty() {
            return Err(GameError::LateSetup);
        }
        self.place(point, color)?;
        self.setup.push((point, color));
        Ok(())
    }

    /// Makes a move for the player to move.
    ///
    /// # Errors
    /// If the rules forbid it; the game is then unchanged.
    pub fn play(&mut self, action: Move) -> Result<(), GameError> {
        self.play_as(self.to_move(), action)
    }

    /// Makes a move for `color`, in turn or not: records of studies do so.
    ///
    /// # Errors
    /// If the rules forbid it; the game is then unchanged.
    pub fn play_as(&mut self, color: Color, action: Move) -> Result<(), GameError> {
        if let Some(outcome) = self.outcome {
            return Err(GameError::GameOver(outcome.winner));
        }
        match action {
            Move::Place(point) => self.place(point, color)?,
            Move::SwapPieces | Move::SwapSides => self.swap(color, action)?,
            Move::Pass => {}
        }
        self.turns.push(PlayedMove {
            color,
            action,
            comment: String::new(),
        });
        self.position.set_to_move(match action {
            Move::SwapSides => color,
            _ => color.opponent(),
        });
        Ok(())
    }

    fn place(&mut self, cell: AnyCell, color: Color) -> Result<(), GameError> {
        let side = self.side();
        if !side.contains(cell) {
            return Err(GameError::OffBoard(cell, side));
        }
        if let Some(owner) = self.position.at(cell) {
            return Err(GameError::Occupied(cell, owner));
        }
        self.position.set_up(cell, color).expect("it is empty");
        if let Some(winner) = self.position.winner() {
            self.outcome = Some(Outcome {
                winner,
                ending: Ending::Connection,
            });
        }
        Ok(())
    }

    /// What a swap by `color` does to the stones.
    fn swap(&mut self, color: Color, action: Move) -> Result<(), GameError> {
        let is_blues = color == Color::Blue;
        let stone = self.swappable().filter(|_| is_blues);
        let stone = stone.ok_or(GameError::Swap)?;
        if action == Move::SwapPieces {
            self.position = self.side().position([(stone.transposed(), color)], color);
        }
        Ok(())
    }

    /// Ends the game otherwise than by a connection.
    ///
    /// # Errors
    /// If it is over; it is then unchanged.
    pub fn try_end(&mut self, outcome: Outcome) -> Result<(), GameError> {
        if let Some(outcome) = self.outcome {
            return Err(GameError::GameOver(outcome.winner));
        }
        self.outcome = Some(outcome);
        Ok(())
    }

    /// Takes turns back that were made in turn, the last ones, `count` of them; the end of the game
    /// counts as one if no turn has made it. At least as many have been made. What was remarked
    /// after them goes with them.
    pub(super) fn take_back(&mut self, count: usize) {
        if count == 0 {
            return;
        }
        let (mut to_move, mut removed, mut restored) = (self.to_move(), CellSet::EMPTY, None);
        for _ in 0..count {
            let by_a_turn = self.outcome.take();
            if by_a_turn.is_some_and(|outcome| outcome.ending != Ending::Connection) {
                continue;
            }
            let turn = self.turns.pop().expect("as many have been made");
            match turn.action {
                Move::Place(cell) if restored == Some(cell) => restored = None,
                Move::Place(cell) => removed.insert(cell),
                Move::SwapPieces => {
                    restored = self.swappable();
                    let stone = restored.expect("a swap follows Red's first stone");
                    removed.insert(stone.transposed());
                }
                Move::SwapSides | Move::Pass => {}
            }
            to_move = turn.color;
        }
        let kept = stones(&self.position).filter(|&(cell, _)| !removed.contains(cell));
        let restored = restored.map(|cell| (cell, Color::Red));
        self.position = self.side().position(kept.chain(restored), to_move);
    }

    /// Ends the game likewise. A game that is over stays as it is.
    pub fn end(&mut self, outcome: Outcome) {
        let _ = self.try_end(outcome);
    }

    /// Keeps a remark with the last move, or with the beginning if there is none, below what is
    /// kept there already.
    pub fn remark(&mut self, comment: impl AsRef<str>) {
        let last = self.turns.last_mut().map(|turn| &mut turn.comment);
        add_remark(last.unwrap_or(&mut self.comment), comment.as_ref());
    }

    /// Gives every move the remark that `remark` makes of its number, from 0, and its old one.
    pub fn remark_all(&mut self, mut remark: impl FnMut(usize, &str) -> String) {
        for (number, turn) in self.turns.iter_mut().enumerate() {
            turn.comment = remark(number, &turn.comment);
        }
    }
}

/// Puts a remark, if it is one, below those that are kept already.
pub(crate) fn add_remark(kept: &mut String, remark: &str) {
    if !kept.is_empty() && !remark.is_empty() {
        kept.push('\n');
    }
    kept.push_str(remark);
}
