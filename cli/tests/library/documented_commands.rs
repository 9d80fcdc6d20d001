//! Command lines of `hex` in documents: whether `hex` accepts their words, whether its options are
//! still there, and whether README lists every command. Nothing is run.

use crate::options::{command, commands};
use clap::error::ErrorKind;
use hex_arena::knobs::Knobs;
use regex::Regex;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// Folders without documents, and the logs, which keep the commands of their time.
const NOT_READ: [&str; 6] = [
    "target",
    "results",
    "node_modules",
    "archive",
    ".git",
    "shared",
];

/// Options in documents that belong to other programs: cargo, Python, Ray, MoHex, coreutils.
const OF_OTHERS: [&str; 14] = [
    "--baseline-rev",
    "--bench",
    "--bin",
    "--directory",
    "--generate",
    "--ignore-missing",
    "--init",
    "--num-cpus",
    "--option",
    "--package",
    "--path",
    "--quiet",
    "--use-logfile",
    "--workspace",
];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The documents below a folder but for CHANGELOG, which names options of the past.
fn documents(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let read = entries.filter(|entry| !NOT_READ.iter().any(|name| entry.file_name() == *name));
    let below = read.flat_map(|entry| match entry.path() {
        path if path.is_dir() => documents(&path),
        path => vec![path],
    });
    let is_read = |path: &PathBuf| {
        path.extension().is_some_and(|extension| extension == "md")
            && !path.ends_with("CHANGELOG.md")
    };
    below.filter(is_read).collect()
}

/// The lines of blocks of code, those that `\` continues as one, and the code within lines.
fn code(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let (mut is_fenced, mut prose) = (false, String::new());
    let joined = text.replace("\\\n", " ");
    for line in joined.lines() {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
        } else if is_fenced || line.starts_with("    ") {
            found.push(line.trim().to_owned());
        } else {
            prose.push_str(line.trim_start());
            // Code may go on in the next line, but not into the next paragraph.
            prose.push_str(if line.is_empty() { "`` ` `" } else { " " });
        }
    }
    static WITHIN: LazyLock<Regex> = LazyLock::new(|| Regex::new("`([^`]+)`").unwrap());
    found.extend(
        WITHIN
            .captures_iter(&prose)
            .map(|found| found[1].replace("\\|", "|")),
    );
    found
}

/// The words of each command line of `hex` in a piece of code, `hex` first: in pipes, after other
/// commands, and in quotes, as players and runners get them.
fn command_lines(code: &str) -> Vec<Vec<String>> {
    static COMMENT: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(^|\s)#.*").unwrap());
    let code = COMMENT.replace(code, "");
    let Ok(words) = shell_words::split(&code) else {
        return Vec::new();
    };
    let mut found: Vec<Vec<String>> = Vec::new();
    for part in words.split(|word| ["|", "&&", ";", "&"].contains(&word.as_str())) {
        let quoted = part.iter().filter(|word| word.contains(' '));
        // Settings of a player follow its command.
        let commands = quoted.filter_map(|word| word.trim_start_matches("gtp:").split(";;").next());
        found.extend(commands.flat_map(command_lines));
        let names = ["hex", "./hex", "hex.exe", "target/release/hex"];
        let place = part.iter().position(|word| names.contains(&word.as_str()));
        let is_ours = |place: &usize| match part[..*place] {
            [] => true,
            [ref cargo] => cargo == "cargo",
            _ => false,
        };
        let Some(place) = place.filter(is_ours) else {
            continue;
        };
        let end = part.iter().position(|word| word.starts_with(['>', '<']));
        let line = &part[place..end.unwrap_or(part.len())];
        // Words that stand for others, drawings, and `hex` alone.
        let is_open = line
            .iter()
            .any(|word| word.contains(['…', '─']) || word.starts_with('['));
        if line.len() > 1 && !is_open {
            found.push(line.to_vec());
        }
    }
    found
}

/// What `hex` says against a command line. One that leaves out what must follow is an excerpt.
fn refusal(line: &[String]) -> Option<String> {
    let words = hex_arena::referee::normalized(line.iter().map(OsString::from));
    let error = command().try_get_matches_from(words).err()?;
    let accepted = [
        ErrorKind::MissingRequiredArgument,
        ErrorKind::DisplayHelp,
        ErrorKind::DisplayVersion,
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand,
    ];
    let message = error.to_string();
    let is_excerpt = message.contains("a value is required for");
    (!accepted.contains(&error.kind()) && !is_excerpt).then_some(message)
}

/// Every piece of code in the documents, with the document's name.
fn all_code() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for path in documents(root()) {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        let text = fs::read_to_string(&path).unwrap();
        found.extend(code(&text).into_iter().map(|code| (name.clone(), code)));
    }
    found
}

#[test]
fn every_command_line_in_a_document_is_accepted() {
    let mut seen = 0;
    let mut wrong = Vec::new();
    for (name, code) in all_code() {
        for line in command_lines(&code) {
            seen += 1;
            let refusal = refusal(&line);
            wrong.extend(refusal.map(|error| format!("{name}: {}\n{error}", line.join(" "))));
        }
    }
    assert!(seen > 50, "only {seen} command lines were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_knob_in_a_document_is_accepted() {
    let builtin = Regex::new(r"builtin:([^\s;'`,]+=[^\s;'`]+)").unwrap();
    let mut wrong = Vec::new();
    for (name, code) in all_code() {
        for found in builtin.captures_iter(&code) {
            let knobs = &found[1];
            // Files, and values that `hex tune` puts in, are not there.
            let is_open = ["FILE", "{", "…", "weights="]
                .iter()
                .any(|part| knobs.contains(part));
            if !is_open {
                let error = Knobs::parse(knobs).err();
                wrong.extend(error.map(|error| format!("{name}: {knobs}: {error}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The text of all programs beside `hex`, with their options.
fn other_programs(folder: &Path) -> String {
    let entries = fs::read_dir(folder).unwrap().flatten();
    let texts = entries.map(|entry| match entry.path() {
        path if path.is_dir() => match entry.file_name().to_str() {
            Some("target" | "node_modules" | "nets") => String::new(),
            _ => other_programs(&path),
        },
        path => fs::read_to_string(path).unwrap_or_default(),
    });
    texts.collect()
}

/// Every option in a document is one of `hex` or of our other programs.
#[test]
fn every_option_in_a_document_is_there() {
    let of_hex: BTreeSet<String> = commands()
        .iter()
        .flat_map(|(_, command)| command.get_arguments())
        .filter_map(|argument| argument.get_long())
        .map(|name| format!("--{name}"))
        .collect();
    let folders = ["train", "release", "fuzz", "bundle", "wasm", ".ci", "npm"];
    let others: String = folders
        .iter()
        .map(|folder| other_programs(&root().join(folder)))
        .collect();
    let is_known = |option: &str| {
        let field = option[2..].replace('-', "_");
        of_hex.contains(option)
            || OF_OTHERS.contains(&option)
            || ["--help", "--version"].contains(&option)
            || others.contains(option)
            || others.contains(&field)
    };
    let option = Regex::new(r"(?:^|[\s\[(])(--[a-z][a-z0-9-]+)").unwrap();
    let mut wrong = BTreeSet::new();
    for (name, code) in all_code() {
        let options = option.captures_iter(&code).map(|found| found[1].to_owned());
        let unknown = options.filter(|option| !is_known(option));
        wrong.extend(unknown.map(|option| format!("{name}: {option}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The numbers that a text gives to options, as in "`--simulations` (2,000)".
fn told_defaults(text: &str) -> Vec<(String, String)> {
    let told = Regex::new(r"`--([a-z][a-z0-9-]+)`\s+\(([0-9][0-9.,]*)\)").unwrap();
    let found = told.captures_iter(text);
    found
        .map(|found| (found[1].to_owned(), found[2].replace(',', "")))
        .collect()
}

#[test]
fn defaults_are_those_of_the_options() {
    let commands = commands();
    let is_default = |(option, number): &(String, String)| {
        let mut arguments = commands.iter().flat_map(|(_, own)| own.get_arguments());
        arguments.any(|argument| {
            let defaults = argument.get_default_values();
            argument.get_long() == Some(option) && defaults.iter().any(|value| value == &**number)
        })
    };
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in documents(root()) {
        let told = told_defaults(&fs::read_to_string(&path).unwrap());
        count += told.len();
        let others = told.into_iter().filter(|told| !is_default(told));
        wrong.extend(others.map(|told| format!("{}: {told:?}", path.display())));
    }
    assert!(
        wrong.is_empty(),
        "no command has these defaults: {wrong:#?}"
    );
    assert!(
        count > 0,
        "no document tells a default as `--name` (number)"
    );
    let changed = ("simulations".to_owned(), "2001".to_owned());
    assert!(!is_default(&changed));
}

#[test]
fn readme_lists_every_command() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let table = readme
        .split("## The command `hex`")
        .nth(1)
        .expect("the chapter");
    let table = table.split("\n## ").next().unwrap();
    for (words, _) in commands() {
        let name = words.trim_start_matches("lab ");
        let is_listed = [format!("`{name}`"), format!("`{words}`")]
            .iter()
            .any(|cell| table.contains(cell));
        assert!(is_listed, "README's table of commands lacks `{words}`");
    }
}

/// A line for each option in the chapter of its command or in that of options of several commands.
#[test]
fn every_command_and_option_has_a_user() {
    let text = fs::read_to_string(root().join("docs/commands.md")).unwrap();
    let chapter = |heading: &str| -> Option<&str> {
        let mut chapters = text.split("\n## ").skip(1);
        chapters.find(|chapter| {
            chapter
                .lines()
                .next()
                .is_some_and(|line| line.contains(heading))
        })
    };
    let shared = chapter("Options of several commands").expect("the first chapter");
    let mut lacking = Vec::new();
    for (words, command) in commands() {
        let own = chapter(&format!("`hex {words}`")).unwrap_or_default();
        lacking.extend(own.is_empty().then(|| format!("hex {words}")));
        let options = command
            .get_arguments()
            .filter_map(|option| option.get_long());
        for option in options {
            let name = format!("`--{option}`");
            let is_there = own.contains(&name) || shared.contains(&name);
            lacking.extend((!is_there).then(|| format!("hex {words} --{option}")));
        }
    }
    assert!(lacking.is_empty(), "docs/commands.md lacks {lacking:#?}");
}

#[test]
fn commands_are_found_and_wrong_ones_refused() {
    let text = "Run `hex show\n--every x` or\n\n    cargo hex bot \\\n        --nonsense | ./bot   # so\n\
                \n```\nx -r \"hex lab bench\" && hex solve a > b\n```\n`./hex …`, `hex`, `the hex match`";
    let lines: Vec<String> = code(text)
        .iter()
        .flat_map(|code| command_lines(code))
        .map(|words| words.join(" "))
        .collect();
    let expected = [
        "hex bot --nonsense",
        "hex lab bench",
        "hex solve a",
        "hex show --every x",
    ];
    assert_eq!(lines, expected);
    let is_refused = |line: &str| {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        refusal(&words).is_some()
    };
    assert!(!is_refused("hex show --every x") && !is_refused("hex replay a"));
    assert!(is_refused("hex bot --nonsense") && is_refused("hex none"));
    assert!(is_refused("hex match a b --threads 0"));
}
