//! The evaluator that is shipped: playouts in every simulation, and the network for the positions
//! that matter. Positions that several orders of moves lead to are judged once.

use crate::board::Board;
use crate::cell::Color;
use crate::cell_set::CellSet;
use crate::evaluation::{Evaluation, Evaluator, Judgement};
use crate::links::Links;
use crate::network::Network;
use crate::playout::PlayoutEvaluator;
use std::collections::HashMap;
use std::sync::Arc;

/// What tells positions apart: red stones, blue stones, who moves.
type Key<const N: usize> = (CellSet<N>, CellSet<N>, Color);

/// Playouts and network.
pub struct Mixture<const N: usize> {
    playouts: PlayoutEvaluator,
    network: Option<Arc<Network>>,
    judged: HashMap<Key<N>, Judgement<N>>,
}

impl<const N: usize> Mixture<N> {
    /// The most judgements remembered; with 11×11 one takes 0.6 kB.
    const MAX_JUDGED: usize = 8192;

    /// Playouts and the network; playouts alone without one.
    pub fn new(playouts: PlayoutEvaluator, network: Option<Arc<Network>>) -> Self {
        Mixture {
            playouts,
            network,
            judged: HashMap::new(),
        }
    }
}

impl<const N: usize> Evaluator<N> for Mixture<N> {
    #[inline(always)]
    fn evaluate(&mut self, board: &Board<N>, links: &Links<N>) -> Evaluation<N> {
        self.playouts.evaluate(board, links)
    }

    fn judge(&mut self, board: &Board<N>) -> Option<Judgement<N>> {
        let network = self.network.as_ref()?;
        let [red, blue] = Color::ALL.map(|color| board.stones(color));
        let key = (red, blue, board.to_move());
        if let Some(known) = self.judged.get(&key) {
            return Some(known.clone());
        }
        let judgement = network.judge(board);
        if self.judged.len() >= Self::MAX_JUDGED {
            self.judged.clear();
        }
        self.judged.insert(key, judgement.clone());
        Some(judgement)
    }
}
