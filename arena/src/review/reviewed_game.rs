//! A game with all that a review knows of it.

use super::games::RecordedGame;
use super::judgement::JudgedMove;
use super::log::{AnalysedGame, ReviewedPosition};
use hex_core::record::Move;

/// A game, and a player of it.
pub type GameSide<'a> = (&'a ReviewedGame<'a>, usize);

/// A game with all that is known of it.
pub struct ReviewedGame<'a> {
    /// Its number in the review, from 1.
    pub number: usize,
    /// The game.
    pub recorded: &'a RecordedGame,
    /// What the search found.
    pub analysed: &'a AnalysedGame,
    /// Its moves.
    pub moves: Vec<JudgedMove>,
    /// The players that are reviewed, by the places of their names in the record.
    pub players: Vec<usize>,
}

impl ReviewedGame<'_> {
    /// The winner, by the place of the name in the record; `None` if there is none.
    pub fn winner(&self) -> Option<usize> {
        let game = &self.recorded.game;
        let outcome = game.outcome()?;
        Some(game.player_at(game.turns().len(), outcome.winner))
    }

    /// A player's name.
    pub fn name(&self, player: usize) -> &str {
        match &*self.recorded.game.players[player] {
            "" => ["Red", "Blue"][player],
            name => name,
        }
    }

    /// The place of the game's record in the review's folder.
    pub fn record(&self) -> String {
        format!("sgf/{:06}.sgf", self.number)
    }

    /// The player's probability to win at each time at which it is known, with the number of moves
    /// before.
    pub fn course(&self, player: usize) -> Vec<(usize, f64)> {
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
    pub fn swapped_by(&self) -> Option<usize> {
        let is_swap = |judged: &&JudgedMove| {
            let action = self.recorded.game.turns()[judged.ply].action;
            matches!(action, Move::SwapPieces | Move::SwapSides)
        };
        self.moves.iter().find(is_swap).map(|judged| judged.player)
    }

    /// The moves of a player.
    pub fn own_moves(&self, player: usize) -> impl Iterator<Item = &JudgedMove> {
        self.moves
            .iter()
            .filter(move |judged| judged.player == player)
    }
}
