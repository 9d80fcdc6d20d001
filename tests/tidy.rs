//! The rules of the house, as far as a program can check them: what may import what, what the root
//! package may depend on, who may touch the clock, the terminal and the standard streams. A failure
//! names the place and what to do about it. Long files and functions are only shown.

#[path = "tidy/children.rs"]
mod children;
#[path = "tidy/comments.rs"]
mod comments;
#[path = "tidy/fields.rs"]
mod fields;
#[path = "tidy/folders.rs"]
mod folders;
#[path = "tidy/functions.rs"]
mod functions;
#[path = "tidy/inputs.rs"]
mod inputs;
#[path = "tidy/subcommands.rs"]
mod subcommands;

// The bundler's stripper of comments, so that no rule trips over a comment.
use bundler::compact::compact;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A file with more lines is shown.
const MAX_FILE_LINES: usize = 500;

/// The most lines of src/main.rs, comments and blank lines aside.
const MAX_MAIN_LINES: usize = 45;

/// The crates that the upload has stand-ins for.
const DEPENDENCIES: [&str; 3] = ["rand", "rand_xoshiro", "smallvec"];

/// Modules of src/ that must not know each other, though the order alone would let them.
const STRANGERS: [(&str, &str); 7] = [
    ("node", "board"),
    ("tree", "board"),
    ("playout", "tree"),
    ("network", "tree"),
    ("search", "turn"),
    ("turn", "search"),
    ("turn", "player"),
];

/// The crates around the bot, each after those that it depends on.
const CRATES: [&str; 7] = ["core", "common", "arena", "web", "contests", "lab", "cli"];

/// Folders that are not the project's: what is built, what git keeps, what only lies beside it.
const NOT_OURS: [&str; 4] = ["target", "results", ".git", "shared"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A path as messages show it.
fn short(path: &Path) -> String {
    path.strip_prefix(root())
        .unwrap_or(path)
        .display()
        .to_string()
}

/// All files below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", short(folder)));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let ours = |path: &PathBuf| {
        !NOT_OURS
            .iter()
            .any(|&name| path.file_name() == Some(name.as_ref()))
    };
    paths.retain(ours);
    let open = |path: PathBuf| {
        if path.is_dir() {
            files(&path)
        } else {
            vec![path]
        }
    };
    paths.into_iter().flat_map(open).collect()
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

/// The folder with this name in each of [`CRATES`], where there is one.
fn in_crates(name: &str) -> Vec<String> {
    let folders = CRATES.map(|folder| format!("{folder}/{name}")).into_iter();
    folders.filter(|path| root().join(path).is_dir()).collect()
}

/// All Rust files below some folders of the project.
fn rust_files(folders: &[impl AsRef<Path>]) -> Vec<PathBuf> {
    let folders = folders.iter();
    let mut paths: Vec<PathBuf> = folders.flat_map(|name| files(&root().join(name))).collect();
    paths.retain(|path| is_rust(path));
    paths
}

/// Fails if there are violations, with all of them and what to do.
fn expect_none(violations: Vec<String>, cure: &str) {
    assert!(
        violations.is_empty(),
        "\n{}\n→ {cure}\n",
        violations.join("\n")
    );
}

/// Shows what a person should judge, without failing: a limit in lines does not know whether a
/// split makes the code clearer.
fn show(findings: &[String], advice: &str) {
    for finding in findings {
        // Not by a macro, whose words a test that passes would swallow.
        let _ = std::io::stderr().write_all(format!("LOOK: {finding}: {advice}\n").as_bytes());
    }
}

/// The modules that a lib.rs lists, in its order.
fn modules(lib: &str) -> Vec<String> {
    let code = compact(lib);
    let lines = code.lines().filter_map(|line| {
        line.strip_prefix("pub ")
            .unwrap_or(line)
            .strip_prefix("mod ")
    });
    lines
        .filter_map(|line| line.strip_suffix(';'))
        .map(str::to_owned)
        .collect()
}

/// The names that follow `prefix` in the code, a word each; `{` for a list in braces.
fn words_after<'a>(code: &'a str, prefix: &str) -> Vec<&'a str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let ends = code
        .match_indices(prefix)
        .filter(|(at, _)| !code[..*at].ends_with(is_word));
    let words = ends.map(|(at, _)| {
        let rest = &code[at + prefix.len()..];
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        &rest[..length.max(1).min(rest.len())]
    });
    words.collect()
}

/// A module of a crate, with all its files.
struct Module {
    name: String,
    files: Vec<PathBuf>,
}

/// The modules of the crate in this folder, in the order of its lib.rs.
fn crate_modules(folder: &str) -> Vec<Module> {
    let folder = root().join(folder);
    let names = modules(&read(&folder.join("lib.rs")));
    let with_files = names.into_iter().map(|name| {
        let (file, inside) = (folder.join(format!("{name}.rs")), folder.join(&name));
        let mut paths = if inside.is_dir() {
            files(&inside)
        } else {
            Vec::new()
        };
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
        paths.extend(file.is_file().then_some(file));
        Module { name, files: paths }
    });
    with_files.collect()
}

/// The uses of `crate::…` that lead to a module below, or that cannot be read. A macro that is
/// exported is reached at the crate's root, but it stands in the module that defines it.
fn downward_imports(folder: &str) -> Vec<String> {
    let modules = crate_modules(folder);
    assert!(
        modules.len() > 3,
        "only {} modules in {folder}/lib.rs",
        modules.len()
    );
    let mut above = Vec::new();
    let mut violations = Vec::new();
    for module in &modules {
        above.push(module.name.clone());
        let codes = module.files.iter().map(|path| (path, compact(&read(path))));
        let codes: Vec<(&PathBuf, String)> = codes.collect();
        for (_, code) in &codes {
            let macros = words_after(code, "macro_rules!");
            above.extend(macros.into_iter().map(str::to_owned));
        }
        for (path, code) in &codes {
            for name in words_after(code, "crate::") {
                if !above.iter().any(|known| known == name) {
                    violations.push(format!("{}: crate::{name}", short(path)));
                }
            }
        }
    }
    violations
}

#[test]
fn modules_import_only_modules_above_them() {
    let crates = in_crates("src");
    for folder in ["src", "bundle/src"]
        .into_iter()
        .chain(crates.iter().map(String::as_str))
    {
        expect_none(
            downward_imports(folder),
            &format!(
                "{folder}/lib.rs lists the modules in dependency order: move the module below what \
                 it imports, or turn the dependency round. (`crate::{{…}}`: one use a module.)"
            ),
        );
    }
}

#[test]
fn modules_of_the_bot_are_reached_through_the_crate() {
    let mut violations = Vec::new();
    for path in rust_files(&["src"]) {
        if compact(&read(&path)).contains("super::") {
            violations.push(short(&path));
        }
    }
    expect_none(
        violations,
        "paths lead from the crate's root: write crate:: instead of super::",
    );
}

#[test]
fn strangers_stay_strangers() {
    let mut violations = Vec::new();
    for module in crate_modules("src") {
        for path in &module.files {
            let code = compact(&read(path));
            let imports = words_after(&code, "crate::");
            for (one, other) in STRANGERS {
                if module.name == one && imports.contains(&other) {
                    violations.push(format!("{} imports {other}", short(path)));
                }
            }
            if imports.contains(&"turn") && imports.contains(&"search") {
                violations.push(format!("{} imports turn and search", short(path)));
            }
        }
    }
    let cure =
        "the tree knows no rules, an evaluator no tree, and only main meets text and search: \
                pass what is needed as plain values";
    expect_none(violations, cure);
}

#[test]
fn src_is_listed() {
    let listed = modules(&read(&root().join("src/lib.rs")));
    let mut violations = Vec::new();
    for path in rust_files(&["src"]) {
        let name = short(&path).replace("src/", "").replace(".rs", "");
        // What lies in a folder belongs to the module of its name.
        let module = name.split('/').next().unwrap_or_default().to_owned();
        let is_known = ["lib", "main"].contains(&name.as_str()) || listed.contains(&module);
        if !is_known {
            violations.push(format!("{} is not in src/lib.rs", short(&path)));
        }
    }
    for name in &listed {
        let places = [format!("src/{name}.rs"), format!("src/{name}/mod.rs")];
        if !places.iter().any(|place| root().join(place).is_file()) {
            violations.push(format!(
                "src/lib.rs lists {name}, but src/{name}.rs is missing"
            ));
        }
    }
    expect_none(
        violations,
        "every file in src/ has its line in src/lib.rs or lies in the folder of a module there",
    );
}

/// The headers of a manifest's sections, and the names in its `[dependencies]`, sorted.
fn sections_and_dependencies(manifest: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut sections, mut dependencies) = (Vec::new(), Vec::new());
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            sections.push(header.trim_end_matches(']'));
        } else if sections.last() == Some(&"dependencies")
            && line.contains('=')
            && !line.starts_with('#')
        {
            dependencies.push(line.split(['=', '.', ' ']).next().unwrap_or_default());
        }
    }
    dependencies.sort();
    (sections, dependencies)
}

#[test]
fn the_root_package_depends_on_three_crates() {
    let manifest = read(&root().join("Cargo.toml"));
    let (sections, found) = sections_and_dependencies(&manifest);
    let mut violations: Vec<String> = sections
        .into_iter()
        .filter(|section| section.contains("dependencies"))
        .filter(|section| !["dependencies", "dev-dependencies"].contains(section))
        .map(|section| format!("Cargo.toml: [{section}]"))
        .collect();
    if found != DEPENDENCIES {
        violations.push(format!("Cargo.toml: {found:?} instead of {DEPENDENCIES:?}"));
    }
    let cure = "CodinGame has no crates: each needs a stand-in under bundle/stand_ins, so use std instead, \
                or do the work in another crate";
    expect_none(violations, cure);
}

/// fuzz/ has its own lock file and is built with `--locked`: a new dependency of the tools must be
/// added to that file by hand.
#[test]
fn the_fuzzers_lock_knows_what_the_code_depends_on() {
    let lock = read(&root().join("fuzz/Cargo.lock"));
    let mut violations = Vec::new();
    for (package, manifest) in [
        ("hexbot", "Cargo.toml"),
        ("hex-core", "core/Cargo.toml"),
        ("hex-common", "common/Cargo.toml"),
        ("hex-arena", "arena/Cargo.toml"),
        ("hex-web", "web/Cargo.toml"),
        ("hex-contests", "contests/Cargo.toml"),
        ("hex-lab", "lab/Cargo.toml"),
        ("hex-cli", "cli/Cargo.toml"),
    ] {
        let entry = lock
            .split("\n\n")
            .find(|entry| entry.contains(&format!("name = \"{package}\"\n")))
            .unwrap_or_default();
        let manifest = read(&root().join(manifest));
        for name in sections_and_dependencies(&manifest).1 {
            // A crate of several versions has its version behind the name.
            if !entry.contains(&format!("\"{name}\"")) && !entry.contains(&format!("\"{name} ")) {
                violations.push(format!("fuzz/Cargo.lock: {package} without {name}"));
            }
        }
    }
    expect_none(
        violations,
        "cargo update --workspace --manifest-path fuzz/Cargo.toml",
    );
}

/// Lines of the bot's code that hold a word, except in some files.
fn lines_with(words: &[&str], except: &[&str]) -> Vec<String> {
    let mut violations = Vec::new();
    for path in rust_files(&["src"]) {
        if except.contains(&short(&path).as_str()) {
            continue;
        }
        let code = compact(&read(&path));
        for line in code
            .lines()
            .filter(|line| words.iter().any(|word| line.contains(word)))
        {
            violations.push(format!("{}: {line}", short(&path)));
        }
    }
    violations
}

#[test]
fn src_holds_no_tests() {
    let cure = "src/ is what is uploaded: move the test to tests/";
    expect_none(lines_with(&["cfg(test)", "#[test]"], &[]), cure);
}

#[test]
fn only_main_speaks_and_listens() {
    let words = ["print!", "println!", "stdin", "stdout", "stderr", "dbg!"];
    let cure = "return a value or an error and let src/main.rs print it";
    expect_none(lines_with(&words, &["src/main.rs"]), cure);
}

/// The macros panic if the output is closed. Compact code has no blanks before a `!`.
#[test]
fn no_command_dies_of_a_broken_pipe() {
    let mut violations = Vec::new();
    for path in rust_files(&in_crates("src"))
        .into_iter()
        .chain(rust_files(&["wasm/src".to_owned()]))
    {
        let code = compact(&read(&path));
        let prints = code
            .lines()
            .filter(|line| line.contains("print!") || line.contains("println!"));
        violations.extend(prints.map(|line| format!("{}: {line}", short(&path))));
    }
    let cure =
        "what stands on standard error goes through common/src/aside.rs, results are written with \
                writeln! and `?`";
    expect_none(violations, cure);
}

#[test]
fn only_the_budget_reads_the_clock() {
    let cure = "take a Clock or a Budget from src/budget.rs, so that a test can bring its own time";
    expect_none(
        lines_with(&["Instant", "SystemTime"], &["src/budget.rs"]),
        cure,
    );
}

#[test]
fn main_is_short() {
    let code = compact(&read(&root().join("src/main.rs")));
    let lines = code.lines().filter(|line| !line.is_empty()).count();
    println!("src/main.rs: {lines} lines of code");
    assert!(
        lines <= MAX_MAIN_LINES,
        "src/main.rs has {lines} lines of code, more than {MAX_MAIN_LINES} → it is the plot alone: \
         move details into the module that they belong to"
    );
}

#[test]
fn every_file_says_what_it_is() {
    let paths =
        rust_files(&[&CRATES[..], &["src", "tests", "wasm", "bundle/src", "fuzz"]].concat());
    let lacks = |path: &PathBuf| !read(path).starts_with("//! ");
    let violations = paths
        .iter()
        .filter(|path| lacks(path))
        .map(|path| short(path))
        .collect();
    expect_none(
        violations,
        "open the file with //! and what it is, and what it is not",
    );
}

#[test]
fn long_files_are_shown() {
    let mut long = Vec::new();
    for path in rust_files(&[&CRATES[..], &["src", "tests", "wasm", "bundle", "fuzz"]].concat()) {
        let lines = read(&path).lines().count();
        if lines > MAX_FILE_LINES {
            long.push(format!("{}: {lines} lines", short(&path)));
        }
    }
    show(&long, "is it one idea?");
}

#[test]
fn the_change_log_has_this_version() {
    let path = root().join("CHANGELOG.md");
    let log = fs::read_to_string(&path).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    let is_heading = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.first() == Some(&"##") && words.get(1) == Some(&version)
    };
    assert!(
        log.lines().any(is_heading),
        "CHANGELOG.md has no heading `## {version}` → tell there what is new in this version"
    );
}

#[test]
fn no_file_names_a_place_on_somebody_s_machine() {
    // In pieces, so that this file does not name one.
    let places = [
        concat!("/ho", "me/"),
        concat!("/Us", "ers/"),
        concat!("/ro", "ot/"),
        concat!("/wo", "rk/"),
        concat!("C:\\", "Us"),
    ];
    // In the middle of a link it is none.
    let names = |line: &str, place: &str| {
        let mut found = line.match_indices(place);
        found.any(|(at, _)| !line[..at].ends_with(char::is_alphanumeric))
    };
    let mut violations = Vec::new();
    for path in files(root()) {
        let Ok(text) = fs::read_to_string(&path) else {
            continue; // not text
        };
        for (index, line) in text.lines().enumerate() {
            if places.iter().any(|place| names(line, place)) {
                violations.push(format!("{}:{}: {line}", short(&path), index + 1));
            }
        }
    }
    expect_none(
        violations,
        "write a path relative to the project, or ask for it",
    );
}
