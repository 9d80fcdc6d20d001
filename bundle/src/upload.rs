//! The uploads of the project in a folder, complete with their first line.

use crate::data::Digits;
use crate::fail::fail;
use crate::minify::{minify, Minified};
use crate::readable;
use crate::sources::{read, read_sources};
use std::path::Path;

/// The most bytes that CodinGame accepts.
const LIMIT: usize = 100_000;

/// The features of src/ in the short upload.
const FEATURES: [&str; 1] = ["network"];

/// The features of src/ in the wide upload.
const WIDE_FEATURES: [&str; 2] = ["network", "large-book"];

/// The features of src/ in the upload with a probe.
const PROBE_FEATURES: [&str; 2] = ["network", "probe"];

/// The strongest upload in ASCII.
pub fn short(root: &Path) -> Minified {
    minified(root, &FEATURES, Digits::Ascii)
}

/// The strongest upload: its data are wide characters, which leaves room for the large book.
pub fn wide(root: &Path) -> Minified {
    minified(root, &WIDE_FEATURES, Digits::Wide)
}

/// The short upload, which also reports facts about the judge's machine. It has more bytes than
/// are surely accepted and fewer UTF-16 units, so that the site also shows which of them it counts.
pub fn probe(root: &Path) -> Minified {
    minified(root, &PROBE_FEATURES, Digits::Wide)
}

fn minified(root: &Path, features: &[&str], digits: Digits) -> Minified {
    let first_line = first_line(root);
    let sources = read_sources(root, features, digits);
    let mut minified = minify(&sources, features);
    minified.code = format!("{first_line}{}\n", minified.code);
    minified
}

/// The readable upload, with only playouts.
pub fn playouts(root: &Path) -> String {
    let head = first_line(root);
    let text = readable::write(&read_sources(root, &[], Digits::Ascii), LIMIT - head.len());
    head + &text
}

/// The first line: name, version, copyright and license.
fn first_line(root: &Path) -> String {
    let manifest = read(root, "Cargo.toml");
    let license = read(root, "LICENSE");
    let copyright = license.lines().find(|line| line.starts_with("Copyright"));
    let copyright = copyright.unwrap_or_else(|| fail("LICENSE has no line with the copyright"));
    format!(
        "// hexbot {}. {copyright}, {} license.\n",
        value_of(&manifest, "version"),
        value_of(&manifest, "license")
    )
}

/// The value of `key = "value"` in the manifest.
fn value_of(manifest: &str, key: &str) -> String {
    let line = manifest
        .lines()
        .find(|line| line.starts_with(&format!("{key} = \"")));
    match line.and_then(|line| line.split('"').nth(1)) {
        Some(value) => value.to_owned(),
        None => fail(&format!("Cargo.toml has no line {key} = \"…\"")),
    }
}
