//! The evaluator that is shipped: the network, and playouts where there is none.

use crate::board::Board;
use crate::bridges::Bridges;
use crate::evaluation::{Evaluation, Evaluator, Hints};
use crate::network::Network;
use crate::params::{Leaves, Params};
use crate::playout::PlayoutEvaluator;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// The network, with playouts in reserve.
pub struct Expert<const N: usize> {
    network: Option<Arc<Network>>,
    prior_temperature: f32,
    playouts: PlayoutEvaluator,
}

impl<const N: usize> Expert<N> {
    /// Asks `network` if there is one and [`Params::leaves`] are its; else runs playouts, which draw
    /// from `rng`.
    pub fn new(params: &Params, rng: Xoshiro256PlusPlus, network: Option<Arc<Network>>) -> Self {
        Expert {
            network: network.filter(|_| params.leaves == Leaves::Network),
            prior_temperature: params.prior_temperature,
            playouts: PlayoutEvaluator::new(params.bridge_use, rng),
        }
    }
}

impl<const N: usize> Evaluator<N> for Expert<N> {
    #[inline(always)]
    fn evaluate(&mut self, board: &Board<N>, bridges: &Bridges<N>) -> Evaluation<N> {
        let Some(network) = &self.network else {
            return self.playouts.evaluate(board, bridges);
        };
        let (red_wins, priors) = network.judge(board, self.prior_temperature);
        Evaluation {
            red_wins,
            hints: Hints::Priors(priors),
        }
    }

    fn is_costly(&self) -> bool {
        self.network.is_some()
    }

    fn hurry(&mut self) {
        self.network = None;
    }
}
