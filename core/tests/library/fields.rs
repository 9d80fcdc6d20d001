//! Records that other programs wrote, in `data/field`.

use std::path::Path;

/// A record as it stands, or that in the file of this name.
pub fn record(text: &str) -> String {
    if !text.ends_with(".sgf") {
        return text.to_owned();
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/field");
    std::fs::read_to_string(folder.join(text)).unwrap_or_else(|error| panic!("{text}: {error}"))
}
