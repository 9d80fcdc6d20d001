//! A source without comments, docs and unneeded white space, line by line. The tests search for
//! words in this form.

use crate::tokens::{is_word, lexemes, Kind};

/// The source without comments, docs and unneeded white space. Line breaks between statements stay.
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

/// The white space to write between `before` and `after`, which have `space` between them.
fn separator(before: &str, space: &str, after: &str) -> &'static str {
    if space.contains('\n') {
        // Statements keep their lines; line breaks inside of a statement are removed.
        let goes_on = before.ends_with(['(', '[', ',']) || after.starts_with(['.', ')', ']']);
        return if goes_on { "" } else { "\n" };
    }
    let splits = |c: char| "(){}[];,".contains(c);
    match (before.chars().next_back(), after.chars().next()) {
        (Some(left), Some(right)) if splits(left) || splits(right) => "",
        (Some(left), Some(right)) => {
            // Without a space, a quote next to a word would be part of the word, and two signs
            // would become one.
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
