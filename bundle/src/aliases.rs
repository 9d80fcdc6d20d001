//! Short names for globals, and imports that give short names to std's types, such as `usize as u`.

use crate::declared::Declared;
use crate::items::{sign, word};
use crate::program::{Imports, Program, Renames};
use crate::short_names::{counted, Alphabet, ShortNames};
use crate::std_names::ALIASABLE_MACROS;
use crate::tokens::{tokens, Kind, Token};
use std::collections::{BTreeMap, BTreeSet};

/// Short names of the globals, from the numbers of their occurrences. A name of std gets one if
/// that saves more bytes than its import costs.
pub(crate) fn globals(
    counts: &BTreeMap<String, usize>,
    declared: &Declared,
    imports: &Imports,
) -> Renames {
    let mut refused: BTreeSet<&String> = BTreeSet::new();
    loop {
        let mut names = ShortNames::new();
        let mut renames = BTreeMap::new();
        for name in counted(counts)
            .into_iter()
            .filter(|name| !refused.contains(*name))
        {
            let is_lower = name.starts_with(|c: char| c.is_lowercase() || c == '_');
            let alphabet = if declared.globals.contains(name) && is_lower {
                Alphabet::Lower
            } else if declared.values.contains(name) {
                Alphabet::Upper
            } else {
                Alphabet::Any
            };
            renames.insert(name.clone(), names.next(alphabet));
        }
        let costs_more = |name: &&String| {
            let is_ours = declared.globals.contains(*name);
            let is_free = imports
                .get(*name)
                .is_some_and(|path| path.last() != Some(*name));
            let Some(short) = renames.get(*name).filter(|_| !is_ours && !is_free) else {
                return false;
            };
            let import = if imports.contains_key(*name) {
                " as ".len() + short.len()
            } else {
                name.len() + " as ,".len() + short.len()
            };
            counts[*name] * (name.len() - short.len().min(name.len())) <= import
        };
        // Without the costliest name, the others may get shorter names.
        let worst = counts
            .keys()
            .filter(costs_more)
            .min_by_key(|name| counts[*name] * name.len());
        match worst {
            Some(name) => refused.insert(name),
            None => return renames,
        };
    }
}

/// A tree of imports, by the next part of the path.
#[derive(Default)]
struct Tree {
    below: BTreeMap<String, Tree>,
    /// The names under which this part itself is imported.
    names: BTreeSet<String>,
}

/// The short name of a name; the name itself if it has none.
pub(crate) fn short_of<'a>(short: &'a Renames, name: &'a str) -> &'a str {
    short.get(name).map_or(name, |short| short)
}

/// The program's imports in one statement, with the short names of its declarations and imports;
/// empty if there are none.
pub(crate) fn import(program: &Program, declared: &Declared, globals: &Renames) -> Vec<Token> {
    let mut root = Tree::default();
    let std_imports = program
        .imports
        .iter()
        .map(|(name, path)| (name, path.clone()));
    let is_prelude =
        |name: &&String| !declared.globals.contains(*name) && !program.imports.contains_key(*name);
    let prelude = globals.keys().filter(is_prelude);
    let prelude = prelude.map(|name| {
        if ALIASABLE_MACROS.contains(name) {
            (name, vec!["std".to_owned(), name.clone()])
        } else {
            (name, vec![name.clone()])
        }
    });
    for (name, path) in std_imports.chain(prelude) {
        let mut tree = &mut root;
        for part in path {
            tree = tree.below.entry(part).or_default();
        }
        tree.names.insert(short_of(globals, name).to_owned());
    }
    let mut written = vec![word("use")];
    if root.below.is_empty() {
        return Vec::new();
    } else {
        root.write_below(&mut written)
    }
    written.push(sign(";"));
    written
}

impl Tree {
    fn write_below(&self, written: &mut Vec<Token>) {
        let count: usize = self.below.values().map(Tree::parts).sum();
        if count > 1 {
            written.push(sign("{"));
        }
        for (index, (part, tree)) in self.below.iter().enumerate() {
            if index > 0 {
                written.push(sign(","));
            }
            tree.write(part, written);
        }
        if count > 1 {
            written.push(sign("}"));
        }
    }

    /// The number of imports in the list for this part of a path.
    fn parts(&self) -> usize {
        self.names.len().max(1)
    }

    fn write(&self, part: &str, written: &mut Vec<Token>) {
        let alias = |written: &mut Vec<Token>, path: &str, name: &str| {
            written.push(word(path));
            if name != part {
                written.extend(tokens(&format!("as {name}")));
            }
        };
        if self.below.is_empty() {
            for (index, name) in self.names.iter().enumerate() {
                if index > 0 {
                    written.push(sign(","));
                }
                alias(written, part, name);
            }
            return;
        }
        written.extend([word(part), sign("::")]);
        if self.names.is_empty() {
            return self.write_below(written);
        }
        written.push(sign("{"));
        for name in &self.names {
            alias(written, "self", name);
            written.push(sign(","));
        }
        let mut inside = Vec::new();
        self.write_below(&mut inside);
        if inside.first().is_some_and(|token| token.kind == Kind::Sign) {
            inside = inside[1..inside.len() - 1].to_vec();
        }
        written.extend(inside);
        written.push(sign("}"));
    }
}
