//! Replaces frequent beginnings of items by macros. With
//! `macro_rules!x{($($t:tt)*)=>{#[inline(always)]fn$($t)*}}`, `x!{f(){}}` is a function, and each
//! use costs only a few bytes.

use crate::items::{bracket, find, sign, word, Item};
use crate::short_names::{Alphabet, ShortNames};
use crate::tokens::{tokens, write, Token};
use std::collections::{BTreeMap, BTreeSet};

/// The bytes of a use of an abbreviation: its name and `!{}`.
const USE_BYTES: usize = 4;

/// The bytes of an abbreviation's definition without the abbreviated tokens.
const DEFINITION_BYTES: usize = "macro_rules!x{($($t:tt)*)=>{$($t)*}}".len();

/// The longest beginning that is tried, in tokens.
const MAX_LENGTH: usize = 40;

/// The abbreviated tokens, by the names of the abbreviations.
type Abbreviations = BTreeMap<Vec<String>, String>;

/// The definitions of abbreviations, then the items' tokens with abbreviations. Adds the
/// abbreviations to the map of names.
pub(crate) fn abbreviate(items: Vec<Item>, map: &mut String) -> Vec<Token> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for item in &items {
        taken.extend(
            item.attributes
                .iter()
                .flatten()
                .map(|token| token.text.clone()),
        );
        let all = item.all_tokens();
        let macros = all.windows(3).filter(|window| window[1].is("!"));
        taken.extend(macros.flat_map(|window| [window[0].text.clone(), window[2].text.clone()]));
    }
    let mut names = ShortNames::without(taken);
    let mut waiting: Vec<Vec<Token>> = Vec::new();
    for item in &items {
        waiting.push(beginning(item));
        waiting.extend(item.members.iter().flatten().map(beginning));
    }
    let mut found = Abbreviations::new();
    let mut written = Vec::new();
    while let Some(best) = best_beginning(&waiting) {
        let name = names.next(Alphabet::Any);
        let text = write(&best, usize::MAX);
        map.push_str(&format!("macro\t{name}\t{text}\n"));
        written.extend(tokens(&format!("macro_rules!{name}{{($($t:tt)*)=>{{")));
        written.extend_from_slice(&best);
        written.extend(tokens("$($t)*}}"));
        waiting.retain(|beginning| !beginning.starts_with(&best));
        found.insert(best.iter().map(|token| token.text.clone()).collect(), name);
    }
    items
        .iter()
        .for_each(|item| write_item(item, &found, &mut written));
    written
}

/// The tokens of an item that can be abbreviated. Tokens that bind names cannot, because the names
/// in a macro differ from those of its caller.
fn beginning(item: &Item) -> Vec<Token> {
    let attributes = item.attributes.concat();
    let limit = match item.keyword.as_str() {
        "fn" => find(&item.tokens, 0, &["fn"]) + 1,
        "struct" | "enum" | "const" | "static" => 1,
        "impl" => item.tokens.len(),
        _ => 0,
    };
    // In a macro's argument, `$` would belong to that macro.
    let is_macro = limit == 0 || item.all_tokens().iter().any(|token| token.is("$"));
    if is_macro {
        Vec::new()
    } else {
        [attributes, item.tokens[..limit].to_vec()].concat()
    }
}

/// The beginning that saves the most bytes; `None` if none saves any.
fn best_beginning(waiting: &[Vec<Token>]) -> Option<Vec<Token>> {
    let mut counts: BTreeMap<Vec<&str>, (usize, &[Token])> = BTreeMap::new();
    for tokens in waiting {
        let mut depth = 0;
        for length in 1..=tokens.len().min(MAX_LENGTH) {
            depth += bracket(&tokens[length - 1]);
            if depth == 0 && !tokens[length - 1].is("#") {
                let texts = tokens[..length].iter().map(|token| token.text.as_str());
                counts
                    .entry(texts.collect())
                    .or_insert((0, &tokens[..length]))
                    .0 += 1;
            }
        }
    }
    let saved = |count: usize, tokens: &[Token]| {
        let bytes = write(tokens, usize::MAX).len();
        (count * bytes.saturating_sub(USE_BYTES)).saturating_sub(bytes + DEFINITION_BYTES)
    };
    let savings = counts
        .into_values()
        .map(|(count, tokens)| (saved(count, tokens), tokens));
    let best = savings.max_by_key(|(saved, _)| *saved)?;
    (best.0 > 0).then(|| best.1.to_vec())
}

fn write_item(item: &Item, abbreviations: &Abbreviations, written: &mut Vec<Token>) {
    let head = [item.attributes.concat(), item.tokens.clone()].concat();
    let candidates = beginning(item);
    let known = (1..=candidates.len()).rev().find_map(|length| {
        let texts: Vec<String> = head[..length]
            .iter()
            .map(|token| token.text.clone())
            .collect();
        abbreviations.get(&texts).map(|name| (length, name))
    });
    match known {
        Some((length, name)) => {
            written.extend([word(name), sign("!"), sign("{")]);
            written.extend_from_slice(&head[length..]);
        }
        None => written.extend(head),
    }
    if let Some(members) = &item.members {
        written.push(sign("{"));
        members
            .iter()
            .for_each(|member| write_item(member, abbreviations, written));
        written.push(sign("}"));
    }
    if known.is_some() {
        written.push(sign("}"));
    }
}
