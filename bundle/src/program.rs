//! The whole program without modules: what every pass from `join` on works on.

use crate::items::Item;
use crate::tokens::Token;
use std::collections::BTreeMap;

/// New names by old names.
pub type Renames = BTreeMap<String, String>;

/// What is imported from std: the name used in the items, and its path.
pub type Imports = BTreeMap<String, Vec<String>>;

/// The whole program without modules.
pub struct Program {
    /// All items but imports.
    pub items: Vec<Item>,
    /// What is imported from std.
    pub imports: Imports,
}

impl Program {
    /// All tokens of all items in order.
    pub fn all_tokens(&self) -> Vec<Token> {
        self.items.iter().flat_map(Item::all_tokens).collect()
    }
}
