//! A clock for a whole game, as in chess: so much time for all moves together, and how much of it a
//! move should get.

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
    /// Kept in hand for each of our moves that may come, for what a move costs beside thinking:
    /// reading, writing, waiting for a core.
    const COST_OF_A_MOVE: Duration = Duration::from_millis(20);
    /// A game between equals is decided when about half of the board is filled, and half of those
    /// moves are ours: a move in four empty cells. Later moves matter less, the result being
    /// clearer and the search deeper, so the time is spent as if there were a move in this many
    /// empty cells.
    const EMPTY_CELLS_A_MOVE: u32 = 6;
    /// The fewest moves for which time is kept, however full the board.
    const FEWEST_MOVES: u32 = 5;

    /// A clock with this much time for the whole game.
    pub fn new(total: Duration) -> Self {
        GameClock { left: total }
    }

    /// What is left; zero once the time is overrun.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// How long to think about the next move when `empty_cells` cells are empty. However long the
    /// game gets, the shares and 20 ms for each move together stay below the time left; if that is
    /// not enough for the costs alone, the share is zero.
    pub fn share(&self, empty_cells: usize) -> Duration {
        let our_moves = empty_cells.div_ceil(2) as u32;
        let in_hand = Self::COST_OF_A_MOVE * our_moves;
        let moves = (empty_cells as u32 / Self::EMPTY_CELLS_A_MOVE).max(Self::FEWEST_MOVES);
        self.left.saturating_sub(in_hand) / moves
    }

    /// Takes off what a move has used.
    pub fn spend(&mut self, used: Duration) {
        self.left = self.left.saturating_sub(used);
    }
}
