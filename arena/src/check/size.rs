//! The size of an upload. The site takes 100,000 of something; it does not say of what.

use super::list::Mark;
use std::path::Path;

/// What the site takes.
const ALLOWED: usize = 100_000;

/// How large a source is, and what the site will say.
///
/// Its editor counts UTF-16 units; one test says that what compiles has at most as many bytes of
/// UTF-8. So up to 100,000 bytes are safe, and more than 100,000 units are refused for certain.
pub fn judge(source: &Path) -> (Mark, String) {
    let bytes = match std::fs::read(source) {
        Ok(bytes) => bytes,
        Err(error) => return (Mark::Bad, format!("{}: {error}", source.display())),
    };
    let count = bytes.len();
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let why = format!("byte {} of {} is not UTF-8", at + 1, source.display());
            return (Mark::Bad, why);
        }
    };
    let (characters, units) = (text.chars().count(), text.encode_utf16().count());
    let sizes =
        format!("{count} bytes, {characters} characters, {units} UTF-16 units of {ALLOWED}");
    match () {
        () if units > ALLOWED => (Mark::Bad, format!("{sizes}: the site refuses it")),
        () if count > ALLOWED => {
            let why = "whether the site counts bytes or units is not certain";
            (Mark::Note, format!("{sizes}: {why}"))
        }
        () => (Mark::Good, sizes),
    }
}
