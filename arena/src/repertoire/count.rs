//! Counts of openings and swaps, and the choices that they suggest. Pure functions of games and of
//! the engine's values.

use hex_core::record::{AnyCell, Game, Move, Side};
use hexbot::cell::Color;
use std::collections::{BTreeMap, BTreeSet};

/// The engine's evaluation weighs as much as this number of games: one lost game does not outweigh
/// it, fifty do.
pub const OPINION_GAMES: f64 = 10.0;

/// A number of games and wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// The number of games.
    pub games: u64,
    /// The number of games that the player won.
    pub won: u64,
}

impl Score {
    fn add(&mut self, won: bool) {
        self.games += 1;
        self.won += u64::from(won);
    }

    /// The expected share of wins, if the engine alone expects `opinion`.
    pub fn expected(self, opinion: f64) -> f64 {
        (self.won as f64 + OPINION_GAMES * opinion) / (self.games as f64 + OPINION_GAMES)
    }
}

/// The player's results after one opening.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpeningTally {
    /// Games in which Blue swapped.
    pub swapped: Score,
    /// Games in which Blue did not.
    pub kept: Score,
    /// The opponents.
    pub opponents: BTreeSet<String>,
}

impl OpeningTally {
    /// All games.
    pub fn all(&self) -> Score {
        Score {
            games: self.swapped.games + self.kept.games,
            won: self.swapped.won + self.kept.won,
        }
    }
}

/// All openings of a player's games.
#[derive(Clone, Debug, Default)]
pub struct Repertoire {
    /// The player's own, as Red.
    pub own: BTreeMap<AnyCell, OpeningTally>,
    /// The opponents', who were Red.
    pub theirs: BTreeMap<AnyCell, OpeningTally>,
    /// Games that count.
    pub games: u64,
    /// Games that do not count: without a first move from the empty board, without a second turn or
    /// a winner, on another board, or not the player's.
    pub left_out: u64,
}

impl Repertoire {
    /// Counts a game of `player` on a board of `side`.
    pub fn add(&mut self, game: &Game, player: &str, side: Side) {
        let counted = self.counted(game, player, side);
        self.games += u64::from(counted.is_some());
        self.left_out += u64::from(counted.is_none());
    }

    fn counted(&mut self, game: &Game, player: &str, side: Side) -> Option<()> {
        let is_own = [0, 1].map(|place: usize| game.players[place] == player);
        let place = match is_own {
            [true, false] => 0,
            [false, true] => 1,
            _ => return None,
        };
        let is_whole = game.setup().is_empty() && game.first() == Color::Red;
        let outcome = game.outcome().filter(|_| is_whole && game.side() == side)?;
        let [first, second, ..] = game.turns() else {
            return None;
        };
        let Move::Place(cell) = first.action else {
            return None;
        };
        let openings = if place == 0 {
            &mut self.own
        } else {
            &mut self.theirs
        };
        let tally = openings.entry(side.opening(cell)).or_default();
        let winner = game.player_at(game.turns().len(), outcome.winner);
        let score = match second.action {
            Move::SwapPieces | Move::SwapSides => &mut tally.swapped,
            Move::Place(_) | Move::Pass => &mut tally.kept,
        };
        score.add(winner == place);
        tally.opponents.insert(game.players[1 - place].clone());
        Some(())
    }
}

/// The expected results of both answers to an opening.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwapAdvice {
    /// The player's expected share of wins after a swap.
    pub swap: f64,
    /// The player's expected share of wins without a swap.
    pub keep: f64,
}

impl SwapAdvice {
    /// Combines the counts of an opening with `red_wins`, the engine's win probability of Red
    /// without a swap.
    pub fn new(tally: &OpeningTally, red_wins: f64) -> SwapAdvice {
        SwapAdvice {
            swap: tally.swapped.expected(red_wins),
            keep: tally.kept.expected(1.0 - red_wins),
        }
    }
}

/// How often opponents swap, by whether they should.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SwapHabits {
    /// The share of swaps after openings where Red's win probability is above a half.
    pub(crate) strong: f64,
    /// The share of swaps after the others.
    pub(crate) weak: f64,
}

impl SwapHabits {
    /// From the games in which the player opened, with the engine's values.
    pub fn of(own: &BTreeMap<AnyCell, OpeningTally>, red_wins: impl Fn(AnyCell) -> f64) -> Self {
        let share = |is_strong: bool| {
            let alike = own
                .iter()
                .filter(|(opening, _)| (red_wins(**opening) > 0.5) == is_strong);
            let (mut swaps, mut games) = (0, 0);
            for (_, tally) in alike {
                swaps += tally.swapped.games;
                games += tally.all().games;
            }
            let habit = Score { games, won: swaps };
            habit.expected(f64::from(u8::from(is_strong)))
        };
        SwapHabits {
            strong: share(true),
            weak: share(false),
        }
    }

    /// The player's expected share of wins with this opening.
    pub fn expected(self, tally: &OpeningTally, red_wins: f64) -> f64 {
        let habit = if red_wins > 0.5 {
            self.strong
        } else {
            self.weak
        };
        let swaps = Score {
            games: tally.all().games,
            won: tally.swapped.games,
        };
        let swap = swaps.expected(habit);
        let opinion = swap * (1.0 - red_wins) + (1.0 - swap) * red_wins;
        tally.all().expected(opinion)
    }
}
