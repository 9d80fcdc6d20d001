//! The evaluator that is shipped: the network, and playouts where there is none.

use crate::board::Board;
use crate::evaluation::{Evaluation, Evaluator, Hints};
use crate::links::Links;
use crate::network::{Network, Scratch};
use crate::params::{Leaves, Params};
use crate::playout::PlayoutEvaluator;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// The network, with playouts in reserve.
pub struct Expert<const N: usize> {
    network: Option<Arc<Network>>,
    scratch: Scratch,
    prior_temperature: f32,
    playouts: PlayoutEvaluator,
}

impl<const N: usize> Expert<N> {
    /// Asks `network` if there is one and [`Params::leaves`] are its; else runs playouts, which draw
    /// from `rng`.
    pub fn new(params: &Params, rng: Xoshiro256PlusPlus, network: Option<Arc<Network>>) -> Self {
        Expert {
            network: network.filter(|_| params.leaves == Leaves::Network),
            scratch: Scratch::default(),
            prior_temperature: params.prior_temperature,
            playouts: PlayoutEvaluator::new(params.bridges, rng),
        }
    }
}

impl<const N: usize> Evaluator<N> for Expert<N> {
    #[inline(always)]
    fn evaluate(&mut self, board: &Board<N>, links: &Links<N>) -> Evaluation<N> {
        let Some(network) = &self.network else {
            return self.playouts.evaluate(board, links);
        };
        let logits = network.logits(board, &mut self.scratch);
        let priors = logits.priors(board.empty_cells(), self.prior_temperature);
        Evaluation {
            hints: Hints::Priors(priors),
            ..Evaluation::of(logits.wins(), board.to_move())
        }
    }

    fn is_costly(&self) -> bool {
        self.network.is_some()
    }

    fn hurry(&mut self) {
        self.network = None;
    }
}
