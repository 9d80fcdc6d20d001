//! Quotes malformed input in messages.

/// The first characters of `text` in quotes, with control characters escaped: long enough to find
/// the place, and always short.
///
/// ```
/// use hexbot::quoted::quoted;
/// assert_eq!(quoted("d44"), "\"d44\"");
/// assert!(quoted(&"x".repeat(1_000_000)).len() < 100);
/// ```
pub fn quoted(text: &str) -> String {
    const SHOWN: usize = 20;
    let mut beginning: String = text.chars().take(SHOWN).collect();
    if beginning.len() < text.len() {
        beginning.push('…');
    }
    format!("{beginning:?}")
}
