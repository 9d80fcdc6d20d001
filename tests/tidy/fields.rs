//! A rule of the house: what unsafe code relies on cannot be replaced by another crate's safe code.

use super::{expect_none_in, read, rust_files};
use std::path::Path;

/// The types of the network whose fields no unsafe code trusts: a result, and the two that only
/// unsafe functions take, whose callers answer for the fields.
const TRUSTED_BY_NOBODY: [&str; 3] = ["Logits", "KernelCall", "PaddedList"];

/// The fields of a formatted file that any crate may write to, as `Type.field`.
fn open_fields(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut owner = "";
    for line in text.lines() {
        let is_end = |c: char| !c.is_alphanumeric() && c != '_';
        if let Some(rest) = line.strip_prefix("pub struct ") {
            owner = rest.split(is_end).next().unwrap_or_default();
        }
        let rest = line.strip_prefix("    pub ");
        let field = rest.and_then(|rest| rest.split_once(": "));
        if let Some((name, _)) = field.filter(|(name, _)| !name.contains(is_end)) {
            found.push(format!("{owner}.{name}"));
        }
    }
    found
}

#[test]
fn no_crate_replaces_what_the_networks_unsafe_code_relies_on() {
    let found = |path: &Path, _: &str| {
        let mut found = open_fields(&read(path));
        let owner = |field: &str| field.split('.').next().unwrap_or_default().to_owned();
        found.retain(|field| !TRUSTED_BY_NOBODY.contains(&owner(field).as_str()));
        found
    };
    let cure = "make the field `pub(crate)`, or list a type in tests/tidy/fields.rs whose fields \
                no unsafe code trusts";
    expect_none_in(rust_files(&["src/network"]), found, cure);
}

#[test]
fn open_fields_are_found() {
    let text = "pub struct A<T> {\n    pub x: T,\n    pub(crate) y: T,\n    z: T,\n}\n\
                impl A {\n    pub fn new(side: usize) -> A {}\n}\n";
    assert_eq!(open_fields(text), ["A.x"]);
}
