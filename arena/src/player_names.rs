//! The names of players in records, as `--player` takes them.

use hex_core::record::Game;
use std::collections::BTreeSet;

/// The most names that an error lists.
const LISTED: usize = 20;

/// All names in these games.
pub(crate) fn of<'a>(games: impl Iterator<Item = &'a Game>) -> BTreeSet<&'a str> {
    let names = games.flat_map(|game| &game.players).map(String::as_str);
    names.filter(|name| !name.is_empty()).collect()
}

/// The first names, for an error.
pub(crate) fn listed(names: &BTreeSet<&str>) -> String {
    let listed = names.iter().take(LISTED).map(|name| format!("{name:?}"));
    listed.collect::<Vec<String>>().join(", ")
}
