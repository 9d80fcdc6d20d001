//! The training data of one position, and its bytes in a shard. train/shards.md has the table.

use hex_core::engine::KnownPosition;
use hex_core::record::{AnyBoard, AnyCell, Side};
use hexbot::cell::Color;

/// A position with its targets.
pub(crate) struct Sample {
    /// The position, and the search's statistics of its moves.
    pub(crate) known: KnownPosition,
    /// Stones on the board.
    pub(crate) ply: u16,
    /// Whether the position occurred in the game, or only in the search.
    pub(crate) source: SampleSource,
    /// What is to be learnt of it.
    pub(crate) target: SampleTarget,
}

/// What a position has to teach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SampleTarget {
    /// The visits of the search, and their mean result.
    Search,
    /// A proof: the mover wins by this move. It counts as much as a search of this many
    /// simulations.
    Won(AnyCell, u32),
    /// A proof: the mover loses after every move. There is no move to learn. The number is the
    /// same.
    Lost(u32),
}

/// The source of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SampleSource {
    /// The game, whose result is known.
    Game,
    /// The tree of a search; the position has no result, only the search's value.
    Tree,
}

/// How a game ended.
pub(crate) struct GameEnd<'a> {
    /// The last position.
    pub(crate) position: &'a AnyBoard,
    /// The winner, or the player for whom the game was adjudicated.
    pub(crate) winner: Color,
    /// The fewest stones of a position whose result is known. Before, the loser played a move that
    /// was drawn from all cells and may have lost what it had won.
    pub(crate) reliable_from: u16,
    /// The game's number, unique within a run.
    pub(crate) number: u32,
}

/// The scale of shares and probabilities in 16 bits.
const ONE: f32 = 65535.0;

impl Sample {
    /// Bytes of a sample on a board of `side`: 2 for each cell's visits, 1 each for its stone and
    /// its last owner, and 14 for the rest.
    pub(crate) fn bytes(side: Side) -> usize {
        4 * side.get() * side.get() + 14
    }

    /// The probability that the player to move wins: the mean value of the search, or a proof.
    pub(crate) fn value(&self) -> f32 {
        match self.target {
            SampleTarget::Search => self.known.value(),
            SampleTarget::Won(..) => 1.0,
            SampleTarget::Lost(_) => 0.0,
        }
    }

    fn visits(&self) -> u32 {
        match self.target {
            SampleTarget::Search => self.known.visits(),
            SampleTarget::Won(_, visits) | SampleTarget::Lost(visits) => visits,
        }
    }

    /// Returns true if the search compared moves. It does not if only one move does not lose.
    pub(crate) fn has_choice(&self) -> bool {
        let mut moves = self.known.moves.iter();
        moves.any(|known| known.prior.is_some() && known.visits > 0)
    }

    /// Appends the sample's bytes, little endian, from the view of the player to move.
    pub(crate) fn write(&self, ending: &GameEnd, bytes: &mut Vec<u8>) {
        let mover = self.known.position.to_move();
        let side = Side::of_board(&self.known.position);
        let points: Vec<AnyCell> = side.cells().map(|point| seen_by(mover, point)).collect();
        let owner = |position: &AnyBoard, point| match position.at(point) {
            None => 0,
            Some(color) if color == mover => 1,
            Some(_) => 2,
        };
        bytes.extend(points.iter().map(|&p| owner(&self.known.position, p)));
        for share in self.policy(&points) {
            bytes.extend(share.to_le_bytes());
        }
        bytes.extend(points.iter().map(|&p| owner(ending.position, p)));
        bytes.extend(((self.value() * ONE).round() as u16).to_le_bytes());
        bytes.push(match self.source {
            SampleSource::Game if self.ply >= ending.reliable_from => {
                u8::from(ending.winner == mover)
            }
            SampleSource::Game | SampleSource::Tree => 2,
        });
        bytes.push(match self.source {
            SampleSource::Game => 0,
            SampleSource::Tree => 1,
        });
        bytes.extend(self.visits().to_le_bytes());
        bytes.extend(ending.number.to_le_bytes());
        bytes.extend(self.ply.to_le_bytes());
    }

    /// For each point its share of the visits, without moves that are proven to lose; or the move
    /// that a proof found.
    fn policy(&self, points: &[AnyCell]) -> Vec<u16> {
        if self.target != SampleTarget::Search {
            let share = |&point| match self.target {
                SampleTarget::Won(best, _) if best == point => ONE as u16,
                _ => 0,
            };
            return points.iter().map(share).collect();
        }
        let open = |point| {
            let mut moves = self.known.moves.iter();
            moves.find(|known| known.cell == point && known.prior.is_some())
        };
        let visits: Vec<u32> = points
            .iter()
            .map(|&point| open(point).map_or(0, |known| known.visits))
            .collect();
        let total = visits.iter().sum::<u32>().max(1) as f32;
        let share = |visits| (visits as f32 / total * ONE).round() as u16;
        visits.into_iter().map(share).collect()
    }
}

/// The board's cell at `point` in the view of `mover`, who always joins top and bottom.
fn seen_by(mover: Color, point: AnyCell) -> AnyCell {
    match mover {
        Color::Red => point,
        Color::Blue => point.transposed(),
    }
}
