//! The names of variables in format strings, such as `"{name:>width$}"`.

use crate::tokens::is_word;

/// The names of variables in a string literal, if it is a format string.
pub(crate) fn captures(literal: &str) -> Vec<String> {
    let mut found = Vec::new();
    rename(literal, |name| {
        found.push(name.to_owned());
        None
    });
    found
}

/// The literal with its names replaced.
pub(crate) fn rename(literal: &str, mut replace: impl FnMut(&str) -> Option<String>) -> String {
    let mut written = String::with_capacity(literal.len());
    let mut rest = literal;
    while let Some(open) = rest.find('{') {
        let (before, inside) = rest.split_at(open + 1);
        written.push_str(before);
        if let Some(after) = inside.strip_prefix('{') {
            written.push('{');
            rest = after;
            continue;
        }
        if before.ends_with("\\u{") {
            rest = inside; // A character by its number.
            continue;
        }
        let end = inside.find('}').unwrap_or(inside.len());
        rest = &inside[end..];
        written.push_str(&rename_argument(&inside[..end], &mut replace));
    }
    written + rest
}

/// The text between braces: a name or a number, and after a colon the format. In a format, names
/// that end in `$` are the width and the precision.
fn rename_argument(text: &str, replace: &mut impl FnMut(&str) -> Option<String>) -> String {
    let (name, shown) = match text.split_once(':') {
        Some((name, shown)) => (name, Some(shown)),
        None => (text, None),
    };
    let mut renamed = |name: &str| {
        let is_name =
            name.starts_with(|c| is_word(c) && !c.is_numeric()) && name.chars().all(is_word);
        let new = if is_name { replace(name) } else { None };
        new.unwrap_or_else(|| name.to_owned())
    };
    let mut written = renamed(name);
    let Some(shown) = shown else { return written };
    written.push(':');
    let mut rest = shown;
    while let Some(end) = rest.find('$') {
        // A fill character, an alignment or a point may be before the name.
        let start = end
            - rest[..end]
                .chars()
                .rev()
                .take_while(|c| is_word(*c))
                .map(char::len_utf8)
                .sum::<usize>();
        written.push_str(&rest[..start]);
        // The 0 of `{:0width$}` means zeros as fill characters.
        let (zero, name) = rest[start..end].split_at(rest[start..end].starts_with('0') as usize);
        written = written + zero + &renamed(name) + "$";
        rest = &rest[end + 1..];
    }
    written + rest
}
