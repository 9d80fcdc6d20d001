//! The engine on the three board sizes that the search is compiled for. A board of any other side
//! stands in the corner of the smallest one that it fits (see
//! [`hexbot::board::Board::of_side`]). There are three because each copy of the search adds compile
//! time, while a board that is much too large is slow.

use super::evaluator::EngineEvaluator;
use super::threads::{self, LeafEvaluators, Portion};
use super::StoppableClock;
use super::{analysis_of, lines, Analysis, AnyEngine, Task};
#[cfg(not(target_family = "wasm"))]
use super::{known_position, EngineReply, KnownPosition};
use crate::clock::SystemClock;
#[cfg(not(target_family = "wasm"))]
use crate::record::Move;
use crate::record::{AnyBoard, AnyCell, Side};
use hexbot::board::Board;
use hexbot::budget::{Budget, Clock};
use hexbot::network::Network;
#[cfg(not(target_family = "wasm"))]
use hexbot::opening::Answer;
use hexbot::player::Player;
use hexbot::search::SearchResult;
use hexbot::settings::Settings;
#[cfg(not(target_family = "wasm"))]
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::Arc;
#[cfg(not(target_family = "wasm"))]
use std::time::Duration;

/// The sides of the three sizes, the smallest first.
pub(crate) const ROOMS: [usize; 3] = [11, 14, 19];

/// An engine on boards with room for side N.
#[cfg_attr(target_family = "wasm", allow(dead_code))] // No page lets it answer turns.
pub(crate) struct InRoom<const N: usize> {
    side: Side,
    player: Player<N, EngineEvaluator<N>>,
    evaluators: LeafEvaluators<N, EngineEvaluator<N>>,
    /// The threads of a reply, and its number of simulations; `None` to search by the clock.
    threads: usize,
    simulations: Option<u64>,
}

impl<const N: usize> InRoom<N> {
    /// An engine at the beginning of a game, whose replies are searched by this number of threads.
    pub(crate) fn new(
        side: Side,
        settings: Settings,
        threads: usize,
        network: Option<Arc<Network>>,
    ) -> Self {
        let (params, simulations) = (settings.params, settings.simulations);
        let mut rng = settings.rng();
        let mut evaluator = move || {
            let own = rng.clone();
            rng.jump();
            EngineEvaluator::new(&params, own, network.clone())
        };
        let settings = Settings {
            // Several threads search before the player, which then only reads the tree.
            simulations: if threads > 1 { Some(0) } else { simulations },
            ..settings
        };
        InRoom {
            side,
            player: Player::with_evaluator(settings, evaluator()),
            evaluators: LeafEvaluators::new(&params, evaluator),
            threads,
            simulations,
        }
    }

    /// The position on a board of this size.
    fn board(&self, position: &AnyBoard) -> Board<N> {
        let side = self.side.get();
        assert_eq!(position.side(), side, "a position of another side");
        position.on()
    }

    /// Searches one portion, the first one or a later one. `None` if the game is over.
    fn think_slice(
        &mut self,
        board: &Board<N>,
        threads: usize,
        clock: &StoppableClock,
        slice: Portion,
        is_first: bool,
    ) -> Option<SearchResult<N>> {
        let search = self.player.search_mut();
        // A page without a server has one thread.
        if threads == 1 || cfg!(target_family = "wasm") {
            let mut budget = slice.budget(clock);
            return match is_first {
                true => search.think(board, &mut budget),
                false => search.go_on(&mut budget),
            };
        }
        let evaluators = self.evaluators.first(threads);
        match is_first {
            true => threads::think(search, evaluators, board, clock, slice),
            false => threads::go_on(search, evaluators, board, clock, slice),
        }
    }
}

impl<const N: usize> AnyEngine for InRoom<N> {
    fn think(
        &mut self,
        position: &AnyBoard,
        task: &Task,
        watch: &mut dyn FnMut(&Analysis),
    ) -> Option<Analysis> {
        let board = &self.board(position);
        let clock = StoppableClock::start(&task.stop);
        let mut simulations = 0;
        loop {
            let slice = task.next_slice(&clock, simulations);
            let is_first = simulations == 0;
            let mut found = self.think_slice(board, task.threads, &clock, slice, is_first)?;
            if found.simulations == 0 && is_first && found.proof.is_none() {
                // The time was over before the first simulation, unless nothing is left to search.
                // Callers take a search without simulations for a finished one, so run a few.
                let mut least = Budget::simulations(SystemClock::start(), Task::LEAST_SIMULATIONS);
                found = self.player.search_mut().go_on(&mut least)?;
            }
            simulations += found.simulations;
            let mut analysis = analysis_of(board, &found, self.player.search_mut().root_node());
            analysis.simulations = simulations;
            analysis.time = clock.elapsed();
            // The search runs no simulations when the result is known, or when one move is left.
            let done = analysis.proof.is_some()
                || found.simulations == 0
                || task.effort.is_spent(clock.now(), simulations);
            if done {
                return Some(analysis);
            }
            watch(&analysis);
        }
    }

    fn lines(&mut self, count: usize, length: usize) -> Vec<Vec<AnyCell>> {
        lines::lines(self.player.search_mut(), count, length)
    }

    fn add_root_noise(&mut self, cells: &[AnyCell], share: f32) {
        let cells = cells.iter().filter_map(|cell| cell.on()).collect();
        self.player.search_mut().add_root_noise(cells, share);
    }

    #[cfg(not(target_family = "wasm"))]
    fn known_positions(&mut self, visits: u32) -> Vec<KnownPosition> {
        let positions = self
            .player
            .search_mut()
            .positions(visits as f32)
            .into_iter();
        let known = positions.map(|(board, node)| known_position(&board, node));
        known.collect()
    }

    #[cfg(not(target_family = "wasm"))]
    fn reply(
        &mut self,
        position: &AnyBoard,
        forbidden: &[AnyCell],
        clock: &StoppableClock,
        arrival: Duration,
    ) -> Option<EngineReply> {
        let board = &self.board(position);
        let mut simulations = 0;
        if self.threads > 1 {
            let opening = self.player.opening_answer(board);
            let searched = opening.map(|answer| answer.played_on(board));
            let portion = Portion {
                time: match self.simulations {
                    Some(_) => None,
                    None => Some((arrival, self.player.next_limit())),
                },
                simulations: self.simulations.unwrap_or(u64::MAX),
            };
            let (player, evaluators) = (&mut self.player, self.evaluators.first(self.threads));
            let search = AssertUnwindSafe(|| {
                let board = searched.as_ref().unwrap_or(board);
                threads::think(player.search_mut(), evaluators, board, clock, portion)
            });
            match catch_unwind(search) {
                Ok(found) => simulations = found.map_or(0, |found| found.simulations),
                // The tree may be half written. The panic's message is on stderr already.
                Err(_) => self.player.search_mut().forget(),
            }
        }
        let forbidden = forbidden.iter().filter_map(|cell| cell.on()).collect();
        let mut reply = self.player.reply(board, forbidden, clock, arrival)?;
        if let (Some(result), true) = (&mut reply.result, simulations > 0) {
            result.simulations = simulations;
            result.elapsed = clock.now().saturating_sub(arrival);
        }
        Some(EngineReply {
            action: reply.answer.into(),
            report: reply.report(),
            summary: (reply.result).map_or(String::new(), |result| result.summary()),
        })
    }

    #[cfg(not(target_family = "wasm"))]
    fn tidy_up(&mut self, position: &AnyBoard, action: Move, clock: &StoppableClock) {
        let answer = match action {
            Move::Place(cell) => cell.on().map(Answer::Play),
            Move::SwapPieces => Some(Answer::SwapPieces),
            Move::SwapSides | Move::Pass => None,
        };
        if let Some(answer) = answer {
            self.player.tidy_up(&position.on(), answer, clock);
        }
    }
}
