//! The pie rule: which first stone to play when the other player may take it over, and when to take
//! over the other player's. Both go by the bot's own table, [`hexbot::opening`].

use crate::record::{Point, Side};
use hexbot::cell::Cell;
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

/// A first stone that the other player gains nothing by taking over, as
/// [`hexbot::opening::first_move`] chooses it.
pub fn even_opening(side: Side) -> Point {
    let c2 = opening::first_move::<TABLE>().into();
    let unevenness = |point: &Point| (red_wins(*point, side) - 0.5).abs();
    let most_even = || {
        side.points()
            .min_by(|a, b| unevenness(a).total_cmp(&unevenness(b)))
    };
    match side.get() {
        9.. => c2,
        _ => most_even().expect("a board has cells"),
    }
}

/// The side of the board that the bot's table is of.
const TABLE: usize = 11;

/// Red's chance to win, 0 to 1, after opening on `stone` if Blue does not swap:
/// [`hexbot::opening::red_wins`] of the cell of the table as far from the nearer edges.
///
/// # Panics
/// If `stone` is off the board.
pub fn red_wins(stone: Point, side: Side) -> f32 {
    assert!(
        stone.row() < side.get() && stone.col() < side.get(),
        "{stone} is off a board of side {side}"
    );
    let [row, col] = [stone.row(), stone.col()].map(|x| opening::on_table(x, side.get()));
    let cell = Cell::<TABLE>::new(row, col);
    opening::red_wins(cell.expect("the table has all of these"))
}
