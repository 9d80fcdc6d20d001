//! Joins the page's modules into one script, because the first board would come later without it:
//! at a latency of 150 ms and 1.6 Mbit/s after 2.2 s instead of 0.95 s, with `modulepreload` and
//! without (Chromium, empty cache, medians of 7, November 2026).
//!
//! The imports and exports of our modules are simple enough to be read line by line: each is on one
//! line and at its beginning, an exported name is never assigned again, and there are no import
//! cycles.

use anyhow::{anyhow, ensure, Context};
use std::collections::{BTreeMap, BTreeSet};

/// Joins the module `first` with all modules that it imports, directly or not. `modules` has the
/// texts by name. The script does the same as the modules, in the same order.
///
/// # Errors
/// If a module is missing, imports itself through others, or has an import or export of an unknown
/// form.
pub fn joined(modules: &BTreeMap<String, String>, first: &str) -> anyhow::Result<Script> {
    let mut joiner = Joiner {
        modules,
        begun: BTreeSet::new(),
        done: BTreeSet::new(),
        text: String::new(),
    };
    joiner.add(first)?;
    Ok(Script {
        text: joiner.text,
        modules: joiner.done,
    })
}

/// Several modules as one.
#[derive(Debug)]
pub struct Script {
    /// Its text.
    pub text: String,
    /// The names of the modules in it.
    pub modules: BTreeSet<String>,
}

struct Joiner<'a> {
    modules: &'a BTreeMap<String, String>,
    begun: BTreeSet<String>,
    done: BTreeSet<String>,
    text: String,
}

impl Joiner<'_> {
    /// Writes a module after those that it imports: as a function that is called at once and
    /// returns the exports. A comment above it has the module's name.
    fn add(&mut self, name: &str) -> anyhow::Result<()> {
        if self.done.contains(name) {
            return Ok(());
        }
        ensure!(
            self.begun.insert(name.to_owned()),
            "{name}: imports itself through other modules"
        );
        let text = self.modules.get(name);
        let text = text.with_context(|| format!("{name}: this module is missing"))?;
        let (mut body, mut exports) = (String::new(), Vec::new());
        for line in text.lines() {
            let unknown =
                |why| anyhow!("{name}: modules with the line {line:?} cannot be joined: {why}");
            match line.split(' ').next() {
                Some("import") => {
                    let (names, module) = import(line).map_err(unknown)?;
                    self.add(module)?;
                    body += &format!("const {names} = {};", constant(module));
                }
                Some("export") => body += export(line, &mut exports).map_err(unknown)?,
                _ => body += line,
            }
            body.push('\n');
        }
        let (constant, exports) = (constant(name), exports.join(", "));
        self.text += &format!(
            "// {name}\nconst {constant} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"
        );
        self.done.insert(name.to_owned());
        Ok(())
    }
}

/// The names that a line imports, as a declaration has them, and their module.
fn import(line: &str) -> Result<(&str, &str), &'static str> {
    let words = line.strip_prefix("import ").unwrap_or(line);
    let (names, path) = words.split_once(" from ").ok_or("it has no `from`")?;
    let module = path
        .strip_prefix("\"./")
        .and_then(|path| path.strip_suffix("\";"))
        .ok_or("it does not end with a path like \"./board.js\";")?;
    // Renaming would need another form of declaration.
    if names.contains(" as ") && !names.starts_with("* as ") {
        return Err("it renames an import");
    }
    Ok((names.strip_prefix("* as ").unwrap_or(names), module))
}

/// Returns the line without its `export`, and adds the exported names.
fn export<'a>(line: &'a str, exports: &mut Vec<String>) -> Result<&'a str, &'static str> {
    let words = line.strip_prefix("export ").unwrap_or(line);
    if let Some(names) = words
        .strip_prefix("{ ")
        .and_then(|words| words.strip_suffix(" };"))
    {
        exports.push(names.to_owned());
        return Ok("");
    }
    for kind in ["const ", "function ", "async function ", "class "] {
        if let Some(rest) = words.strip_prefix(kind) {
            let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            let name = rest.split(|letter| !is_of_name(letter)).next();
            exports.push(name.unwrap_or_default().to_owned());
            return Ok(words);
        }
    }
    Err("it is not a const, function, class or list")
}

/// The constant for a module's exports in the script. No other name contains a dollar sign.
fn constant(module: &str) -> String {
    format!("${}", module.trim_end_matches(".js").replace('-', "_"))
}

/// A file of the page without the lines that are nothing but a comment: a quarter of its weight.
pub(crate) fn without_comments(text: &str) -> String {
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}
