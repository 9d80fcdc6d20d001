//! Data files as text: an upload gets back the bytes that it was made of, and the characters
//! survive every normalisation that a site may apply to pasted text.

use bundler::data::{as_text, Digits, DECODE};
use bundler::wide_text::{self, RANGES};
use proptest::prelude::*;
use std::collections::BTreeSet;
use unicode_normalization::char::is_combining_mark;
use unicode_normalization::UnicodeNormalization;

#[path = "../stand_ins/text.rs"]
#[allow(missing_docs)]
mod text;

/// Between the quotation marks of a literal.
fn content(literal: &str) -> &str {
    let inner = literal.trim_start_matches('r').strip_prefix('"');
    inner
        .and_then(|inner| inner.strip_suffix('"'))
        .expect("a literal")
}

/// The bytes that an upload makes of its text.
fn decoded(bytes: &[u8], digits: Digits) -> Vec<u8> {
    let literal = digits.literal(bytes);
    match digits {
        Digits::Ascii => text::bytes(content(&literal)),
        Digits::Wide => wide_text::bytes(content(&literal)),
    }
}

proptest! {
    #[test]
    fn bytes_come_back(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        for (digits, group) in [(Digits::Ascii, 9), (Digits::Wide, 2)] {
            let found = decoded(&bytes, digits);
            let more = found.len() - bytes.len();
            prop_assert_eq!(&found[..bytes.len()], &bytes[..]);
            prop_assert!(more < group && found[bytes.len()..].iter().all(|&byte| byte == 0));
        }
    }
}

#[test]
fn texts_are_as_short_as_they_can_be() {
    let bytes = [0xa5; 9_000];
    let ascii = Digits::Ascii.literal(&bytes);
    assert_eq!(content(&ascii).len(), 11_000);
    assert!(ascii.bytes().all(|byte| matches!(byte, b' '..=b'~')));
    let wide = Digits::Wide.literal(&bytes);
    assert_eq!(content(&wide).encode_utf16().count(), 9_000 * 8 / 15);
}

#[test]
fn wide_digits_come_through() {
    let ends: Vec<char> = RANGES.chars().collect();
    let digits: Vec<char> = ends.chunks(2).flat_map(|ends| ends[0]..=ends[1]).collect();
    assert_eq!(digits.len(), 1 << 15);
    assert_eq!(
        digits.iter().collect::<BTreeSet<_>>().len(),
        1 << 15,
        "one comes twice"
    );
    for digit in digits {
        let code = u32::from(digit);
        let forms = [
            digit.nfc().collect::<String>(),
            digit.nfd().collect(),
            digit.nfkc().collect(),
            digit.nfkd().collect(),
        ];
        let is_own_form = forms.iter().all(|form| *form == digit.to_string());
        let is_combined = is_combining_mark(digit) || matches!(code, 0x1100..0x1200);
        // Hebrew, Arabic and what is written like them.
        let is_right_to_left = matches!(code, 0x590..0x900 | 0xfb1d..0xfe00 | 0xfe70..0xff00);
        let is_private = matches!(code, 0xe000..0xf900);
        // Punctuation, spaces and marks of direction.
        let is_general = matches!(code, 0..0x100 | 0x2000..0x2070 | 0x3000..0x3004);
        assert!(
            is_own_form && digit.len_utf16() == 1 && !digit.is_whitespace() && !digit.is_control(),
            "{code:x}"
        );
        assert!(
            !(is_combined || is_right_to_left || is_private || is_general),
            "{code:x}"
        );
    }
}

#[test]
fn included_files_become_text() {
    let read = |name: &str| name.bytes().rev().collect();
    let source = "fn f() -> impl AsRef<[u8]> {\n    include_bytes!(\"a.b\") // as data\n}\n";
    let literal = Digits::Ascii.literal(b"b.a");
    assert_eq!(
        as_text(source, Digits::Ascii, read),
        source.replace("include_bytes!(\"a.b\")", &format!("{DECODE}({literal})"))
    );
    let other = "// include_bytes!(\"a.b\")\nconst A: &str = include_str!(\"a.b\");";
    assert_eq!(as_text(other, Digits::Wide, read), other);
}
