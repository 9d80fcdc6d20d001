//! The supply of short names: one letter, then two characters and more.

use crate::std_names::{KEYWORDS, SHORT};
use std::collections::{BTreeMap, BTreeSet};

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The possible first letters of a short name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alphabet {
    /// Small letters.
    Lower,
    /// Capital letters, for names that a pattern can contain.
    Upper,
    /// All letters; small letters first.
    Any,
}

/// A supply of short names, each used once.
#[derive(Default)]
pub(crate) struct ShortNames {
    taken: BTreeSet<String>,
}

impl ShortNames {
    /// A supply with all names free.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// A supply with all names free except these.
    pub(crate) fn without(taken: BTreeSet<String>) -> Self {
        ShortNames { taken }
    }

    /// Takes the shortest free name.
    pub(crate) fn next(&mut self, alphabet: Alphabet) -> String {
        let first = match alphabet {
            Alphabet::Lower => LOWER.to_owned(),
            Alphabet::Upper => UPPER.to_owned(),
            Alphabet::Any => [LOWER, UPPER].concat(),
        };
        let more: Vec<char> = [LOWER, UPPER, "0123456789"].concat().chars().collect();
        let mut names: Vec<String> = first.chars().map(String::from).collect();
        loop {
            let is_free = |name: &&String| {
                let reserved = KEYWORDS.contains(name) || SHORT.contains(name);
                !reserved && !self.taken.contains(*name)
            };
            if let Some(name) = names.iter().find(is_free).cloned() {
                self.taken.insert(name.clone());
                return name;
            }
            let longer = |name: &String| {
                let name = name.clone();
                more.clone()
                    .into_iter()
                    .map(move |end| format!("{name}{end}"))
            };
            names = names.iter().flat_map(longer).collect();
        }
    }

    /// A short name for each of the names, the shortest for the most frequent.
    pub(crate) fn of_counts(
        &mut self,
        counts: &BTreeMap<String, usize>,
        alphabet: impl Fn(&str) -> Alphabet,
    ) -> BTreeMap<String, String> {
        let names = counted(counts).into_iter();
        names
            .map(|name| (name.clone(), self.next(alphabet(name))))
            .collect()
    }
}

/// The names by falling frequency, equals by the alphabet.
pub(crate) fn counted(counts: &BTreeMap<String, usize>) -> Vec<&String> {
    let mut names: Vec<&String> = counts.keys().collect();
    names.sort_by_key(|name| std::cmp::Reverse(counts[*name]));
    names
}
