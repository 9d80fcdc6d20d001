//! The whole program without modules. Every pass from `join` on works on it.

use crate::items::Item;
use crate::tokens::Token;
use std::collections::BTreeMap;

/// New names by old names.
pub(crate) type Renames = BTreeMap<String, String>;

/// Imports from std: the path of each name in the items.
pub(crate) type Imports = BTreeMap<String, Vec<String>>;

/// The whole program without modules.
pub(crate) struct Program {
    /// All items except imports.
    pub(crate) items: Vec<Item>,
    /// The imports from std.
    pub(crate) imports: Imports,
}

impl Program {
    /// All tokens of all items in order.
    pub(crate) fn all_tokens(&self) -> Vec<Token> {
        self.items.iter().flat_map(Item::all_tokens).collect()
    }
}
