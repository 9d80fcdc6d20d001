//! Joins modules into one flat list of items without paths to modules, imports of modules and
//! visibilities. If two modules declare the same name, each gets a unique name.

use crate::declared::Declared;
use crate::fail::fail;
use crate::items::{items, Item};
use crate::program::{Program, Renames};
use crate::roles::{roles, Role, Run};
use crate::std_names::PRELUDE;
use crate::tokens::Token;
use std::collections::{BTreeMap, BTreeSet};

/// One file.
struct Module {
    /// Its path from the crate's root, such as `network::field`.
    name: String,
    items: Vec<Item>,
    uses: Vec<Use>,
}

/// One imported name.
struct Use {
    path: Vec<String>,
    alias: String,
}

/// Joins modules, given by path and tokens. Also returns the meaning of names in each module.
pub(crate) fn join(sources: Vec<(String, Vec<Token>)>) -> (Program, Names) {
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
        let of_std = |own: &&Use| names.owner(&own.path, &module.name).is_none();
        for own in module.uses.iter().filter(of_std) {
            let name = names.of_import(own);
            program.imports.insert(name, own.path.clone());
        }
        for mut item in module.items {
            names.flatten(&mut item, &module.name, Run::Outer, &visible, &declared);
            program.items.push(item);
        }
    }
    (program, names)
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
                "mod" if item.tokens.last().is_some_and(|last| last.is(";")) => {}
                "mod" => fail(&format!(
                    "{} holds the module {}: give it a file of its own",
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
                for part in crate::items::split(&tree[at + 1..tree.len() - 1], ",") {
                    add_uses(part, &path, uses);
                }
                return;
            }
            "*" => fail("an import of * hides names from the bundler: name the imported items"),
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

/// The target of an import: a module, and the name in it unless the module itself is imported.
type Place = (String, Option<String>);

/// The names that modules declare and import.
pub(crate) struct Names {
    modules: BTreeSet<String>,
    /// Imported modules, by the importing module and the name in it.
    imported: BTreeMap<(String, String), String>,
    /// Imported items of other modules, by the same key.
    passed_on: BTreeMap<(String, String), (String, String)>,
    /// The name in the flat program, by the declaring module and the name in it.
    declared: BTreeMap<(String, String), String>,
    /// Names that cannot be used unchanged for an import.
    taken: BTreeSet<String>,
}

impl Names {
    fn of(modules: &[Module]) -> Self {
        let mut names = Names {
            modules: modules.iter().map(|module| module.name.clone()).collect(),
            imported: BTreeMap::new(),
            passed_on: BTreeMap::new(),
            declared: BTreeMap::new(),
            taken: PRELUDE.iter().map(str::to_owned).collect(),
        };
        names.read_imports(modules);
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
            let flat = if is_alone {
                item.name.clone()
            } else {
                format!("{}_in_{}", item.name, module.name.replace("::", "_"))
            };
            names.taken.insert(flat.clone());
            let place = (module.name.clone(), item.name.clone());
            names.declared.insert(place, flat);
        }
        names
    }

    /// Reads the imported modules and names of the program, and the names that mean different items
    /// of std in different modules.
    fn read_imports(&mut self, modules: &[Module]) {
        let mut paths: BTreeMap<&String, BTreeSet<&[String]>> = BTreeMap::new();
        for module in modules {
            for own in &module.uses {
                let place = (module.name.clone(), own.alias.clone());
                match self.owner(&own.path, &module.name) {
                    None => {
                        paths.entry(&own.alias).or_default().insert(&own.path);
                    }
                    Some((from, None)) => {
                        self.imported.insert(place, from);
                    }
                    Some((from, Some(name))) => {
                        self.passed_on.insert(place, (from, name));
                    }
                }
            }
        }
        let ambiguous = paths.iter().filter(|(_, paths)| paths.len() > 1);
        self.taken
            .extend(ambiguous.map(|(alias, _)| (*alias).clone()));
    }

    /// The module that the first word of a path in `module` means; the root is the empty string.
    /// `None` if it is not a module of the program.
    fn first_step(&self, module: &str, word: &str) -> Option<String> {
        let child = below(module, word);
        match word {
            "crate" | "hexbot" => Some(String::new()),
            "self" => Some(module.to_owned()),
            "super" => Some(above(module)),
            _ if self.modules.contains(&child) => Some(child),
            _ => {
                let imported = self.imported.get(&(module.to_owned(), word.to_owned()));
                let outer = self.modules.contains(word).then(|| word.to_owned());
                imported.cloned().or(outer)
            }
        }
    }

    /// The module that the next word of a path means.
    fn next_step(&self, from: &str, word: &str) -> Option<String> {
        match word {
            "super" => Some(above(from)),
            _ => Some(below(from, word)).filter(|child| self.modules.contains(child)),
        }
    }

    /// The module that owns an import in `module`; `None` for std.
    fn owner(&self, path: &[String], module: &str) -> Option<Place> {
        let mut words = path.iter();
        let mut place = self.first_step(module, words.next()?)?;
        for word in words {
            match self.next_step(&place, word) {
                Some(next) => place = next,
                None => return Some((place, Some(word.clone()))),
            }
        }
        Some((place, None))
    }

    /// The flat program's name of an import from std.
    fn of_import(&self, import: &Use) -> String {
        if self.taken.contains(&import.alias) {
            import.path.join("_")
        } else {
            import.alias.clone()
        }
    }

    /// The names of a module that are different in the flat program.
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
            let flat = match self.owner(&import.path, &module.name) {
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
        let passed_on = || {
            let (from, name) = self.passed_on.get(&place)?;
            Some(self.flat(from, name))
        };
        let declared = self.declared.get(&place).cloned();
        declared.or_else(passed_on).unwrap_or_else(|| {
            fail(&format!(
                "{module}::{name} is imported, but {module} declares no {name}"
            ))
        })
    }

    /// Removes paths to modules from an item, and renames the names that are different in the flat
    /// program.
    fn flatten(
        &self,
        item: &mut Item,
        module: &str,
        run: Run,
        visible: &Renames,
        declared: &Declared,
    ) {
        if run == Run::Outer {
            item.name = visible.get(&item.name).unwrap_or(&item.name).clone();
        }
        item.tokens = self.without_modules(&item.tokens, module);
        let roles = roles(&item.tokens, run, declared);
        for (token, role) in item.tokens.iter_mut().zip(roles) {
            match visible.get(&token.text) {
                Some(flat) if role == Role::Global => token.text.clone_from(flat),
                Some(_) if role == Role::FieldAndLocal => fail(&format!(
                    "{0} is the name of functions in several modules, and {{ {0} }} is short for \
                     {{ {0}: {0} }}: write that",
                    token.text
                )),
                _ => {}
            }
        }
        for member in item.members.iter_mut().flatten() {
            self.flatten(member, module, Run::Member, visible, declared);
        }
    }

    /// The tokens without paths to modules.
    fn without_modules(&self, tokens: &[Token], module: &str) -> Vec<Token> {
        let mut written = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while at < tokens.len() {
            let (skipped, place) = self.path_to_module(tokens, at, module);
            if skipped > 0 && at > 0 && tokens[at - 1].is("use") {
                fail("a function imports a name of the program: import it at the top of the file");
            }
            at += skipped;
            let mut token = tokens[at].clone();
            if let Some(place) = place.filter(|place| !place.is_empty()) {
                token.text = self.flat(&place, &token.text);
            }
            written.push(token);
            at += 1;
        }
        written
    }

    /// The number of tokens here that are a path to a module or the crate's root, and that module.
    pub(crate) fn path_to_module(
        &self,
        tokens: &[Token],
        start: usize,
        module: &str,
    ) -> (usize, Option<String>) {
        let mut at = start;
        let mut place: Option<String> = None;
        let starts_path = start == 0 || !tokens[start - 1].is("::") && !tokens[start - 1].is(".");
        while starts_path && at + 1 < tokens.len() && tokens[at + 1].is("::") {
            let word = &tokens[at].text;
            let next = match &place {
                None => self.first_step(module, word),
                Some(place) => self.next_step(place, word),
            };
            if next.is_none() {
                break;
            }
            place = next;
            at += 2;
        }
        (at - start, place)
    }
}

/// The path of the submodule with this name.
fn below(module: &str, name: &str) -> String {
    match module {
        "" => name.to_owned(),
        _ => format!("{module}::{name}"),
    }
}

/// The path of the parent module.
fn above(module: &str) -> String {
    module
        .rsplit_once("::")
        .map_or("", |(outer, _)| outer)
        .to_owned()
}
