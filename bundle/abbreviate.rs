//! Gives what stands before many items, such as `#[inline(always)]`, a name: a macro that puts it there.

use super::items::Item;
use super::tokens::Token;

/// The items' tokens.
pub fn abbreviate(items: Vec<Item>) -> Vec<Token> {
    items.iter().flat_map(|item| item.all_tokens()).collect()
}
