//! The names that a run of tokens binds: parameters, and the variables of `let`, `for`, `match` and
//! closures.

use crate::items::{after_bracket, after_generics, angle, bracket, find, is_at};
use crate::std_names::KEYWORDS;
use crate::tokens::{Kind, Token};
use std::collections::BTreeSet;

/// All names bound anywhere in the tokens.
pub(crate) fn bindings(tokens: &[Token]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut end_of_parameters = None;
    for (at, token) in tokens.iter().enumerate() {
        match token.text.as_str() {
            _ if token.kind == Kind::Literal => {}
            "let" => add(&tokens[at..find(tokens, at, &[":", "=", ";"])], &mut names),
            "for" => {
                let end = find(tokens, at, &["in", "{", ";"]);
                if end < tokens.len() && tokens[end].is("in") {
                    add(&tokens[at..end], &mut names);
                }
            }
            "match" => add_arms(tokens, head_end(tokens, at), &mut names),
            "matches" => add_tested(tokens, at, &mut names),
            "fn" => add_parameters_of_function(tokens, at, &mut names),
            "|" if end_of_parameters != Some(at) && begins_closure(tokens, at) => {
                let length = add_parameters(&tokens[at + 1..], "|", &mut names);
                end_of_parameters = Some(at + 1 + length);
            }
            _ => {}
        }
    }
    names
}

/// Adds the names that a pattern binds.
fn add(pattern: &[Token], names: &mut BTreeSet<String>) {
    for (at, token) in pattern.iter().enumerate() {
        let is_variable = token
            .text
            .trim_start_matches('_')
            .starts_with(char::is_lowercase)
            && token.kind == Kind::Word
            && !KEYWORDS.contains(&token.text);
        let is_after = |texts: &[&str]| at > 0 && pattern[at - 1].is_any(texts);
        if is_variable
            && !is_after(&["::", ".", "$"])
            && !is_at(pattern, at + 1, &["::", "(", "{", "!", ":"])
        {
            names.insert(token.text.clone());
        }
    }
}

/// Adds the names that the patterns of a match bind. Its braces open at `open`.
fn add_arms(tokens: &[Token], open: usize, names: &mut BTreeSet<String>) {
    if open >= tokens.len() {
        return;
    }
    let end = after_bracket(tokens, open) - 1;
    let arms = &tokens[..end];
    let mut at = open + 1;
    while at < end {
        let arrow = find(arms, at, &["=>"]);
        add(&arms[at..find(&arms[..arrow], at, &["if"])], names);
        at = match arms.get(arrow + 1) {
            Some(next) if next.is("{") => {
                let after = after_bracket(arms, arrow + 1);
                after + arms.get(after).is_some_and(|next| next.is(",")) as usize
            }
            _ => find(arms, arrow, &[","]) + 1,
        };
    }
}

/// Adds the names that the pattern of a `matches!` binds.
fn add_tested(tokens: &[Token], at: usize, names: &mut BTreeSet<String>) {
    if !is_at(tokens, at + 1, &["!"]) {
        return;
    }
    let end = after_bracket(tokens, at + 2) - 1;
    let pattern = find(&tokens[..end], at + 3, &[","]);
    add(
        &tokens[pattern..find(&tokens[..end], pattern, &["if"])],
        names,
    );
}

fn add_parameters_of_function(tokens: &[Token], at: usize, names: &mut BTreeSet<String>) {
    let open = after_generics(tokens, at + 2);
    if is_at(tokens, open, &["("]) {
        add_parameters(&tokens[open + 1..], ")", names);
    }
}

/// Adds the names that parameters bind: each is a pattern before a type. Returns the index of the
/// token that ends them.
fn add_parameters(tokens: &[Token], end: &str, names: &mut BTreeSet<String>) -> usize {
    let mut at = 0;
    loop {
        let pattern_end = find(tokens, at, &[":", ",", end, ")", "]", "}"]);
        add(&tokens[at..pattern_end], names);
        at = pattern_end;
        let mut depth = 0;
        // Skips the type. Commas in angle brackets do not end it.
        while at < tokens.len() && (depth > 0 || !tokens[at].is(",") && !tokens[at].is(end)) {
            depth += angle(&tokens[at]);
            at = match bracket(&tokens[at]) {
                1 => after_bracket(tokens, at),
                _ => at + 1,
            };
        }
        if at >= tokens.len() || tokens[at].is(end) {
            return at;
        }
        at += 1;
    }
}

/// Returns true if the `|` at `at` begins a closure: it does where an expression begins. After an
/// operand it is an operator.
fn begins_closure(tokens: &[Token], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| &tokens[before]) else {
        return false;
    };
    match before.kind {
        Kind::Word => KEYWORDS.contains(&before.text) && !before.is("self") && !before.is("_"),
        Kind::Sign => !before.is_any(&[")", "]", "}", "|", "?", ".."]),
        _ => false,
    }
}

/// The index of the block of an `if`, `while`, `match` or `for`. The end if there is none, as after
/// the `for` of an impl or an `if` in a match.
pub(crate) fn head_end(tokens: &[Token], at: usize) -> usize {
    let mut next = at + 1;
    if tokens[at].is("for") {
        next = find(tokens, next, &["in", ";"]);
    }
    loop {
        // A pattern may contain braces; an expression here has braces only inside brackets.
        match find(tokens, next, &["let", "{", "=>", ";"]) {
            end if end < tokens.len() && tokens[end].is("let") => {
                next = find(tokens, end, &["="]);
            }
            end if end < tokens.len() && tokens[end].is("{") => return end,
            _ => return tokens.len(),
        }
    }
}
