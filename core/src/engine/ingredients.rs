//! Evaluators for boards of every side, and the compiled copies of the search that they belong to.

use super::corner::{Any, CornerEvaluator, Either};
use super::evaluator::SideEvaluator;
use super::threads::MakeEvaluator;
use super::SideNotPlayed;
use crate::record::Side;
use hexbot::evaluation::Evaluator;
use hexbot::network::Network;
use hexbot::params::Params;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// What is made of an evaluator of boards of any side N.
pub trait WithEvaluator {
    /// What comes out.
    type Made;

    /// Makes it. `more` makes further evaluators of the same positions, for further threads.
    fn make<const N: usize, E: Evaluator<N> + Send + 'static>(
        self,
        evaluator: E,
        more: MakeEvaluator<N>,
    ) -> Self::Made;
}

/// What evaluators are made of.
#[derive(Clone)]
pub struct Ingredients {
    /// The search's tunables.
    pub params: Params,
    /// Where random numbers begin.
    pub rng: Xoshiro256PlusPlus,
    /// `None`: playouts alone.
    pub network: Option<Arc<Network>>,
}

impl Ingredients {
    /// An evaluator with random numbers that none before it has.
    fn evaluator<const S: usize>(&mut self) -> SideEvaluator<S> {
        let rng = self.rng.clone();
        self.rng.jump();
        SideEvaluator::new(&self.params, rng, self.network.clone())
    }

    /// An evaluator of boards of side N.
    fn whole<const N: usize>(&mut self) -> Any<N> {
        Any(Box::new(self.evaluator::<N>()))
    }

    /// An evaluator of boards of side S in the corner of boards of side N.
    fn corner<const S: usize, const N: usize>(&mut self) -> Any<N> {
        let bridge_use = self.params.bridge_use;
        let evaluator = self.evaluator::<S>();
        Any(Box::new(CornerEvaluator {
            evaluator,
            bridge_use,
        }))
    }
}

/// Makes something of the evaluator for boards of `side`, which may stand in the corner of larger
/// ones: those of [`super::searched_side`].
///
/// A copy of the search takes long to compile, and one that is much too large is slow: these lose a
/// tenth of their speed at most.
///
/// # Errors
/// If the side is not among [`super::SIDES`].
pub fn with_evaluator<M: WithEvaluator>(
    side: Side,
    of: Ingredients,
    make: M,
) -> Result<M::Made, SideNotPlayed> {
    Ok(match side.get() {
        2 => in_corner::<2, 5, M>(of, make),
        3 => in_corner::<3, 5, M>(of, make),
        4 => in_corner::<4, 5, M>(of, make),
        5 => in_corner::<5, 5, M>(of, make),
        6 => in_corner::<6, 8, M>(of, make),
        7 => in_corner::<7, 8, M>(of, make),
        8 => in_corner::<8, 8, M>(of, make),
        9 => beside_whole::<9, 11, M>(of, make),
        10 => beside_whole::<10, 11, M>(of, make),
        11 => whole::<11, M>(of, make),
        12 => beside_whole::<12, 14, M>(of, make),
        13 => beside_whole::<13, 14, M>(of, make),
        14 => whole::<14, M>(of, make),
        15 => in_corner::<15, 19, M>(of, make),
        16 => in_corner::<16, 19, M>(of, make),
        17 => in_corner::<17, 19, M>(of, make),
        18 => in_corner::<18, 19, M>(of, make),
        19 => in_corner::<19, 19, M>(of, make),
        _ => return Err(SideNotPlayed(side)),
    })
}

/// Boards of side S in the corner of boards of side N, on which nothing else is played.
fn in_corner<const S: usize, const N: usize, M: WithEvaluator>(
    mut of: Ingredients,
    make: M,
) -> M::Made {
    let evaluator = of.corner::<S, N>();
    make.make(evaluator, Box::new(move || of.corner::<S, N>()))
}

/// Boards of side N, whose evaluator becomes a part of the search.
fn whole<const N: usize, M: WithEvaluator>(mut of: Ingredients, make: M) -> M::Made {
    let evaluator = Either::<N>::Whole(of.evaluator());
    make.make(evaluator, Box::new(move || of.whole()))
}

/// Boards of side S in the corner of those, by the same copy of the search.
fn beside_whole<const S: usize, const N: usize, M: WithEvaluator>(
    mut of: Ingredients,
    make: M,
) -> M::Made {
    let evaluator = Either::Any(of.corner::<S, N>());
    make.make(evaluator, Box::new(move || of.corner::<S, N>()))
}
