//! Data files as text. Where the sources include the bytes of a file, an upload has a call that
//! decodes a literal.

use crate::tokens::{lexemes, Lexeme};
use crate::wide_text::RANGES;

/// The encoding of a data file's bytes as characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digits {
    /// 94 characters of ASCII: the most bits in a byte of the upload.
    Ascii,
    /// 2¹⁵ characters: the most bits in a UTF-16 code unit of the upload.
    Wide,
}

impl Digits {
    /// The file in bundle/stand_ins with the function `bytes` that decodes the text.
    pub(crate) fn decoder(self) -> &'static str {
        match self {
            Digits::Ascii => "text.rs",
            Digits::Wide => "wide_text.rs",
        }
    }

    /// Bytes as a string literal. The decoded bytes may have zeros at the end.
    pub fn literal(self, bytes: &[u8]) -> String {
        match self {
            Digits::Ascii => format!("r\"{}\"", base94(bytes)),
            Digits::Wide => format!("\"{}\"", base32768(bytes)),
        }
    }
}

/// The path of the function that decodes a text. It is in pieces, so that the tests do not find a
/// path of this crate.
pub const DECODE: &str = concat!("crate", "::text::bytes");

/// Replaces the included files of a source: `include_bytes!("file")` becomes a call of [`DECODE`].
/// `read` returns the bytes of a file beside the source.
pub fn as_text(source: &str, digits: Digits, read: impl Fn(&str) -> Vec<u8>) -> String {
    let mut text = String::new();
    let mut rest = &lexemes(source)[..];
    while let [first, ..] = rest {
        let Some((file, length)) = included(rest) else {
            text += first.text;
            rest = &rest[1..];
            continue;
        };
        let literal = digits.literal(&read(file));
        text += &format!("{DECODE}({literal})");
        rest = &rest[length..];
    }
    text
}

/// The name in `include_bytes!("name")`, if these begin with it, and how many lexemes it has.
fn included<'a>(lexemes: &[Lexeme<'a>]) -> Option<(&'a str, usize)> {
    let words = ["include_bytes", "!", "("];
    let begin = lexemes.iter().map(|lexeme| lexeme.text).take(words.len());
    if !begin.eq(words) {
        return None;
    }
    let name = lexemes.get(3)?.text.strip_prefix('"')?.strip_suffix('"')?;
    (lexemes.get(4)?.text == ")").then_some((name, 5))
}

/// The digits of base 94: the characters from the space to `~` without the quotation mark, which
/// would end a raw string.
fn base94(bytes: &[u8]) -> String {
    let mut text = String::new();
    for group in bytes.chunks(9) {
        let filled = (0..9).map(|at| group.get(at).copied().unwrap_or(0));
        let mut value = filled.fold(0, |value: u128, byte| value << 8 | u128::from(byte));
        let mut digits = [' '; 11];
        for digit in digits.iter_mut().rev() {
            let character = b' ' + (value % 94) as u8;
            *digit = char::from(character + u8::from(character >= b'"'));
            value /= 94;
        }
        text.extend(&digits);
    }
    text
}

fn base32768(bytes: &[u8]) -> String {
    let ends: Vec<char> = RANGES.chars().collect();
    let digits: Vec<char> = ends.chunks(2).flat_map(|ends| ends[0]..=ends[1]).collect();
    let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| byte >> (7 - at % 8) & 1);
    let count = (8 * bytes.len()).div_ceil(15);
    let values = (0..count).map(|digit| {
        let bits = (15 * digit..15 * digit + 15).map(bit);
        bits.fold(0, |value, bit| value << 1 | usize::from(bit))
    });
    values.map(|value| digits[value]).collect()
}
