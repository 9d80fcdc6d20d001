//! What games and judged moves of one kind add up to.

use super::judgement::JudgedMove;
use super::reviewed_game::ReviewedGame;
use hex_core::record::MoveGrade;
use serde::Serialize;

/// Games and moves of one kind.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MoveTally {
    /// Games.
    pub games: u64,
    /// Games that the player won.
    pub won: u64,
    /// Games that the player lost.
    pub lost: u64,
    /// Judged moves.
    pub moves: u64,
    /// Win probability that they have lost in all.
    pub loss: f64,
    /// Moves that lost little.
    pub doubtful: u64,
    /// Mistakes.
    pub bad: u64,
    /// Blunders.
    pub very_bad: u64,
}

impl MoveTally {
    /// Adds a game and the player's moves.
    pub fn add_game(&mut self, game: &ReviewedGame, player: usize) {
        self.games += 1;
        let winner = game.winner();
        self.won += u64::from(winner == Some(player));
        self.lost += u64::from(winner.is_some_and(|winner| winner != player));
        game.own_moves(player)
            .for_each(|judged| self.add_move(judged));
    }

    /// Adds a move, if it was judged.
    pub fn add_move(&mut self, judged: &JudgedMove) {
        if !judged.is_judged() {
            return;
        }
        self.moves += 1;
        self.loss += judged.loss;
        match judged.grade() {
            Some(MoveGrade::Doubtful) => self.doubtful += 1,
            Some(MoveGrade::Bad) => self.bad += 1,
            Some(MoveGrade::VeryBad) => self.very_bad += 1,
            _ => {}
        }
    }

    /// What a move lost on average.
    pub fn mean_loss(&self) -> f64 {
        self.loss / self.moves.max(1) as f64
    }

    /// How many games more were lost than won: what a score below a half has cost.
    pub fn cost(&self) -> i64 {
        self.lost as i64 - self.won as i64
    }

    /// The share of the decided games that the player won; `None` without any.
    pub fn score(&self) -> Option<f64> {
        let decided = self.won + self.lost;
        (decided > 0).then(|| self.won as f64 / decided as f64)
    }
}

/// A tally with its name.
#[derive(Clone, Debug, Serialize)]
pub struct NamedTally {
    /// Of what.
    pub name: String,
    /// The games and moves.
    #[serde(flatten)]
    pub tally: MoveTally,
}
