//! The pie rule: which first stone to play when the other player may take it over, and when to take
//! over the other player's. Both go by the bot's own table, [`hexbot::opening`].

use crate::record::{Point, Position, Side};
use hexbot::cell::{Cell, Color};
use hexbot::opening;

/// What to do about the first stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwapDecision {
    /// Take it over: who has it is better off.
    Swap,
    /// Play on with the second colour.
    PlayOn,
}

/// The better reply to the first stone on `stone`.
///
/// # Panics
/// If `stone` is off the board.
pub fn reply(stone: Point, side: Side) -> SwapDecision {
    if red_wins(stone, side) > 0.5 {
        SwapDecision::Swap
    } else {
        SwapDecision::PlayOn
    }
}

/// A first stone that the other player gains nothing by taking over: [`opening::first_move`].
pub fn even_opening(side: Side) -> Point {
    let board = Position::new(side).board::<{ Side::MAX }>(Color::Red);
    opening::first_move(&board).into()
}

/// Red's chance to win, 0 to 1, after opening on `stone` if Blue does not swap:
/// [`opening::red_wins`].
///
/// # Panics
/// If `stone` is off the board.
pub fn red_wins(stone: Point, side: Side) -> f32 {
    assert!(
        stone.row() < side.get() && stone.col() < side.get(),
        "{stone} is off a board of side {side}"
    );
    let cell: Option<Cell<{ Side::MAX }>> = stone.cell();
    opening::red_wins(cell.expect("the largest board has all cells"), side.get())
}
