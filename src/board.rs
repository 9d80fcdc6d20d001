//! The rules: stones, the player to move, the winner. The module knows no search, clock or text
//! protocol. The pie rule is in [`crate::opening`].

use crate::cell::{Cell, Color, Direction};
use crate::cell_set::CellSet;
use crate::groups::{Edges, Groups};
use crate::position_key::PositionKey;
use std::fmt;

/// A position of Hex on an N×N board.
///
/// The winner is kept up to date by union-find as stones are placed. The stones, the groups and
/// the winner change together in one private function, `place`.
///
/// ```
/// use hexbot::board::Board;
/// use hexbot::cell::Color;
/// let mut board = Board::<3>::new();
/// for cell in ["b1", "a2", "b2", "a3", "b3"] {
///     board.try_play(cell.parse().unwrap()).unwrap();
/// }
/// assert_eq!(board.winner(), Some(Color::Red));
/// assert_eq!(board.to_string(), ". r .\n b r .\n  b r .\n");
/// ```
///
/// A board of a smaller side uses the top left corner. The surplus rows hold Red's stones, and the
/// rest of the surplus columns Blue's. These stones are the edges that the players have to reach,
/// so every game goes as on a board of the smaller side.
#[derive(Clone)]
pub struct Board<const N: usize> {
    #[cfg(feature = "sides")]
    side: usize,
    stones: [CellSet<N>; 2],
    groups: Groups<N>,
    to_move: Color,
    winner: Option<Color>,
}

/// Why a move cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IllegalMove<const N: usize> {
    /// The cell holds a stone of this colour already.
    Occupied(Cell<N>, Color),
    /// The game has been won by this colour.
    GameOver(Color),
}

impl<const N: usize> fmt::Display for IllegalMove<N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            IllegalMove::Occupied(cell, color) => write!(f, "{cell} holds a {color} stone already"),
            IllegalMove::GameOver(color) => write!(f, "the game is over, {color} has won"),
        }
    }
}

impl<const N: usize> std::error::Error for IllegalMove<N> {}

impl<const N: usize> Board<N> {
    /// The empty board, Red to move.
    pub fn new() -> Self {
        Board {
            #[cfg(feature = "sides")]
            side: N,
            stones: [CellSet::EMPTY; 2],
            groups: Groups::new(),
            to_move: Color::Red,
            winner: None,
        }
    }

    /// The position with these stones, in any number. `None` if and only if a cell is in both sets.
    pub fn from_stones(red: CellSet<N>, blue: CellSet<N>, to_move: Color) -> Option<Self> {
        if !(red & blue).is_empty() {
            return None;
        }
        let mut board = Board {
            to_move,
            ..Self::new()
        };
        red.iter().for_each(|cell| board.place(cell, Color::Red));
        blue.iter().for_each(|cell| board.place(cell, Color::Blue));
        Some(board)
    }

    /// The empty board of the same side, Red to move.
    pub fn cleared(&self) -> Self {
        let empty = self.with_stones(CellSet::EMPTY, CellSet::EMPTY, Color::Red);
        empty.expect("it has no stones")
    }

    /// Plays `cell` for the player to move.
    ///
    /// # Errors
    /// If the game is over or the cell is taken; the board is then unchanged.
    pub fn try_play(&mut self, cell: Cell<N>) -> Result<(), IllegalMove<N>> {
        if let Some(winner) = self.winner {
            return Err(IllegalMove::GameOver(winner));
        }
        if let Some(color) = self.at(cell) {
            return Err(IllegalMove::Occupied(cell, color));
        }
        self.play_unchecked(cell);
        Ok(())
    }

    /// Plays `cell` for the player to move.
    ///
    /// # Panics
    /// If the game is over or the cell is taken.
    pub fn play(&mut self, cell: Cell<N>) {
        if let Err(error) = self.try_play(cell) {
            panic!("{error}");
        }
    }

    /// Plays `cell` for the player to move. The cell must be empty and the game undecided;
    /// otherwise the stones and the winner are wrong from then on, but nothing is undefined.
    #[inline(always)]
    pub fn play_unchecked(&mut self, cell: Cell<N>) {
        self.place(cell, self.to_move);
        self.to_move = self.to_move.opponent();
    }

    /// The only writer of stones, groups and winner.
    #[inline(always)]
    fn place(&mut self, cell: Cell<N>, color: Color) {
        debug_assert!(self.at(cell).is_none());
        let own = &mut self.stones[color.index()];
        own.insert(cell);
        let mut edges = Edges::of(cell, N);
        for &neighbor in cell.neighbors() {
            if own.contains(neighbor) {
                edges = self.groups.merge(cell, neighbor);
            }
        }
        if edges.join(color) {
            self.winner = Some(color);
        }
    }

    /// Puts a stone of either colour on `cell`. Does not change the player to move.
    ///
    /// # Errors
    /// If the cell is taken; the board is then unchanged.
    pub fn set_up(&mut self, cell: Cell<N>, color: Color) -> Result<(), IllegalMove<N>> {
        match self.at(cell) {
            Some(owner) => Err(IllegalMove::Occupied(cell, owner)),
            None => {
                self.place(cell, color);
                Ok(())
            }
        }
    }

    /// The player to move; meaningless once there is a winner.
    #[inline(always)]
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// The same stones with `color` to move.
    pub fn with_to_move(&self, color: Color) -> Self {
        Board {
            to_move: color,
            ..self.clone()
        }
    }

    /// Lets `color` move next.
    pub fn set_to_move(&mut self, color: Color) {
        self.to_move = color;
    }

    /// The player who has joined their edges. A full board has exactly one winner.
    #[inline(always)]
    pub fn winner(&self) -> Option<Color> {
        self.winner
    }

    /// The stone on `cell`, if any.
    #[inline(always)]
    pub fn at(&self, cell: Cell<N>) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|color| self.stones[color.index()].contains(cell))
    }

    /// The cells that hold `color`'s stones.
    #[inline(always)]
    pub fn stones(&self, color: Color) -> CellSet<N> {
        self.stones[color.index()]
    }

    /// The stones of `color`, without surplus ones.
    #[inline(always)]
    pub fn own_stones(&self, color: Color) -> CellSet<N> {
        self.stones(color) & self.cells()
    }

    /// The cells without a stone.
    #[inline(always)]
    pub fn empty_cells(&self) -> CellSet<N> {
        CellSet::FULL - self.stones[0] - self.stones[1]
    }

    /// The key of the position.
    #[inline(always)]
    pub fn position(&self) -> PositionKey<N> {
        PositionKey {
            stones: self.stones,
            to_move: self.to_move,
        }
    }

    /// A copy of the groups of connected stones.
    #[inline(always)]
    pub fn groups(&self) -> Groups<N> {
        self.groups.clone()
    }

    /// The position mirrored in the long diagonal with the colours exchanged. Each player's
    /// prospects become the other's.
    pub fn transposed(&self) -> Self {
        let [red, blue] = self.stones.map(|stones| stones.transposed());
        let to_move = self.to_move.opponent();
        let mirrored = self.with_stones(blue, red, to_move);
        mirrored.expect("distinct cells stay distinct")
    }

    /// Returns true if the winner, which is updated incrementally, agrees with the stones. For
    /// tests: a flood fill for each colour, O(N³).
    pub fn is_valid(&self) -> bool {
        (self.stones[0] & self.stones[1]).is_empty()
            && Color::ALL
                .iter()
                .all(|&c| self.joins_by_flood_fill(c) == (self.winner == Some(c)))
    }

    /// Returns true if `color`'s edges are joined, by a slow and simple flood fill.
    fn joins_by_flood_fill(&self, color: Color) -> bool {
        let own = self.stones(color);
        let (start, end) = match color {
            Color::Red => (CellSet::row(0), CellSet::row(N - 1)),
            Color::Blue => (CellSet::col(0), CellSet::col(N - 1)),
        };
        let mut reached = own & start;
        loop {
            let mut wider = reached;
            Direction::ALL
                .iter()
                .for_each(|&to| wider |= reached.stepped(to) & own);
            if wider == reached {
                return !(reached & end).is_empty();
            }
            reached = wider;
        }
    }
}

/// Boards of any side up to N, and their drawings. The uploads play on boards of side N only, and
/// never draw one.
#[cfg(feature = "sides")]
mod any_side {
    use crate::board::Board;
    use crate::cell::{Cell, Color};
    use crate::cell_set::CellSet;
    use std::fmt;

    /// Boards of any side up to N.
    impl<const N: usize> Board<N> {
        /// The position with these stones on a board of `side`, without stones off it. `None` if
        /// and only if a cell is in both sets.
        ///
        /// # Panics
        /// If `side` is 0 or more than N.
        pub fn of_side(
            side: usize,
            red: CellSet<N>,
            blue: CellSet<N>,
            to_move: Color,
        ) -> Option<Self> {
            assert!(
                1 <= side && side <= N,
                "a board of side {side} on one of side {N}"
            );
            let board = Self::cells_of(side);
            let below = CellSet::from_rows(std::array::from_fn(|row| {
                if row < side {
                    0
                } else {
                    CellSet::<N>::FULL.row_bits(row)
                }
            }));
            let right = CellSet::FULL - board - below;
            let placed = Self::from_stones(red & board | below, blue & board | right, to_move)?;
            Some(Board { side, ..placed })
        }

        /// The same position in the corner of a board of side M.
        ///
        /// # Panics
        /// If M is less than the board's side.
        pub fn on<const M: usize>(&self) -> Board<M> {
            let [red, blue] = Color::ALL.map(|color| self.own_stones(color).on());
            let board = Board::of_side(self.side, red, blue, self.to_move);
            board.expect("distinct cells stay distinct")
        }

        /// The cells of a board of `side`.
        fn cells_of(side: usize) -> CellSet<N> {
            CellSet::from_rows(std::array::from_fn(|row| {
                if row < side {
                    (1 << side) - 1
                } else {
                    0
                }
            }))
        }

        /// The board's side, at most N.
        #[inline(always)]
        pub fn side(&self) -> usize {
            self.side
        }

        /// The cells of the board, without the surplus ones.
        #[inline(always)]
        pub fn cells(&self) -> CellSet<N> {
            Self::cells_of(self.side)
        }

        /// The position with these stones on a board of the same side.
        pub(super) fn with_stones(
            &self,
            red: CellSet<N>,
            blue: CellSet<N>,
            to_move: Color,
        ) -> Option<Self> {
            Self::of_side(self.side, red, blue, to_move)
        }
    }

    /// Shows the drawing and the player to move; derived, it would show ten kilobytes.
    impl<const N: usize> fmt::Debug for Board<N> {
        fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
            write!(f, "{self}{} to move", self.to_move)
        }
    }

    /// Draws rows of `.`, `r` and `b` separated by blanks, each indented by one more than the row
    /// above.
    impl<const N: usize> fmt::Display for Board<N> {
        fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
            for row in 0..self.side() {
                write!(f, "{:row$}", "")?;
                for col in 0..self.side() {
                    let stone = match Cell::new(row, col).and_then(|cell| self.at(cell)) {
                        None => '.',
                        Some(Color::Red) => 'r',
                        Some(Color::Blue) => 'b',
                    };
                    write!(f, "{}{stone}", if col == 0 { "" } else { " " })?;
                }
                writeln!(f)?;
            }
            Ok(())
        }
    }
}

/// Boards of side N only.
#[cfg(not(feature = "sides"))]
impl<const N: usize> Board<N> {
    /// The board's side.
    #[inline(always)]
    pub fn side(&self) -> usize {
        N
    }

    /// The cells of the board.
    #[inline(always)]
    pub fn cells(&self) -> CellSet<N> {
        CellSet::FULL
    }

    /// The position with these stones.
    fn with_stones(&self, red: CellSet<N>, blue: CellSet<N>, to_move: Color) -> Option<Self> {
        Self::from_stones(red, blue, to_move)
    }
}

impl<const N: usize> Default for Board<N> {
    fn default() -> Self {
        Self::new()
    }
}

/// Two boards are equal when the same stones are on them and the same player is to move.
impl<const N: usize> PartialEq for Board<N> {
    fn eq(&self, other: &Self) -> bool {
        self.stones == other.stones && self.to_move == other.to_move
    }
}

impl<const N: usize> Eq for Board<N> {}
