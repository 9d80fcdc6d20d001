//! The evaluator that is shipped: the network, and playouts where there is none. Positions that several
//! orders of moves lead to are shown to the network once.

use crate::board::Board;
use crate::cell::Color;
use crate::cell_set::CellSet;
use crate::evaluation::{Evaluation, Evaluator, Hints};
use crate::grid::Grid;
use crate::links::Links;
use crate::network::Network;
use crate::params::{Leaves, Params};
use crate::playout::PlayoutEvaluator;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::sync::Arc;

/// What tells positions apart: red stones, blue stones, who moves.
type Key<const N: usize> = (CellSet<N>, CellSet<N>, Color);

/// What the network said of a position: Red's win probability and the priors.
type Known<const N: usize> = (f32, Grid<f32, N>);

/// The network, with playouts in reserve.
pub struct Expert<const N: usize> {
    network: Option<Arc<Network>>,
    known: HashMap<Key<N>, Known<N>>,
    playouts: PlayoutEvaluator,
}

impl<const N: usize> Expert<N> {
    /// The most positions remembered; with 11×11 one takes 0.6 kB.
    const MAX_KNOWN: usize = 16_384;

    /// Asks `network` if there is one and [`Params::leaves`] are its; else runs playouts, which draw
    /// from `rng`.
    pub fn new(params: &Params, rng: Xoshiro256PlusPlus, network: Option<Arc<Network>>) -> Self {
        Expert {
            network: network.filter(|_| params.leaves == Leaves::Network),
            known: HashMap::new(),
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
        let [red, blue] = Color::ALL.map(|color| board.stones(color));
        let key = (red, blue, board.to_move());
        if self.known.len() >= Self::MAX_KNOWN {
            self.known.clear();
        }
        let known = self.known.entry(key);
        let (red_wins, priors) = *known.or_insert_with(|| network.judge(board));
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
