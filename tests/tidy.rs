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
    let below = path.strip_prefix(root()).unwrap_or(path);
    below.display().to_string()
}

/// All files below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", short(folder)));
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.retain(|path| !NOT_OURS.iter().any(|name| path.ends_with(name)));
    let open = |path: PathBuf| match path.is_dir() {
        true => files(&path),
        false => vec![path],
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
    let all = violations.join("\n");
    assert!(violations.is_empty(), "\n{all}\n→ {cure}\n");
}

/// Fails if `find` finds something in the code of one of these files, comments aside.
fn expect_none_in(paths: Vec<PathBuf>, find: impl Fn(&Path, &str) -> Vec<String>, cure: &str) {
    let found = paths.iter().flat_map(|path| {
        let found = find(path, &compact(&read(path))).into_iter();
        found.map(|what| format!("{}: {what}", short(path)))
    });
    expect_none(found.collect(), cure);
}

/// The lines that hold one of these words.
fn lines_with(code: &str, words: &[&str]) -> Vec<String> {
    let has_one = |line: &&str| words.iter().any(|word| line.contains(word));
    code.lines().filter(has_one).map(str::to_owned).collect()
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
    let names = code.lines().filter_map(|line| {
        let line = line.strip_prefix("pub ").unwrap_or(line);
        Some(line.strip_prefix("mod ")?.strip_suffix(';')?.to_owned())
    });
    names.collect()
}

/// The names that follow `prefix` in the code, a word each; `{` for a list in braces.
fn words_after<'a>(code: &'a str, prefix: &str) -> Vec<&'a str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let places = code.match_indices(prefix);
    let whole = places.filter(|(at, _)| !code[..*at].ends_with(is_word));
    let words = whole.map(|(at, _)| {
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
        let inside = folder.join(&name);
        let mut paths = vec![folder.join(format!("{name}.rs"))];
        if inside.is_dir() {
            paths.extend(files(&inside));
        }
        paths.retain(|path| is_rust(path) && path.is_file());
        Module { name, files: paths }
    });
    with_files.collect()
}

/// The uses of `crate::…` that lead to a module below, or that cannot be read. A macro that is
/// exported is reached at the crate's root, but it stands in the module that defines it.
fn downward_imports(folder: &str) -> Vec<String> {
    let modules = crate_modules(folder);
    let count = modules.len();
    assert!(count > 3, "only {count} modules in {folder}/lib.rs");
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
    let own = ["src", "bundle/src"].map(str::to_owned);
    for folder in own.into_iter().chain(in_crates("src")) {
        let cure = format!(
            "{folder}/lib.rs lists the modules in dependency order: move the module below what \
             it imports, or turn the dependency round. (`crate::{{…}}`: one use a module.)"
        );
        expect_none(downward_imports(&folder), &cure);
    }
}

#[test]
fn modules_of_the_bot_are_reached_through_the_crate() {
    let cure = "paths lead from the crate's root: write crate:: instead of super::";
    let found = |_: &Path, code: &str| lines_with(code, &["super::"]);
    expect_none_in(rust_files(&["src"]), found, cure);
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
        if !["lib", "main"].contains(&name.as_str()) && !listed.contains(&module) {
            violations.push(format!("{} is not in src/lib.rs", short(&path)));
        }
    }
    let cure = "every file in src/ has its line in src/lib.rs or lies in the folder of a module \
                there";
    // The compiler misses a file that is listed and not there.
    expect_none(violations, cure);
}

/// The headers of a manifest's sections, and the names in its `[dependencies]`, sorted.
fn sections_and_dependencies(manifest: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut sections, mut dependencies) = (Vec::new(), Vec::new());
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            sections.push(header.trim_end_matches(']'));
        } else if sections.last() == Some(&"dependencies") && !line.starts_with('#') {
            let name = line.split_once(['=', '.', ' ']).map(|(name, _)| name);
            dependencies.extend(name);
        }
    }
    dependencies.sort();
    (sections, dependencies)
}

#[test]
fn the_root_package_depends_on_three_crates() {
    let manifest = read(&root().join("Cargo.toml"));
    let (sections, found) = sections_and_dependencies(&manifest);
    let mut lists = sections
        .into_iter()
        .filter(|section| section.contains("dependencies"));
    let cure = "CodinGame has no crates: each needs a stand-in under bundle/stand_ins, so use std \
                instead, or do the work in another crate";
    assert_eq!(found, DEPENDENCIES, "{cure}");
    assert!(
        lists.all(|list| ["dependencies", "dev-dependencies"].contains(&list)),
        "{cure}"
    );
}

/// fuzz/ has its own lock file and is built with `--locked`: a new dependency of the tools must be
/// added to that file by hand.
#[test]
fn the_fuzzers_lock_knows_what_the_code_depends_on() {
    let lock = read(&root().join("fuzz/Cargo.lock"));
    let mut violations = Vec::new();
    let crates = CRATES.map(|folder| (format!("hex-{folder}"), folder));
    for (package, folder) in crates.into_iter().chain([("hexbot".to_owned(), ".")]) {
        let heading = format!("name = \"{package}\"\n");
        let mut entries = lock.split("\n\n");
        let entry = entries
            .find(|entry| entry.contains(&heading))
            .unwrap_or_default();
        let manifest = read(&root().join(folder).join("Cargo.toml"));
        for name in sections_and_dependencies(&manifest).1 {
            // A crate of several versions has its version behind the name.
            if !entry.contains(&format!("\"{name}\"")) && !entry.contains(&format!("\"{name} ")) {
                violations.push(format!("fuzz/Cargo.lock: {package} without {name}"));
            }
        }
    }
    let cure = "cargo update --workspace --manifest-path fuzz/Cargo.toml";
    expect_none(violations, cure);
}

/// Fails if other files of the bot's code than this one have one of these words.
fn expect_only_in(file: &str, words: &[&str], cure: &str) {
    let mut paths = rust_files(&["src"]);
    paths.retain(|path| short(path) != file);
    expect_none_in(paths, |_, code| lines_with(code, words), cure);
}

#[test]
fn src_holds_no_tests() {
    let cure = "src/ is what is uploaded: move the test to tests/";
    expect_only_in("none", &["cfg(test)", "#[test]"], cure);
}

#[test]
fn only_main_speaks_and_listens() {
    let words = ["print!", "println!", "stdin", "stdout", "stderr", "dbg!"];
    let cure = "return a value or an error and let src/main.rs print it";
    expect_only_in("src/main.rs", &words, cure);
}

#[test]
fn only_the_budget_reads_the_clock() {
    let cure = "take a Clock or a Budget from src/budget.rs, so that a test can bring its own time";
    expect_only_in("src/budget.rs", &["Instant", "SystemTime"], cure);
}

/// The macros panic if the output is closed. Compact code has no blanks before a `!`.
#[test]
fn no_command_dies_of_a_broken_pipe() {
    let cure = "what stands on standard error goes through common/src/aside.rs, results are \
                written with writeln! and `?`";
    let folders = [in_crates("src"), vec!["wasm/src".to_owned()]].concat();
    let prints = |_: &Path, code: &str| lines_with(code, &["print!", "println!"]);
    expect_none_in(rust_files(&folders), prints, cure);
}

#[test]
fn main_is_short() {
    let code = compact(&read(&root().join("src/main.rs")));
    let lines = code.lines().filter(|line| !line.is_empty()).count();
    println!("src/main.rs: {lines} lines of code");
    let cure = "it is the plot alone: move details into the module that they belong to";
    assert!(
        lines <= MAX_MAIN_LINES,
        "src/main.rs has {lines} lines of code → {cure}"
    );
}

#[test]
fn every_file_says_what_it_is() {
    let paths =
        rust_files(&[&CRATES[..], &["src", "tests", "wasm", "bundle/src", "fuzz"]].concat());
    let lacking = paths.iter().filter(|path| !read(path).starts_with("//! "));
    let cure = "open the file with //! and what it is, and what it is not";
    expect_none(lacking.map(|path| short(path)).collect(), cure);
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
    let log = read(&root().join("CHANGELOG.md"));
    let version = env!("CARGO_PKG_VERSION");
    let is_heading = |line: &str| line.split_whitespace().take(2).eq(["##", version]);
    let cure = "tell there what is new in this version";
    assert!(
        log.lines().any(is_heading),
        "CHANGELOG.md has no `## {version}` → {cure}"
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
    let cure = "write a path relative to the project, or ask for it";
    expect_none(violations, cure);
}
