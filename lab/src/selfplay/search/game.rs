//! One game of the engine against itself, whose searches are training data.

use super::regret::Judgement;
use super::sample::{GameEnd, Sample, SampleSource, SampleTarget};
use super::SearchOptions;
use crate::selfplay::rules::CommonRules;
use hex_core::engine::{engine_with, Analysis, Effort, Engine, KnownPosition, SideNotPlayed, Task};
use hex_core::record::{AnyBoard, AnyCell};
use hexbot::cell::Color;
use hexbot::network::Network;
use hexbot::params::Params;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// The rules of these games.
pub(crate) struct SearchRules<'a> {
    /// The rules that all games for training have.
    pub(crate) common: CommonRules,
    /// The options of these games.
    pub(crate) options: &'a SearchOptions,
    /// The most stones that are placed at random before the game.
    pub(crate) random_stones: u32,
    /// Positions that games begin from instead; may be empty.
    pub(crate) starts: Vec<AnyBoard>,
}

/// The share of later moves that are drawn too, so that games also leave the principal variation.
const LATE_DRAWS: f64 = 0.04;
/// An opening is one-sided if its win probability is at least this far from one half.
const ONE_SIDED: f32 = 0.35;
/// The share of one-sided openings that are played.
const ONE_SIDED_PLAYED: f64 = 0.15;
/// The simulations of the search that finds one-sided openings.
const OPENING_SIMULATIONS: u64 = 400;

/// The limit of simulations of a move, drawn for each (playout cap randomisation).
#[derive(Clone, Copy, PartialEq, Eq)]
enum SimulationCap {
    /// A search with noise for training data.
    Full,
    /// A search only for the next move.
    Fast,
}

/// A game that is over.
pub(crate) struct PlayedGame {
    /// The winner, or the player for whom the game was adjudicated.
    pub(crate) winner: Color,
    /// Stones on the last board.
    pub(crate) stones: u64,
    /// What searches said of the positions from which the loser played its best moves.
    pub(crate) judgements: Vec<Judgement>,
}

/// A game in progress.
pub(crate) struct SearchGame<'a> {
    rules: &'a SearchRules<'a>,
    rng: Xoshiro256PlusPlus,
    engine: Engine,
    position: AnyBoard,
    samples: Vec<Sample>,
    /// What searches said of the positions of the game.
    judgements: Vec<Judgement>,
    /// For each colour how many of them were there when it last departed from the best move.
    departed: [usize; 2],
    /// For each colour the stones on the board after its last move that was drawn from all cells.
    gambled: [u16; 2],
}

impl<'a> SearchGame<'a> {
    /// Begins from `start`, or else draws an opening with random stones, mostly one that is not
    /// one-sided. The engine uses `network`, or playouts if there is none.
    ///
    /// # Errors
    /// If the engine does not play on boards of that side.
    pub(crate) fn begin(
        rules: &'a SearchRules<'a>,
        network: &Option<Arc<Network>>,
        seed: u64,
        start: Option<AnyBoard>,
    ) -> Result<Self, SideNotPlayed> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let is_given = start.is_some();
        loop {
            let position = start.clone().unwrap_or_else(|| opening(rules, &mut rng));
            if position.winner().is_some() {
                continue;
            }
            let network = network.clone();
            let seed = rng.random();
            let mut engine = engine_with(rules.options.side, &Params::default(), seed, network)?;
            let task = Task::new(Effort::Simulations(OPENING_SIMULATIONS));
            let analysis = engine.think(&position, &task, &mut |_| {});
            let odds = analysis.map_or(0.0, |analysis| analysis.win_probability);
            let is_even = (odds - 0.5).abs() < ONE_SIDED;
            let plays_all = is_given || rules.options.play_on;
            if plays_all || is_even || rng.random_bool(ONE_SIDED_PLAYED) {
                return Ok(SearchGame {
                    rules,
                    rng,
                    engine,
                    position,
                    samples: Vec::new(),
                    judgements: Vec::new(),
                    departed: [0; 2],
                    gambled: [0; 2],
                });
            }
        }
    }

    /// Plays game `number` to its end and appends the bytes of its samples.
    pub(crate) fn play(mut self, number: u32, bytes: &mut Vec<u8>) -> PlayedGame {
        let winner = self.play_out();
        let ending = GameEnd {
            winner,
            reliable_from: self.gambled[winner.opponent().index()],
            position: &self.position,
            number,
        };
        let samples = self.samples.iter();
        samples.for_each(|sample| sample.write(&ending, bytes));
        // A departure of the loser's may have lost what it had won before. One of the winner's only
        // makes its win harder.
        let reliable = self.departed[winner.opponent().index()];
        PlayedGame {
            winner,
            stones: stones(&self.position).into(),
            judgements: self.judgements.split_off(reliable),
        }
    }

    /// Plays until a win is proven or a player resigns. Returns the winner.
    fn play_out(&mut self) -> Color {
        let resigning = self.rules.common.may_resign(&mut self.rng);
        for number in 0.. {
            if let Some(winner) = self.position.winner() {
                return winner;
            }
            let cap = self.draw_cap();
            let analysis = self.think(cap);
            let odds = analysis.win_probability;
            if let Some(proof) = analysis.proof {
                if !self.rules.options.play_on {
                    return proof.winner;
                }
                self.play_on(proof.winner, analysis.best);
                continue;
            }
            if resigning && odds < self.rules.common.resign {
                return self.position.to_move().opponent();
            }
            if resigning && odds > 1.0 - self.rules.common.resign {
                return self.position.to_move();
            }
            let point = self.choose(&analysis, number);
            self.judgements.push(Judgement {
                position: self.position.clone(),
                win_probability: odds,
            });
            let mover = self.position.to_move();
            if point != analysis.best {
                self.departed[mover.index()] = self.judgements.len();
            }
            self.learn(point, cap);
            self.position.play(point);
        }
        unreachable!("a game ends when the board is full")
    }

    fn any_cell(&mut self) -> AnyCell {
        let cells: Vec<AnyCell> = self.position.empty_cells().iter().collect();
        cells[self.rng.random_range(0..cells.len())]
    }

    /// Plays a move of a decided game, and takes note of the position: the winner's best move, or
    /// any move of the loser's, so that the winner meets all kinds of resistance.
    fn play_on(&mut self, winner: Color, best: AnyCell) {
        let visits = self.rules.common.simulations as u32;
        let (point, target) = if self.position.to_move() == winner {
            (best, SampleTarget::Won(best, visits))
        } else {
            (self.any_cell(), SampleTarget::Lost(visits))
        };
        self.samples.push(Sample {
            known: KnownPosition {
                position: self.position.clone(),
                moves: Vec::new(),
                decided: true,
            },
            ply: stones(&self.position),
            source: SampleSource::Game,
            target,
        });
        self.position.play(point);
    }

    fn draw_cap(&mut self) -> SimulationCap {
        if self.rng.random_bool(self.rules.options.full_share) {
            SimulationCap::Full
        } else {
            SimulationCap::Fast
        }
    }

    fn think(&mut self, cap: SimulationCap) -> Analysis {
        if cap == SimulationCap::Fast {
            return self.simulate(self.rules.common.fast_simulations);
        }
        let analysis = self.simulate(CommonRules::BEFORE_NOISE);
        if analysis.proof.is_some() {
            return analysis;
        }
        let mut cells: Vec<AnyCell> = self.position.empty_cells().iter().collect();
        let (drawn, _) = cells.partial_shuffle(&mut self.rng, CommonRules::NOISE_CELLS);
        self.engine
            .add_root_noise(drawn, self.rules.common.noise_share);
        self.simulate(self.rules.common.simulations - CommonRules::BEFORE_NOISE)
    }

    fn simulate(&mut self, simulations: u64) -> Analysis {
        let task = Task::new(Effort::Simulations(simulations));
        self.engine
            .think(&self.position, &task, &mut |_| {})
            .expect("nobody has won")
    }

    /// The move to play: the best one, one drawn by visits, or any.
    fn choose(&mut self, analysis: &Analysis, number: u32) -> AnyCell {
        if self.rng.random_bool(self.rules.options.random_moves) {
            self.gambled[self.position.to_move().index()] = stones(&self.position) + 1;
            return self.any_cell();
        }
        if number >= self.rules.options.drawn_moves && !self.rng.random_bool(LATE_DRAWS) {
            return analysis.best;
        }
        analysis.draw(&mut self.rng)
    }

    /// Keeps the position before `point` is played, and the positions with many visits in the tree
    /// that the game does not reach.
    fn learn(&mut self, point: AnyCell, cap: SimulationCap) {
        let ply = stones(&self.position);
        for known in self.engine.known_positions(self.rules.common.tree_visits) {
            let at = stones(&known.position);
            let source = if at == ply {
                SampleSource::Game
            } else {
                SampleSource::Tree
            };
            let reached = known.position.at(point) == Some(self.position.to_move());
            let wanted = match source {
                SampleSource::Game => cap == SimulationCap::Full,
                SampleSource::Tree => !reached && !known.decided,
            };
            let sample = Sample {
                known,
                ply: at,
                source,
                target: SampleTarget::Search,
            };
            if wanted && sample.has_choice() && CommonRules::is_open(sample.value()) {
                self.samples.push(sample);
            }
        }
    }
}

/// A position to begin from: one of the given ones, or one with stones placed at random in turn.
fn opening(rules: &SearchRules, rng: &mut Xoshiro256PlusPlus) -> AnyBoard {
    if !rules.starts.is_empty() {
        return rules.starts[rng.random_range(0..rules.starts.len())].clone();
    }
    let mut position = rules.options.side.board();
    // Larger numbers are rarer, so that most games start near the beginning. No stone is rare, too:
    // every first move is to be met about as often as any other.
    let most = rng.random_range(0..=rules.random_stones);
    for _ in 0..rng.random_range(most.min(1)..=most) {
        let cells: Vec<AnyCell> = position.empty_cells().iter().collect();
        let cell = cells[rng.random_range(0..cells.len())];
        // This may win the game; then the caller draws another position.
        let mover = position.to_move();
        position.set_up(cell, mover).expect("it is empty");
        position.set_to_move(mover.opponent());
    }
    position
}

fn stones(position: &AnyBoard) -> u16 {
    let stones = |color| position.own_stones(color).len() as u16;
    stones(Color::Red) + stones(Color::Blue)
}
