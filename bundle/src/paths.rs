//! Replaces paths into std in the code, such as `fmt::Formatter` or `std::array::from_fn`, by
//! imports, so that they can get short names.

use crate::items::{find, is_at};
use crate::program::{Imports, Program};
use crate::tokens::{Kind, Token};
use std::collections::BTreeSet;

/// Replaces every path into std by the name of an import. Paths to traits stay, because an import
/// of a trait also imports its methods, and `Display` and `Debug` have a method of the same name.
pub(crate) fn import_paths(program: &mut Program) {
    let known = program.imports.clone();
    let traits: BTreeSet<String> = program
        .items
        .iter()
        .filter_map(|item| item.impl_trait())
        .collect();
    let mut found = Imports::new();
    let mut import = |tokens: &mut Vec<Token>| {
        *tokens = without_paths(tokens, &known, &traits, &mut found);
    };
    for item in &mut program.items {
        import(&mut item.tokens);
        let members = item.members.iter_mut().flatten();
        members.for_each(|member| import(&mut member.tokens));
    }
    program.imports.extend(found);
}

fn without_paths(
    tokens: &[Token],
    known: &Imports,
    traits: &BTreeSet<String>,
    found: &mut Imports,
) -> Vec<Token> {
    let mut written = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at].is("use") {
            let end = find(tokens, at, &[";"]);
            written.extend_from_slice(&tokens[at..end]);
            at = end;
            continue;
        }
        let mut token = tokens[at].clone();
        let is_tail = at > 0 && (tokens[at - 1].is("::") || tokens[at - 1].is("."));
        let path = path_at(&tokens[at..], known);
        let is_trait = |path: &[String]| path.last().is_some_and(|last| traits.contains(last));
        if let Some((path, length)) = path.filter(|(path, _)| !is_tail && !is_trait(path)) {
            token.text = path.join("_");
            found.insert(token.text.clone(), path);
            at += length - 1;
        }
        written.push(token);
        at += 1;
    }
    written
}

/// The path into std that begins here, and its length in tokens. It ends at the first type, or else
/// at its last word.
fn path_at(tokens: &[Token], known: &Imports) -> Option<(Vec<String>, usize)> {
    let first = tokens[0].text.clone();
    let is_type = |name: &str| name.starts_with(char::is_uppercase);
    let mut path = match known.get(&first) {
        _ if tokens[0].kind != Kind::Word => return None,
        Some(path) if !is_type(&first) => path.clone(),
        None if first == "std" || first == "core" => vec![first],
        _ => return None,
    };
    let mut length = 1;
    while is_at(tokens, length, &["::"])
        && tokens
            .get(length + 1)
            .is_some_and(|token| token.kind == Kind::Word)
    {
        path.push(tokens[length + 1].text.clone());
        length += 2;
        if is_type(&tokens[length - 1].text) {
            break;
        }
    }
    (length > 1).then_some((path, length))
}
