//! The page's modules as one script: a browser asks once for the page's code instead of forty
//! times, level by level as they import each other, which takes a phone longer than all else.
//!
//! The modules' imports and exports are so plain that a reader of lines does: one import or export
//! at the beginning of a line, nothing that is exported is assigned anew, and no circle.

use anyhow::{bail, ensure, Context};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Joins the module `first` with all that it imports, and that these do. `modules` has the text of
/// each by its name. The script does what the modules do, in the same order.
///
/// # Errors
/// If a module is missing, imports itself in a circle, or has an import or export of a form that is
/// not known here.
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
    /// What it says.
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
    /// Writes a module as a function that is called at once and returns what is exported, after
    /// those that it imports; its name stands above it, for who reads the script.
    fn add(&mut self, name: &str) -> anyhow::Result<()> {
        if self.done.contains(name) {
            return Ok(());
        }
        ensure!(
            self.begun.insert(name.to_owned()),
            "{name}: imports itself, through others"
        );
        let text = self.modules.get(name);
        let text = text.with_context(|| format!("{name}: there is no such module"))?;
        let (mut body, mut exports) = (String::new(), Vec::new());
        for line in text.lines() {
            let line = match line.split(' ').next() {
                Some("import") => self.import(line).with_context(|| unknown(name, line))?,
                Some("export") => {
                    export(line, &mut exports).with_context(|| unknown(name, line))?
                }
                _ => line.to_owned(),
            };
            body += &line;
            body.push('\n');
        }
        let (constant, exports) = (constant(name), exports.join(", "));
        write!(
            self.text,
            "// {name}\nconst {constant} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"
        )?;
        self.done.insert(name.to_owned());
        Ok(())
    }

    /// Adds the imported module, and returns the line that stands for the import.
    fn import(&mut self, line: &str) -> anyhow::Result<String> {
        let words = line.strip_prefix("import ").unwrap_or(line);
        let (names, path) = words.split_once(" from ").context("it has no `from`")?;
        let module = path
            .strip_prefix("\"./")
            .and_then(|path| path.strip_suffix("\";"))
            .context("it does not end with a path like \"./board.js\";")?;
        self.add(module)?;
        // Other names would need other words here.
        ensure!(
            !names.contains(" as ") || names.starts_with("* as "),
            "it names anew"
        );
        let names = names.strip_prefix("* as ").unwrap_or(names);
        Ok(format!("const {names} = {};", constant(module)))
    }
}

/// Returns the line without its `export`, and adds what it exports.
fn export(line: &str, exports: &mut Vec<String>) -> anyhow::Result<String> {
    let words = line.strip_prefix("export ").unwrap_or(line);
    if let Some(names) = words
        .strip_prefix("{ ")
        .and_then(|words| words.strip_suffix(" };"))
    {
        exports.push(names.to_owned());
        return Ok(String::new());
    }
    for kind in ["const ", "function ", "async function ", "class "] {
        if let Some(rest) = words.strip_prefix(kind) {
            let is_of_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            let name = rest.split(|letter| !is_of_name(letter)).next();
            exports.push(name.unwrap_or_default().to_owned());
            return Ok(words.to_owned());
        }
    }
    bail!("it is no const, function, class or list")
}

fn unknown(name: &str, line: &str) -> String {
    format!("{name}: modules with the line {line:?} cannot be joined")
}

/// What a module's exports are called in the script; names with a dollar occur nowhere else.
fn constant(module: &str) -> String {
    format!("${}", module.trim_end_matches(".js").replace('-', "_"))
}
