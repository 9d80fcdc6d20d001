//! The evaluator of positions. Native builds use the upload's own evaluator; WebAssembly uses the
//! network alone. There, playouts for every board size would be half of the module. They would not
//! help either: even on slow machines a few network evaluations beat many playouts.

#[cfg(not(target_family = "wasm"))]
pub use hexbot::fallback::FallbackEvaluator as EngineEvaluator;
#[cfg(target_family = "wasm")]
pub use network_alone::EngineEvaluator;

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
        /// An evaluator that uses `network`. It needs no random numbers.
        ///
        /// # Panics
        /// If there is no network.
        pub(crate) fn new(
            params: &Params,
            _: Xoshiro256PlusPlus,
            network: Option<Arc<Network>>,
        ) -> Self {
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
