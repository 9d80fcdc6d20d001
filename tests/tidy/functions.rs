//! A rule of the house: how long functions are.

use super::{expect_none, read, rust_files, short, CRATES};

/// The most lines of a function.
const MAX_FUNCTION_LINES: usize = 60;

/// The functions of a formatted file that are too long: a function ends with a brace that is
/// indented like its first line, or with its signature if a trait leaves the body to others.
fn long_functions(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let head = code.split('(').next().unwrap_or_default();
        if code.starts_with("//") || !format!(" {head}").contains(" fn ") {
            continue;
        }
        let indent = &line[..line.len() - code.len()];
        let is_end = |line: &&str| {
            line.strip_prefix(indent)
                .is_some_and(|rest| rest == "}" || rest.starts_with(')') && rest.ends_with(';'))
        };
        let length = lines[start..]
            .iter()
            .position(is_end)
            .map_or(1, |at| at + 1);
        if length > MAX_FUNCTION_LINES && !line.ends_with(['}', ';']) {
            found.push(format!("line {}: {length} lines: {head}", start + 1));
        }
    }
    found
}

#[test]
fn functions_are_not_too_long() {
    let mut violations = Vec::new();
    for path in rust_files(&[&CRATES[..], &["src", "tests", "wasm", "bundle", "fuzz"]].concat()) {
        let found = long_functions(&read(&path)).into_iter();
        violations.extend(found.map(|place| format!("{}, {place}", short(&path))));
    }
    let cure = "name the steps of the function and give each a function of its own";
    expect_none(violations, cure);
}

#[test]
fn long_functions_are_found() {
    let body = |lines: usize| format!("    fn long(\n{}    }}\n", "        x;\n".repeat(lines - 2));
    assert!(long_functions(&body(MAX_FUNCTION_LINES)).is_empty());
    assert_eq!(long_functions(&body(MAX_FUNCTION_LINES + 1)).len(), 1);
    let bodiless = "    fn short(\n        x: X,\n    ) -> Y;\n".to_owned();
    assert!(long_functions(&(bodiless + &body(MAX_FUNCTION_LINES))).is_empty());
}
