//! The game of a GTP controller: moves by either colour in any order, swaps, undo. It goes on after
//! a win, which the rules forbid, because controllers do so to set up or replay positions.

use super::protocol::CommandFailure;
use hex_core::record::{AnyBoard, AnyCell, Game, GameError, Move, Side};
use hexbot::cell::Color;

/// The meaning of a swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum SwapRule {
    /// The stone is mirrored and becomes White's; Black moves next: CodinGame, HexGui and HexWorld
    Pieces,
    /// The stone stays Black's and the players change sides; White moves again: benzene
    Sides,
    /// Swaps are not possible
    Off,
}

/// A game, and the stones played after its end.
#[derive(Clone, Debug)]
pub struct GtpGame {
    game: Game,
    beyond: Vec<(AnyCell, Color)>,
    /// All stones, Red to move.
    position: AnyBoard,
}

impl GtpGame {
    /// The empty board.
    pub(crate) fn new(side: Side) -> Self {
        GtpGame::of(Game::new(side))
    }

    fn of(game: Game) -> Self {
        GtpGame {
            position: game.position().with_to_move(Color::Red),
            game,
            beyond: Vec::new(),
        }
    }

    /// The game with the first `moves` moves of a record, after the stones that it sets up. Passes
    /// are skipped, because they only mark the player to move.
    ///
    /// # Errors
    /// If they cannot be played.
    pub fn from_record(record: &Game, moves: usize) -> Result<Self, CommandFailure> {
        let mut game = GtpGame::of(record.after(0));
        let turns = record.turns().iter();
        let played = turns.filter(|turn| turn.action != Move::Pass);
        for turn in played.take(moves) {
            game.apply(turn.color, turn.action)?;
        }
        Ok(game)
    }

    /// The board's side.
    pub(crate) fn side(&self) -> Side {
        self.game.side()
    }

    /// The stones.
    pub fn position(&self) -> &AnyBoard {
        &self.position
    }

    /// Returns true if no stone has been set up or played.
    pub(crate) fn is_empty(&self) -> bool {
        self.game.setup().is_empty() && self.game.turns().is_empty()
    }

    /// The cell of the last move's stone, if it put one.
    pub(crate) fn last_stone(&self) -> Option<AnyCell> {
        let beyond = self.beyond.last().map(|&(cell, _)| cell);
        beyond.or_else(|| self.game.stone_of_turn(self.game.turns().len()))
    }

    /// Returns true if `color` may swap: White, if Black's first stone is the only one.
    pub(crate) fn may_swap(&self, color: Color) -> bool {
        color == Color::Blue && self.game.may_swap()
    }

    /// Plays a stone or a swap for `color`.
    ///
    /// # Errors
    /// If the cell is taken, or a swap is not possible; the game is then unchanged.
    pub(crate) fn apply(&mut self, color: Color, action: Move) -> Result<(), CommandFailure> {
        let fail = |why: String| Err(CommandFailure(why));
        match action {
            Move::Place(cell) => match self.position.at(cell) {
                Some(owner) => {
                    return fail(format!("{cell} holds a {} stone already", name(owner)))
                }
                None if self.game.outcome().is_some() => self.beyond.push((cell, color)),
                None => self.game.play_as(color, action)?,
            },
            Move::SwapPieces | Move::SwapSides => {
                if self.game.play_as(color, action).is_err() {
                    let rule = "a swap is possible only as White's answer to Black's first stone";
                    return fail(rule.to_owned());
                }
            }
            Move::Pass => return fail("there are no passes in Hex".to_owned()),
        }
        self.update();
        Ok(())
    }

    /// Takes the last move back.
    ///
    /// # Errors
    /// If there is none.
    pub(crate) fn undo(&mut self) -> Result<(), CommandFailure> {
        if self.beyond.pop().is_none() {
            let left = self.game.turns().len().checked_sub(1);
            let left = left.ok_or_else(|| CommandFailure("there is no move to undo".to_owned()))?;
            self.game = self.game.after(left);
        }
        self.update();
        Ok(())
    }

    fn update(&mut self) {
        self.position = self.game.position().with_to_move(Color::Red);
        for &(cell, color) in &self.beyond {
            self.position.set_up(cell, color).expect("it was empty");
        }
    }

    /// The player to move if the players take turns. After a swap of sides it is the same colour
    /// again; after stones set up, the player in the record or else the one with fewer stones.
    pub(crate) fn next_player(&self) -> Color {
        let stones = |color| self.position.own_stones(color).len();
        match self.beyond.last() {
            Some((_, color)) => color.opponent(),
            None if self.game.turns().is_empty() && stones(Color::Red) > stones(Color::Blue) => {
                Color::Blue
            }
            None => self.game.to_move(),
        }
    }

    /// The game as a record.
    ///
    /// # Errors
    /// If it continued after a win, which records do not allow.
    pub(crate) fn record(&self) -> Result<Game, CommandFailure> {
        let turns = self.game.turns();
        if let (Some(outcome), false) = (self.game.outcome(), self.beyond.is_empty()) {
            let (number, why) = (turns.len() + 1, GameError::GameOver(outcome.winner));
            return Err(CommandFailure(format!("move {number}: {why}")));
        }
        let mut record = self.game.after(0);
        let first = turns.first().map(|turn| turn.color);
        record.begin_with(first.unwrap_or_else(|| self.next_player()))?;
        for turn in turns {
            record.play_as(turn.color, turn.action)?;
        }
        Ok(record)
    }
}

/// The colour's name in GTP.
pub(crate) fn name(color: Color) -> &'static str {
    match color {
        Color::Red => "black",
        Color::Blue => "white",
    }
}
