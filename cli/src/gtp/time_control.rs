//! How much time a controller gives: for all moves of each game, for each move, or as much as the
//! engine's owner wants. The clocks of a game begin with it and run down; it stays.

use hex_core::engine::game_clock::GameClock;
use std::time::Duration;

/// What a controller has said about the time of each game, this one and those to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// Nothing: the settings say how long to think.
    Free,
    /// So much for all moves of a player together.
    Game(Duration),
    /// So much for each move.
    Move(Duration),
}

impl TimeControl {
    /// Of a player's time for all moves together; none is no limit.
    pub fn of_game(total: Duration) -> Self {
        if total.is_zero() {
            TimeControl::Free
        } else {
            TimeControl::Game(total)
        }
    }

    /// What GTP's `time_settings` means by main time, byo-yomi and its stones. Zero main time and
    /// byo-yomi with stones means so many moves in so many seconds, each move alike; byo-yomi with
    /// zero stones means no limit at all.
    pub fn of_gtp(main: Duration, byo_yomi: Duration, stones: u32) -> Self {
        let is_unlimited = byo_yomi > Duration::ZERO && stones == 0;
        match byo_yomi.checked_div(stones) {
            _ if is_unlimited => TimeControl::Free,
            Some(share) if main.is_zero() => TimeControl::Move(share),
            _ => TimeControl::of_game(main),
        }
    }

    /// The time for all moves of a player together; zero if they have no such limit.
    pub fn total(self) -> Duration {
        match self {
            TimeControl::Game(total) => total,
            TimeControl::Free | TimeControl::Move(_) => Duration::ZERO,
        }
    }

    /// Both players' clocks at the beginning of a game.
    pub fn clocks(self) -> [Option<GameClock>; 2] {
        match self {
            TimeControl::Game(total) => [Some(GameClock::new(total)); 2],
            TimeControl::Free | TimeControl::Move(_) => [None; 2],
        }
    }
}
