//! The program's files: main, the stand-ins, and every module that src/lib.rs lists, with the
//! modules in their folders.

use crate::clean::settle_attributes;
use crate::fail::fail;
use crate::items::items;
use crate::tokens::tokens;
use std::fs;
use std::path::Path;

/// Crates that an upload cannot have, each with a stand-in in bundle/stand_ins.
const STAND_INS: [&str; 3] = ["rand", "rand_xoshiro", "smallvec"];

/// A file of the program.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its module, as a path from the crate's root: `network::field`.
    pub module: String,
    /// What stands in it.
    pub text: String,
}

impl Source {
    /// The file of a module.
    pub fn new(module: &str, text: &str) -> Self {
        Source {
            module: module.to_owned(),
            text: text.to_owned(),
        }
    }
}

/// All files of the project in this folder, as far as its code for some features needs them: main,
/// the stand-ins, and the modules in the order of src/lib.rs, each behind those inside of it.
pub fn read_sources(root: &Path, features: &[&str]) -> Vec<Source> {
    let mut sources = vec![Source::new("main", &read(root, "src/main.rs"))];
    for name in STAND_INS {
        let file = format!("bundle/stand_ins/{name}.rs");
        sources.push(Source::new(name, &read(root, &file)));
    }
    let lib = settle_attributes(&tokens(&read(root, "src/lib.rs")), features);
    for item in items(&lib) {
        match item.keyword.as_str() {
            "mod" => add_module(root, &item.name, features, &mut sources),
            other => fail(&format!(
                "src/lib.rs holds a {other}; only modules can be bundled"
            )),
        }
    }
    sources
}

/// Adds a module, `one::inner`, and those in its folder.
fn add_module(root: &Path, module: &str, features: &[&str], sources: &mut Vec<Source>) {
    let path = format!("src/{}", module.replace("::", "/"));
    let inside = format!("{path}/mod.rs");
    let file = if root.join(&inside).is_file() {
        inside
    } else {
        format!("{path}.rs")
    };
    let source = Source::new(module, &read(root, &file));
    let settled = settle_attributes(&tokens(&source.text), features);
    for item in items(&settled) {
        if item.keyword == "mod" && item.tokens.last().is_some_and(|last| last.is(";")) {
            let inner = format!("{module}::{}", item.name);
            add_module(root, &inner, features, sources);
        }
    }
    sources.push(source);
}

/// The text of a file of the project.
pub fn read(root: &Path, file: &str) -> String {
    let text = fs::read_to_string(root.join(file));
    text.unwrap_or_else(|error| fail(&format!("cannot read {file}: {error}")))
}
