//! One game in which both sides draw moves from the policy or from short searches.

use super::PolicyOptions;
use crate::selfplay::rules::CommonRules;
use hex_core::engine::{engine_with, Analysis, Effort, Engine, KnownPosition, SideNotPlayed, Task};
use hex_core::record::{any_cell, AnyBoard, AnyCell, Side};
use hexbot::board::Board;
use hexbot::bridges::Bridges;
use hexbot::cell::{Cell, Color};
use hexbot::cell_set::CellSet;
use hexbot::evaluation::seen_by;
use hexbot::grid::Grid;
use hexbot::network::{Network, Scratch};
use hexbot::params::Params;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// How games are played.
pub(crate) struct PolicyRules<'a> {
    /// The rules that all games for training have. Without fast simulations cool plies are drawn
    /// from the policy.
    pub(crate) common: CommonRules,
    /// The options of these games.
    pub(crate) options: &'a PolicyOptions,
    /// Lines of moves that some games begin with.
    pub(crate) lines: Vec<Vec<Cell<11>>>,
}

/// The most plies at the beginning of a game that are hot. A game draws its own number evenly from
/// 1 on. Results train values only after these plies.
const HOT_PLIES: u8 = 14;

/// The highest temperature of hot plies; 1 draws moves with the policy's probabilities. A game
/// draws its own from 1 on, evenly in the logarithm.
const HOTTEST: f32 = 4.0;

/// The most random stones that a game begins with.
const RANDOM_STONES: usize = 12;

/// The weight of even openings. A first stone is drawn with the weight
/// `EVEN_WEIGHT · 4p(1 − p) + ANY_WEIGHT`, where p is Red's win probability by the network.
const EVEN_WEIGHT: f32 = 1.0;

/// The weight that every opening has.
const ANY_WEIGHT: f32 = 0.15;

/// Searches are more frequent before this ply, because policies know openings least.
const EARLY_PLIES: usize = 24;

/// How many times as frequent searches are there.
const EARLY_SEARCHES: f64 = 3.0;

/// A finished game.
pub(crate) struct PolicyGame {
    /// The moves in turn, Red's first.
    pub(crate) moves: Vec<Cell<11>>,
    /// Red's win probability before each of them, by the network or the fast search; one half if
    /// there was neither.
    pub(crate) red_wins: Vec<f32>,
    /// Who won.
    pub(crate) winner: Color,
    /// The ply from which on moves were drawn at the cool temperature, so that the result is a fair
    /// sample of the position's value.
    pub(crate) cool_from: u8,
    /// True if the game was resigned.
    pub(crate) is_resigned: bool,
    /// True if the winner would have resigned in a game with resignation.
    pub(crate) is_misjudged: bool,
    /// The results of searches of the game's positions.
    pub(crate) searches: Vec<SearchedPosition>,
}

/// The result of a search for a position of the game, or for one after it in the tree.
pub(crate) struct SearchedPosition {
    /// The number of stones on the board when it was searched.
    pub(crate) ply: u8,
    /// Further moves that lead to the position; none for the game's own position.
    pub(crate) variation: Vec<Cell<11>>,
    /// The probability that the mover wins, 0 to 1.
    pub(crate) value: f32,
    /// The visits of the moves that are not proven to lose; at least one has some.
    pub(crate) visits: Vec<(Cell<11>, u32)>,
}

/// Plays game after game. The games depend only on the seed.
pub(crate) struct PolicyPlayer<'a> {
    rules: &'a PolicyRules<'a>,
    rng: Xoshiro256PlusPlus,
    network: Arc<Network>,
    scratch: Scratch,
    engine: Engine,
    first_stones: Grid<f32, 11>,
}

impl<'a> PolicyPlayer<'a> {
    /// A player of games by these rules.
    ///
    /// # Errors
    /// Never on 11×11, the only side so far.
    pub(crate) fn new(
        rules: &'a PolicyRules<'a>,
        network: Arc<Network>,
        seed: u64,
    ) -> Result<Self, SideNotPlayed> {
        Ok(PolicyPlayer {
            rules,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            engine: engine_with(
                Side::CODINGAME,
                &Params::default(),
                seed,
                Some(network.clone()),
            )?,
            scratch: Scratch::default(),
            first_stones: first_stones(&network),
            network,
        })
    }

    /// Plays a game to its end.
    pub(crate) fn play(&mut self) -> PolicyGame {
        let hot_plies = self.rng.random_range(1..=HOT_PLIES);
        let hot = HOTTEST.powf(self.rng.random::<f32>());
        let resigning = self.rules.common.may_resign(&mut self.rng);
        let opening = self.opening();
        let mut game = PolicyGame {
            red_wins: vec![0.5; opening.len()],
            moves: opening,
            winner: Color::Red,
            cool_from: 0,
            is_resigned: false,
            is_misjudged: false,
            searches: Vec::new(),
        };
        let mut board = Board::<11>::new();
        game.moves
            .iter()
            .for_each(|&cell| board.play_unchecked(cell));
        game.cool_from = hot_plies.max(game.moves.len() as u8);
        // The player who would have resigned in a game without resignation.
        let mut hopeless = None;
        loop {
            let ply = game.moves.len();
            if let Some(winner) = Bridges::new(&board, ply).winner() {
                game.winner = winner;
                game.is_misjudged = hopeless == Some(winner);
                return game;
            }
            self.search(&board, ply, &mut game.searches);
            let (mover, is_cool) = (board.to_move(), ply >= game.cool_from as usize);
            let evaluation = if !is_cool {
                self.evaluate(&board, hot)
            } else if self.rules.common.fast_simulations > 0 {
                self.search_fast(&board)
            } else {
                self.evaluate(&board, self.rules.options.cool as f32)
            };
            if is_cool && evaluation.wins < self.rules.common.resign {
                if resigning {
                    game.winner = mover.opponent();
                    game.is_resigned = true;
                    return game;
                }
                hopeless = hopeless.or(Some(mover));
            }
            let cell = self.draw(&evaluation.weights, board.empty_cells());
            board.play_unchecked(cell);
            game.moves.push(cell);
            game.red_wins.push(seen_by(mover, evaluation.wins));
        }
    }

    /// The evaluation of the network, with its priors at this temperature.
    fn evaluate(&mut self, board: &Board<11>, temperature: f32) -> PolicyAndValue {
        let logits = self.network.logits(board, &mut self.scratch);
        PolicyAndValue {
            wins: logits.wins(),
            weights: logits.priors(board.empty_cells(), temperature),
        }
    }

    /// The result of a fast search, with its visits at the cool temperature.
    fn search_fast(&mut self, board: &Board<11>) -> PolicyAndValue {
        let analysis = self
            .think(board, self.rules.common.fast_simulations)
            .expect("a game that goes on has a move");
        let cell_of = |cell: AnyCell| cell.on().expect("on the board");
        let open = || analysis.moves.iter().filter(|known| known.prior.is_some());
        let most = open().map(|known| known.visits).max().unwrap_or(0);
        let mut weights = Grid::filled(0.0);
        if analysis.proof.is_some() || most == 0 {
            // A proof names the best move; without visits only one move is left.
            weights[cell_of(analysis.best)] = 1.0;
        } else {
            for known in open() {
                let share = known.visits as f32 / most as f32;
                weights[cell_of(known.cell)] = share.powf(1.0 / self.rules.options.cool as f32);
            }
        }
        PolicyAndValue {
            wins: analysis.win_probability,
            weights,
        }
    }

    /// The first moves of a game: a part of a line, random stones, or a single stone.
    fn opening(&mut self) -> Vec<Cell<11>> {
        let options = self.rules.options;
        let kind = self.rng.random::<f64>();
        if kind < options.random_share {
            return self.random_stones();
        }
        if kind < options.random_share + options.line_share && !self.rules.lines.is_empty() {
            let line = self.rng.random_range(0..self.rules.lines.len());
            let line = &self.rules.lines[line];
            let length = self.rng.random_range(1..=line.len());
            return line[..length].to_vec();
        }
        let first_stones = self.first_stones;
        vec![self.draw(&first_stones, CellSet::FULL)]
    }

    /// Stones on random cells, too few to decide the game.
    fn random_stones(&mut self) -> Vec<Cell<11>> {
        let mut cells: Vec<Cell<11>> = Cell::all().collect();
        let stones = self.rng.random_range(1..=RANDOM_STONES);
        for place in 0..stones {
            let other = self.rng.random_range(place..cells.len());
            cells.swap(place, other);
        }
        cells.truncate(stones);
        cells
    }

    /// A random cell, with probabilities proportional to the weights.
    fn draw(&mut self, weights: &Grid<f32, 11>, cells: CellSet<11>) -> Cell<11> {
        let sum: f32 = cells.iter().map(|cell| weights[cell]).sum();
        let mut left = self.rng.random::<f32>() * sum;
        let mut last = None;
        for cell in cells.iter().filter(|&cell| weights[cell] > 0.0) {
            left -= weights[cell];
            last = Some(cell);
            if left < 0.0 {
                break;
            }
        }
        last.expect("a cell has a weight above 0")
    }

    /// Searches some of the positions for training.
    fn search(&mut self, board: &Board<11>, ply: usize, found: &mut Vec<SearchedPosition>) {
        let often = if ply < EARLY_PLIES {
            EARLY_SEARCHES
        } else {
            1.0
        };
        let share = (self.rules.options.search_share * often).min(1.0);
        if !self.rng.random_bool(share) || self.is_proven(board, CommonRules::BEFORE_NOISE) {
            return;
        }
        let cells: Vec<Cell<11>> = board.empty_cells().iter().collect();
        let cells: Vec<AnyCell> = (0..CommonRules::NOISE_CELLS)
            .map(|_| any_cell(cells[self.rng.random_range(0..cells.len())]))
            .collect();
        self.engine
            .add_root_noise(&cells, self.rules.common.noise_share);
        if !self.is_proven(
            board,
            self.rules.common.simulations - CommonRules::BEFORE_NOISE,
        ) {
            let known = self.engine.known_positions(self.rules.common.tree_visits);
            found.extend(
                known
                    .iter()
                    .filter_map(|known| SearchedPosition::new(board, ply, known)),
            );
        }
    }

    /// Continues the search. Returns true if the result is proven or the game is over.
    fn is_proven(&mut self, board: &Board<11>, simulations: u64) -> bool {
        self.think(board, simulations)
            .is_none_or(|analysis| analysis.proof.is_some())
    }

    /// Continues the search; `None` if the game is over.
    fn think(&mut self, board: &Board<11>, simulations: u64) -> Option<Analysis> {
        let task = Task::new(Effort::Simulations(simulations));
        self.engine.think(&board.on(), &task, &mut |_| {})
    }
}

/// The weights that a move is drawn with, and the position's value.
struct PolicyAndValue {
    /// The probability that the mover wins, 0 to 1.
    wins: f32,
    /// The weight of each empty cell, in any unit; at least one is above 0.
    weights: Grid<f32, 11>,
}

impl SearchedPosition {
    /// The training data of a position after `board`; `None` if it is decided, or all moves but one
    /// are proven to lose.
    fn new(board: &Board<11>, ply: usize, known: &KnownPosition) -> Option<SearchedPosition> {
        let open = || known.moves.iter().filter(|known| known.prior.is_some());
        let visits: Vec<_> = open()
            .filter(|known| known.visits > 0)
            .map(|known| (known.cell.on().expect("on the board"), known.visits))
            .collect();
        let value = known.value();
        let is_open = !known.decided && open().count() > 1 && !visits.is_empty();
        (is_open && CommonRules::is_open(value)).then(|| SearchedPosition {
            ply: ply as u8,
            variation: variation(board, &known.position),
            value,
            visits,
        })
    }
}

/// Moves, in turn, that lead from `board` to the stones of `later`.
fn variation(board: &Board<11>, later: &AnyBoard) -> Vec<Cell<11>> {
    let mover = board.to_move();
    let new = |color| -> Vec<Cell<11>> {
        let cells = later.own_stones(color).on() - board.stones(color);
        cells.iter().collect()
    };
    let (own, theirs) = (new(mover), new(mover.opponent()));
    let mut replies = theirs.into_iter();
    let pairs = own.into_iter();
    pairs
        .flat_map(|cell| std::iter::once(cell).chain(replies.next()))
        .collect()
}

/// The weights that first stones are drawn with.
fn first_stones(network: &Network) -> Grid<f32, 11> {
    let mut scratch = Scratch::default();
    let mut weights = Grid::filled(0.0);
    for cell in Cell::all() {
        let mut board = Board::<11>::new();
        board.play_unchecked(cell);
        let wins = network.logits(&board, &mut scratch).wins();
        weights[cell] = EVEN_WEIGHT * 4.0 * wins * (1.0 - wins) + ANY_WEIGHT;
    }
    weights
}
