//! Renames all names of the program to the shortest free names, the most frequent names first. A
//! name of one kind gets the same short name everywhere, and two names never get the same one, so
//! that the meaning of the program does not change. Every function has its own names of local
//! variables.

use crate::aliases::{globals, short_of};
use crate::declared::Declared;
use crate::format_strings::{captures, rename};
use crate::items::{sign, word, Item};
use crate::program::{Program, Renames};
use crate::roles::{roles, Role, Run};
use crate::short_names::{Alphabet, ShortNames};
use crate::std_names::FIELDS;
use crate::tokens::{Kind, Token};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The number of occurrences of each name.
type Counts = BTreeMap<String, usize>;

/// The short names of a whole program.
pub(crate) struct Names {
    /// What the program declares.
    pub(crate) declared: Declared,
    /// The short names of globals.
    pub(crate) globals: Renames,
    fields: Renames,
    members: Renames,
    /// A line for each short name: its kind, the short name, the name.
    pub(crate) map: String,
}

/// Occurrences of the names in a program.
#[derive(Default)]
struct Occurrences {
    globals: Counts,
    fields: Counts,
    members: Counts,
}

/// Calls a function with each run of tokens of a program, its kind, and the name of its item.
fn for_each_run(program: &mut Program, mut visit: impl FnMut(&mut Vec<Token>, Run, &str)) {
    let mut visit_item = |item: &mut Item, run, place: &str| {
        let attributes = item.attributes.iter_mut();
        attributes.for_each(|attribute| visit(attribute, Run::Attribute, place));
        visit(&mut item.tokens, run, place);
    };
    for item in &mut program.items {
        let head = match item.keyword.as_str() {
            "impl" => item
                .impl_parts()
                .1
                .first()
                .map_or(String::new(), |name| (*name).to_owned()),
            _ => item.name.clone(),
        };
        visit_item(item, Run::Outer, &head);
        for member in item.members.iter_mut().flatten() {
            let place = format!("{head}::{}", member.name);
            visit_item(member, Run::Member, &place);
        }
    }
}

/// Renames everything in a program, its imports among it.
pub(crate) fn shorten(program: &mut Program) -> Names {
    let declared = Declared::of(program);
    let mut counts = Occurrences::default();
    for_each_run(program, |tokens, run, _| counts.add(tokens, run, &declared));
    counts.fields.retain(|name, _| !FIELDS.contains(name));
    let first_letter = |name: &str| {
        if name.starts_with(char::is_uppercase) {
            // A variable must not have the name of a variant.
            Alphabet::Upper
        } else {
            Alphabet::Any
        }
    };
    let mut names = Names {
        globals: globals(&counts.globals, &declared, &program.imports),
        fields: ShortNames::new().of_counts(&counts.fields, |_| Alphabet::Any),
        members: ShortNames::new().of_counts(&counts.members, first_letter),
        declared,
        map: String::new(),
    };
    let kinds = [
        ("global", &names.globals),
        ("field", &names.fields),
        ("member", &names.members),
    ];
    let mut map = String::new();
    for (kind, renames) in kinds {
        for (name, short) in renames {
            let _ = writeln!(map, "{kind}\t{short}\t{name}");
        }
    }
    for_each_run(program, |tokens, run, place| {
        let (renamed, locals) = names.rename(tokens, run);
        *tokens = renamed;
        for (name, short) in locals {
            let _ = writeln!(map, "in {place}\t{short}\t{name}");
        }
    });
    names.map = map;
    names
}

impl Occurrences {
    fn add(&mut self, tokens: &[Token], run: Run, declared: &Declared) {
        for (token, role) in tokens.iter().zip(roles(tokens, run, declared)) {
            let counts = match role {
                Role::Global => &mut self.globals,
                Role::Field | Role::FieldAndLocal => &mut self.fields,
                Role::Member => &mut self.members,
                Role::Format => {
                    let names = captures(&token.text).into_iter();
                    for name in names.filter(|name| declared.globals.contains(name)) {
                        *self.globals.entry(name).or_default() += 1;
                    }
                    continue;
                }
                Role::Fixed | Role::Local => continue,
            };
            *counts.entry(token.text.clone()).or_default() += 1;
        }
    }
}

impl Names {
    /// Replaces all names of a run, and returns the names of its local variables.
    fn rename(&self, tokens: &[Token], run: Run) -> (Vec<Token>, Renames) {
        let roles = roles(tokens, run, &self.declared);
        let locals = self.locals(tokens, &roles);
        let short_local = |name: &str| -> Option<String> {
            let found = locals.get(name).or_else(|| self.globals.get(name));
            found.cloned()
        };
        let mut renamed: Vec<Token> = Vec::with_capacity(tokens.len());
        for (token, role) in tokens.iter().zip(roles) {
            let name = token.text.as_str();
            let short = match role {
                Role::Fixed => None,
                Role::Global => self.globals.get(name).cloned(),
                Role::Local => locals.get(name).cloned(),
                Role::Field => self.fields.get(name).cloned(),
                Role::Member => self.members.get(name).cloned(),
                Role::Format => Some(rename(name, short_local)),
                Role::FieldAndLocal => {
                    let field = self.fields.get(name).map_or(name, |short| short);
                    let local = short_local(name).unwrap_or_else(|| name.to_owned());
                    if field != local {
                        name_field(&mut renamed, field);
                    }
                    Some(local)
                }
            };
            renamed.push(Token {
                kind: token.kind,
                text: short.unwrap_or_else(|| name.to_owned()),
            });
        }
        (renamed, locals)
    }

    /// The short names of the local variables of a run. They differ from all names of globals and
    /// of std that the run uses.
    fn locals(&self, tokens: &[Token], roles: &[Role]) -> Renames {
        let mut taken = BTreeSet::new();
        let mut counts = Counts::new();
        for (token, role) in tokens.iter().zip(roles) {
            let name = &token.text;
            let is_local = *role == Role::Local
                || *role == Role::FieldAndLocal && !self.declared.globals.contains(name);
            if is_local {
                *counts.entry(name.clone()).or_default() += 1;
            } else if *role == Role::Global || *role == Role::FieldAndLocal {
                taken.insert(short_of(&self.globals, name).to_owned());
            } else if *role == Role::Fixed && token.kind == Kind::Word {
                taken.insert(name.clone());
            }
        }
        for (token, _) in tokens
            .iter()
            .zip(roles)
            .filter(|(_, role)| **role == Role::Format)
        {
            for name in captures(&token.text) {
                match counts.get_mut(&name) {
                    Some(count) => *count += 1,
                    None => {
                        taken.insert(short_of(&self.globals, &name).to_owned());
                    }
                }
            }
        }
        ShortNames::without(taken).of_counts(&counts, |_| Alphabet::Lower)
    }
}

/// Writes `field:` before the next pattern or value, and before its `mut` or `ref`.
fn name_field(written: &mut Vec<Token>, field: &str) {
    let qualifiers = written
        .iter()
        .rev()
        .take_while(|token| token.is_any(&["mut", "ref"]))
        .count();
    let at = written.len() - qualifiers;
    written.splice(at..at, [word(field), sign(":")]);
}
