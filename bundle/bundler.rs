//! Joins src/ and the stand-ins into one file that compiles with a bare rustc, as short as it can be
//! made without changing what it does, and writes it to standard output. It is run by bundle.sh from
//! the project's root and needs nothing but std. With a path as its argument it writes there which
//! short name stands for which name.
//!
//! The way: each file is cut into tokens (`tokens`); `clean` takes out what only readers need; `join`
//! cuts the rest into items (`items`) and makes one list of all modules; `dead` drops what is never
//! reached; `paths` imports what is used of std; `names` renames what is ours (`declared`, `roles` and
//! `bindings` tell what that is, `aliases` shortens names of std too); `tails` and `abbreviate` save
//! what is left to save.
//!
//! All that is printed stays, but for two things: what a derived `Debug` prints has the short names, and
//! the condition of a failed `assert!` without a message is told as it stands in the bundle.

pub mod abbreviate;
pub mod aliases;
pub mod bindings;
pub mod clean;
pub mod compact;
pub mod dead;
pub mod declared;
pub mod format_strings;
pub mod items;
pub mod join;
pub mod names;
pub mod paths;
pub mod roles;
pub mod short_names;
pub mod std_names;
pub mod tails;
pub mod tokens;

pub use compact::compact;

use join::Program;
use std::fs;
use std::process::exit;
use tokens::{Kind, Token};

/// Crates that the upload cannot have, each with a stand-in in this folder.
const STAND_INS: [&str; 3] = ["rand", "rand_xoshiro", "smallvec"];

/// Lines end at the first needed space after so many bytes.
const LINE_WIDTH: usize = 500;

/// A literal of at least so many bytes is data, not code.
const DATA_BYTES: usize = 1000;

fn main() {
    let manifest = read("Cargo.toml");
    let license = read("LICENSE");
    let copyright = license.lines().find(|line| line.starts_with("Copyright"));
    let copyright = copyright.unwrap_or_else(|| fail("LICENSE has no line with the copyright"));
    println!(
        "// hexbot {}. {copyright}, {} license.",
        value_of(&manifest, "version"),
        value_of(&manifest, "license")
    );
    let minified = minify(sources());
    println!("{}", minified.code);
    if let Some(path) = std::env::args().nth(1) {
        let written = fs::write(&path, minified.map);
        written.unwrap_or_else(|error| fail(&format!("cannot write {path}: {error}")));
    }
    for (what, bytes) in minified.bytes {
        eprintln!("{bytes:7} bytes {what}");
    }
}

/// The program's files by the name of their module, each as text.
fn sources() -> Vec<(String, String)> {
    let mut sources = vec![("main".to_owned(), read("src/main.rs"))];
    let stand_ins = STAND_INS.map(|name| (name.to_owned(), read(&format!("bundle/{name}.rs"))));
    sources.extend(stand_ins);
    for item in items::items(&clean::settle_attributes(&tokens::tokens(&read(
        "src/lib.rs",
    )))) {
        match item.keyword.as_str() {
            "mod" => sources.push((item.name.clone(), read(&format!("src/{}.rs", item.name)))),
            other => fail(&format!(
                "src/lib.rs holds a {other}; only modules can be bundled"
            )),
        }
    }
    sources
}

/// What became of the sources.
pub struct Minified {
    /// The one file, without a first line.
    pub code: String,
    /// Which short name stands for which name, a line each.
    pub map: String,
    /// How many bytes there are after each step.
    pub bytes: Vec<(&'static str, usize)>,
}

/// Makes one short file of a program's files, given by the names of their modules.
pub fn minify(sources: Vec<(String, String)>) -> Minified {
    let mut bytes = vec![(
        "in the sources",
        sources.iter().map(|(_, text)| text.len()).sum(),
    )];
    let lexed = |(name, text): (String, String)| (name, tokens::tokens(&text));
    let sources: Vec<(String, Vec<Token>)> = sources.into_iter().map(lexed).collect();
    let written = |tokens: &[Token]| tokens::write(tokens, LINE_WIDTH).len();
    bytes.push((
        "without comments and white space",
        sources.iter().map(|(_, t)| written(t)).sum(),
    ));
    let clean = |(name, tokens): (String, Vec<Token>)| {
        (name, clean::trim(&clean::settle_attributes(&tokens)))
    };
    let mut program = join::join(sources.into_iter().map(clean).collect());
    bytes.push((
        "without modules and idle attributes",
        written(&all_tokens(&program)),
    ));
    dead::drop_dead(&mut program);
    bytes.push(("without dead code", written(&all_tokens(&program))));
    paths::import_paths(&mut program);
    let mut names = names::shorten(&mut program);
    program.items.iter_mut().for_each(tails::shorten);
    let imports = aliases::import(&program, &names);
    let mut all = tokens::tokens("#![allow(warnings)]");
    all.extend(imports.clone());
    all.extend(all_tokens(&program));
    bytes.push(("with short names", written(&all)));
    let mut all = tokens::tokens("#![allow(warnings)]");
    all.extend(imports);
    all.extend(abbreviate::abbreviate(program.items, &mut names.map));
    let code = tokens::write(&all, LINE_WIDTH);
    bytes.push(("with abbreviated heads of items", code.len()));
    let is_data = |token: &&Token| token.kind == Kind::Literal && token.text.len() >= DATA_BYTES;
    let data: usize = all
        .iter()
        .filter(is_data)
        .map(|token| token.text.len())
        .sum();
    bytes.push(("of these are code", code.len() - data));
    bytes.push(("of these are data in long literals", data));
    Minified {
        code,
        map: names.map,
        bytes,
    }
}

fn all_tokens(program: &Program) -> Vec<Token> {
    program
        .items
        .iter()
        .flat_map(|item| item.all_tokens())
        .collect()
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

/// Ends the program with a message.
fn fail(message: &str) -> ! {
    eprintln!("bundler: {message}");
    exit(2)
}
