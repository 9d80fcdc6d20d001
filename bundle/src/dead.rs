//! Removes items that are not reachable from `main`. An item is reachable if its name occurs in a
//! reachable item, with any meaning. So the result may contain too much, but never too little.

use crate::format_strings::captures;
use crate::items::Item;
use crate::program::Program;
use crate::std_names::METHOD_TRAITS;
use crate::tokens::{Kind, Token};
use std::collections::{BTreeMap, BTreeSet};

/// Traits of std that code can use without their name, and the words that each use needs.
/// Implementations of other traits of std stay with their type.
const NEEDED_WITH: [(&str, &[&str]); 4] = [
    (
        "Default",
        &["default", "Default", "unwrap_or_default", "or_default"],
    ),
    ("Error", &["Error"]),
    ("FromIterator", &["collect", "from_iter", "FromIterator"]),
    ("Eq", &KEYED),
];

/// Words that occur if a program needs keys of maps.
const KEYED: [&str; 8] = [
    "HashMap", "HashSet", "BTreeMap", "BTreeSet", "Eq", "Ord", "Hash", "hash",
];

/// The reachable parts of a program.
pub(crate) struct Reached {
    words: BTreeSet<String>,
    types: BTreeSet<String>,
    /// The program's traits with their members.
    traits: BTreeMap<String, Vec<String>>,
}

/// Finds the reachable parts of a program.
pub(crate) fn reach(program: &Program) -> Reached {
    let declared = |keywords: &[&str]| -> BTreeSet<String> {
        let items = program.items.iter();
        let named = items.filter(|item| keywords.contains(&item.keyword.as_str()));
        named.map(|item| item.name.clone()).collect()
    };
    let mut reached = Reached {
        words: BTreeSet::from(["main".to_owned()]),
        types: declared(&["struct", "enum", "union", "type", "trait"]),
        traits: traits(&program.items),
    };
    let mut known = 0;
    while reached.words.len() != known {
        known = reached.words.len();
        program.items.iter().for_each(|item| reached.visit(item));
    }
    reached
}

/// Removes unreachable items, members and imports.
pub(crate) fn drop_dead(program: &mut Program) {
    let reached = reach(program);
    program.items.retain(|item| reached.has(item));
    for item in &mut program.items {
        if let Some(mut members) = item.members.take() {
            members.retain(|member| reached.has_member(item, member));
            item.members = Some(members);
        }
    }
    let says_nothing = |item: &Item| {
        let is_empty = item.members.as_ref().is_some_and(Vec::is_empty);
        item.keyword == "impl" && item.impl_trait().is_none() && is_empty
    };
    program.items.retain(|item| !says_nothing(item));
    drop_imports(program, &reached);
}

/// Removes imports that no reachable item needs.
pub(crate) fn drop_imports(program: &mut Program, reached: &Reached) {
    let is_used = |name: &String| reached.words.contains(name) || METHOD_TRAITS.contains(name);
    program
        .imports
        .retain(|name, path| is_used(name) || path.last().is_some_and(&is_used));
}

impl Reached {
    fn visit(&mut self, item: &Item) {
        if !self.has(item) {
            return;
        }
        self.read(&item.tokens);
        for member in item.members.iter().flatten() {
            if self.has_member(item, member) {
                self.read(&member.tokens);
            }
        }
    }

    /// Returns true if this member of a reachable item is reachable.
    pub(crate) fn has_member(&self, item: &Item, member: &Item) -> bool {
        self.is_std_impl(item) || self.words.contains(&member.name)
    }

    /// Returns true if the item is reachable.
    pub(crate) fn has(&self, item: &Item) -> bool {
        match item.keyword.as_str() {
            "impl" => {}
            "trait" => return self.has_trait(&item.name),
            _ => return self.words.contains(&item.name),
        }
        let (of_trait, of_type) = item.impl_parts();
        let own_type = of_type.iter().find(|name| self.types.contains(**name));
        let has_type = own_type.is_none_or(|name| self.words.contains(*name));
        let has_trait = of_trait.last().is_none_or(|name| {
            let needed = NEEDED_WITH.iter().find(|(std_name, _)| std_name == name);
            match needed {
                Some((_, words)) => words.iter().any(|word| self.words.contains(*word)),
                None => !self.traits.contains_key(*name) || self.has_trait(name),
            }
        });
        has_type && has_trait
    }

    /// Returns true if this trait of the program is reachable. Its methods are called without its
    /// name.
    fn has_trait(&self, name: &str) -> bool {
        let mut members = self.traits.get(name).into_iter().flatten();
        self.words.contains(name) || members.any(|member| self.words.contains(member))
    }

    /// Returns true for an implementation of a trait of std, which must be complete.
    fn is_std_impl(&self, item: &Item) -> bool {
        item.impl_trait()
            .is_some_and(|name| !self.traits.contains_key(&name))
    }

    /// Marks every word of the tokens as reachable, also the names in braces in strings.
    fn read(&mut self, found: &[Token]) {
        for token in found {
            match token.kind {
                Kind::Word => {
                    self.words.insert(token.text.clone());
                }
                Kind::Literal => self.words.extend(captures(&token.text)),
                _ => {}
            }
        }
    }
}

/// The traits among items, with the names of their members.
fn traits(items: &[Item]) -> BTreeMap<String, Vec<String>> {
    let traits = items.iter().filter(|item| item.keyword == "trait");
    let members = |item: &Item| {
        item.members
            .iter()
            .flatten()
            .map(|m| m.name.clone())
            .collect()
    };
    traits
        .map(|item| (item.name.clone(), members(item)))
        .collect()
}
