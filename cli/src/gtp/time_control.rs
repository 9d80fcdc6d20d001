//! The controller's time: for all moves of a game, for each move, or none. Each game's clocks start
//! with it.

use hex_core::engine::game_clock::GameClock;
use std::time::Duration;

/// The controller's time for this game and later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeControl {
    /// None: the settings decide how long to search.
    Free,
    /// This time for all moves of a player together.
    Game(Duration),
    /// This time for each move.
    Move(Duration),
}

impl TimeControl {
    /// A time control with a player's time for all moves together; zero is no limit.
    pub(crate) fn of_game(total: Duration) -> Self {
        if total.is_zero() {
            TimeControl::Free
        } else {
            TimeControl::Game(total)
        }
    }

    /// The time control of GTP's `time_settings`. With zero main time and `stones` above zero, each
    /// move gets an equal share of `byo_yomi`. With `byo_yomi` but zero stones there is no limit.
    /// Else only the main time counts.
    pub(crate) fn of_gtp(main: Duration, byo_yomi: Duration, stones: u32) -> Self {
        let is_unlimited = byo_yomi > Duration::ZERO && stones == 0;
        match byo_yomi.checked_div(stones) {
            _ if is_unlimited => TimeControl::Free,
            Some(share) if main.is_zero() => TimeControl::Move(share),
            _ => TimeControl::of_game(main),
        }
    }

    /// The time for all moves of a player together; zero if they have no such limit.
    pub(crate) fn total(self) -> Duration {
        match self {
            TimeControl::Game(total) => total,
            TimeControl::Free | TimeControl::Move(_) => Duration::ZERO,
        }
    }

    /// Both players' clocks at the beginning of a game.
    pub(crate) fn clocks(self) -> [Option<GameClock>; 2] {
        match self {
            TimeControl::Game(total) => [Some(GameClock::new(total)); 2],
            TimeControl::Free | TimeControl::Move(_) => [None; 2],
        }
    }
}
