//! Removes code for other features, visibilities, and commas without meaning. In one flat file all
//! items are visible without visibilities.

use crate::bindings::head_end;
use crate::fail::fail;
use crate::items::{after_bracket, after_end, angle, bracket, find, is_at};
use crate::std_names::Words;
use crate::tokens::Token;

/// The name of WebAssembly in a condition.
const WASM: &str = "\"wasm32\"";

/// The number of tokens of the visibility at the beginning.
fn visibility_length(tokens: &[Token]) -> usize {
    match is_at(tokens, 0, &["pub"]) {
        true if is_at(tokens, 1, &["("]) && is_at(tokens, 2, &["crate", "self", "super", "in"]) => {
            after_bracket(tokens, 1)
        }
        is_public => is_public as usize,
    }
}

/// The fate of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It stays.
    Kept,
    /// It is removed, with the comment before it.
    Gone,
    /// It is removed, but the comment before it belongs to the next token.
    Melted,
}

/// The tokens without visibilities, without code for features that are not in `features`, and
/// without code for WebAssembly. Other conditions, such as the processor, stay.
pub(crate) fn settle_attributes(tokens: &[Token], features: &[&str]) -> Vec<Token> {
    let fates = fates(tokens, features);
    let kept = tokens
        .iter()
        .zip(fates)
        .filter(|(_, fate)| *fate == Fate::Kept);
    kept.map(|(token, _)| token.clone()).collect()
}

/// Removes the commas before a closing brace or square bracket, which have no meaning. A comma
/// before a parenthesis can make a tuple.
pub(crate) fn drop_idle_commas(tokens: &mut Vec<Token>) {
    let ends: Vec<bool> = tokens.iter().map(|t| t.is("}") || t.is("]")).collect();
    let mut next_ends = ends.into_iter().skip(1);
    tokens.retain(|token| !(next_ends.next() == Some(true) && token.is(",")));
}

/// The fate of each token.
pub(crate) fn fates(tokens: &[Token], features: &[&str]) -> Vec<Fate> {
    let mut fates = vec![Fate::Kept; tokens.len()];
    let mut at = 0;
    while at < tokens.len() {
        let Some((open, end)) = attribute_at(tokens, at) else {
            let visibility = visibility_length(&tokens[at..]);
            fates[at..at + visibility].fill(Fate::Melted);
            at += visibility.max(1);
            continue;
        };
        let inside: Vec<&str> = tokens[open + 1..end - 1]
            .iter()
            .map(|t| t.text.as_str())
            .collect();
        let is_on = |name: &str| features.contains(&name.trim_matches('"'));
        let is_wanted = match inside.as_slice() {
            ["cfg", "(", "feature", "=", name, ")"] => Some(is_on(name)),
            ["cfg", "(", "not", "(", "feature", "=", name, ")", ")"] => Some(!is_on(name)),
            // The judge's machine is not WebAssembly.
            ["cfg", "(", "target_arch", "=", WASM, ")"] => Some(false),
            ["cfg", "(", "not", "(", "target_arch", "=", WASM, ")", ")"] => Some(true),
            ["cfg", ..] if inside.contains(&WASM) => fail(&format!(
                "{} is not supported: use only wasm32 or not(wasm32)",
                inside.concat()
            )),
            // Conditional attributes for the compiler are not needed in an upload.
            ["cfg_attr", ..] if inside.contains(&"feature") => Some(true),
            // An attribute of the whole file; the upload has its own.
            _ if tokens[at + 1].is("!") => Some(true),
            _ => None,
        };
        let next = match is_wanted {
            Some(false) => after_part(tokens, end),
            _ => end,
        };
        match is_wanted {
            Some(false) => fates[at..next].fill(Fate::Gone),
            Some(true) => fates[at..next].fill(Fate::Melted),
            None => {}
        }
        at = next;
    }
    fates
}

/// The index of the opening bracket of the attribute here, and the index after the attribute.
fn attribute_at(tokens: &[Token], at: usize) -> Option<(usize, usize)> {
    let inner = is_at(tokens, at + 1, &["!"]) as usize;
    let open = at + 1 + inner;
    let is_attribute = tokens[at].is("#") && tokens.get(open)?.is("[");
    is_attribute.then(|| (open, after_bracket(tokens, open)))
}

/// Words that begin an item whose end is a semicolon or a body.
const ITEMS: Words = Words("async const enum extern fn impl macro_rules mod struct trait unsafe");

/// The index after the item, statement, field, variant or arm of a match that begins at `at`, with
/// its attributes and its comma.
fn after_part(tokens: &[Token], mut at: usize) -> usize {
    while let Some((_, end)) = attribute_at(tokens, at) {
        at = end;
    }
    at += visibility_length(&tokens[at..]);
    let has_value = is_at(tokens, at, &["use", "static", "type", "let"])
        || is_at(tokens, at, &["const"]) && !is_at(tokens, at + 1, &["fn", "unsafe"]);
    if has_value {
        return after_end(tokens, at, &[";"]);
    }
    if tokens.get(at).is_some_and(|token| token.is_in(&ITEMS)) {
        return after_end(tokens, at, &[";", "{"]);
    }
    if is_at(tokens, at, &["if", "while", "for", "match", "loop", "{"]) {
        return after_block(tokens, at);
    }
    let end = after_comma(tokens, at);
    let is_pattern = is_at(tokens, end.saturating_sub(1), &["=>"]);
    if !is_pattern {
        end
    } else if is_at(tokens, end, &["{"]) {
        let end = after_bracket(tokens, end);
        end + is_at(tokens, end, &[","]) as usize
    } else {
        after_comma(tokens, end)
    }
}

/// The index after a statement with blocks, such as `if … {…} else {…}`.
fn after_block(tokens: &[Token], at: usize) -> usize {
    let open = if is_at(tokens, at, &["{", "loop"]) {
        find(tokens, at, &["{"])
    } else {
        head_end(tokens, at)
    };
    let end = after_bracket(tokens, open);
    if is_at(tokens, end, &["else"]) {
        after_block(tokens, end + 1)
    } else {
        end
    }
}

/// The index after the next comma, semicolon or arrow of a match, or of the bracket that closes the
/// block around `at`. Commas between angle brackets belong to a type and do not count.
fn after_comma(tokens: &[Token], mut at: usize) -> usize {
    let mut depth = 0;
    while at < tokens.len() && bracket(&tokens[at]) >= 0 {
        depth += angle(&tokens[at]);
        if is_at(tokens, at, &[";", "=>"]) || depth <= 0 && is_at(tokens, at, &[","]) {
            return at + 1;
        }
        at = match bracket(&tokens[at]) {
            1 => after_bracket(tokens, at),
            _ => at + 1,
        };
    }
    at
}
