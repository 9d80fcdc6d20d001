//! Joins src/ and the stand-ins into one file that compiles with a bare rustc, and writes it to
//! standard output. It is run by bundle.sh from the project's root and needs nothing but std.
//!
//! Each module of src/lib.rs becomes a module of the file, under the same path; the stand-ins become
//! the modules `rand`, `rand_xoshiro` and `smallvec`. Comments, docs, indentation and blank lines are
//! left out, and spaces that no token needs. Nothing else changes, so that a compiler's message about
//! the bundle is easily found in the sources.

use std::fs;
use std::process::exit;

const STAND_INS: [&str; 3] = ["rand", "rand_xoshiro", "smallvec"];

fn main() {
    let manifest = read("Cargo.toml");
    let version = value_of(&manifest, "version");
    let license = read("LICENSE");
    let copyright = license.lines().find(|line| line.starts_with("Copyright"));
    let copyright = copyright.unwrap_or_else(|| fail("LICENSE has no line with the copyright"));
    println!(
        "// hexbot {version}. {copyright}, {} license.",
        value_of(&manifest, "license")
    );
    println!("#![allow(dead_code)]");
    println!(
        "{}",
        compact(&read("src/main.rs").replace("hexbot::", "crate::"))
    );
    for name in STAND_INS {
        print_module(name, &read(&format!("bundle/{name}.rs")));
    }
    let map = compact(&read("src/lib.rs"));
    for item in map
        .split(';')
        .map(str::trim)
        .filter(|item| !item.is_empty())
    {
        match item.rsplit_once("pub mod ") {
            Some((_, name)) => print_module(name, &read(&format!("src/{name}.rs"))),
            None => fail(&format!(
                "src/lib.rs holds {item:?}; only modules can be bundled"
            )),
        }
    }
}

/// Prints a module; its uses of the three crates become uses of their stand-ins.
fn print_module(name: &str, source: &str) {
    let mut source = source.to_owned();
    for crate_name in STAND_INS {
        source = source.replace(
            &format!("use {crate_name}::"),
            &format!("use crate::{crate_name}::"),
        );
    }
    println!("pub mod {name}{{\n{}\n}}", compact(&source));
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

fn read(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| fail(&format!("cannot read {path}: {error}")))
}

fn fail(message: &str) -> ! {
    eprintln!("bundler: {message}");
    exit(1)
}

/// The source without comments, docs and the white space that no token needs. A line stays a line.
pub fn compact(source: &str) -> String {
    let mut kept = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let gap = gap_length(rest);
        if gap > 0 {
            let (space, next) = rest.split_at(gap);
            kept.push_str(separator(&kept, space, next));
            rest = next;
            continue;
        }
        let begins_word = !kept.ends_with(is_word);
        let length = match first {
            '"' => string_length(rest),
            '\'' => character_length(rest),
            'r' | 'b' | 'c' if begins_word => raw_string_length(rest).unwrap_or(1),
            _ => first.len_utf8(),
        };
        kept.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    kept.trim().to_owned()
}

/// How much white space and how many comments the text begins with, in bytes.
fn gap_length(text: &str) -> usize {
    let mut rest = text;
    loop {
        rest = match rest.trim_start() {
            comment if comment.starts_with("//") => {
                &comment[comment.find('\n').unwrap_or(comment.len())..]
            }
            comment if comment.starts_with("/*") => &comment[block_comment_length(comment)..],
            end => return text.len() - end.len(),
        }
    }
}

/// What must stand between `before` and `after`, which are `space` apart.
fn separator(before: &str, space: &str, after: &str) -> &'static str {
    if space.contains('\n') {
        // Statements keep their lines; what rustfmt broke inside of one is joined again.
        let goes_on = before.ends_with(['(', '[', ',']) || after.starts_with(['.', ')', ']']);
        return if goes_on { "" } else { "\n" };
    }
    let splits = |c: char| "(){}[];,".contains(c);
    match (before.chars().next_back(), after.chars().next()) {
        (Some(left), Some(right)) if splits(left) || splits(right) => "",
        (Some(left), Some(right)) => {
            // A quote next to a word would be read as part of it, and so would two signs.
            let word = |c: char| is_word(c) || c == '"' || c == '\'';
            if word(left) == word(right) {
                " "
            } else {
                ""
            }
        }
        _ => "",
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Block comments nest.
fn block_comment_length(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    loop {
        match text.get(at..).unwrap_or_default() {
            "" => fail("a comment is not closed"),
            rest if rest.starts_with("/*") => (depth, at) = (depth + 1, at + 2),
            rest if rest.starts_with("*/") => (depth, at) = (depth - 1, at + 2),
            rest => at += rest.chars().next().map_or(1, char::len_utf8),
        }
        if depth == 0 {
            return at;
        }
    }
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    fail("a string is not closed")
}

/// A character literal, or the quote of a lifetime.
fn character_length(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    match (characters.next(), characters.next()) {
        (Some((_, '\\')), Some((after, _))) => text[after + 1..]
            .find('\'')
            .map_or(1, |end| after + 1 + end + 1),
        (Some(_), Some((end, '\''))) => end + 1,
        _ => 1,
    }
}

/// `r"…"` or `r#"…"#`, maybe of bytes (`br"…"`) or for C (`cr"…"`); `None` if a word or another
/// literal begins here.
fn raw_string_length(text: &str) -> Option<usize> {
    let marked = text.strip_prefix(['b', 'c']).unwrap_or(text);
    let hashed = marked.strip_prefix('r')?;
    let quoted = hashed.trim_start_matches('#');
    let end = format!("\"{}", "#".repeat(hashed.len() - quoted.len()));
    let body = quoted.strip_prefix('"')?;
    Some(text.len() - body.len() + body.find(&end)? + end.len())
}
