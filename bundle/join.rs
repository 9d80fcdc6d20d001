//! Joins modules into one flat list of items: without modules there are no paths to them, no imports
//! among them and no visibility. What two modules name alike gets a name of its own.

use super::declared::Declared;
use super::fail;
use super::items::{items, Item};
use super::names::Renames;
use super::roles::{roles, Role, Run};
use super::std_names::PRELUDE;
use super::tokens::Token;
use std::collections::{BTreeMap, BTreeSet};

/// The whole program without modules.
pub struct Program {
    /// All items but imports.
    pub items: Vec<Item>,
    /// What is imported from std: the name used in the items, and its path.
    pub imports: BTreeMap<String, Vec<String>>,
}

/// One file.
struct Module {
    name: String,
    items: Vec<Item>,
    uses: Vec<Use>,
}

/// One imported name.
struct Use {
    path: Vec<String>,
    alias: String,
}

/// Where paths begin that stay inside the program.
const ROOTS: [&str; 4] = ["crate", "super", "self", "hexbot"];

/// Joins modules, given by name and tokens.
pub fn join(sources: Vec<(String, Vec<Token>)>) -> Program {
    let modules: Vec<Module> = sources
        .into_iter()
        .map(|(name, tokens)| Module::read(name, &tokens))
        .collect();
    let names = Names::of(&modules);
    let mut declared = Declared::in_items(modules.iter().flat_map(|module| &module.items));
    let uses = modules.iter().flat_map(|module| &module.uses);
    declared
        .aliasable
        .extend(uses.map(|import| import.alias.clone()));
    let mut program = Program {
        items: Vec::new(),
        imports: BTreeMap::new(),
    };
    for module in modules {
        let visible = names.visible_in(&module);
        for own in module.uses.iter().filter(|own| names.owner(own).is_none()) {
            let name = names.of_import(own);
            program.imports.insert(name, own.path.clone());
        }
        for mut item in module.items {
            names.flatten(&mut item, Run::Outer, &visible, &declared);
            program.items.push(item);
        }
    }
    program
}

impl Module {
    fn read(name: String, tokens: &[Token]) -> Self {
        let mut module = Module {
            name,
            items: Vec::new(),
            uses: Vec::new(),
        };
        for item in items(tokens) {
            match item.keyword.as_str() {
                "use" if !item.attributes.is_empty() => fail(&format!(
                    "{} imports under a condition: import where it is used, inside of a function",
                    module.name
                )),
                "use" => {
                    let tree = &item.tokens[1..item.tokens.len() - 1];
                    add_uses(tree, &[], &mut module.uses);
                }
                "mod" => fail(&format!(
                    "{} holds the module {}; src/ is flat",
                    module.name, item.name
                )),
                _ => module.items.push(item),
            }
        }
        module
    }
}

/// Reads a tree of imports, `a::{self, b as c}`, below a path.
fn add_uses(tree: &[Token], path: &[String], uses: &mut Vec<Use>) {
    let mut path = path.to_vec();
    let mut at = 0;
    while at < tree.len() {
        let text = tree[at].text.as_str();
        match text {
            "::" => at += 1,
            "{" => {
                for part in super::items::split(&tree[at + 1..tree.len() - 1], ",") {
                    add_uses(part, &path, uses);
                }
                return;
            }
            "*" => fail("an import of * hides names from the bundler: name what is used"),
            "as" => break,
            _ => {
                path.push(text.to_owned());
                at += 1;
            }
        }
    }
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    let alias = match tree.last() {
        Some(last) if at < tree.len() => last.text.clone(),
        _ => path.last().cloned().unwrap_or_default(),
    };
    uses.push(Use { path, alias });
}

/// The names that modules declare and import.
struct Names {
    modules: BTreeSet<String>,
    /// The name in the flat program of what a module declares.
    declared: BTreeMap<(String, String), String>,
    /// Names that cannot stand for an import as they are.
    taken: BTreeSet<String>,
}

impl Names {
    fn of(modules: &[Module]) -> Self {
        let mut names = Names {
            modules: modules.iter().map(|module| module.name.clone()).collect(),
            declared: BTreeMap::new(),
            taken: PRELUDE.iter().map(str::to_owned).collect(),
        };
        let mut paths: BTreeMap<&String, BTreeSet<&[String]>> = BTreeMap::new();
        let own_uses = modules.iter().flat_map(|module| &module.uses);
        for imported in own_uses.filter(|own| names.owner(own).is_none()) {
            let known = paths.entry(&imported.alias).or_default();
            known.insert(&imported.path);
        }
        let mut count: BTreeMap<&String, usize> = BTreeMap::new();
        let declared = || {
            modules
                .iter()
                .flat_map(|m| m.items.iter().map(move |item| (m, item)))
        };
        let declared = || declared().filter(|(_, item)| !item.name.is_empty());
        declared().for_each(|(_, item)| *count.entry(&item.name).or_default() += 1);
        for (module, item) in declared() {
            let is_alone = count[&item.name] == 1 && !PRELUDE.contains(&item.name);
            let flat = match is_alone {
                true => item.name.clone(),
                false => format!("{}_in_{}", item.name, module.name),
            };
            names.taken.insert(flat.clone());
            let place = (module.name.clone(), item.name.clone());
            names.declared.insert(place, flat);
        }
        let ambiguous = paths.iter().filter(|(_, paths)| paths.len() > 1);
        names
            .taken
            .extend(ambiguous.map(|(alias, _)| (*alias).clone()));
        names
    }

    /// The module that an import comes from, and the name there; `None` for std.
    fn owner(&self, import: &Use) -> Option<(String, Option<String>)> {
        let inner = import
            .path
            .iter()
            .skip_while(|part| ROOTS.contains(&part.as_str()));
        let mut inner = inner.cloned();
        let first = inner.next()?;
        let is_rooted = ROOTS.contains(&import.path[0].as_str());
        (is_rooted || self.modules.contains(&first)).then(|| (first, inner.next()))
    }

    /// The flat program's name of an import from std.
    fn of_import(&self, import: &Use) -> String {
        match self.taken.contains(&import.alias) {
            true => import.path.join("_"),
            false => import.alias.clone(),
        }
    }

    /// What names mean in a module, as far as they are called something else in the flat program.
    fn visible_in(&self, module: &Module) -> Renames {
        let mut visible = BTreeMap::new();
        for ((_, name), flat) in self
            .declared
            .iter()
            .filter(|((at, _), _)| *at == module.name)
        {
            visible.insert(name.clone(), flat.clone());
        }
        for import in &module.uses {
            let flat = match self.owner(import) {
                None => self.of_import(import),
                Some((_, None)) => continue,
                Some((from, Some(name))) => self.flat(&from, &name),
            };
            visible.insert(import.alias.clone(), flat);
        }
        visible.retain(|name, flat| name != flat);
        visible
    }

    fn flat(&self, module: &str, name: &str) -> String {
        let place = (module.to_owned(), name.to_owned());
        self.declared.get(&place).cloned().unwrap_or_else(|| {
            fail(&format!(
                "{module}::{name} is imported, but {module} declares no {name}"
            ))
        })
    }

    /// Drops paths to modules from an item, and renames what has another name in the flat program.
    fn flatten(&self, item: &mut Item, run: Run, visible: &Renames, declared: &Declared) {
        if run == Run::Outer {
            item.name = visible.get(&item.name).unwrap_or(&item.name).clone();
        }
        item.tokens = self.without_modules(&item.tokens);
        let roles = roles(&item.tokens, run, declared);
        for (token, role) in item.tokens.iter_mut().zip(roles) {
            match visible.get(&token.text) {
                Some(flat) if role == Role::Global => token.text.clone_from(flat),
                Some(_) if role == Role::FieldAndLocal => fail(&format!(
                    "{0} is the name of a function in several modules, and {{ {0} }} is short for \
                     {{ {0}: {0} }}: write that",
                    token.text
                )),
                _ => {}
            }
        }
        for member in item.members.iter_mut().flatten() {
            self.flatten(member, Run::Member, visible, declared);
        }
    }

    /// The tokens without paths to modules.
    fn without_modules(&self, tokens: &[Token]) -> Vec<Token> {
        let mut written = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while at < tokens.len() {
            let (skipped, module) = self.path_to_module(tokens, at);
            if skipped > 0 && at > 0 && tokens[at - 1].is("use") {
                fail("a function imports from the program: import at the top of the file");
            }
            at += skipped;
            let mut token = tokens[at].clone();
            if let Some(module) = module {
                token.text = self.flat(&module, &token.text);
            }
            written.push(token);
            at += 1;
        }
        written
    }

    /// How many tokens at this place lead to a module or the crate's root, and to which module.
    fn path_to_module(&self, tokens: &[Token], start: usize) -> (usize, Option<String>) {
        let mut at = start;
        let mut module = None;
        let starts_path = start == 0 || !tokens[start - 1].is("::") && !tokens[start - 1].is(".");
        while starts_path && at + 1 < tokens.len() && tokens[at + 1].is("::") {
            let name = &tokens[at].text;
            if self.modules.contains(name) {
                module = Some(name.clone());
            } else if !ROOTS.contains(&name.as_str()) {
                break;
            }
            at += 2;
        }
        (at - start, module)
    }
}
