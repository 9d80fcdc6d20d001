//! Splits a file's tokens into items: functions, types, impls and so on. The body of a function
//! stays a run of tokens.

use crate::fail::fail;
use crate::std_names::Words;
use crate::tokens::{Kind, Token};

/// An item of a file, or a member of an impl or a trait.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// Its attributes `#[…]`.
    pub(crate) attributes: Vec<Vec<Token>>,
    /// The keyword of its kind: `fn`, `struct`, `use`, `macro_rules` …
    pub(crate) keyword: String,
    /// The name it declares; empty for an impl or a use.
    pub(crate) name: String,
    /// Its tokens; without the body where there are `members`.
    pub(crate) tokens: Vec<Token>,
    /// The items in the braces of an impl or a trait.
    pub(crate) members: Option<Vec<Item>>,
}

/// The keywords of items. Qualifiers such as `unsafe` are not included.
const ITEM_KEYWORDS: Words =
    Words("fn struct enum union trait impl const static type use mod macro_rules extern");

impl Item {
    /// All its tokens in order.
    pub(crate) fn all_tokens(&self) -> Vec<Token> {
        let mut all: Vec<Token> = self.attributes.concat();
        all.extend_from_slice(&self.tokens);
        if let Some(members) = &self.members {
            all.push(sign("{"));
            members
                .iter()
                .for_each(|item| all.extend(item.all_tokens()));
            all.push(sign("}"));
        }
        all
    }

    /// The words of the trait in an impl's head, which may be empty, and the words of the type.
    pub(crate) fn impl_parts(&self) -> (Vec<&str>, Vec<&str>) {
        let keyword = find(&self.tokens, 0, &["impl"]);
        let start = after_generics(&self.tokens, keyword + 1);
        let mut words = (Vec::new(), Vec::new());
        let mut depth = 0;
        for at in start..self.tokens.len() {
            let token = &self.tokens[at];
            depth += angle(token);
            match token.text.as_str() {
                "where" => break,
                "for" if !self.tokens[at + 1].is("<") => {
                    words.0 = std::mem::take(&mut words.1);
                }
                // The generic arguments of a trait are not part of its name.
                text if token.kind == Kind::Word && (depth == 0 || !words.0.is_empty()) => {
                    words.1.push(text)
                }
                _ => {}
            }
        }
        words
    }

    /// The last word of an impl's trait; `None` without a trait and for other items.
    pub(crate) fn impl_trait(&self) -> Option<String> {
        let is_impl = self.keyword == "impl";
        let of_trait = if is_impl {
            self.impl_parts().0
        } else {
            Vec::new()
        };
        of_trait.last().map(|name| (*name).to_owned())
    }
}

/// A sign as a token.
pub(crate) fn sign(text: &str) -> Token {
    Token {
        kind: Kind::Sign,
        text: text.to_owned(),
    }
}

/// A word as a token.
pub(crate) fn word(text: &str) -> Token {
    Token {
        kind: Kind::Word,
        text: text.to_owned(),
    }
}

/// The change of the depth of angle brackets at a token.
pub(crate) fn angle(token: &Token) -> isize {
    match token.text.as_str() {
        _ if token.kind != Kind::Sign => 0,
        "<" => 1,
        ">" => -1,
        ">>" => -2,
        _ => 0,
    }
}

/// The change of the depth of round, square and curly brackets at a token.
pub(crate) fn bracket(token: &Token) -> isize {
    match token.text.as_str() {
        _ if token.kind != Kind::Sign => 0,
        "(" | "[" | "{" => 1,
        ")" | "]" | "}" => -1,
        _ => 0,
    }
}

/// The index after the bracket that closes the one at `open`.
pub(crate) fn after_bracket(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        depth += bracket(token);
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The index after the generic parameters that begin at `at`; `at` if there are none.
pub(crate) fn after_generics(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0;
    for (next, token) in tokens.iter().enumerate().skip(at) {
        depth += angle(token);
        if depth == 0 {
            return if next == at { at } else { next + 1 };
        }
    }
    tokens.len()
}

/// Returns true if the token at `at` is one of these words or signs.
pub(crate) fn is_at(tokens: &[Token], at: usize, words: &[&str]) -> bool {
    tokens.get(at).is_some_and(|token| token.is_any(words))
}

/// Returns true if the tokens from `at` on begin with these words and signs.
pub(crate) fn starts(tokens: &[Token], at: usize, words: &[&str]) -> bool {
    let next = tokens.get(at..at + words.len());
    next.is_some_and(|next| next.iter().zip(words).all(|(token, word)| token.is(word)))
}

/// The index of the first of the `wanted` signs or keywords from `at` on, outside of brackets
/// opened since. The number of tokens if there is none.
pub(crate) fn find(tokens: &[Token], mut at: usize, wanted: &[&str]) -> usize {
    while at < tokens.len() {
        if tokens[at].is_any(wanted) {
            return at;
        }
        at = match bracket(&tokens[at]) {
            1 => after_bracket(tokens, at),
            0 => at + 1,
            _ => return tokens.len(),
        };
    }
    tokens.len()
}

/// Splits tokens without visibilities into items.
pub(crate) fn items(tokens: &[Token]) -> Vec<Item> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let mut attributes = Vec::new();
        while tokens[at].is("#") {
            let end = after_bracket(tokens, at + 1);
            attributes.push(tokens[at..end].to_vec());
            at = end;
        }
        let end = item_end(tokens, at);
        found.push(item(attributes, &tokens[at..end]));
        at = end;
    }
    found
}

/// The index after the item that begins at `at`, with its body or its semicolon.
fn item_end(tokens: &[Token], at: usize) -> usize {
    let keyword = keyword_at(tokens, at);
    let has_value = tokens[keyword].is_any(&["const", "static", "type", "use"]);
    let ends: &[&str] = if has_value { &[";"] } else { &[";", "{"] };
    after_end(tokens, at, ends)
}

/// The index after the first of the `ends` from `at` on: a semicolon, or the brace of a body.
pub(crate) fn after_end(tokens: &[Token], at: usize, ends: &[&str]) -> usize {
    let end = find(tokens, at, ends);
    match tokens.get(end) {
        Some(token) if token.is("{") => after_bracket(tokens, end),
        _ => (end + 1).min(tokens.len()),
    }
}

/// The index of the keyword of the item at `at`. `const fn` is a function.
fn keyword_at(tokens: &[Token], at: usize) -> usize {
    let is_qualifier = |at: usize| {
        let next = tokens.get(at + 1).map_or("", |next| &next.text);
        tokens[at].is("const") && ["fn", "unsafe", "extern"].contains(&next)
            || tokens[at].is("extern") && next != "crate"
    };
    let found =
        (at..tokens.len()).find(|&at| tokens[at].is_in(&ITEM_KEYWORDS) && !is_qualifier(at));
    found.unwrap_or_else(|| fail(&format!("no item begins at {:?}", tokens[at].text)))
}

fn item(attributes: Vec<Vec<Token>>, tokens: &[Token]) -> Item {
    let keyword = keyword_at(tokens, 0);
    let name = match tokens[keyword].text.as_str() {
        "impl" | "use" => "",
        "macro_rules" => &tokens[keyword + 2].text,
        "static" if tokens[keyword + 1].is("mut") => &tokens[keyword + 2].text,
        _ => &tokens[keyword + 1].text,
    };
    let mut item = Item {
        attributes,
        keyword: tokens[keyword].text.clone(),
        name: name.to_owned(),
        tokens: tokens.to_vec(),
        members: None,
    };
    if ["impl", "trait"].contains(&item.keyword.as_str()) {
        let body = find(tokens, 0, &["{"]);
        item.members = Some(items(&tokens[body + 1..tokens.len() - 1]));
        item.tokens.truncate(body);
    }
    item
}

/// The parts between the separators outside of brackets. An empty last part is omitted.
pub(crate) fn split<'a>(tokens: &'a [Token], separator: &str) -> Vec<&'a [Token]> {
    let mut parts = Vec::new();
    let mut rest = tokens;
    while !rest.is_empty() {
        let end = find(rest, 0, &[separator]);
        parts.push(&rest[..end]);
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    parts
}
