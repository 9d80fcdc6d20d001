//! Two things never share a name: a type that other modules of the bot and the tools know has a
//! name that no other has, so that a word in a message or a question means one thing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each subcommand has a type of this name, as `lib.rs` says.
const OF_EVERY_SUBCOMMAND: &str = "Args";

/// What makes a type.
const KEYWORDS: [&str; 4] = ["struct ", "enum ", "trait ", "type "];

/// All Rust files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let below = paths.flat_map(|path| {
        if path.is_dir() {
            files(&path)
        } else {
            vec![path]
        }
    });
    let is_rust = |path: &PathBuf| path.extension().is_some_and(|end| end == "rs");
    below.filter(is_rust).collect()
}

/// The types of a file that others know.
fn types(text: &str) -> Vec<String> {
    let declared = text.lines().filter_map(|line| {
        let rest = line
            .strip_prefix("pub(crate) ")
            .or(line.strip_prefix("pub "))?;
        let rest = KEYWORDS.iter().find_map(|word| rest.strip_prefix(word))?;
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        Some(rest[..end.unwrap_or(rest.len())].to_owned())
    });
    declared.collect()
}

#[test]
fn no_two_public_types_share_a_name() {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR"));
    let house = tools.parent().unwrap();
    // Two in one file are what a program has with a feature and without.
    let mut places: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let crates = [
        "src",
        "core/src",
        "common/src",
        "arena/src",
        "web/src",
        "contests/src",
        "lab/src",
        "cli/src",
        "wasm/src",
    ];
    let folders = crates.map(|folder| house.join(folder));
    let paths = folders.iter().flat_map(|folder| files(folder));
    // A program holds either these or their twins in system/unix.
    let twins = house.join("common/src/system/windows");
    for path in paths.filter(|path| !path.starts_with(&twins)) {
        for name in types(&fs::read_to_string(&path).unwrap()) {
            let place = path.strip_prefix(house).unwrap().display().to_string();
            places.entry(name).or_default().insert(place);
        }
    }
    assert!(places.len() > 100, "only {} types are found", places.len());
    places.remove(OF_EVERY_SUBCOMMAND);
    places.retain(|_, files| files.len() > 1);
    assert!(
        places.is_empty(),
        "{places:#?}\n→ say in the name which of them it is"
    );
}

#[test]
fn public_types_are_found() {
    let text =
        "pub struct One<'a>(u8);\npub(crate) enum Two {\nstruct Three;\npub type Four = u8;\n";
    assert_eq!(types(text), ["One", "Two", "Four"]);
}
