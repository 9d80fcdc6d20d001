//! Takes out of the tokens what no program needs: attributes for tools and readers, code for features
//! that the bundle is built without, trailing commas, idle digits.

use super::items::{after_bracket, bracket, find};
use super::tokens::{Kind, Token};

/// Attributes that change neither what a program does nor how fast.
const IDLE_ATTRIBUTES: [&str; 10] = [
    "doc", "rustfmt", "clippy", "allow", "warn", "expect", "deny", "must_use", "deprecated",
    "macro_export",
];

/// How many tokens of a visibility these begin with: in one flat file everything sees everything.
fn visibility_length(tokens: &[Token]) -> usize {
    let is = |at: usize, words: &[&str]| {
        tokens.get(at).is_some_and(|token| words.iter().any(|word| token.is(word)))
    };
    match is(0, &["pub"]) {
        true if is(1, &["("]) && is(2, &["crate", "self", "super", "in"]) => after_bracket(tokens, 1),
        is_public => is_public as usize,
    }
}

/// The tokens without visibilities, idle attributes, and code for cargo's features, of which the bundle
/// has none. Other conditions, such as the processor's kind, stay.
pub fn settle_attributes(tokens: &[Token]) -> Vec<Token> {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let Some((open, end)) = attribute_at(tokens, at) else {
            let visibility = visibility_length(&tokens[at..]);
            kept.extend(tokens[at..].iter().take(1 - visibility.min(1)).cloned());
            at += visibility.max(1);
            continue;
        };
        let inside: Vec<&str> = tokens[open + 1..end - 1].iter().map(|t| t.text.as_str()).collect();
        match inside.as_slice() {
            ["cfg", "(", "feature", ..] => at = after_statement(tokens, end),
            ["cfg", "(", "not", "(", "feature", "=", _, ")", ")"] => at = end,
            [name, ..] if IDLE_ATTRIBUTES.contains(name) => at = end,
            _ => {
                kept.extend_from_slice(&tokens[at..end]);
                at = end;
            }
        }
    }
    kept
}

/// Where the bracket of the attribute at this place opens, and where the attribute ends.
fn attribute_at(tokens: &[Token], at: usize) -> Option<(usize, usize)> {
    let inner = tokens.get(at + 1).is_some_and(|next| next.is("!")) as usize;
    let open = at + 1 + inner;
    let is_attribute = tokens[at].is("#") && tokens.get(open)?.is("[");
    is_attribute.then(|| (open, after_bracket(tokens, open)))
}

/// The place behind the item or statement at `at`, its attributes included.
fn after_statement(tokens: &[Token], mut at: usize) -> usize {
    while let Some((_, end)) = attribute_at(tokens, at) {
        at = end;
    }
    match find(tokens, at, &[";", "{"]) {
        end if end < tokens.len() && tokens[end].is("{") => after_bracket(tokens, end),
        end => (end + 1).min(tokens.len()),
    }
}

/// The tokens without trailing commas and with every number as short as it can be.
pub fn trim(tokens: &[Token]) -> Vec<Token> {
    let mut kept: Vec<Token> = Vec::with_capacity(tokens.len());
    // For each open bracket: may its trailing comma go, and has it another one?
    let mut brackets: Vec<(bool, bool)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match bracket(token) {
            1 => brackets.push((may_end_without_comma(&kept, token), false)),
            -1 => {
                let (may_go, _) = brackets.pop().unwrap_or_default();
                if may_go && kept.last().is_some_and(|last| last.is(",")) {
                    kept.pop();
                }
            }
            _ => {}
        }
        if let (Some(open), true) = (brackets.last_mut(), token.is(",")) {
            // (a, b,) is no different from (a, b), but (a,) is from (a).
            *open = (open.0 || open.1, true);
        }
        let mut token = token.clone();
        let is_index = at > 0 && tokens[at - 1].is(".");
        if token.kind == Kind::Number && !is_index {
            token.text = short_number(&token.text, tokens.get(at + 1));
        }
        kept.push(token);
    }
    kept
}

/// Is a lone comma before the closing bracket of no meaning?
fn may_end_without_comma(before: &[Token], open: &Token) -> bool {
    // After a name it is a call's; a keyword leads to an expression, a macro may count commas.
    let is_call = before.last().is_some_and(|last| {
        last.kind == Kind::Word && !["in", "return", "match", "if", "else"].iter().any(|w| last.is(w))
    });
    !open.is("(") || is_call
}

/// The number without underscores, and without the 0 of `1.0` where nothing joins the point.
fn short_number(text: &str, next: Option<&Token>) -> String {
    let plain: String = text.chars().filter(|c| *c != '_').collect();
    let joins = next.is_some_and(|next| next.kind == Kind::Word || next.text.starts_with('.'));
    match plain.strip_suffix(".0") {
        Some(whole) if !joins => format!("{whole}."),
        _ => plain,
    }
}
