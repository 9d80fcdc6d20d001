//! Takes out of the tokens what no program needs: attributes for tools and readers, code for features
//! that the bundle is built without, trailing commas, idle digits.

use super::items::{after_bracket, bracket, find};
use super::std_names::KEYWORDS;
use super::tokens::{Kind, Token};

/// Attributes that change neither what a program does nor how fast.
const IDLE_ATTRIBUTES: [&str; 10] = [
    "doc",
    "rustfmt",
    "clippy",
    "allow",
    "warn",
    "expect",
    "deny",
    "must_use",
    "deprecated",
    "macro_export",
];

/// How many tokens of a visibility these begin with: in one flat file everything sees everything.
fn visibility_length(tokens: &[Token]) -> usize {
    let is = |at: usize, words: &[&str]| {
        tokens
            .get(at)
            .is_some_and(|token| words.iter().any(|word| token.is(word)))
    };
    match is(0, &["pub"]) {
        true if is(1, &["("]) && is(2, &["crate", "self", "super", "in"]) => {
            after_bracket(tokens, 1)
        }
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
        let inside: Vec<&str> = tokens[open + 1..end - 1]
            .iter()
            .map(|t| t.text.as_str())
            .collect();
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
    let mut brackets: Vec<LastComma> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match bracket(token) {
            1 => {
                let inherited = brackets.last().filter(|outer| **outer == LastComma::Meant);
                brackets.push(
                    inherited
                        .copied()
                        .unwrap_or_else(|| last_comma(&kept, token)),
                );
            }
            -1 => {
                let is_idle = brackets.pop() == Some(LastComma::Idle);
                if is_idle && kept.last().is_some_and(|last| last.is(",")) {
                    kept.pop();
                }
            }
            _ => {}
        }
        if let (Some(comma), true) = (brackets.last_mut(), token.is(",")) {
            *comma = match *comma {
                LastComma::OfTuple => LastComma::OfLongerTuple,
                LastComma::OfLongerTuple => LastComma::Idle,
                other => other,
            };
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

/// What a comma before a closing bracket means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LastComma {
    /// Nothing.
    Idle,
    /// It makes a tuple, should it be the first: `(a,)` is not `(a)`.
    OfTuple,
    /// Nothing, should it be the second.
    OfLongerTuple,
    /// A macro may count it.
    Meant,
}

/// Macros of std, in which a last comma means nothing.
const STD_MACROS: [&str; 16] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "eprint",
    "eprintln",
    "format",
    "matches",
    "panic",
    "print",
    "println",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// What a comma means before the bracket that closes the one which opens behind these tokens.
fn last_comma(before: &[Token], open: &Token) -> LastComma {
    let back = |count: usize| before.len().checked_sub(count).map(|at| &before[at]);
    let is = |count, text| back(count).is_some_and(|token| token.is(text));
    let name = |count: usize| {
        let token = back(count).filter(|token| token.kind == Kind::Word);
        token.filter(|token| !KEYWORDS.contains(&token.text))
    };
    let called = name(2).filter(|_| is(1, "!"));
    let is_own_macro = called.is_some_and(|name| !STD_MACROS.contains(&name.text.as_str()));
    if is_own_macro || is(2, "!") && is(3, "macro_rules") {
        return LastComma::Meant;
    }
    // After a name it is a call's; a keyword leads to a tuple.
    let is_call = called.is_some() || name(1).is_some();
    match open.is("(") && !is_call {
        true => LastComma::OfTuple,
        false => LastComma::Idle,
    }
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
