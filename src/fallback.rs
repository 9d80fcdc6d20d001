//! The evaluator of the upload with a network: the network, or playouts if it is missing or too
//! slow.

use crate::board::Board;
use crate::bridges::Bridges;
use crate::evaluation::{Evaluation, Evaluator, MoveStats};
use crate::network::{Network, Scratch};
use crate::params::{EvaluatorKind, Params};
use crate::playout::PlayoutEvaluator;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// Evaluates by the network, or by playouts as a fallback.
pub struct FallbackEvaluator<const N: usize> {
    network: Option<Arc<Network>>,
    scratch: Scratch,
    policy_temperature: f32,
    playouts: PlayoutEvaluator,
}

impl<const N: usize> FallbackEvaluator<N> {
    /// Evaluates by `network` if there is one and [`Params::evaluator`] selects it; else by
    /// playouts, which draw from `rng`.
    pub fn new(params: &Params, rng: Xoshiro256PlusPlus, network: Option<Arc<Network>>) -> Self {
        FallbackEvaluator {
            network: network.filter(|_| params.evaluator == EvaluatorKind::Network),
            scratch: Scratch::default(),
            policy_temperature: params.policy_temperature,
            playouts: PlayoutEvaluator::new(params.bridge_use, rng),
        }
    }

    /// [`FallbackEvaluator::new`] with the network in this file of weights, and a line for stderr
    /// if it is damaged; then playouts evaluate.
    pub fn of_file(params: &Params, rng: Xoshiro256PlusPlus, file: &[u8]) -> (Self, String) {
        let (network, warning) = match Network::read(file) {
            Ok(network) => (Some(network.into()), String::new()),
            Err(error) => (None, format!("{error}; until then playouts evaluate\n")),
        };
        (Self::new(params, rng, network), warning)
    }
}

impl<const N: usize> Evaluator<N> for FallbackEvaluator<N> {
    #[inline(always)]
    fn evaluate(&mut self, board: &Board<N>, bridges: &Bridges<N>) -> Evaluation<N> {
        let Some(network) = &self.network else {
            return self.playouts.evaluate(board, bridges);
        };
        let logits = network.logits(board, &mut self.scratch);
        let priors = logits.priors(board.empty_cells(), self.policy_temperature);
        Evaluation {
            move_stats: MoveStats::Priors(priors),
            ..Evaluation::of(logits.wins(), board.to_move())
        }
    }

    fn is_costly(&self) -> bool {
        self.network.is_some()
    }

    fn degrade(&mut self) {
        self.network = None;
    }
}
