//! Removes variants of enums that the program never makes, with their arms of `match`. They are
//! settings for experiments.
//!
//! Only enums whose variants have no fields, numbers or attributes are changed. Only variants after
//! the last one made are removed, so that neither numbers nor the order change.

use crate::items::{after_bracket, find, is_at, starts, Item};
use crate::program::Program;
use crate::tokens::{Kind, Token};
use std::collections::BTreeSet;

/// An enum and one of its variants.
type Variant = (String, String);

/// Removes variants that are not made, and their arms. Returns true if there were any.
pub(crate) fn drop_unmade(program: &mut Program) -> bool {
    let plain = program.items.iter().filter_map(plain_variants);
    let named: Vec<(String, Vec<String>)> = plain.collect();
    let all = program.all_tokens();
    let mut unmade: BTreeSet<Variant> = BTreeSet::new();
    for (name, variants) in named {
        let made = variants
            .iter()
            .rposition(|variant| is_made(&all, &name, variant));
        let kept = made.map_or(variants.len(), |last| last + 1);
        unmade.extend(variants[kept..].iter().map(|v| (name.clone(), v.clone())));
    }
    for item in &mut program.items {
        if item.keyword == "enum" {
            let name = item.name.clone();
            let is_unmade = |t: &Token| unmade.contains(&(name.clone(), t.text.clone()));
            drop_variants(&mut item.tokens, is_unmade);
        }
        let members = item.members.iter_mut().flatten();
        let parts = members.map(|member| &mut member.tokens);
        parts
            .chain([&mut item.tokens])
            .for_each(|tokens| drop_arms(tokens, &unmade));
    }
    !unmade.is_empty()
}

/// The name and the variants of an enum whose variants are only names.
fn plain_variants(item: &Item) -> Option<(String, Vec<String>)> {
    let open = find(&item.tokens, 0, &["{"]);
    let body = item.tokens.get(open + 1..item.tokens.len() - 1)?;
    let is_plain = |token: &Token| token.kind == Kind::Word || token.is(",");
    if item.keyword != "enum" || !body.iter().all(is_plain) {
        return None;
    }
    let names = body.iter().filter(|token| token.kind == Kind::Word);
    Some((item.name.clone(), names.map(|t| t.text.clone()).collect()))
}

/// Returns true if the variant, also as `Self::…`, occurs anywhere except as the whole pattern of
/// an arm. Then the program may make it.
fn is_made(all: &[Token], name: &str, variant: &str) -> bool {
    (0..all.len()).any(|at| {
        let is_it = |owner| starts(all, at, &[owner, "::", variant]);
        (is_it(name) || is_it("Self")) && !is_arm(all, at)
    })
}

/// Returns true if the path of three tokens at `at` is the whole pattern of an arm.
fn is_arm(tokens: &[Token], at: usize) -> bool {
    let begins = at > 0 && tokens[at - 1].is_any(&["{", ",", "}"]);
    begins && is_at(tokens, at + 3, &["=>"])
}

/// Removes the variants from an enum's tokens, each with the comma after it.
fn drop_variants(tokens: &mut Vec<Token>, is_unmade: impl Fn(&Token) -> bool) {
    let open = find(tokens, 0, &["{"]);
    let mut at = open + 1;
    while at < tokens.len() {
        if is_unmade(&tokens[at]) {
            let has_comma = tokens[at + 1].is(",");
            tokens.drain(at..at + 1 + usize::from(has_comma));
        } else {
            at += 1;
        }
    }
}

/// Removes the arms for these variants from the tokens.
fn drop_arms(tokens: &mut Vec<Token>, unmade: &BTreeSet<Variant>) {
    let is_unmade = |tokens: &[Token], at: usize| {
        let mut variants = unmade.iter();
        is_arm(tokens, at)
            && variants.any(|(name, variant)| starts(tokens, at, &[name, "::", variant]))
    };
    let mut at = 0;
    while at < tokens.len() {
        if is_unmade(tokens, at) {
            tokens.drain(at..arm_end(tokens, at + 4));
        } else {
            at += 1;
        }
    }
}

/// The index after the arm whose expression begins at `at`, and after its comma.
fn arm_end(tokens: &[Token], at: usize) -> usize {
    let end = if tokens[at].is("{") {
        after_bracket(tokens, at)
    } else {
        find(tokens, at, &[",", "}"])
    };
    end + usize::from(is_at(tokens, end, &[","]))
}
