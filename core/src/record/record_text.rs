//! Decodes the file of a record: UTF-8 with or without a byte order mark, or SGF in Latin-1.

use super::{sgf, RecordError};
use std::borrow::Cow;
use std::fmt::Display;

/// The sign that some programs on Windows put before a text to mark it as UTF-8.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The text in the file of a record, without a byte order mark. Bytes that are valid UTF-8 are read
/// as UTF-8 even if the record names another character set, because many programs do not name it.
/// Other SGF is read as Latin-1 (ISO 8859-1), the default of its specification, unless it names
/// another character set.
///
/// # Errors
/// If it is neither.
pub fn decode(bytes: Vec<u8>) -> Result<String, RecordError> {
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return Ok(without_byte_order_mark(&text).to_owned()),
        Err(error) => error,
    };
    let valid = bytes.utf8_error().valid_up_to();
    let bytes = bytes.into_bytes();
    let line = 1 + bytes[..valid].iter().filter(|&&byte| byte == b'\n').count();
    let not_utf8 = || RecordError::new(format!("line {line} is not UTF-8; save the file as UTF-8"));
    if !bytes.trim_ascii_start().starts_with(b"(") && !bytes.windows(2).any(|two| two == b"(;") {
        return Err(not_utf8());
    }
    // The first 256 characters of Unicode are those of Latin-1.
    let text: String = bytes.into_iter().map(char::from).collect();
    match sgf::character_set(&text).map(|set| (plain(&set), set)) {
        None => Ok(text),
        Some((name, _)) if LATIN_1.contains(&name.as_str()) => Ok(text),
        Some((name, _)) if name == "utf8" => Err(not_utf8()),
        Some((_, set)) => Err(RecordError::new(format!(
            "line {line} is not UTF-8, and SGF in {set} is not read; save it as UTF-8"
        ))),
    }
}

/// The text with `\u{fffd}` in place of characters that XML 1.0 forbids: control characters except
/// tabs and line breaks, and two others. All that is written for others passes it: SVG, HTML, SGF.
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_forbidden = |c: char| match c {
        '\t' | '\n' | '\r' => false,
        '\u{fffe}' | '\u{ffff}' => true,
        _ => c.is_ascii_control(),
    };
    if text.contains(is_forbidden) {
        Cow::Owned(text.replace(is_forbidden, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The names of Latin-1 and of its subset ASCII.
const LATIN_1: [&str; 4] = ["iso88591", "latin1", "ascii", "usascii"];

/// The name of a character set in one spelling: `iso88591` for `ISO-8859-1`.
fn plain(set: &str) -> String {
    let letters = set.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

/// The text without the byte order mark, if it begins with one.
pub fn without_byte_order_mark(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// A number of things in words: `1 game`, `2 games`.
///
/// ```
/// assert_eq!(hex_core::record::counted(1, "other game"), "1 other game");
/// ```
pub fn counted(count: impl Display, noun: &str) -> String {
    let count = count.to_string();
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
