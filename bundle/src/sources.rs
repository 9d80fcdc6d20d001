//! Reads the program's files: main, the stand-ins, and every module of src/lib.rs with its
//! submodules.

use crate::clean::settle_attributes;
use crate::data::{as_text, Digits, DECODE};
use crate::expand::expanded;
use crate::fail::fail;
use crate::items::items;
use crate::tokens::tokens;
use std::fs;
use std::path::Path;

/// Crates that CodinGame does not have, each with a stand-in in bundle/stand_ins.
const STAND_INS: [&str; 3] = ["rand", "rand_xoshiro", "smallvec"];

/// The module that decodes data files in an upload.
const TEXT: &str = "text";

/// A file of the program.
#[derive(Clone, Debug)]
pub struct Source {
    /// The path of its module from the crate's root, such as `network::field`.
    pub module: String,
    /// Its text.
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

/// All files of the project in this folder that its code for `features` needs: main, the stand-ins,
/// and the modules in the order of src/lib.rs, each after its submodules. A module that none of
/// them names is left out. Included data files have become text.
pub fn read_sources(root: &Path, features: &[&str], digits: Digits) -> Vec<Source> {
    let mut sources = vec![Source::new("main", &read(root, "src/main.rs"))];
    for name in STAND_INS {
        let file = format!("bundle/stand_ins/{name}.rs");
        sources.push(Source::new(name, &read(root, &file)));
    }
    let lib = settle_attributes(&tokens(&read(root, "src/lib.rs")), features);
    let mut modules: Vec<(String, Vec<Source>)> = Vec::new();
    for item in items(&lib) {
        match item.keyword.as_str() {
            "mod" => {
                let mut files = Vec::new();
                add_module(root, &item.name, (features, digits), &mut files);
                modules.push((item.name, files));
            }
            other => fail(&format!(
                "src/lib.rs holds a {other}; only modules can be bundled"
            )),
        }
    }
    // A module imports only modules above it, so one pass from the last on finds all that are
    // needed.
    let mut needed = named_modules(&sources[0], features);
    for (name, files) in modules.iter().rev() {
        if needed.contains(name) {
            let named = files.iter().map(|file| named_modules(file, features));
            needed.extend(named.collect::<Vec<_>>().concat());
        }
    }
    modules.retain(|(name, _)| needed.contains(name));
    sources.extend(modules.into_iter().flat_map(|(_, files)| files));
    if sources.iter().any(|source| source.text.contains(DECODE)) {
        let file = format!("bundle/stand_ins/{}", digits.decoder());
        sources.insert(1, Source::new(TEXT, &read(root, &file)));
    }
    sources
}

/// The modules of src/lib.rs that a file names in its paths.
fn named_modules(source: &Source, features: &[&str]) -> Vec<String> {
    let settled = settle_attributes(&tokens(&source.text), features);
    let paths = settled.windows(3).filter(|path| {
        let is_root = path[0].is("crate") || path[0].is("hexbot");
        is_root && path[1].is("::")
    });
    paths.map(|path| path[2].text.clone()).collect()
}

/// Adds a module, such as `one::inner`, after its submodules.
fn add_module(
    root: &Path,
    module: &str,
    (features, digits): (&[&str], Digits),
    sources: &mut Vec<Source>,
) {
    let path = format!("src/{}", module.replace("::", "/"));
    let inside = format!("{path}/mod.rs");
    let file = if root.join(&inside).is_file() {
        inside
    } else {
        format!("{path}.rs")
    };
    let folder = Path::new(&file).parent().unwrap_or(Path::new(""));
    let text = as_text(&read(root, &file), digits, |name| {
        read_bytes(root, &folder.join(name))
    });
    let source = Source::new(module, &expanded(&text));
    let settled = settle_attributes(&tokens(&source.text), features);
    for item in items(&settled) {
        if item.keyword == "mod" && item.tokens.last().is_some_and(|last| last.is(";")) {
            let inner = format!("{module}::{}", item.name);
            add_module(root, &inner, (features, digits), sources);
        }
    }
    sources.push(source);
}

/// The text of a file of the project.
pub(crate) fn read(root: &Path, file: &str) -> String {
    let text = String::from_utf8(read_bytes(root, file.as_ref()));
    text.unwrap_or_else(|error| fail(&format!("cannot read {file}: {error}")))
}

/// The bytes of a file of the project.
fn read_bytes(root: &Path, file: &Path) -> Vec<u8> {
    let shown = file.display();
    let bytes = fs::read(root.join(file));
    bytes.unwrap_or_else(|error| fail(&format!("cannot read {shown}: {error}")))
}
