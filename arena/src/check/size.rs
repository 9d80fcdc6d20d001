//! The size of an upload. The site's limit is 100,000, but it does not state the unit.

use super::list::Mark;
use hex_common::input;
use std::path::Path;

/// The site's limit.
const ALLOWED: usize = 100_000;

/// The size of a source, and whether the site will accept it.
///
/// The site's editor counts UTF-16 units. In one test the compiler accepted at most as many bytes
/// of UTF-8. So up to 100,000 bytes are safe, and more than 100,000 units are certainly refused.
pub(crate) fn judge(source: &Path) -> (Mark, String) {
    let bytes = match input::read(source) {
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
    if units > ALLOWED {
        (Mark::Bad, format!("{sizes}: the site refuses it"))
    } else if count > ALLOWED {
        let why = "it is not certain whether the site counts bytes or units";
        (Mark::Note, format!("{sizes}: {why}"))
    } else {
        (Mark::Good, sizes)
    }
}
