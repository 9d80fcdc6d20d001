//! Random playouts, 64 at a time: bit k of every word belongs to playout k.
//!
//! A playout fills the empty cells of a position at random until the board is full; then exactly
//! one side has joined its edges. The order of the moves does not matter, only the owner of each
//! cell. The owners are drawn in pairs: the empty cells are paired at random, and a coin in each
//! playout gives one cell of a pair to Red and the other to Blue. So every equal split of the empty
//! cells has the same probability, as in a playout that shuffles them.
//!
//! Intrusions into bridges are answered. First, the two cells of each bridge on the board (see
//! [`crate::bridges`]) are paired, so each colour gets one of them and the bridge holds in all
//! playouts. If bridges of both sides overlap, a coin decides which one holds. The cells of
//! third-row pairs are paired in the same way. Later, a cell may be half of a bridge that appears
//! during the playout: it has an open neighbour between two cells that are dealt already. It is
//! paired with that neighbour, so the bridge holds in the playouts where it exists; in the others
//! the pairing does no harm.
//!
//! The winners of all 64 playouts are found together by flooding Red's cells from the top edge. A
//! bit of a cell's word is "reached" if the cell is Red's in that playout and a neighbour is
//! reached. Sweeps down and up the rows alternate until nothing changes.
//!
//! The all-moves-as-first statistics (AMAF; Gelly and Silver 2007) follow: for each cell, how often
//! each side owned it, and how often it owned it and won.

use crate::board::Board;
use crate::bridges::Bridges;
use crate::cell::{Cell, Color, Direction};
use crate::cell_set::CellSet;
use crate::evaluation::{Amaf, Evaluation, Evaluator, MoveStats};
use crate::grid::Grid;
use crate::params::BridgeUse;
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use smallvec::SmallVec;

/// The number of playouts that run together.
pub const LANES: u32 = u64::BITS;

/// The result of [`LANES`] playouts from one position.
#[derive(Clone)]
pub struct Playouts<const N: usize> {
    /// The playouts, one bit each, in which the cell is Red's at the end.
    red: Grid<u64, N>,
    /// The playouts, one bit each, that Red won.
    red_wins: u64,
}

impl<const N: usize> Playouts<N> {
    /// Runs playouts from `board`, whose bridges are `bridges`, O(N²). `bridge_use` decides whether
    /// bridges that appear during playouts are used too.
    #[inline(always)]
    pub fn run(
        board: &Board<N>,
        bridges: &Bridges<N>,
        bridge_use: BridgeUse,
        rng: &mut impl Rng,
    ) -> Self {
        let red = fill(board, bridges, bridge_use, rng);
        Playouts {
            red_wins: flood_from_top(&red),
            red,
        }
    }

    /// The share of playouts that Red won, 0 to 1.
    pub fn red_win_share(&self) -> f32 {
        self.red_wins.count_ones() as f32 / LANES as f32
    }

    /// The statistics of each colour, indexed by [`Color::index`]. O(N²).
    #[inline(always)]
    pub fn amaf(&self) -> [Amaf<N>; 2] {
        let share = |bits: u64| bits.count_ones() as f32 * (1.0 / LANES as f32);
        let [mut red, mut blue] = [Amaf::NOTHING, Amaf::NOTHING];
        for (index, &cells) in self.red.values().iter().enumerate() {
            red.owned.values_mut()[index] = share(cells);
            red.won.values_mut()[index] = share(cells & self.red_wins);
            blue.owned.values_mut()[index] = share(!cells);
            blue.won.values_mut()[index] = share(!cells & !self.red_wins);
        }
        [red, blue]
    }

    /// The playouts that Red won, one bit each.
    pub fn red_wins(&self) -> u64 {
        self.red_wins
    }

    /// The playouts in which each cell is Red's at the end, one bit each.
    pub fn red_cells(&self) -> &Grid<u64, N> {
        &self.red
    }
}

/// The playouts, one bit each, in which each cell is Red's at the end.
#[inline(always)]
fn fill<const N: usize>(
    board: &Board<N>,
    bridges: &Bridges<N>,
    bridge_use: BridgeUse,
    rng: &mut impl Rng,
) -> Grid<u64, N> {
    let mut red = Grid::filled(0);
    for cell in board.stones(Color::Red).iter() {
        red[cell] = u64::MAX;
    }
    let mut deal = |a: Cell<N>, b: Cell<N>, coins: u64| {
        red[a] = coins;
        red[b] = !coins;
    };
    let mut open = Open::new(board.empty_cells());
    // If bridges of both sides overlap, a coin decides whose bridges hold in this run.
    let first = match rng.next_u64() >> 63 {
        0 => Color::Red,
        _ => Color::Blue,
    };
    for color in [first, first.opponent()] {
        for &[a, b] in bridges
            .pairs(color)
            .iter()
            .chain(bridges.third_row_pairs(color))
        {
            if open.contains(a) && open.contains(b) {
                open.close(a);
                open.close(b);
                deal(a, b, rng.next_u64());
            }
        }
    }
    let mut cells: SmallVec<[Cell<N>; 128]> = SmallVec::new();
    open.cells().iter().for_each(|cell| cells.push(cell));
    shuffle(&mut cells, rng);
    let mut waiting = None;
    for &cell in cells.iter() {
        if !open.contains(cell) {
            continue;
        }
        open.close(cell);
        let answer = match bridge_use {
            BridgeUse::Seen => open.answer_to(cell),
            BridgeUse::Ignored => None,
        };
        if let Some(answer) = answer {
            open.close(answer);
            deal(cell, answer, rng.next_u64());
        } else if let Some(other) = waiting.take() {
            deal(other, cell, rng.next_u64());
        } else {
            waiting = Some(cell);
        }
    }
    if let (Color::Red, Some(odd)) = (board.to_move(), waiting) {
        red[odd] = u64::MAX;
    }
    red
}

/// The cells that are not dealt yet.
struct Open<const N: usize> {
    /// Bit c + 1 of row r is the cell in row r, column c, so that neighbours off the board have a
    /// bit too.
    rows: [u32; N],
}

impl<const N: usize> Open<N> {
    #[inline(always)]
    fn new(cells: CellSet<N>) -> Self {
        Open {
            rows: std::array::from_fn(|row| cells.row_bits(row) << 1),
        }
    }

    #[inline(always)]
    fn cells(&self) -> CellSet<N> {
        CellSet::from_rows(self.rows.map(|row| row >> 1))
    }

    #[inline(always)]
    fn contains(&self, cell: Cell<N>) -> bool {
        self.rows[cell.row()] >> cell.col() & 2 != 0
    }

    #[inline(always)]
    fn close(&mut self, cell: Cell<N>) {
        self.rows[cell.row()] &= !(2 << cell.col());
    }

    /// An open neighbour that lies between two neighbours which are not open. If those two belong
    /// to one side, `cell` and this neighbour are the two cells of a bridge.
    #[inline(always)]
    fn answer_to(&self, cell: Cell<N>) -> Option<Cell<N>> {
        let (row, col) = (cell.row(), cell.col());
        let bits = |row: usize| self.rows.get(row).map_or(0, |bits| bits >> col);
        let (above, here, below) = (bits(row.wrapping_sub(1)), bits(row), bits(row + 1));
        // Bit k of `open` is the neighbour in Direction::ALL[k]. In each row, bit 1 is this column.
        let open = (here >> 2 & 1)
            | (below & 2)
            | (below & 1) << 2
            | (here & 1) << 3
            | (above & 2) << 3
            | (above & 4) << 3;
        let closed = !open & 0b11_1111;
        let between = open & (closed << 1 | closed >> 5) & (closed >> 1 | closed << 5);
        if between == 0 {
            return None;
        }
        cell.neighbor(Direction::ALL[between.trailing_zeros() as usize])
    }
}

/// Fisher and Yates' shuffle. Each random word yields four 16-bit numbers. Scaling one to fewer
/// than 512 places has an error below 1 %.
#[inline(always)]
fn shuffle<T>(items: &mut [T], rng: &mut impl Rng) {
    let mut word = 0;
    for last in (1..items.len()).rev() {
        if last % 4 == 3 || last == items.len() - 1 {
            word = rng.next_u64();
        }
        let place = ((word & 0xffff) as usize * (last + 1)) >> 16;
        word >>= 16;
        items.swap(last, place);
    }
}

/// The playouts, one bit each, in which Red's cells join the top edge with the bottom edge.
#[inline(always)]
fn flood_from_top<const N: usize>(red: &Grid<u64, N>) -> u64 {
    let red = red.rows();
    let mut reached = [[0; N]; N];
    reached[0] = red[0];
    for row in 1..N {
        reached[row] = step_down(&reached[row - 1], &red[row]);
        spread(&mut reached[row], &red[row]);
    }
    loop {
        let mut changed = false;
        for row in (0..N - 1).rev() {
            let seeds = step_up(&reached[row + 1], &red[row]);
            changed |= extend(&mut reached[row], &red[row], &seeds);
        }
        if !changed {
            break;
        }
        changed = false;
        for row in 1..N {
            let seeds = step_down(&reached[row - 1], &red[row]);
            changed |= extend(&mut reached[row], &red[row], &seeds);
        }
        if !changed {
            break;
        }
    }
    reached[N - 1].iter().fold(0, |all, word| all | word)
}

/// The red cells of a row that touch a reached cell of the row above.
#[inline(always)]
fn step_down<const N: usize>(above: &[u64; N], red: &[u64; N]) -> [u64; N] {
    std::array::from_fn(|col| {
        let north_east = if col + 1 < N { above[col + 1] } else { 0 };
        (above[col] | north_east) & red[col]
    })
}

/// The red cells of a row that touch a reached cell of the row below.
#[inline(always)]
fn step_up<const N: usize>(below: &[u64; N], red: &[u64; N]) -> [u64; N] {
    std::array::from_fn(|col| {
        let south_west = if col > 0 { below[col - 1] } else { 0 };
        (below[col] | south_west) & red[col]
    })
}

/// Adds `seeds` to the reached cells of a row and floods along it. Returns true if that reached a
/// new cell in some playout.
#[inline(always)]
fn extend<const N: usize>(reached: &mut [u64; N], red: &[u64; N], seeds: &[u64; N]) -> bool {
    let mut new = 0;
    for col in 0..N {
        new |= seeds[col] & !reached[col];
        reached[col] |= seeds[col];
    }
    if new == 0 {
        return false;
    }
    spread(reached, red);
    true
}

/// Floods along a row, eastwards and then westwards.
#[inline(always)]
fn spread<const N: usize>(reached: &mut [u64; N], red: &[u64; N]) {
    for col in 1..N {
        reached[col] |= reached[col - 1] & red[col];
    }
    for col in (0..N - 1).rev() {
        reached[col] |= reached[col + 1] & red[col];
    }
}

/// An [`Evaluator`] that runs random playouts.
pub struct PlayoutEvaluator {
    bridge_use: BridgeUse,
    rng: Xoshiro256PlusPlus,
}

impl PlayoutEvaluator {
    /// An evaluator that draws from `rng`, and answers intrusions according to `bridge_use`.
    pub fn new(bridge_use: BridgeUse, rng: Xoshiro256PlusPlus) -> Self {
        PlayoutEvaluator { bridge_use, rng }
    }
}

impl<const N: usize> Evaluator<N> for PlayoutEvaluator {
    #[inline(always)]
    fn evaluate(&mut self, board: &Board<N>, bridges: &Bridges<N>) -> Evaluation<N> {
        let playouts = Playouts::run(board, bridges, self.bridge_use, &mut self.rng);
        Evaluation {
            red_wins: playouts.red_win_share(),
            move_stats: MoveStats::Amaf(playouts.amaf()),
        }
    }
}
