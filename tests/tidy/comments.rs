//! A rule of the house: how wide comments are.

use super::{expect_none, read, rust_files, short, CRATES};

/// The most columns of a line that is nothing but a comment.
const MAX_COLUMNS: usize = 100;

/// The folders where that holds, beside those of [`CRATES`].
const FOLDERS: [&str; 6] = ["src", "bundle", "tests", "benches", "fuzz", "wasm"];

/// Returns true if a line is nothing but a comment, and too wide.
fn is_wide_comment(line: &str) -> bool {
    line.trim_start().starts_with("//") && line.chars().count() > MAX_COLUMNS
}

#[test]
fn comments_are_not_too_wide() {
    let mut violations = Vec::new();
    for path in rust_files(&[&FOLDERS[..], &CRATES].concat()) {
        let text = read(&path);
        let lines = (1..).zip(text.lines());
        let wide = lines.filter(|(_, line)| is_wide_comment(line));
        violations.extend(wide.map(|(number, _)| format!("{}:{number}", short(&path))));
    }
    let cure = format!("break comments at {MAX_COLUMNS} columns");
    expect_none(violations, &cure);
}

#[test]
fn wide_comments_are_found() {
    let comment = |columns: usize| format!("    //!{}", "ä".repeat(columns - 7));
    assert!(!is_wide_comment(&comment(MAX_COLUMNS)));
    assert!(is_wide_comment(&comment(MAX_COLUMNS + 1)));
    let code = format!("let x = \"{}\"; // code", "x".repeat(MAX_COLUMNS));
    assert!(
        !is_wide_comment(&code),
        "lines of code are rustfmt's affair"
    );
}
