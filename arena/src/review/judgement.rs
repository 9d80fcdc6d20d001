//! The judgement of moves: how much win probability each has lost, and which of them are mistakes.
//! Pure functions of a game and what the search found in it.

use super::games::RecordedGame;
use super::log::{AnalysedGame, ReviewedPosition};
use hex_core::record::{AnyBoard, Game, Move, MoveGrade};
use hexbot::book;
use hexbot::cell::Color;
use serde::Serialize;

/// Why a move is not judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Exemption {
    /// The match has made it, not the player.
    Given,
    /// Red's first move, which the swap makes a question of balance.
    FirstMove,
    /// A swap.
    Swap,
    /// A pass, or a move out of turn, as studies have them.
    OutOfTurn,
    /// The small opening book has an answer to the position, because the search gets it wrong; or
    /// the move is the large book's answer.
    Book,
    /// All moves were proven to lose.
    Lost,
    /// All other moves were proven to lose.
    Forced,
}

/// A move with what the search says of it.
#[derive(Clone, Debug)]
pub struct JudgedMove {
    /// How many moves were made before it.
    pub ply: usize,
    /// Who made it.
    pub(crate) color: Color,
    /// The player, by the place of the name in the record.
    pub(crate) player: usize,
    /// The mover's probability to win with the best move; `None` if it was not searched.
    pub(crate) before: Option<f64>,
    /// The mover's probability to win after the move.
    pub(crate) after: Option<f64>,
    /// What the move has lost of it, 0 to 1; 0 if it is not judged.
    pub(crate) loss: f64,
    /// Why it is not judged.
    pub exemption: Option<Exemption>,
}

impl JudgedMove {
    /// The grade of a mistake.
    pub fn grade(&self) -> Option<MoveGrade> {
        MoveGrade::of_loss(self.loss)
    }

    /// Whether it is judged.
    pub(crate) fn is_judged(&self) -> bool {
        self.exemption.is_none() && self.before.is_some() && self.after.is_some()
    }
}

/// Whether a move is the first of a game that begins with the empty board, so that it may be
/// swapped.
pub(crate) fn is_first_move(game: &Game, ply: usize) -> bool {
    ply == 0 && game.setup().is_empty() && game.first() == Color::Red
}

/// The positions before each move and after the last one.
pub(crate) fn positions(game: &Game) -> Vec<AnyBoard> {
    let mut replayed = game.after(0);
    let mut positions = vec![replayed.position().clone()];
    for turn in game.turns() {
        let played = replayed.play_as(turn.color, turn.action);
        played.expect("what was legal stays legal");
        positions.push(replayed.position().clone());
    }
    positions
}

/// The moves of a game with what the search of its positions says of them.
pub fn judge(recorded: &RecordedGame, analysed: &AnalysedGame) -> Vec<JudgedMove> {
    let positions = positions(&recorded.game);
    let plies = 0..recorded.game.turns().len();
    plies
        .map(|ply| judged(recorded, analysed, ply, &positions[ply]))
        .collect()
}

fn judged(
    recorded: &RecordedGame,
    analysed: &AnalysedGame,
    ply: usize,
    position: &AnyBoard,
) -> JudgedMove {
    let game = &recorded.game;
    let turn = &game.turns()[ply];
    let before = analysed.positions[ply].as_ref();
    let exemption = exemption(recorded, before, ply, position);
    let solved = before.and_then(|before| before.played_value);
    let after = solved.or_else(|| value_after(recorded, analysed, ply, turn.color));
    let best = before.map(|before| match before.best_value {
        Some(value) if !before.is_proven => value,
        _ => before.value,
    });
    let is_best = before.is_some_and(|before| turn.action.to_string() == before.best);
    let loss = match (exemption, best, after) {
        (None, Some(best), Some(after)) if !is_best => (best - after).max(0.0),
        _ => 0.0,
    };
    JudgedMove {
        ply,
        color: turn.color,
        player: game.player_at(ply, turn.color),
        before: best,
        after,
        loss,
        exemption,
    }
}

/// The mover's probability to win after a move; certain where it has ended the game.
fn value_after(
    recorded: &RecordedGame,
    analysed: &AnalysedGame,
    ply: usize,
    mover: Color,
) -> Option<f64> {
    let game = &recorded.game;
    let after = analysed.positions.get(ply + 1)?;
    match after {
        Some(after) if to_move(game, ply + 1) == mover => Some(after.value),
        Some(after) => Some(1.0 - after.value),
        None => {
            let is_last = ply + 1 == game.turns().len();
            let winner = game.position().winner().filter(|_| is_last);
            winner.map(|winner| f64::from(u8::from(winner == mover)))
        }
    }
}

/// Why a move is not judged, which is made in `position`.
fn exemption(
    recorded: &RecordedGame,
    before: Option<&ReviewedPosition>,
    ply: usize,
    position: &AnyBoard,
) -> Option<Exemption> {
    let turn = &recorded.game.turns()[ply];
    if ply < recorded.given {
        return Some(Exemption::Given);
    }
    match turn.action {
        Move::SwapPieces | Move::SwapSides => return Some(Exemption::Swap),
        Move::Pass => return Some(Exemption::OutOfTurn),
        Move::Place(_) if turn.color != position.to_move() => return Some(Exemption::OutOfTurn),
        Move::Place(_) => {}
    }
    if is_first_move(&recorded.game, ply) {
        return Some(Exemption::FirstMove);
    }
    let before = before?;
    if before.value <= 0.0 && before.is_proven {
        return Some(Exemption::Lost);
    }
    if before.is_forced && before.best == turn.action.to_string() {
        return Some(Exemption::Forced);
    }
    let is_books = book::answer(position).map(Move::Place) == Some(turn.action);
    (is_books || book::small_answer(position).is_some()).then_some(Exemption::Book)
}

/// Whose turn it is before a move and after the last one, as the record has it.
fn to_move(game: &Game, ply: usize) -> Color {
    let turn = game.turns().get(ply);
    turn.map_or(game.to_move(), |turn| turn.color)
}
