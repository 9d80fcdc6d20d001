//! Positions that searches judged most wrongly, from which later games begin. Such games show where
//! the network is blind: left alone, self-play comes to these positions too rarely to learn them
//! (regret-guided search control, arXiv 2602.20809, in its simplest form).

use hex_core::record::AnyBoard;
use hexbot::cell::Color;

/// What a search said of a position.
pub(crate) struct Judgement {
    /// The position.
    pub(crate) position: AnyBoard,
    /// The probability that the player to move wins, 0 to 1.
    pub(crate) win_probability: f32,
}

impl Judgement {
    /// How wrong it was, 0 to 1: the probability of the result that did not come.
    fn regret(&self, winner: Color) -> f32 {
        if self.position.to_move() == winner {
            1.0 - self.win_probability
        } else {
            self.win_probability
        }
    }
}

/// The most positions that are kept.
const MOST: usize = 64;

/// A regret below this is usual where nobody knows the result.
const LEAST_REGRET: f32 = 0.6;

/// The positions with the largest regret of the games so far, those taken left out.
#[derive(Default)]
pub(crate) struct RegrettedPositions {
    /// Regret and position, the largest regret first.
    sorted: Vec<(f32, AnyBoard)>,
}

impl RegrettedPositions {
    /// Keeps the position of a game that was judged most wrongly, if it was wrong enough. Of equals
    /// the latest counts: earlier values are wrong because of it.
    pub(crate) fn keep_worst(&mut self, judgements: Vec<Judgement>, winner: Color) {
        let regrets = judgements
            .into_iter()
            .map(|judgement| (judgement.regret(winner), judgement.position));
        let worst = regrets.max_by(|(a, _), (b, _)| a.total_cmp(b));
        if let Some(worst) = worst.filter(|&(regret, _)| regret >= LEAST_REGRET) {
            let at = self.sorted.partition_point(|(regret, _)| *regret > worst.0);
            self.sorted.insert(at, worst);
            self.sorted.truncate(MOST);
        }
    }

    /// Takes the position with the largest regret. It comes back if the next game regrets it, too.
    pub(crate) fn take(&mut self) -> Option<AnyBoard> {
        (!self.sorted.is_empty()).then(|| self.sorted.remove(0).1)
    }
}
