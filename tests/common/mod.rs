//! What several test files need.
#![allow(dead_code)] // every test file uses a part of it

pub mod missing;
pub mod naive;
pub mod referee;

use hexbot::board::Board;
use hexbot::budget::Clock;
use hexbot::cell::{Cell, Color};
use hexbot::cell_set::CellSet;
use hexbot::evaluation::Evaluator;
use hexbot::player::{Player, Reply};
use hexbot::settings::Settings;
use hexbot::turn::Turn;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

/// The random numbers of a test; the same ones every time.
pub fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

/// A number below `bound`.
pub fn below(rng: &mut impl Rng, bound: usize) -> usize {
    (rng.next_u64() % bound as u64) as usize
}

/// All cells in random order.
pub fn random_cells<const N: usize>(rng: &mut impl Rng) -> impl Iterator<Item = Cell<N>> {
    let mut cells: Vec<Cell<N>> = Cell::all().collect();
    for last in (1..cells.len()).rev() {
        cells.swap(last, below(rng, last + 1));
    }
    cells.into_iter()
}

/// A board with up to `most` stones, in any numbers of each colour.
pub fn random_board<const N: usize>(rng: &mut impl Rng, most: usize) -> Board<N> {
    let stones = below(rng, most + 1);
    let mut sets = [CellSet::EMPTY; 2];
    for cell in random_cells(rng).take(stones) {
        sets[below(rng, 2)].insert(cell);
    }
    let to_move = Color::ALL[below(rng, 2)];
    Board::from_stones(sets[0], sets[1], to_move).expect("cells are drawn once")
}

/// The position after half a turn of the board; every player keeps the same prospects.
pub fn half_turn<const N: usize>(board: &Board<N>) -> Board<N> {
    let [red, blue] =
        Color::ALL.map(|color| board.stones(color).iter().map(Cell::rotated).collect());
    Board::from_stones(red, blue, board.to_move()).expect("distinct cells stay distinct")
}

/// Reads a board from lines of `.`, `r` and `b`; blanks do not matter.
pub fn diagram<const N: usize>(text: &str, to_move: Color) -> Board<N> {
    let marks: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    assert_eq!(marks.len(), N * N, "not a board of side {N}:\n{text}");
    let [red, blue] = ['r', 'b'].map(|color| -> CellSet<N> {
        let cells = Cell::all();
        cells.filter(|cell| marks[cell.index()] == color).collect()
    });
    Board::from_stones(red, blue, to_move).expect("a cell holds one mark")
}

/// The position after these moves, with blanks between them.
pub fn played<const N: usize>(moves: &str) -> Board<N> {
    let mut board = Board::new();
    let moves = moves.split_whitespace();
    moves.for_each(|cell| board.play(cell.parse().expect("a cell")));
    board
}

/// A game after a1, which is never swapped, so that the next answer needs a search.
pub fn begun<const N: usize>() -> Board<N> {
    played("a1")
}

/// Parameters or settings that differ from the default ones in this.
pub fn changed<T: Default>(change: impl FnOnce(&mut T)) -> T {
    let mut value = T::default();
    change(&mut value);
    value
}

/// Settings for answers of this number of simulations.
pub fn simulating(simulations: u64) -> Settings {
    changed(|settings: &mut Settings| settings.simulations = Some(simulations))
}

/// The player's answer to a turn, computed as in the upload. The time counts from `arrival`, a
/// reading of `clock`.
pub fn answer_to<const N: usize, E: Evaluator<N>>(
    player: &mut Player<N, E>,
    turn: &Turn<N>,
    clock: &impl Clock,
    arrival: Duration,
) -> Option<Reply<N>> {
    player.reply(&turn.board, turn.unreadable, clock, arrival)
}

/// The player's answer to a turn that could be read completely; there must be one.
pub fn answer_on<const N: usize, E: Evaluator<N>>(
    player: &mut Player<N, E>,
    board: &Board<N>,
    clock: &impl Clock,
    arrival: Duration,
) -> Reply<N> {
    let turn = Turn {
        board: board.clone(),
        unreadable: CellSet::EMPTY,
    };
    answer_to(player, &turn, clock, arrival).expect("an answer")
}
