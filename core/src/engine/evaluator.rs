//! What evaluates positions: natively the upload's own evaluator, for WebAssembly the network
//! alone. A page is slow on some machines and its clock is coarse, but on all of them few
//! evaluations by the network are worth more than many playouts; and the code for playouts on
//! every side would be half of the module.

use hexbot::network::Network;
use hexbot::params::Params;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

#[cfg(not(target_family = "wasm"))]
pub use hexbot::fallback::FallbackEvaluator as EngineEvaluator;
#[cfg(target_family = "wasm")]
pub use network_alone::EngineEvaluator;

/// Makes evaluators that differ in their random numbers alone.
#[derive(Clone)]
pub struct EvaluatorFactory {
    /// The search's tunables.
    pub params: Params,
    /// Where random numbers begin.
    pub rng: Xoshiro256PlusPlus,
    /// `None`: playouts alone.
    pub network: Option<Arc<Network>>,
}

impl EvaluatorFactory {
    /// An evaluator with random numbers that none before it has.
    pub fn evaluator<const N: usize>(&mut self) -> EngineEvaluator<N> {
        let rng = self.rng.clone();
        self.rng.jump();
        EngineEvaluator::new(&self.params, rng, self.network.clone())
    }
}

#[cfg(target_family = "wasm")]
mod network_alone {
    use hexbot::board::Board;
    use hexbot::bridges::Bridges;
    use hexbot::evaluation::{Evaluation, Evaluator, MoveStats};
    use hexbot::network::{Network, Scratch};
    use hexbot::params::Params;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use std::sync::Arc;

    /// Evaluates by the network.
    pub struct EngineEvaluator<const N: usize> {
        network: Arc<Network>,
        scratch: Scratch,
        policy_temperature: f32,
    }

    impl<const N: usize> EngineEvaluator<N> {
        /// Asks `network`; nothing is random.
        ///
        /// # Panics
        /// If there is no network.
        pub fn new(params: &Params, _: Xoshiro256PlusPlus, network: Option<Arc<Network>>) -> Self {
            EngineEvaluator {
                network: network.expect("the shipped network is sound"),
                scratch: Scratch::default(),
                policy_temperature: params.policy_temperature,
            }
        }
    }

    impl<const N: usize> Evaluator<N> for EngineEvaluator<N> {
        fn evaluate(&mut self, board: &Board<N>, _: &Bridges<N>) -> Evaluation<N> {
            let logits = self.network.logits(board, &mut self.scratch);
            let priors = logits.priors(board.empty_cells(), self.policy_temperature);
            Evaluation {
                move_stats: MoveStats::Priors(priors),
                ..Evaluation::of(logits.wins(), board.to_move())
            }
        }

        fn is_costly(&self) -> bool {
            true
        }
    }
}
