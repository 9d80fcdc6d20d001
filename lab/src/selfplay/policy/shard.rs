//! Shards of whole games: columns of numbers, little endian, one byte a move. train/shards.md has
//! the table.

use super::game::PolicyGame;
use hexbot::cell::Color;

/// The first bytes of every shard of games.
const MAGIC: &[u8; 8] = b"HEXGAMES";
/// The version of the format.
const VERSION: u32 = 2;
/// The bits of a game's flags.
const BLUE_WON: u8 = 1;
const RESIGNED: u8 = 2;
const MISJUDGED: u8 = 4;
/// The scale of probabilities in 16 bits.
const SCALE_16: f32 = 65535.0;
/// The scale of probabilities and shares in 8 bits.
const SCALE_8: f32 = 255.0;

/// A shard that is filled with games.
#[derive(Default)]
pub(crate) struct PolicyShard {
    seed: u64,
    // One number a game.
    lengths: Vec<u8>,
    flags: Vec<u8>,
    cool_from: Vec<u8>,
    // One number a move.
    moves: Vec<u8>,
    red_wins: Vec<u8>,
    // One number a search.
    game_of_search: Vec<u32>,
    ply: Vec<u8>,
    value: Vec<u16>,
    visits: Vec<u16>,
    variations: Vec<u8>,
    candidates: Vec<u8>,
    // One number a move of a variation.
    variation: Vec<u8>,
    // One number a move of a search.
    candidate: Vec<u8>,
    share: Vec<u8>,
}

impl PolicyShard {
    /// The file name of a shard.
    pub(crate) fn name(number: u64) -> String {
        format!("{number:08}.games")
    }

    /// A shard without games yet.
    pub(crate) fn new(seed: u64) -> Self {
        PolicyShard {
            seed,
            ..PolicyShard::default()
        }
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, game: &PolicyGame) {
        for search in &game.searches {
            let total: u32 = search.visits.iter().map(|(_, visits)| visits).sum();
            let share = |visits: u32| (visits as f32 / total as f32 * SCALE_8).round() as u8;
            let counted = search
                .visits
                .iter()
                .filter(|(_, visits)| share(*visits) > 0);
            let before = self.candidate.len();
            for &(cell, visits) in counted {
                self.candidate.push(cell.index() as u8);
                self.share.push(share(visits));
            }
            self.candidates.push((self.candidate.len() - before) as u8);
            self.variations.push(search.variation.len() as u8);
            self.variation
                .extend(search.variation.iter().map(|cell| cell.index() as u8));
            self.game_of_search.push(self.lengths.len() as u32);
            self.ply.push(search.ply);
            self.value.push((search.value * SCALE_16).round() as u16);
            self.visits.push(total.min(u32::from(u16::MAX)) as u16);
        }
        self.lengths.push(game.moves.len() as u8);
        self.cool_from.push(game.cool_from);
        self.flags.push(
            (BLUE_WON * u8::from(game.winner == Color::Blue))
                | (RESIGNED * u8::from(game.is_resigned))
                | (MISJUDGED * u8::from(game.is_misjudged)),
        );
        self.moves
            .extend(game.moves.iter().map(|cell| cell.index() as u8));
        self.red_wins.extend(
            game.red_wins
                .iter()
                .map(|wins| (wins * SCALE_8).round() as u8),
        );
    }

    /// The number of games.
    fn games(&self) -> usize {
        self.lengths.len()
    }

    /// The number of moves of all games.
    pub(crate) fn plies(&self) -> usize {
        self.moves.len()
    }

    /// The number of searched positions.
    pub(crate) fn searches(&self) -> usize {
        self.ply.len()
    }

    /// The bytes of the shard's file.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let counts = [
            self.games(),
            self.plies(),
            self.searches(),
            self.variation.len(),
            self.candidate.len(),
        ];
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(11u32.to_le_bytes());
        counts
            .iter()
            .for_each(|&count| bytes.extend((count as u32).to_le_bytes()));
        bytes.extend(self.seed.to_le_bytes());
        self.game_of_search
            .iter()
            .for_each(|game| bytes.extend(game.to_le_bytes()));
        self.value
            .iter()
            .for_each(|value| bytes.extend(value.to_le_bytes()));
        self.visits
            .iter()
            .for_each(|visits| bytes.extend(visits.to_le_bytes()));
        for column in [
            &self.lengths,
            &self.flags,
            &self.cool_from,
            &self.moves,
            &self.red_wins,
            &self.ply,
            &self.variations,
            &self.candidates,
            &self.variation,
            &self.candidate,
            &self.share,
        ] {
            bytes.extend(column);
        }
        bytes
    }
}
