//! A game with all that a review knows of it, and what several such games add up to.

use super::games::RecordedGame;
use super::judgement::JudgedMove;
use super::log::{AnalysedGame, ReviewedPosition};
use hex_core::record::{Move, MoveGrade};
use serde::Serialize;

/// A game, and a player of it.
pub(crate) type GameSide<'a> = (&'a ReviewedGame<'a>, usize);

/// A game with all that is known of it.
pub(crate) struct ReviewedGame<'a> {
    /// Its number in the review, from 1.
    pub(crate) number: usize,
    /// The game.
    pub(crate) recorded: &'a RecordedGame,
    /// What the search found.
    pub(crate) analysed: &'a AnalysedGame,
    /// Its moves.
    pub(crate) moves: Vec<JudgedMove>,
    /// The players that are reviewed, by the places of their names in the record.
    pub(crate) players: Vec<usize>,
}

impl ReviewedGame<'_> {
    /// The winner, by the place of the name in the record; `None` if there is none.
    pub(crate) fn winner(&self) -> Option<usize> {
        let game = &self.recorded.game;
        let outcome = game.outcome()?;
        Some(game.player_at(game.turns().len(), outcome.winner))
    }

    /// A player's name.
    pub(crate) fn name(&self, player: usize) -> &str {
        match &*self.recorded.game.players[player] {
            "" => ["Red", "Blue"][player],
            name => name,
        }
    }

    /// The place of the game's record in the review's folder.
    pub(crate) fn record(&self) -> String {
        format!("sgf/{:06}.sgf", self.number)
    }

    /// The player's probability to win at each time at which it is known, with the number of moves
    /// before.
    pub(crate) fn course(&self, player: usize) -> Vec<(usize, f64)> {
        let game = &self.recorded.game;
        let positions = self.analysed.positions.iter().enumerate();
        let known = positions.filter_map(|(ply, position)| Some((ply, position.as_ref()?)));
        let value = |(ply, position): (usize, &ReviewedPosition)| {
            let turn = game.turns().get(ply);
            let mover = turn.map_or(game.to_move(), |turn| turn.color);
            let is_own = game.player_at(ply, mover) == player;
            let value = if is_own {
                position.value
            } else {
                1.0 - position.value
            };
            (ply, value)
        };
        known.map(value).collect()
    }

    /// The player that swapped, if anybody did.
    pub(crate) fn swapped_by(&self) -> Option<usize> {
        let is_swap = |judged: &&JudgedMove| {
            let action = self.recorded.game.turns()[judged.ply].action;
            matches!(action, Move::SwapPieces | Move::SwapSides)
        };
        self.moves.iter().find(is_swap).map(|judged| judged.player)
    }

    /// The moves of the reviewed players that got a grade.
    pub(crate) fn mistakes(&self) -> impl Iterator<Item = (&JudgedMove, MoveGrade)> {
        let is_reviewed = |judged: &&JudgedMove| self.players.contains(&judged.player);
        let reviewed = self.moves.iter().filter(is_reviewed);
        reviewed.filter_map(|judged| Some((judged, judged.grade()?)))
    }

    /// The moves of a player.
    pub(crate) fn own_moves(&self, player: usize) -> impl Iterator<Item = &JudgedMove> {
        self.moves
            .iter()
            .filter(move |judged| judged.player == player)
    }
}

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
    pub(crate) fn add_game(&mut self, game: &ReviewedGame, player: usize) {
        self.games += 1;
        let winner = game.winner();
        self.won += u64::from(winner == Some(player));
        self.lost += u64::from(winner.is_some_and(|winner| winner != player));
        game.own_moves(player)
            .for_each(|judged| self.add_move(judged));
    }

    /// Adds a move, if it was judged.
    pub(crate) fn add_move(&mut self, judged: &JudgedMove) {
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
    pub(crate) fn mean_loss(&self) -> f64 {
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
