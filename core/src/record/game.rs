//! A game: its moves, the position they lead to, and how it ended.

use super::any_board::{any_cell, stones, AnyBoard, AnyCell, Side};
use super::record_error::RecordError;
use hexbot::cell::Color;
use hexbot::cell_set::CellSet;
use hexbot::opening::Answer;
use std::collections::BTreeMap;
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

impl<const N: usize> From<Answer<N>> for Move {
    fn from(answer: Answer<N>) -> Self {
        match answer {
            Answer::SwapPieces => Move::SwapPieces,
            Answer::Play(cell) => Move::Place(any_cell(cell)),
        }
    }
}

impl Move {
    /// Reads `d4`, `swap-pieces` (or `swap`), `swap-sides` or `pass`.
    ///
    /// # Errors
    /// If the text is anything else or the cell is off a board of `side`.
    pub fn parse(text: &str, side: Side) -> Result<Move, RecordError> {
        match text {
            "swap-pieces" | "swap" => Ok(Move::SwapPieces),
            "swap-sides" => Ok(Move::SwapSides),
            "pass" => Ok(Move::Pass),
            cell => side.parse_cell(cell).map(Move::Place).map_err(|error| {
                RecordError::new(format!("{error}, nor swap-pieces, swap-sides or pass"))
            }),
        }
    }

    /// The player to move after `mover` has made this move.
    pub(crate) fn next_mover(self, mover: Color) -> Color {
        match self {
            Move::SwapSides => mover,
            Move::Place(_) | Move::SwapPieces | Move::Pass => mover.opponent(),
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

/// A move that was made, by whom, with a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// Who made it.
    pub color: Color,
    /// What was done.
    pub action: Move,
    /// The remark on the move; empty if there is none.
    pub comment: String,
    /// What the clocks showed after the move.
    pub clocks: Clocks,
}

/// The seconds that each player has left, by [`Color::index`]: `12.5`, or what a record states.
/// Empty where unknown.
pub type Clocks = [String; 2];

/// How a game was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The winner joined their edges.
    Connection,
    /// The loser resigned.
    Resignation,
    /// The loser exceeded the time limit.
    Time,
    /// The loser broke a rule or did not answer.
    Forfeit,
    /// The record does not say.
    Unstated,
}

/// Who won, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won.
    pub winner: Color,
    /// How the game ended.
    pub ending: Ending,
}

impl Outcome {
    /// The outcome of a game whose record states one outcome and whose moves lead to another. The
    /// stated outcome counts, with two exceptions: if the stones have decided the game, and if the
    /// moves show how the stated winner won while the record does not state how.
    pub(crate) fn of_record(stated: Option<Outcome>, played: Option<Outcome>) -> Option<Outcome> {
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

    /// The note about a record that states another winner than its moves lead to; `None` if both
    /// agree.
    pub(crate) fn contradiction(
        stated: Option<Outcome>,
        played: Option<Outcome>,
    ) -> Option<String> {
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
    /// A player has won already.
    #[error("the game is over, {0} has won")]
    GameOver(Color),
    /// Swaps are Blue's answer to Red's first stone, and nothing else.
    #[error("a swap is possible only as Blue's answer to Red's first stone")]
    Swap,
    /// Stones, and the player who begins, can be set only before the first move.
    #[error("stones can be set up only before the first move")]
    LateSetup,
    /// The cell belongs to a larger board.
    #[error("{0} is off the board of side {1}")]
    OffBoard(AnyCell, Side),
}

/// A game from its beginning. Moves, position and outcome change together, and only in
/// [`Game::play_as`], [`Game::set_up`], [`Game::begin_with`] and [`Game::try_end`].
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
    /// Notes for the user about how the record was read, one sentence each.
    pub notes: Vec<String>,
    /// The remark on the beginning; empty if there is none.
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

    /// The player to move first: Red, unless the game began with a position where Blue was to move.
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

    /// The player to move next; meaningless once there is an outcome.
    pub fn to_move(&self) -> Color {
        self.position.to_move()
    }

    /// Who won and how; `None` while the game is open.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The cell where turn `number`, from 1, put a stone. A swap of pieces puts the mirrored stone;
    /// a pass and a swap of sides put none.
    pub fn stone_of_turn(&self, number: usize) -> Option<AnyCell> {
        match self.turns.get(number.checked_sub(1)?)?.action {
            Move::Place(cell) => Some(cell),
            Move::SwapPieces => self.stone_of_turn(1).map(AnyCell::transposed),
            Move::SwapSides | Move::Pass => None,
        }
    }

    /// For each cell the number of the last move that put a stone there, from 1. Stones that were
    /// set up have no number. Some of the cells may be empty after a swap.
    pub fn move_numbers(&self) -> BTreeMap<AnyCell, usize> {
        let mut numbers = BTreeMap::new();
        for number in 1..=self.turns.len() {
            numbers.extend(self.stone_of_turn(number).map(|cell| (cell, number)));
        }
        numbers
    }

    /// The stones after the first `count` moves (all, if there are fewer).
    pub fn position_after(&self, count: usize) -> AnyBoard {
        self.after(count).position
    }

    /// The game up to its first `count` moves (all, if there are fewer), without names and remarks.
    /// A resignation or other end without a connection is left out too.
    pub fn after(&self, count: usize) -> Game {
        let mut earlier = Game::new(self.side());
        for &(cell, color) in &self.setup {
            earlier.set_up(cell, color).expect("it was set up before");
        }
        earlier
            .begin_with(self.first)
            .expect("there is no turn yet");
        for turn in self.turns.iter().take(count) {
            let replayed = earlier.play_as(turn.color, turn.action);
            replayed.expect("what was legal stays legal");
        }
        earlier
    }

    /// Returns true if the player to move may swap: only Blue may, and only right after Red's first
    /// stone. All record formats agree on that.
    pub fn may_swap(&self) -> bool {
        self.outcome.is_none() && self.swappable().is_some()
    }

    /// Red's first stone, if nothing else has been played or set up.
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

    /// The index in [`players`](Game::players) of the player who has `color` after `count` moves.
    /// Players change colours when they swap sides.
    pub fn player_at(&self, count: usize, color: Color) -> usize {
        let before = self.turns.iter().take(count);
        let swaps = before.filter(|turn| turn.action == Move::SwapSides).count();
        (color.index() + swaps) % 2
    }

    /// Lets `color` move first. A new game begins with Red.
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

    /// Makes a move for `color`, even out of turn, as records of studies do.
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
            clocks: Clocks::default(),
        });
        self.position.set_to_move(action.next_mover(color));
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

    /// Changes the stones as a swap by `color` does.
    fn swap(&mut self, color: Color, action: Move) -> Result<(), GameError> {
        let is_blues = color == Color::Blue;
        let stone = self.swappable().filter(|_| is_blues);
        let stone = stone.ok_or(GameError::Swap)?;
        if action == Move::SwapPieces {
            self.position = self.side().position([(stone.transposed(), color)], color);
        }
        Ok(())
    }

    /// Ends the game without a connection.
    ///
    /// # Errors
    /// If the game is over already; it is then unchanged.
    pub(crate) fn try_end(&mut self, outcome: Outcome) -> Result<(), GameError> {
        if let Some(outcome) = self.outcome {
            return Err(GameError::GameOver(outcome.winner));
        }
        self.outcome = Some(outcome);
        Ok(())
    }

    /// Takes back the last `count` turns with their remarks. An end without a connection counts as
    /// a turn. All of them must exist and have been made in turn.
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

    /// [`Game::try_end`] that does nothing if the game is over already.
    pub fn end(&mut self, outcome: Outcome) {
        let _ = self.try_end(outcome);
    }

    /// [`Game::end`] as a record states, with a note if the moves say otherwise.
    pub(crate) fn end_as_stated(&mut self, stated: Outcome) {
        let note = Outcome::contradiction(Some(stated), self.outcome);
        self.notes.extend(note);
        self.end(stated);
    }

    /// Adds a remark to the last move, or to the beginning if there is no move, below earlier
    /// remarks.
    pub fn remark(&mut self, comment: impl AsRef<str>) {
        let last = self.turns.last_mut().map(|turn| &mut turn.comment);
        add_remark(last.unwrap_or(&mut self.comment), comment.as_ref());
    }

    /// Sets what the clock of `color` shows after the last move. Without a move, or with an empty
    /// text, nothing changes.
    pub fn set_clock(&mut self, color: Color, seconds: impl Into<String>) {
        let seconds = seconds.into();
        if let Some(turn) = self.turns.last_mut().filter(|_| !seconds.is_empty()) {
            turn.clocks[color.index()] = seconds;
        }
    }

    /// Replaces the remark of every move by `remark(number, old)`, where numbers begin at 0.
    pub fn remark_all(&mut self, mut remark: impl FnMut(usize, &str) -> String) {
        for (number, turn) in self.turns.iter_mut().enumerate() {
            turn.comment = remark(number, &turn.comment);
        }
    }
}

/// Adds a remark, unless it is empty, below the kept ones.
pub(crate) fn add_remark(kept: &mut String, remark: &str) {
    if !kept.is_empty() && !remark.is_empty() {
        kept.push('\n');
    }
    kept.push_str(remark);
}
