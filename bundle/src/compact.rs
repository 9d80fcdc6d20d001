//! A source without comments, docs and idle white space, line by line: the form in which the tests
//! look for words in the sources.

use crate::tokens::{is_word, lexemes, Kind};

/// The source without comments, docs and the white space that no token needs. A line stays a line.
pub fn compact(source: &str) -> String {
    let mut kept = String::with_capacity(source.len());
    let mut rest = source;
    for lexeme in lexemes(source) {
        rest = &rest[lexeme.text.len()..];
        kept.push_str(match lexeme.kind {
            Kind::Gap => separator(&kept, lexeme.text, rest),
            _ => lexeme.text,
        });
    }
    kept.trim().to_owned()
}

/// What must stand between `before` and `after`, which are `space` apart.
fn separator(before: &str, space: &str, after: &str) -> &'static str {
    if space.contains('\n') {
        // Statements keep their lines; what rustfmt broke inside of one is joined again.
        let goes_on = before.ends_with(['(', '[', ',']) || after.starts_with(['.', ')', ']']);
        return if goes_on { "" } else { "\n" };
    }
    let splits = |c: char| "(){}[];,".contains(c);
    match (before.chars().next_back(), after.chars().next()) {
        (Some(left), Some(right)) if splits(left) || splits(right) => "",
        (Some(left), Some(right)) => {
            // A quote next to a word would be read as part of it, and so would two signs.
            let word = |c: char| is_word(c) || c == '"' || c == '\'';
            if word(left) == word(right) {
                " "
            } else {
                ""
            }
        }
        _ => "",
    }
}
