//! The readable upload: the sources' own text without modules and without unreachable items, and
//! with as many of its comments as fit. rustfmt formats it.

use crate::clean::{fates, Fate};
use crate::dead::{drop_imports, reach, Reached};
use crate::expand::{pieces, Piece};
use crate::fail::fail;
use crate::items::{items, Item};
use crate::join::{join, Names};
use crate::program::{Imports, Program};
use crate::sources::Source;
use crate::std_names::Words;
use crate::tokens::Token;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};

/// The beginning of the file.
const PREFACE: &str = "\
// A bot for Hex on CodinGame, to be read: Monte Carlo tree search with random playouts, which needs
// nothing but std. `./bundle.sh --playouts` has made it of hexbot's src/, without the neural
// network there.
//
// The parts stand in an order in which each uses only what is above it. One move takes the way
// main, Reader (the judge's text), Player, Search (a Tree of Nodes, Bridges, PlayoutEvaluator) and
// back.
#![allow(dead_code, unused_variables)] // As the parts are in src/, where more uses them.
";

/// The beginning of a line with the title of the next part.
const TITLE: &str = "// ==== ";

/// The parts whose comments are kept first if not all comments fit.
const FIRST_PARTS: Words = Words(
    "search node node::amaf node::edges tree playout evaluation bridges groups player params",
);

/// The beginning of paths through modules in comments. It is in pieces, so that the tests do not
/// find a path of this crate.
const CRATE_PATH: &str = concat!("crate", "::");

/// The file for a program of these modules, in at most `limit` bytes.
pub(crate) fn write(sources: &[Source], limit: usize) -> String {
    let (main, others): (Vec<&Source>, _) = sources.iter().partition(|s| s.module == "main");
    let sources: Vec<&Source> = others.into_iter().chain(main).collect();
    let spaced: Vec<Vec<Piece>> = sources.iter().map(|source| settle(&source.text)).collect();
    let tokens = |spaced: &[Piece]| spaced.iter().map(|s| s.token.clone()).collect();
    let named = sources.iter().zip(&spaced);
    let named = named.map(|(source, spaced)| (source.module.clone(), tokens(spaced)));
    let (mut program, names) = join(named.collect());
    let reached = reach(&program);
    let mut parts = String::new();
    let mut joined = program.items.iter();
    for (source, spaced) in sources.iter().zip(&spaced) {
        let part = Part {
            source,
            spaced,
            names: &names,
            reached: &reached,
        };
        parts += &part.text(&mut joined);
    }
    drop_imports(&mut program, &reached);
    let whole = [PREFACE, "\n", &imports(&program), &parts].concat();
    let written = formatted(&with_comments(&formatted(&whole), limit));
    if written.len() <= limit {
        written
    } else {
        fail(&format!(
            "{} bytes are left without comments",
            written.len()
        ))
    }
}

/// The tokens of a source that exist without any feature.
fn settle(source: &str) -> Vec<Piece> {
    let (all, _) = pieces(source);
    let tokens: Vec<Token> = all.iter().map(|spaced| spaced.token.clone()).collect();
    let mut kept = Vec::new();
    // The white space before and after removed tokens.
    let mut melted: Option<String> = None;
    for (mut spaced, fate) in all.into_iter().zip(fates(&tokens, &[])) {
        match fate {
            Fate::Gone => {}
            Fate::Melted => {
                melted.get_or_insert(spaced.gap);
            }
            Fate::Kept => {
                spaced.gap = melted.take().unwrap_or(spaced.gap);
                kept.push(spaced);
            }
        }
    }
    kept
}

/// A module that is being written.
struct Part<'a> {
    source: &'a Source,
    spaced: &'a [Piece],
    names: &'a Names,
    reached: &'a Reached,
}

impl Part<'_> {
    /// The part's text under a title. Takes its items from the joined program.
    fn text<'b>(&self, joined: &mut impl Iterator<Item = &'b Item>) -> String {
        let tokens: Vec<Token> = self.spaced.iter().map(|s| s.token.clone()).collect();
        let mut written = format!("\n{TITLE}{}\n", self.source.module);
        let lines = self.source.text.lines();
        let docs = lines.filter_map(|line| line.strip_prefix("//!"));
        let docs: String = docs.map(|line| format!("//{line}\n")).collect();
        let mut all = String::new();
        let mut at = 0;
        for item in items(&tokens) {
            let end = at + item.all_tokens().len();
            if !["use", "mod"].contains(&item.keyword.as_str()) {
                let flat = joined.next().expect("join leaves all items but imports");
                self.check_name(&item, flat);
                if self.reached.has(flat) {
                    all.push('\n');
                    self.write_item(&tokens, at, &item, flat, &mut all);
                }
            }
            at = end;
        }
        if !docs.is_empty() {
            written += &format!("//\n{}", docs.replace(CRATE_PATH, ""));
        }
        if all.is_empty() {
            all
        } else {
            written + &all
        }
    }

    /// Fails if another item of the program has the same name.
    fn check_name(&self, item: &Item, flat: &Item) {
        if item.name != flat.name {
            fail(&format!(
                "{}: {} is the name of something else in another module or in std, and the upload to read \
                 has no modules: give it a name of its own",
                self.source.module, item.name
            ));
        }
    }

    /// Writes an item that begins at token `at`; `flat` is the same item in the joined program.
    fn write_item(&self, tokens: &[Token], at: usize, item: &Item, flat: &Item, to: &mut String) {
        let head = at + item.attributes.concat().len() + item.tokens.len();
        self.write_run(tokens, at, head, to);
        let (Some(members), Some(flat_members)) = (&item.members, &flat.members) else {
            return;
        };
        self.write_run(tokens, head, head + 1, to);
        let mut at = head + 1;
        for (member, flat_member) in members.iter().zip(flat_members) {
            let end = at + member.all_tokens().len();
            if self.reached.has_member(flat, flat_member) {
                self.write_run(tokens, at, end, to);
            }
            at = end;
        }
        to.push('\n');
        self.write_run(tokens, at, at + 1, to);
        to.push('\n');
    }

    /// Writes the source's text of the tokens from `at` to `end`, but without paths to modules.
    fn write_run(&self, tokens: &[Token], mut at: usize, end: usize, to: &mut String) {
        while at < end {
            for line in self.spaced[at].gap.split_inclusive('\n') {
                // The module's own docs are in the gap of its first token.
                if !line.starts_with("//!") {
                    *to += &line.replace(CRATE_PATH, "");
                }
            }
            at += self.names.path_to_module(tokens, at, &self.source.module).0;
            *to += &tokens[at].text;
            at += 1;
        }
    }
}

/// The program's imports, a statement for each module of std.
fn imports(program: &Program) -> String {
    let mut by_place: BTreeMap<String, BTreeSet<&String>> = BTreeMap::new();
    let imports: &Imports = &program.imports;
    for (name, path) in imports {
        let (last, place) = path.split_last().expect("a path has parts");
        if last != name {
            fail(&format!(
                "{} is imported as {name} somewhere: the upload to read has no modules, so write the path to it",
                path.join("::")
            ));
        }
        by_place.entry(place.join("::")).or_default().insert(last);
    }
    let mut written = String::new();
    for (place, names) in by_place {
        let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
        written += &format!("use {place}::{{{}}};\n", names.join(", "));
    }
    written
}

/// The text formatted by rustfmt.
fn formatted(text: &str) -> String {
    let rustfmt = std::env::var_os("RUSTFMT").unwrap_or_else(|| "rustfmt".into());
    let mut command = Command::new(rustfmt);
    command.args(["--edition", "2021"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let run = || -> std::io::Result<std::process::Output> {
        let mut child = command.spawn()?;
        let mut input = child.stdin.take().expect("the input is piped");
        input.write_all(text.as_bytes())?;
        drop(input);
        child.wait_with_output()
    };
    match { run }() {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).into_owned()
        }
        Ok(output) => fail(&format!(
            "rustfmt cannot read the upload: {}",
            output.status
        )),
        Err(error) => fail(&format!(
            "rustfmt, which the upload to read needs, does not run: {error}"
        )),
    }
}

/// The text with as many of its comments as fit into `limit` bytes.
fn with_comments(text: &str, limit: usize) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let blocks = comments(&lines);
    let mut bytes: usize = text.len() - blocks.iter().map(|block| block.bytes).sum::<usize>();
    let mut order: Vec<&Comment> = blocks.iter().collect();
    order.sort_by_key(|block| block.rank);
    let mut dropped: BTreeSet<usize> = BTreeSet::new();
    for block in order {
        if bytes + block.bytes <= limit {
            bytes += block.bytes
        } else {
            dropped.extend(block.start..block.end)
        }
    }
    let kept = (0..lines.len()).filter(|at| !dropped.contains(at));
    kept.map(|at| lines[at]).collect()
}

/// Consecutive lines of one comment.
struct Comment {
    start: usize,
    end: usize,
    bytes: usize,
    /// Comments with a lower rank are kept first.
    rank: usize,
}

/// All comments that may be left out: comments on lines of their own, except the preface and the
/// titles.
fn comments(lines: &[&str]) -> Vec<Comment> {
    let is_comment = |line: &str| line.trim_start().starts_with("//") && !line.starts_with(TITLE);
    let mut found: Vec<Comment> = Vec::new();
    let mut part = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some(title) = line.strip_prefix(TITLE) {
            part = Some(title.trim());
        }
        let Some(part) = part.filter(|_| is_comment(line)) else {
            continue;
        };
        match found.last_mut().filter(|last| last.end == at) {
            Some(last) => {
                last.end += 1;
                last.bytes += line.len();
            }
            None => found.push(Comment {
                start: at,
                end: at + 1,
                bytes: line.len(),
                rank: rank(part, lines[at - 1].starts_with(TITLE)),
            }),
        }
    }
    found
}

/// The rank of a comment: the comment about a part before those about its items, and the first
/// parts before the rest.
fn rank(part: &str, is_about_part: bool) -> usize {
    if is_about_part {
        0
    } else {
        let before = FIRST_PARTS.iter().take_while(|first| *first != part);
        1 + before.count()
    }
}
