//! The declarations of the program, by kind of name.

use crate::items::{after_bracket, after_generics, angle, bracket, find, is_at, split, Item};
use crate::program::Program;
use crate::std_names::{ALIASABLE, ALIASABLE_MACROS, MEMBERS, VALUES};
use crate::tokens::{Kind, Token};
use std::collections::BTreeSet;

/// The names that may be renamed. A name can be of several kinds; its context decides which.
#[derive(Default)]
pub(crate) struct Declared {
    /// Functions, macros, types, constants and generic parameters: names without `.` or `::` before
    /// them.
    pub(crate) globals: BTreeSet<String>,
    /// Names of std of the same kinds that can be imported under another name.
    pub(crate) aliasable: BTreeSet<String>,
    /// Globals that a pattern may contain, so that no local variable can have the same name.
    pub(crate) values: BTreeSet<String>,
    /// Fields with names.
    pub(crate) fields: BTreeSet<String>,
    /// Methods, associated items and variants.
    pub(crate) members: BTreeSet<String>,
    /// Members of implemented traits of std. These names belong to std.
    pub(crate) of_std: BTreeSet<String>,
    /// Names that are called as methods, on any type.
    pub(crate) called: BTreeSet<String>,
}

impl Declared {
    /// The declarations and imports of a program.
    pub(crate) fn of(program: &Program) -> Self {
        let mut names = Self::in_items(program.items.iter());
        names.aliasable.extend(program.imports.keys().cloned());
        let is_constant = |name: &str| !name.contains(char::is_lowercase);
        for (name, path) in &program.imports {
            let last = path.last().map_or("", |last| last);
            if VALUES.contains(last) || is_constant(last) {
                names.values.insert(name.clone());
            }
        }
        names
    }

    /// The declarations of items.
    pub(crate) fn in_items<'a>(items: impl Iterator<Item = &'a Item> + Clone) -> Self {
        let mut names = Declared::default();
        let named = items.clone().map(|item| item.name.clone());
        names
            .globals
            .extend(named.filter(|name| !["", "main"].contains(&name.as_str())));
        items.for_each(|item| names.read_item(item));
        names.aliasable.extend(ALIASABLE.iter().map(str::to_owned));
        names.values.extend(VALUES.iter().map(str::to_owned));
        names
    }

    /// Returns true if a member of this name belongs to the program everywhere except after a type
    /// of std.
    pub(crate) fn is_our_member(&self, name: &str) -> bool {
        let may_be_std = MEMBERS.contains(name) && self.called.contains(name);
        self.members.contains(name) && !self.of_std.contains(name) && !may_be_std
    }

    /// Returns true if a macro of this name belongs to the program, is imported, or can be imported
    /// from std.
    pub(crate) fn is_known_macro(&self, name: &str) -> bool {
        self.globals.contains(name)
            || self.aliasable.contains(name)
            || ALIASABLE_MACROS.contains(name)
    }

    fn read_item(&mut self, item: &Item) {
        let tokens = &item.tokens;
        self.read_inner(tokens);
        match item.keyword.as_str() {
            "struct" | "union" => self.read_struct(item),
            "enum" => self.read_enum(tokens),
            "const" | "static" => {
                self.values.insert(item.name.clone());
            }
            _ => {}
        }
        let of_trait = item.impl_trait();
        let is_std = of_trait.is_some_and(|name| !self.globals.contains(&name));
        for member in item.members.iter().flatten() {
            self.read_inner(&member.tokens);
            let names = if is_std {
                &mut self.of_std
            } else {
                &mut self.members
            };
            names.insert(member.name.clone());
        }
    }

    fn read_struct(&mut self, item: &Item) {
        let tokens = &item.tokens;
        let body = after_generics(tokens, 2);
        let open = find(tokens, body, &["{", "(", ";"]);
        if tokens[open].is("{") {
            self.read_fields(&tokens[open + 1..tokens.len() - 1]);
        } else {
            self.values.insert(item.name.clone());
        }
    }

    fn read_fields(&mut self, tokens: &[Token]) {
        for (at, token) in tokens.iter().enumerate() {
            let is_first = at == 0 || tokens[at - 1].is_any(&[",", "]"]);
            let is_named = is_at(tokens, at + 1, &[":"]);
            if token.kind == Kind::Word && is_first && is_named {
                self.fields.insert(token.text.clone());
            }
        }
    }

    fn read_enum(&mut self, tokens: &[Token]) {
        let open = find(tokens, after_generics(tokens, 2), &["{"]);
        for variant in split(&tokens[open + 1..tokens.len() - 1], ",") {
            let mut at = 0;
            while variant[at].is("#") {
                at = after_bracket(variant, at + 1);
            }
            self.members.insert(variant[at].text.clone());
            if is_at(variant, at + 1, &["{"]) {
                self.read_fields(&variant[at + 2..variant.len() - 1]);
            }
        }
    }

    /// Reads generic parameters, and declarations inside of functions.
    fn read_inner(&mut self, tokens: &[Token]) {
        for call in tokens.windows(3) {
            if call[0].is(".") && (call[2].is("(") || call[2].is("::")) {
                self.called.insert(call[1].text.clone());
            }
        }
        for (at, token) in tokens.iter().enumerate() {
            let name = match tokens.get(at + 1) {
                Some(next) if next.kind == Kind::Word => Some(&next.text),
                _ => None,
            };
            let is_inner = at > 0;
            match name {
                _ if token.is("impl") => self.read_generics(tokens, at + 1),
                Some(name) if token.is_any(&["fn", "struct", "enum", "union", "trait", "type"]) => {
                    if is_inner && !token.is("fn") || self.is_inner_function(tokens, at) {
                        self.globals.insert(name.clone());
                    }
                    self.read_generics(tokens, at + 2);
                }
                Some(name)
                    if token.is_any(&["const", "static"]) && is_inner && tokens[at + 2].is(":") =>
                {
                    self.globals.insert(name.clone());
                    self.values.insert(name.clone());
                }
                None if token.is("macro_rules") && is_inner => {
                    self.globals.insert(tokens[at + 2].text.clone());
                }
                _ => {}
            }
        }
    }

    /// Returns true if this `fn` begins a function inside of another function.
    fn is_inner_function(&self, tokens: &[Token], at: usize) -> bool {
        tokens[at].is("fn") && tokens[..at].iter().any(|token| bracket(token) != 0)
    }

    fn read_generics(&mut self, tokens: &[Token], open: usize) {
        if !is_at(tokens, open, &["<"]) {
            return;
        }
        let end = after_generics(tokens, open);
        for parameter in split_generics(&tokens[open + 1..end - 1]) {
            let is_const = parameter[0].is("const");
            let name = &parameter[is_const as usize];
            if name.kind == Kind::Word {
                self.globals.insert(name.text.clone());
                if is_const {
                    self.values.insert(name.text.clone());
                }
            }
        }
    }
}

/// The parts between the commas outside of all brackets, angle brackets included.
pub(crate) fn split_generics(tokens: &[Token]) -> Vec<&[Token]> {
    let mut parts = Vec::new();
    let (mut start, mut depth) = (0, 0);
    for (at, token) in tokens.iter().enumerate() {
        depth += angle(token) + bracket(token);
        if depth == 0 && token.is(",") {
            parts.push(&tokens[start..at]);
            start = at + 1;
        }
    }
    parts.push(&tokens[start..]);
    parts.retain(|part| !part.is_empty());
    parts
}
