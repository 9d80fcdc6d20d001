//! Evaluators for boards of every side, and the compiled copies of the search that they belong to.

use super::corner::{Any, CornerEvaluator, Either};
use super::evaluator::SideEvaluator;
use super::threads::Evaluators;
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
        more: Evaluators<N>,
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
/// ones.
///
/// # Errors
/// If the side is not among [`SIDES`].
pub fn with_evaluator<M: WithEvaluator>(
    side: Side,
    mut ingredients: Ingredients,
    make: M,
) -> Result<M::Made, SideNotPlayed> {
    /// The compiled copies of the search, each with the sides that are played on in the corner of
    /// its board. A copy takes long to compile, and one that is much too large is slow: these lose
    /// a tenth of their speed at most.
    macro_rules! copies {
        ($($($s:literal)* in $n:literal,)*) => {
            match side.get() {
                9 => {
                    let corner = Either::Any(ingredients.corner::<9, 11>());
                    Ok(make.make(corner, Box::new(move || ingredients.corner::<9, 11>())))
                }
                10 => {
                    let corner = Either::Any(ingredients.corner::<10, 11>());
                    Ok(make.make(corner, Box::new(move || ingredients.corner::<10, 11>())))
                }
                11 => {
                    let whole = Either::<11>::Whole(ingredients.evaluator());
                    Ok(make.make(whole, Box::new(move || ingredients.whole())))
                }
                14 => {
                    let whole = Either::<14>::Whole(ingredients.evaluator());
                    Ok(make.make(whole, Box::new(move || ingredients.whole())))
                }
                12 => {
                    let corner = Either::Any(ingredients.corner::<12, 14>());
                    Ok(make.make(corner, Box::new(move || ingredients.corner::<12, 14>())))
                }
                13 => {
                    let corner = Either::Any(ingredients.corner::<13, 14>());
                    Ok(make.make(corner, Box::new(move || ingredients.corner::<13, 14>())))
                }
                $($($s => {
                    let corner = ingredients.corner::<$s, $n>();
                    Ok(make.make(corner, Box::new(move || ingredients.corner::<$s, $n>())))
                })*)*
                _ => Err(SideNotPlayed(side)),
            }
        };
    }
    copies! {
        2 3 4 5 in 5,
        6 7 8 in 8,
        15 16 17 18 19 in 19,
    }
}
