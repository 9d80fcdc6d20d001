//! Splits a source into lexemes, and writes tokens with as little white space as possible. This
//! module does not know what the tokens mean.

use crate::std_names::Words;

/// The kind of a lexeme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// White space and comments, docs among them.
    Gap,
    /// A name or a keyword; a raw name with its `r#`.
    Word,
    /// A lifetime or a label, with its quote.
    Lifetime,
    /// A number with its suffix.
    Number,
    /// A string, a character, or bytes, with prefix and quotes.
    Literal,
    /// Punctuation, as long as rustc reads it.
    Sign,
}

/// A piece of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexeme<'a> {
    /// What it is.
    pub(crate) kind: Kind,
    /// Its characters.
    pub text: &'a str,
}

/// A lexeme that is not a gap, with its own text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Its characters.
    pub text: String,
}

impl Token {
    /// Returns true if it is this keyword or sign; a literal never is.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.kind != Kind::Literal && self.text == text
    }

    /// Returns true if it is one of these words or signs.
    pub(crate) fn is_any(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.is(text))
    }

    /// Returns true if it is one of these words.
    pub(crate) fn is_in(&self, words: &Words) -> bool {
        self.kind == Kind::Word && words.contains(&self.text)
    }
}

/// Signs of more than one character, each before its own beginnings. `<-` is not a sign of today's
/// Rust, but rustc still reads it as one and reports an error.
const SIGNS: [&str; 25] = [
    "<<=", ">>=", "...", "..=", "::", "->", "<-", "=>", "==", "!=", "<=", ">=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "^=", "&=", "|=", "<<", ">>", "..",
];

/// All lexemes of a source; their joined texts are the source. An unclosed comment or string
/// extends to the end.
pub fn lexemes(source: &str) -> Vec<Lexeme<'_>> {
    let mut found: Vec<Lexeme> = Vec::new();
    let mut rest = source;
    while !rest.is_empty() {
        let after_dot = found.last().is_some_and(|last| last.text == ".");
        let (kind, length) = first_lexeme(rest, after_dot);
        let (text, next) = rest.split_at(length);
        found.push(Lexeme { kind, text });
        rest = next;
    }
    found
}

/// The tokens of a source, without white space and comments.
pub fn tokens(source: &str) -> Vec<Token> {
    let is_token = |lexeme: &Lexeme| lexeme.kind != Kind::Gap;
    let owned = |lexeme: Lexeme| Token {
        kind: lexeme.kind,
        text: lexeme.text.to_owned(),
    };
    let found = lexemes(source).into_iter();
    found.filter(is_token).map(owned).collect()
}

/// The tokens as a source with as few characters as possible. Once a line has `width` bytes, the
/// next needed space becomes the end of the line.
pub fn write(tokens: &[Token], width: usize) -> String {
    let mut written = String::new();
    let mut line_start = 0;
    for (at, token) in tokens.iter().enumerate() {
        if at > 0 && needs_space(tokens, at) {
            if written.len() - line_start >= width {
                written.push('\n');
                line_start = written.len();
            } else {
                written.push(' ');
            }
            // A lone quote, one character and a quote would become a literal. No valid program has
            // a lone quote.
            if tokens[at - 1].is("'") {
                written.push(' ');
            }
        }
        written.push_str(&token.text);
    }
    written
}

/// Returns true if the token at `at` would be read differently without a space before it.
fn needs_space(tokens: &[Token], at: usize) -> bool {
    let (left, right) = (&tokens[at - 1], &tokens[at]);
    // Since edition 2021 any word before a quote or `#` is a prefix.
    if left.kind == Kind::Word && right.text.starts_with(['"', '\'', '#']) {
        return true;
    }
    // Two words, a raw string after a word, or a suffix. The index of a field has no suffix, but
    // rustc would read one.
    let is_wordy = |token: &Token| matches!(token.kind, Kind::Word | Kind::Number | Kind::Lifetime);
    if is_wordy(left) && right.text.starts_with(is_word) {
        return true;
    }
    let is_index = at > 1 && tokens[at - 2].is(".");
    let next = tokens.get(at + 1).map_or("", |token| &token.text);
    let dot = if is_index { "." } else { "" };
    let joined = [dot, &left.text, &right.text, next].concat();
    let found = lexemes(&joined);
    let mut texts = found[is_index as usize..].iter().map(|found| found.text);
    if texts.next() != Some(left.text.as_str()) {
        return true;
    }
    // The next token may join the right one; the next call decides about that.
    !texts
        .next()
        .is_some_and(|text| text.starts_with(right.text.as_str()))
}

fn first_lexeme(text: &str, after_dot: bool) -> (Kind, usize) {
    let gap = gap_length(text);
    if gap > 0 {
        return (Kind::Gap, gap);
    }
    let first = text.chars().next().unwrap_or_default();
    match first {
        '"' => (Kind::Literal, string_length(text)),
        '\'' => quote_length(text),
        '0'..='9' if after_dot => (Kind::Number, prefix_length(text, |c| c.is_ascii_digit())),
        '0'..='9' => (Kind::Number, number_length(text)),
        _ if is_word(first) => match prefixed_literal_length(text) {
            Some(length) => (Kind::Literal, length),
            None => (Kind::Word, word_length(text)),
        },
        _ => {
            let sign = SIGNS.iter().find(|sign| text.starts_with(**sign));
            (Kind::Sign, sign.map_or(first.len_utf8(), |sign| sign.len()))
        }
    }
}

/// Returns true for the characters of words.
pub(crate) fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn prefix_length(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

fn word_length(text: &str) -> usize {
    match text.strip_prefix("r#") {
        Some(raw) if raw.starts_with(is_word) => 2 + prefix_length(raw, is_word),
        _ => prefix_length(text, is_word),
    }
}

/// The length in bytes of the white space and comments at the beginning of the text.
fn gap_length(text: &str) -> usize {
    let mut rest = text;
    loop {
        rest = match rest.trim_start() {
            comment if comment.starts_with("//") => {
                &comment[comment.find('\n').unwrap_or(comment.len())..]
            }
            comment if comment.starts_with("/*") => &comment[block_comment_length(comment)..],
            end => return text.len() - end.len(),
        }
    }
}

/// The length in bytes of a block comment with its nested ones.
fn block_comment_length(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let change = match &text[at..] {
            rest if rest.starts_with("/*") => 1,
            rest if rest.starts_with("*/") => -1,
            _ => 0,
        };
        depth += change;
        at += if change == 0 { first.len_utf8() } else { 2 };
        if depth == 0 {
            break;
        }
    }
    at
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// A character literal, or a lifetime.
fn quote_length(text: &str) -> (Kind, usize) {
    let mut characters = text.char_indices().skip(1);
    match (characters.next(), characters.next()) {
        (Some((_, '\\')), Some((at, escaped))) => {
            let after = at + escaped.len_utf8();
            let end = text[after..].find('\'');
            (Kind::Literal, end.map_or(text.len(), |end| after + end + 1))
        }
        (Some(_), Some((end, '\''))) => (Kind::Literal, end + 1),
        (Some((_, first)), _) if is_word(first) => {
            (Kind::Lifetime, 1 + prefix_length(&text[1..], is_word))
        }
        _ => (Kind::Sign, 1),
    }
}

/// The length of a literal that begins with a letter: `r"…"`, `r#"…"#`, `b"…"`, `c"…"`, `b'…'` and
/// their combinations. `None` if the text begins with a word.
fn prefixed_literal_length(text: &str) -> Option<usize> {
    let marked = text.strip_prefix(['b', 'c']).unwrap_or(text);
    if let Some(hashed) = marked.strip_prefix('r') {
        let quoted = hashed.trim_start_matches('#');
        if let Some(body) = quoted.strip_prefix('"') {
            let end = format!("\"{}", "#".repeat(hashed.len() - quoted.len()));
            let inside = body.find(&end).map_or(body.len(), |at| at + end.len());
            return Some(text.len() - body.len() + inside);
        }
    }
    let is_byte = text.starts_with("b'") && quote_length(marked).0 == Kind::Literal;
    match marked.chars().next() {
        _ if marked.len() == text.len() => None,
        Some('"') => Some(1 + string_length(marked)),
        Some('\'') if is_byte => Some(1 + quote_length(marked).1),
        _ => None,
    }
}

fn number_length(text: &str) -> usize {
    if ["0x", "0o", "0b"].iter().any(|base| text.starts_with(base)) {
        return prefix_length(text, is_word);
    }
    let is_digit = |c: char| c.is_ascii_digit() || c == '_';
    let mut length = prefix_length(text, is_digit);
    if let Some(fraction) = text[length..].strip_prefix('.') {
        // `1..2` is a range, `1.max(2)` a call.
        match fraction.chars().next() {
            Some(c) if c.is_ascii_digit() => length += 1 + prefix_length(fraction, is_digit),
            Some(c) if c == '.' || is_word(c) => {}
            _ => return length + 1,
        }
    }
    let exponent = text[length..].strip_prefix(['e', 'E']).unwrap_or_default();
    let power = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if power.starts_with(is_digit) {
        length = text.len() - power.len();
    }
    length + prefix_length(&text[length..], is_word)
}
