//! The pictures of documents, which tests take if the environment has `UPDATE`.

use super::browser::Tab;
use std::path::Path;

/// Whether to take the pictures anew.
pub fn is_update() -> bool {
    std::env::var_os("UPDATE").is_some()
}

/// Takes a picture, which has more than `least` characters of base64 if it shows something, and
/// writes it to a path in the project, on request.
pub fn keep(page: &Tab, path: &str, least: usize) {
    let picture = page.screenshot();
    assert!(picture.len() > least, "{path} shows something");
    if is_update() {
        let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        std::fs::write(project.join(path), decoded(&picture)).unwrap();
    }
}

/// Decodes base64.
fn decoded(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text
        .bytes()
        .filter_map(|byte| DIGITS.iter().position(|&digit| digit == byte));
    let digits: Vec<u32> = digits.map(|digit| digit as u32).collect();
    let bytes = digits.chunks(4).flat_map(|four| {
        let bits = four.iter().fold(0, |bits, digit| bits << 6 | digit) << (6 * (4 - four.len()));
        let bytes = [(bits >> 16) as u8, (bits >> 8) as u8, bits as u8];
        bytes.into_iter().take(four.len() - 1)
    });
    bytes.collect()
}
