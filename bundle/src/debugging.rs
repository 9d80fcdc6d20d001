//! Removes code that only helps to find mistakes: `Debug`, which no code prints, debug assertions,
//! which release builds omit, and attributes for other tools.

use crate::items::{after_bracket, starts, Item};
use crate::tokens::Token;

/// Attributes that only clippy and rustfmt read.
const OF_TOOLS: [&str; 2] = ["allow", "rustfmt"];

/// Removes `Debug` from derives, assertions that only debug builds check, and attributes for other
/// tools.
pub(crate) fn drop_debugging(tokens: &[Token]) -> Vec<Token> {
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if is_debug_assertion(tokens, at) {
            // The semicolon is removed, too.
            at = after_bracket(tokens, at + 2) + 1;
        } else if OF_TOOLS
            .iter()
            .any(|tool| starts(tokens, at, &["#", "[", tool]))
        {
            at = after_bracket(tokens, at + 1);
        } else if starts(tokens, at, &["#", "[", "derive", "("]) {
            let end = after_bracket(tokens, at + 1);
            kept.extend(derive_without_debug(&tokens[at..end]));
            at = end;
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// Returns true if an item implements `Debug`.
pub(crate) fn is_debug(item: &Item) -> bool {
    item.keyword == "impl" && item.impl_parts().0.last() == Some(&"Debug")
}

fn is_debug_assertion(tokens: &[Token], at: usize) -> bool {
    let names = ["debug_assert", "debug_assert_eq", "debug_assert_ne"];
    names
        .iter()
        .any(|name| starts(tokens, at, &[name, "!", "("]))
}

/// The attribute without `Debug` and its comma; empty if it derives nothing else.
fn derive_without_debug(attribute: &[Token]) -> Vec<Token> {
    let mut kept = attribute.to_vec();
    if let Some(at) = kept.iter().position(|token| token.is("Debug")) {
        let is_last = starts(&kept, at + 1, &[")"]);
        let first = if is_last && starts(&kept, at - 1, &[","]) {
            at - 1
        } else {
            at
        };
        let is_followed = starts(&kept, at + 1, &[","]);
        kept.drain(first..at + 1 + usize::from(is_followed));
    }
    let is_empty = starts(&kept, 3, &["(", ")"]);
    if is_empty {
        kept.clear();
    }
    kept
}
