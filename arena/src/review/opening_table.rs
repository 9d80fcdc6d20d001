//! The games of a review by their openings: the first stone and whether it was swapped, then the
//! reply. A cell and the cell half a turn round the board are the same opening.

use super::reviewed_game::{GameSide, MoveTally, NamedTally};
use hex_core::record::{AnyCell, Game, Move};
use serde::Serialize;
use std::collections::BTreeMap;

/// The games with one first stone, swapped or not, of a player who began as Red or as Blue.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct OpeningRow {
    /// The stone, whether it was swapped, and who is reviewed.
    pub(crate) name: String,
    /// All of its games.
    #[serde(flatten)]
    pub(crate) tally: MoveTally,
    /// The same by the next stone, those that cost most games first.
    pub(crate) replies: Vec<NamedTally>,
}

impl OpeningRow {
    /// The row, and one for each reply that several games have, up to this number.
    pub(crate) fn lines(&self, replies: usize) -> impl Iterator<Item = NamedTally> + '_ {
        let own = NamedTally {
            name: self.name.clone(),
            tally: self.tally.clone(),
        };
        let several = self.replies.iter().filter(|reply| reply.tally.games > 1);
        let replies = several.take(replies).map(|reply| NamedTally {
            name: format!("  then {}", reply.name),
            tally: reply.tally.clone(),
        });
        [own].into_iter().chain(replies)
    }
}

/// How a game begins.
struct Beginning {
    opening: String,
    reply: Option<AnyCell>,
}

impl Beginning {
    fn of(game: &Game) -> Beginning {
        let named = |opening: &str, reply| Beginning {
            opening: opening.to_owned(),
            reply,
        };
        if !game.setup().is_empty() {
            return named("from a position", None);
        }
        let actions = || game.turns().iter().map(|turn| turn.action);
        let mut stones = actions().filter_map(|action| match action {
            Move::Place(cell) => Some(cell),
            _ => None,
        });
        let Some(first) = stones.next() else {
            return named("without a stone", None);
        };
        let turned = game.side().rotated(first);
        let reply = stones.next().map(|reply| {
            let turned_reply = game.side().rotated(reply);
            match first.cmp(&turned) {
                std::cmp::Ordering::Less => reply,
                std::cmp::Ordering::Equal => reply.min(turned_reply),
                std::cmp::Ordering::Greater => turned_reply,
            }
        });
        let is_swap = |action| matches!(action, Move::SwapPieces | Move::SwapSides);
        let swapped = match actions().any(is_swap) {
            true => "swapped",
            false => "not swapped",
        };
        named(&format!("{} {swapped}", first.min(turned)), reply)
    }
}

/// The games by opening, those that cost most games first.
pub(crate) fn of<'a>(sides: impl Iterator<Item = GameSide<'a>>) -> Vec<OpeningRow> {
    let mut groups: BTreeMap<String, Vec<(Option<AnyCell>, GameSide)>> = BTreeMap::new();
    for side @ (game, player) in sides {
        let Beginning { opening, reply } = Beginning::of(&game.recorded.game);
        let name = format!("{opening}, as {}", ["Red", "Blue"][player]);
        groups.entry(name).or_default().push((reply, side));
    }
    let rows = groups.into_iter().map(|(name, games)| OpeningRow {
        name,
        tally: tally(games.iter().map(|(_, side)| *side)),
        replies: replies(&games),
    });
    let mut rows: Vec<OpeningRow> = rows.collect();
    rows.sort_by(|a, b| dearer(&a.tally, &b.tally));
    rows
}

fn replies(games: &[(Option<AnyCell>, GameSide)]) -> Vec<NamedTally> {
    let mut groups: BTreeMap<AnyCell, Vec<GameSide>> = BTreeMap::new();
    for (reply, side) in games {
        if let Some(cell) = reply {
            groups.entry(*cell).or_default().push(*side);
        }
    }
    let rows = groups.into_iter().map(|(cell, sides)| NamedTally {
        name: cell.to_string(),
        tally: tally(sides.into_iter()),
    });
    let mut rows: Vec<NamedTally> = rows.collect();
    rows.sort_by(|a, b| dearer(&a.tally, &b.tally));
    rows
}

fn tally<'a>(sides: impl Iterator<Item = GameSide<'a>>) -> MoveTally {
    let mut tally = MoveTally::default();
    sides.for_each(|(game, player)| tally.add_game(game, player));
    tally
}

/// The order of what cost more games, then of what lost more win probability.
fn dearer(a: &MoveTally, b: &MoveTally) -> std::cmp::Ordering {
    let by_games = b.cost().cmp(&a.cost());
    by_games.then(b.loss.total_cmp(&a.loss))
}
