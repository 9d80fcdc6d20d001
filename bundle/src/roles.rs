//! Finds the role of each word of a run of tokens: a local variable, a field, a member, or a name
//! of the whole program. The words and signs around it decide; types are not known.

use crate::bindings::{bindings, head_end};
use crate::declared::Declared;
use crate::items::{after_bracket, angle, find, is_at, starts};
use crate::std_names::{Words, KEYWORDS};
use crate::tokens::{Kind, Token};
use std::collections::BTreeSet;

/// The role of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A token that keeps its text.
    Fixed,
    /// A name of the whole program, or a name of std that can be imported under another name.
    Global,
    /// A local variable.
    Local,
    /// A field.
    Field,
    /// A field and a local variable of the same name: `Point { x }`.
    FieldAndLocal,
    /// A method, an associated item or a variant.
    Member,
    /// A format string with names in braces.
    Format,
}

impl Role {
    /// This role for a name of the program; names of others keep their text.
    fn if_ours(self, is_ours: bool) -> Role {
        if is_ours {
            self
        } else {
            Role::Fixed
        }
    }
}

/// The kind of a run of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    /// A whole item, or the head of an impl or a trait.
    Outer,
    /// A member of an impl or a trait.
    Member,
    /// An attribute.
    Attribute,
}

/// Macros with a format string, by the number of arguments before it.
const FORMAT_MACROS: [Words; 3] = [
    Words("format print println eprint eprintln panic unreachable unimplemented todo format_args"),
    Words("write writeln assert debug_assert"),
    Words("assert_eq assert_ne debug_assert_eq"),
];

/// The role of each token of a run.
pub(crate) fn roles(tokens: &[Token], run: Run, declared: &Declared) -> Vec<Role> {
    let surroundings = Surroundings {
        tokens,
        declared,
        locals: bindings(tokens),
        opened_by: opened_by(tokens),
        fields_in: field_braces(tokens),
        skipped: attributes_and_uses(tokens),
    };
    let mut found: Vec<Role> = (0..tokens.len())
        .map(|at| surroundings.role(at, run))
        .collect();
    for at in format_strings(tokens) {
        found[at] = Role::Format;
    }
    found
}

/// For each token, the index of the innermost bracket around it, if any.
fn opened_by(tokens: &[Token]) -> Vec<Option<usize>> {
    let mut open = Vec::new();
    let mut found = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let change = crate::items::bracket(token);
        if change < 0 {
            open.pop();
        }
        found.push(open.last().copied());
        if change > 0 {
            open.push(at);
        }
    }
    found
}

/// The braces with fields, of a struct's declaration, value or pattern. All other braces are
/// blocks.
fn field_braces(tokens: &[Token]) -> BTreeSet<usize> {
    let mut blocks = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.is_any(&["if", "while", "match", "for"]) {
            blocks.insert(head_end(tokens, at));
        } else if token.is_any(&["fn", "impl"]) {
            blocks.insert(find(tokens, at, &["{", ";"]));
        }
    }
    let opens_fields = |at: &usize| {
        let Some(before) = at.checked_sub(1) else {
            return false;
        };
        tokens[*at].is("{")
            && !blocks.contains(at)
            && match before_path(tokens, before) {
                Some((start, is_type)) => is_type && !(start > 0 && tokens[start - 1].is("->")),
                None => false,
            }
    };
    (0..tokens.len()).filter(opens_fields).collect()
}

/// The first index of the path that ends here, and whether it names a type or a variant.
fn before_path(tokens: &[Token], end: usize) -> Option<(usize, bool)> {
    let mut at = before_arguments(tokens, end)?;
    let is_word = |at: usize| tokens[at].kind == Kind::Word;
    let is_type = is_word(at) && tokens[at].text.starts_with(char::is_uppercase);
    while is_word(at) && at >= 2 && tokens[at - 1].is("::") && is_word(at - 2) {
        at -= 2;
    }
    Some((at, is_type))
}

/// The index before the generic arguments that end here; `end` if none do.
fn before_arguments(tokens: &[Token], end: usize) -> Option<usize> {
    if angle(&tokens[end]) >= 0 {
        return Some(end);
    }
    let mut depth = 0;
    let is_open = |at: &usize| {
        depth += angle(&tokens[*at]);
        depth >= 0
    };
    let before = (0..=end).rev().find(is_open)?.checked_sub(1)?;
    if tokens[before].is("::") {
        before.checked_sub(1)
    } else {
        Some(before)
    }
}

/// The tokens of attributes and imports inside of functions.
fn attributes_and_uses(tokens: &[Token]) -> Vec<bool> {
    let mut skipped = vec![false; tokens.len()];
    for at in 0..tokens.len() {
        let end = match () {
            _ if starts(tokens, at, &["#", "["]) => after_bracket(tokens, at + 1),
            _ if tokens[at].is("use") => find(tokens, at, &[";"]),
            _ => continue,
        };
        skipped[at..end].fill(true);
    }
    skipped
}

/// The indices of format strings: the first argument at a possible place that is a string.
fn format_strings(tokens: &[Token]) -> Vec<usize> {
    let mut found = Vec::new();
    for at in 0..tokens.len().saturating_sub(3) {
        let arguments = FORMAT_MACROS
            .iter()
            .position(|names| tokens[at].is_in(names));
        let (Some(arguments), true) = (arguments, tokens[at + 1].is("!")) else {
            continue;
        };
        let end = after_bracket(tokens, at + 2);
        let inside = &tokens[at + 3..end - 1];
        let mut start = at + 3;
        for (index, argument) in crate::items::split(inside, ",").iter().enumerate() {
            if index >= arguments && argument.len() == 1 && argument[0].kind == Kind::Literal {
                found.push(start);
                break;
            }
            start += argument.len() + 1;
        }
    }
    found
}

struct Surroundings<'a> {
    tokens: &'a [Token],
    declared: &'a Declared,
    locals: BTreeSet<String>,
    opened_by: Vec<Option<usize>>,
    fields_in: BTreeSet<usize>,
    skipped: Vec<bool>,
}

impl Surroundings<'_> {
    fn is_at(&self, at: Option<usize>, wanted: &[&str]) -> bool {
        at.is_some_and(|at| is_at(self.tokens, at, wanted))
    }

    fn role(&self, at: usize, run: Run) -> Role {
        let token = &self.tokens[at];
        let name = token.text.as_str();
        let (before, after) = (at.checked_sub(1), Some(at + 1));
        match token.kind {
            Kind::Word if !KEYWORDS.contains(name) => {}
            _ => return Role::Fixed,
        }
        if run == Run::Attribute {
            let is_path = self.tokens[2].is("derive") && at > 2;
            return self.bare(name).if_ours(is_path);
        }
        if self.skipped[at] || self.is_macro_variable(at) {
            return Role::Fixed;
        }
        if self.is_at(before, &["."]) {
            return if self.is_at(after, &["(", "::"]) {
                Role::Member.if_ours(self.declared.is_our_member(name))
            } else {
                self.field(name)
            };
        }
        if self.is_at(before, &["::"]) {
            return Role::Member.if_ours(self.is_path_ours(at));
        }
        if run == Run::Member && self.declares_member(at) {
            return Role::Member.if_ours(self.declared.is_our_member(name));
        }
        self.in_braces(at).unwrap_or_else(|| {
            if self.is_at(after, &["!"]) {
                Role::Global.if_ours(self.declared.is_known_macro(name))
            } else {
                self.bare(name)
            }
        })
    }

    /// The role of a word without context.
    fn bare(&self, name: &str) -> Role {
        let is_global = self.declared.globals.contains(name);
        match self.locals.contains(name) {
            true if !is_global => Role::Local,
            false if !is_global && !self.declared.aliasable.contains(name) => Role::Fixed,
            _ => Role::Global,
        }
    }

    fn field(&self, name: &str) -> Role {
        Role::Field.if_ours(self.declared.fields.contains(name))
    }

    /// `$name` and the kind after it, in a macro.
    fn is_macro_variable(&self, at: usize) -> bool {
        let before = at.checked_sub(1);
        self.is_at(before, &["$"])
            || self.is_at(before, &[":"]) && self.is_at(at.checked_sub(3), &["$"])
    }

    /// Returns true if this run is a member and the word here is its own name.
    fn declares_member(&self, at: usize) -> bool {
        let keyword = at.checked_sub(1);
        let is_first = self.tokens[..at]
            .iter()
            .all(|token| token.kind != Kind::Sign);
        is_first && self.is_at(keyword, &["fn", "const", "type"])
    }

    /// The role of a word directly in the braces of a struct or an enum.
    fn in_braces(&self, at: usize) -> Option<Role> {
        let open = self.opened_by[at]?;
        let name = self.tokens[at].text.as_str();
        let (before, after) = (at.checked_sub(1), Some(at + 1));
        let keyword = &self.tokens[0];
        let is_body = self.opened_by[open].is_none();
        if keyword.is("enum") && is_body && self.tokens[open].is("{") {
            return self.is_at(before, &["{", ",", "]"]).then_some(Role::Member);
        }
        let is_first = self.is_at(before, &["{", ",", "]", "mut", "ref"]);
        if !self.fields_in.contains(&open) || !is_first {
            return None;
        }
        if self.is_at(after, &[":"]) {
            return Some(self.field(name));
        }
        let declares = keyword.is_any(&["struct", "union", "enum"]);
        let is_short =
            self.is_at(after, &[",", "}"]) && !declares && self.field(name) == Role::Field;
        match self.bare(name) {
            Role::Local if is_short => Some(Role::FieldAndLocal),
            Role::Global if is_short => Some(Role::FieldAndLocal),
            _ => None,
        }
    }

    /// Returns true if a word after `::` is a member of the program.
    fn is_path_ours(&self, at: usize) -> bool {
        let is_type_ours = |owner| self.declared.globals.contains(owner) || owner == "Self";
        self.declared.is_our_member(&self.tokens[at].text)
            && self.owner(at).is_none_or(is_type_ours)
    }

    /// The type or trait before the `::` of a path; `None` if there is no name before it.
    fn owner(&self, at: usize) -> Option<&str> {
        let end = before_arguments(self.tokens, at.checked_sub(2)?)?;
        let is_name =
            self.tokens[end].kind == Kind::Word && !self.is_at(end.checked_sub(1), &["."]);
        is_name.then(|| self.tokens[end].text.as_str())
    }
}
