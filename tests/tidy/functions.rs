//! Long functions, and those with many arguments, are shown. A person decides about them.

use super::{read, rust_files, short, show, CRATES};

/// A function with more lines is shown.
const MAX_FUNCTION_LINES: usize = 60;

/// A function with more arguments is shown.
const MAX_ARGUMENTS: usize = 7;

/// The functions of a formatted file that are long or have many arguments. A function ends with a
/// brace that is indented like its first line, or with its signature if a trait leaves the body to
/// others. More arguments than fit into a line are on a line each.
fn large_functions(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let code = line.trim_start();
        let head = code.split('(').next().unwrap_or_default();
        if code.starts_with("//") || !format!(" {head}").contains(" fn ") {
            continue;
        }
        let indent = &line[..line.len() - code.len()];
        let until = |is_end: &dyn Fn(&str) -> bool| {
            let mut rest = lines[start..].iter();
            let end = rest.position(|line| line.strip_prefix(indent).is_some_and(is_end));
            end.unwrap_or(0)
        };
        let signature = until(&|rest| rest.starts_with(')'));
        let length = 1 + until(&|rest| rest == "}" || rest.starts_with(')') && rest.ends_with(';'));
        if line.ends_with(['}', ';']) {
            continue;
        }
        if line.ends_with('(') && signature > MAX_ARGUMENTS + 1 {
            let arguments = signature - 1;
            found.push(format!("line {}: {arguments} arguments: {head}", start + 1));
        }
        if length > MAX_FUNCTION_LINES {
            found.push(format!("line {}: {length} lines: {head}", start + 1));
        }
    }
    found
}

#[test]
fn large_functions_are_shown() {
    let mut large = Vec::new();
    for path in rust_files(&[&CRATES[..], &["src", "tests", "wasm", "bundle", "fuzz"]].concat()) {
        let found = large_functions(&read(&path)).into_iter();
        large.extend(found.map(|place| format!("{}, {place}", short(&path))));
    }
    show(&large, "do its steps have names?");
}

#[test]
fn large_functions_are_found() {
    let body = |lines: usize| format!("    fn long(\n{}    }}\n", "        x;\n".repeat(lines - 2));
    assert!(large_functions(&body(MAX_FUNCTION_LINES)).is_empty());
    assert_eq!(large_functions(&body(MAX_FUNCTION_LINES + 1)).len(), 1);
    let bodiless = "    fn short(\n        x: X,\n    ) -> Y;\n".to_owned();
    assert!(large_functions(&(bodiless + &body(MAX_FUNCTION_LINES))).is_empty());
    let wide = |count: usize| format!("fn wide(\n{}) {{\n}}\n", "    x: X,\n".repeat(count));
    assert!(large_functions(&wide(MAX_ARGUMENTS)).is_empty());
    assert_eq!(large_functions(&wide(MAX_ARGUMENTS + 1)).len(), 1);
}
