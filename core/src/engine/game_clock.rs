//! A clock for a whole game, as in chess: one amount of time for all moves together, and the share
//! of it that the next move should get.

use std::time::Duration;

/// The time that one player has left for the rest of a game.
///
/// ```
/// use hex_core::engine::game_clock::GameClock;
/// use std::time::Duration;
/// let mut clock = GameClock::new(Duration::from_secs(300));
/// let first = clock.share(196);
/// assert!(first > Duration::from_secs(5) && first < Duration::from_secs(15));
/// clock.spend(first);
/// assert!(clock.share(194) <= first * 2);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GameClock {
    left: Duration,
}

impl GameClock {
    /// Time kept back for each of our possible later moves. A move costs time beside the search:
    /// reading, writing, waiting for a core.
    const COST_OF_A_MOVE: Duration = Duration::from_millis(20);
    /// A game between equals is decided when about half of the board is filled, and half of those
    /// moves are ours: one move for every four empty cells. Later moves matter less, because the
    /// result is clearer and the search deeper. So we spend the time as if we had one move for this
    /// many empty cells.
    const EMPTY_CELLS_A_MOVE: u32 = 6;
    /// The fewest moves that the remaining time is divided by, even on a nearly full board.
    const FEWEST_MOVES: u32 = 5;

    /// A clock with this much time for the whole game.
    pub fn new(total: Duration) -> Self {
        GameClock { left: total }
    }

    /// The time left; zero once the limit is exceeded.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// How long to search for the next move when `empty_cells` cells are empty. All shares of a
    /// game, plus 20 ms a move, stay below the time left, even if the game lasts until the board is
    /// full. The share is zero if the time left does not even cover those 20 ms a move.
    pub fn share(&self, empty_cells: usize) -> Duration {
        let our_moves = empty_cells.div_ceil(2) as u32;
        let in_hand = Self::COST_OF_A_MOVE * our_moves;
        let moves = (empty_cells as u32 / Self::EMPTY_CELLS_A_MOVE).max(Self::FEWEST_MOVES);
        self.left.saturating_sub(in_hand) / moves
    }

    /// Subtracts the time that a move has used.
    pub fn spend(&mut self, used: Duration) {
        self.left = self.left.saturating_sub(used);
    }
}
