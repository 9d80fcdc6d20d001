//! The game of a GTP controller: moves by either colour in any order, swaps, undo. It is more
//! lenient than the rules: one colour may play several stones in a row, even after a win, because
//! controllers do so to set up or replay positions.

use super::protocol::CommandFailure;
use hex_core::record::{AnyBoard, AnyCell, Game, Move, Side};
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

/// One entry of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Played {
    color: Color,
    action: Move,
}

/// A position and its history. They change together, in [`GtpGame::apply`].
#[derive(Clone, Debug)]
pub struct GtpGame {
    /// Stones that were set up before the first move. They cannot be swapped or undone.
    setup: Vec<(AnyCell, Color)>,
    /// Whether the record states that White moves first.
    white_begins: bool,
    history: Vec<Played>,
    position: AnyBoard,
}

impl GtpGame {
    /// The empty board.
    pub fn new(side: Side) -> Self {
        GtpGame::set_up(side, &[])
    }

    /// A board with these stones on it.
    fn set_up(side: Side, setup: &[(AnyCell, Color)]) -> Self {
        GtpGame {
            setup: setup.to_vec(),
            white_begins: false,
            history: Vec::new(),
            position: side.position(setup.iter().copied(), Color::Red),
        }
    }

    /// The board's side.
    pub fn side(&self) -> Side {
        Side::of_board(&self.position)
    }

    /// The stones.
    pub fn position(&self) -> &AnyBoard {
        &self.position
    }

    /// Returns true if no stone has been set up or played.
    pub fn is_empty(&self) -> bool {
        self.setup.is_empty() && self.history.is_empty()
    }

    /// The cell of the last move's stone, if it put one.
    pub fn last_stone(&self) -> Option<AnyCell> {
        match self.history.last()?.action {
            Move::Place(point) => Some(point),
            Move::SwapPieces => self.first_stone().map(AnyCell::transposed),
            Move::SwapSides | Move::Pass => None,
        }
    }

    fn first_stone(&self) -> Option<AnyCell> {
        match self.history.first()?.action {
            Move::Place(point) => Some(point),
            _ => None,
        }
    }

    /// The stone that `color` may swap: Black's first one, if nothing else was played or set up.
    pub fn swappable(&self, color: Color) -> Option<AnyCell> {
        let black_began = self.history.first()?.color == Color::Red;
        let stone = self.first_stone()?;
        let is_first = self.setup.is_empty() && self.history.len() == 1;
        (is_first && black_began && color == Color::Blue).then_some(stone)
    }

    /// Plays a stone or a swap for `color`.
    ///
    /// # Errors
    /// If the cell is taken, or a swap is not possible; the game is then unchanged.
    pub fn apply(&mut self, color: Color, action: Move) -> Result<(), CommandFailure> {
        match action {
            Move::Place(point) => {
                if let Some(owner) = self.position.at(point) {
                    let owner = name(owner);
                    return Err(CommandFailure(format!(
                        "{point} holds a {owner} stone already"
                    )));
                }
                self.position.set_up(point, color).expect("it is empty");
            }
            Move::SwapPieces | Move::SwapSides => {
                let stone = self.swappable(color).ok_or_else(|| {
                    let rule = "a swap is possible only as White's answer to Black's first stone";
                    CommandFailure(rule.to_owned())
                })?;
                if action == Move::SwapPieces {
                    let mirrored = (stone.transposed(), color);
                    self.position = self.side().position([mirrored], Color::Red);
                }
            }
            Move::Pass => return Err(CommandFailure("there are no passes in Hex".to_owned())),
        }
        self.history.push(Played { color, action });
        Ok(())
    }

    /// Takes the last move back.
    ///
    /// # Errors
    /// If there is none.
    pub fn undo(&mut self) -> Result<(), CommandFailure> {
        let mut history = std::mem::take(&mut self.history);
        let undone = history.pop();
        *self = GtpGame {
            white_begins: self.white_begins,
            ..GtpGame::set_up(self.side(), &self.setup)
        };
        for played in history {
            self.apply(played.color, played.action)?;
        }
        undone
            .map(|_| ())
            .ok_or_else(|| CommandFailure("there is no move to undo".to_owned()))
    }

    /// The player to move if the players take turns. After a swap of sides it is the same colour
    /// again; after stones set up, the player in the record or else the one with fewer stones.
    pub fn next_player(&self) -> Color {
        match self.history.last() {
            Some(played) if played.action == Move::SwapSides => played.color,
            Some(played) => played.color.opponent(),
            None if self.white_begins => Color::Blue,
            None => {
                let stones = |color| self.position.own_stones(color).len();
                if stones(Color::Red) > stones(Color::Blue) {
                    Color::Blue
                } else {
                    Color::Red
                }
            }
        }
    }

    /// The game as a record.
    ///
    /// # Errors
    /// If it continued after a win, which records do not allow.
    pub fn record(&self) -> Result<Game, CommandFailure> {
        let mut record = Game::new(self.side());
        for &(point, color) in &self.setup {
            record.set_up(point, color)?;
        }
        let first = self.history.first().map(|played| played.color);
        record.begin_with(first.unwrap_or_else(|| self.next_player()))?;
        for (index, played) in self.history.iter().enumerate() {
            let result = record.play_as(played.color, played.action);
            result.map_err(|error| CommandFailure(format!("move {}: {error}", index + 1)))?;
        }
        Ok(record)
    }

    /// The game with the first `moves` moves of a record, after the stones that it sets up. Passes
    /// are skipped, because they only mark the player to move.
    ///
    /// # Errors
    /// If they cannot be played.
    pub fn from_record(record: &Game, moves: usize) -> Result<Self, CommandFailure> {
        let mut game = GtpGame::set_up(record.side(), record.setup());
        game.white_begins = record.first() == Color::Blue;
        let turns = record.turns().iter();
        let played = turns.filter(|turn| turn.action != Move::Pass);
        for turn in played.take(moves) {
            game.apply(turn.color, turn.action)?;
        }
        Ok(game)
    }
}

/// The colour's name in GTP.
pub fn name(color: Color) -> &'static str {
    match color {
        Color::Red => "black",
        Color::Blue => "white",
    }
}
