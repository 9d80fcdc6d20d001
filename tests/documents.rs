//! The rules for documents, `*.md`, that a program can check: lines are not too long, links have
//! targets, tables are complete, and figures are the same everywhere. A failure names the place and
//! the cure.

#[path = "documents/defaults.rs"]
mod defaults;
#[path = "documents/experiments.rs"]
mod experiments;
#[path = "documents/named_matches.rs"]
mod named_matches;

use std::fs;
use std::path::{Path, PathBuf};

/// The most columns of a line.
const MAX_COLUMNS: usize = 100;

/// Folders that are not the project's: what is built, what git keeps, what only lies beside it.
const NOT_OURS: [&str; 4] = ["target", "results", ".git", "shared"];

/// All documents below a folder.
fn documents(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let ours = entries.filter(|entry| !NOT_OURS.iter().any(|name| entry.file_name() == *name));
    let below = ours.flat_map(|entry| match entry.path() {
        path if path.is_dir() => documents(&path),
        path => vec![path],
    });
    let is_document = |path: &PathBuf| path.extension().is_some_and(|end| end == "md");
    below.filter(is_document).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file of the project.
fn read(name: impl AsRef<Path>) -> String {
    let path = root().join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What stands in backquotes in the first cells of a page's tables, sorted.
fn first_cells(page: &str) -> Vec<&str> {
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let mut named: Vec<&str> = cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();
    named.sort_unstable();
    named
}

/// A line of a document that is not code.
struct Line {
    path: PathBuf,
    number: usize,
    text: String,
}

/// The lines of a text outside its blocks of code, with their numbers from 1.
fn prose(text: &str) -> Vec<(usize, &str)> {
    let mut is_code = false;
    let outside = |(_, line): &(usize, &str)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    };
    (1..).zip(text.lines()).filter(outside).collect()
}

/// All lines of all documents.
fn lines() -> Vec<Line> {
    let paths = documents(root());
    assert!(paths.len() > 10, "only {paths:?} were found");
    let mut lines = Vec::new();
    for path in paths {
        let text = read(&path);
        lines.extend(prose(&text).into_iter().map(|(number, text)| Line {
            path: path.clone(),
            number,
            text: text.to_owned(),
        }));
    }
    lines
}

/// Returns true if a line is too long and could be broken: rows of tables and addresses cannot.
fn is_too_long(line: &str) -> bool {
    line.chars().count() > MAX_COLUMNS && !line.starts_with('|') && !line.contains("://")
}

/// The cells in a row of a table. Every bar separates but `\|`, in code, too.
fn cells(row: &str) -> usize {
    let bars = row.replace(r"\|", "").matches('|').count();
    bars.saturating_sub(1)
}

/// Where the links of a line lead that are no addresses.
fn targets(line: &str) -> Vec<&str> {
    let targets = line.split("](").skip(1).filter_map(|rest| {
        let (target, _) = rest.split_once(')')?;
        (!target.contains("://")).then_some(target)
    });
    targets.collect()
}

/// The anchors of a document as GitHub makes them of its headings.
fn anchors(text: &str) -> Vec<String> {
    let lines = prose(text).into_iter();
    let headings = lines.filter(|(_, line)| line.starts_with('#'));
    let anchor = |(_, line): (usize, &str)| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = |c: &char| c.is_alphanumeric() || ['-', '_'].contains(c);
        let title = title.replace(' ', "-");
        title.chars().filter(kept).collect()
    };
    headings.map(anchor).collect()
}

/// Returns true if a link from the document at `path` leads to a file, and to a heading of it if it
/// names one.
fn leads_somewhere(path: &Path, target: &str) -> bool {
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let there = match file {
        "" => path.to_owned(),
        file => path.parent().expect("a folder").join(file),
    };
    let has_anchor = || {
        let text = fs::read_to_string(&there).unwrap_or_default();
        anchors(&text).iter().any(|known| known == anchor)
    };
    there.exists() && (anchor.is_empty() || has_anchor())
}

/// Fails if there are violations, with all of them and what to do.
fn expect_none(violations: Vec<String>, cure: &str) {
    let all = violations.join("\n");
    assert!(violations.is_empty(), "\n{all}\n→ {cure}\n");
}

/// What stands between `before` and the next character that no version has.
fn version_after<'a>(text: &'a str, before: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
    Some(rest[..end.unwrap_or(rest.len())].trim_end_matches('.'))
}

#[test]
fn all_packages_and_documents_have_this_version() {
    let wanted = env!("CARGO_PKG_VERSION");
    let mut wrong = Vec::new();
    for (file, before) in [
        ("README.md", "\nVersion "),
        ("docs/install.md", "--directory hexbot-"),
        ("docs/install.md", "tar -xzf hexbot-"),
        ("docs/install.md", "npm install ./hexbot-"),
        ("docs/install.md", "pip install hexbot-"),
        ("npm/package.json", "\"version\": \""),
        ("python/Cargo.toml", "\nversion = \""),
        ("train/pyproject.toml", "version = \""),
    ] {
        let text = read(file);
        let found = version_after(&text, before);
        if found != Some(wanted) {
            wrong.push(format!("{file}: {found:?} behind {before:?}, not {wanted}"));
        }
    }
    let cure = "write the version of Cargo.toml there; RELEASING.md has the steps";
    expect_none(wrong, cure);
}

#[test]
fn lines_are_not_too_long() {
    let long = lines().into_iter().filter(|line| is_too_long(&line.text));
    let places = long.map(|line| format!("{}:{}", line.path.display(), line.number));
    let cure = "break lines of documents at 100 columns; blocks of code in ``` may be wider";
    expect_none(places.collect(), cure);
}

#[test]
fn links_lead_somewhere() {
    let mut dead = Vec::new();
    for Line { path, number, text } in lines() {
        for target in targets(&text) {
            if !leads_somewhere(&path, target) {
                dead.push(format!("{}:{number}: {target}", path.display()));
            }
        }
    }
    expect_none(dead, "name a file and a heading that are there");
}

#[test]
fn rows_of_tables_have_as_many_cells() {
    let lines = lines();
    let ragged = lines.windows(2).filter_map(|pair| {
        let [above, row] = pair else { return None };
        let is_row = above.text.starts_with('|') && row.text.starts_with('|');
        let is_ragged = is_row && cells(&above.text) != cells(&row.text);
        is_ragged.then(|| format!("{}:{}: {}", row.path.display(), row.number, row.text))
    });
    let cure = "give it as many cells as the row above it";
    expect_none(ragged.collect(), cure);
}

#[test]
fn the_page_tells_what_levels_are_worth_as_measured() {
    let strength = read("docs/strength.md");
    let (_, section) = strength.split_once("## The levels").expect("the section");
    let rows = section.lines().filter(|line| line.starts_with("| "));
    let measured = rows
        .skip(1)
        .map(|row| row.split('|').nth(3).expect("a cell").trim());
    let measured: Vec<&str> = measured.collect();
    let page = read("web/src/page/levels.js");
    let (_, told) = page.split_once("WON = [").expect("the figures");
    let (told, _) = told.split_once(']').expect("their end");
    let told: Vec<&str> = told.split(", ").collect();
    // There is nothing below the first, and the last one has more time in the page.
    assert_eq!(told[1..9], measured[1..9]);
}

#[test]
fn the_fuzzers_page_has_every_reader() {
    let (code, page) = (read("fuzz/readers/mod.rs"), read("fuzz/README.md"));
    let readers = code.split("    reader(\"").skip(1);
    let mut readers: Vec<&str> = readers.filter_map(|rest| rest.split('"').next()).collect();
    readers.sort_unstable();
    let cure = "name every reader in the table of fuzz/README.md";
    assert_eq!(first_cells(&page), readers, "{cure}");
}

/// The pages of README's list "Where next", in its order.
fn route(readme: &str) -> Vec<&str> {
    let list = readme.split("## Where next").nth(1).expect("the chapter");
    let list = list.split("\n## ").next().expect("its text");
    let is_step = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
    let steps = list.lines().filter(is_step);
    steps
        .filter_map(|step| targets(step).first().copied())
        .collect()
}

#[test]
fn each_page_of_the_route_leads_to_the_next() {
    let readme = read("README.md");
    let route = route(&readme);
    assert!(route.len() > 10, "{route:?}");
    let mut lost = Vec::new();
    for pair in route.windows(2) {
        let [page, next] = pair else { continue };
        let text = read(page);
        let last = text.trim_end().lines().last().unwrap_or_default();
        let from = root().join(page).with_file_name("");
        let link = targets(last)
            .first()
            .map(|target| from.join(target).canonicalize().ok());
        let wanted = root().join(next).canonicalize().ok();
        if !last.starts_with("Next: ") || link.flatten() != wanted {
            lost.push(format!("{page}: {last}"));
        }
    }
    let cure = "end each page of README's list with \"Next: \" and a link to the page after it";
    expect_none(lost, cure);
}

/// A reader's words a minute.
const PACE: usize = 200;

#[test]
fn the_route_takes_no_longer_than_it_says() {
    let readme = read("README.md");
    let words = ["five", "ten", "fifteen", "twenty", "thirty"];
    let (before, _) = readme.split_once(" minutes at most").expect("the time");
    let told = before.rsplit(' ').next().expect("a word");
    let place = words.iter().position(|word| *word == told);
    let most = [5, 10, 15, 20, 30][place.expect("one of the words")];
    let slow = route(&readme).into_iter().filter_map(|page| {
        let minutes = read(page).split_whitespace().count() / PACE;
        (minutes > most).then(|| format!("{page}: {minutes} minutes"))
    });
    let cure = "shorten the page, or say in README how long it takes";
    expect_none(slow.collect(), cure);
}

/// The names in the list `key = [` of a file in TOML.
fn list<'a>(toml: &'a str, key: &str) -> Vec<&'a str> {
    let (_, rest) = toml.split_once(&format!("\n{key} = [")).expect("the list");
    let (names, _) = rest.split_once(']').expect("its end");
    names.split('"').skip(1).step_by(2).collect()
}

#[test]
fn architecture_has_every_crate() {
    let (page, manifest) = (read("docs/architecture.md"), read("Cargo.toml"));
    let mut crates = list(&manifest, "members");
    crates.push("src");
    crates.sort_unstable();
    let mut named = first_cells(&page);
    named.retain(|name| root().join(name).is_dir());
    assert_eq!(
        named, crates,
        "name every crate in the table of docs/architecture.md"
    );
    let count = ["nine", "ten", "eleven", "twelve", "thirteen"][crates.len() - 9];
    let told = format!("One workspace, {count} crates.");
    assert!(
        page.contains(&told),
        "write {told:?} in docs/architecture.md"
    );
}

/// A learner's speed is measured once, on the page of the training.
#[test]
fn the_learner_is_as_fast_on_both_pages() {
    let (training, scale) = (read("docs/training.md"), read("docs/scale.md"));
    let mut lines = training.lines();
    let row = lines.find(|line| line.starts_with("| 11×11 | 32×13 |"));
    let speed = row
        .and_then(|row| row.split('|').nth(3))
        .expect("the speed");
    let told = format!("a core learns {} positions a second", speed.trim());
    assert!(scale.contains(&told), "write {told:?} in docs/scale.md");
}

#[test]
fn long_lines_ragged_tables_and_dead_links_are_found() {
    assert!(is_too_long(&"ä".repeat(MAX_COLUMNS + 1)));
    assert!(!is_too_long(&"ä".repeat(MAX_COLUMNS)));
    assert_eq!(cells("| 200 182 - 18 | 0/18/82 |"), 2);
    assert_eq!(cells(r"| a\|b | c | |"), 3);
    let text = "# A b, c!\n```\n# code\n```\n[x](y.md#z) [a](https://b.c)";
    assert_eq!(anchors(text), ["a-b-c"]);
    let (number, last) = prose(text)[1];
    assert_eq!((number, targets(last)), (5, vec!["y.md#z"]));
    let here = root().join("README.md");
    assert!(leads_somewhere(&here, "docs/search.md#bridges"));
    assert!(!leads_somewhere(&here, "docs/search.md#nowhere"));
    assert!(!leads_somewhere(&here, "docs/nowhere.md"));
}
