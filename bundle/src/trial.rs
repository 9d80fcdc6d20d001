//! Tests an upload: it must be small enough, compile with rustc alone, and answer the statement's
//! examples. This needs no shell, so that it works on every operating system.

use crate::fail::fail;
use std::env::consts::EXE_SUFFIX;
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The most units that CodinGame accepts.
pub const ALLOWED: usize = 100_000;

/// The unit of the size limit. CodinGame does not document it, and players disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bytes of UTF-8.
    Bytes,
    /// Code units of UTF-16, one for each character of the basic multilingual plane.
    Utf16,
}

impl Unit {
    /// The number of these units in a text.
    pub fn count(self, text: &str) -> usize {
        match self {
            Unit::Bytes => text.len(),
            Unit::Utf16 => text.encode_utf16().count(),
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Unit::Bytes => "bytes",
            Unit::Utf16 => "UTF-16 code units",
        })
    }
}

/// The folder of the statement's examples: the judge's input (`.in`), and the legal answers
/// (`.legal`).
const EXAMPLES: &str = "tests/data/statement";

/// Tests the upload in `source`, with the size limit in `unit`s, and prints its answers and its
/// size. The compiled program stays beside it. If a test fails, ends this program with an error.
pub fn try_out(source: &Path, unit: Unit) {
    let shown = source.display();
    let size = unit.count(&read(source));
    if size > ALLOWED {
        fail(&format!(
            "{shown} has {size} {unit}, more than the {ALLOWED} that fit"
        ));
    }
    let program = compile(source);
    for input in examples() {
        println!("{}", answer(&program, &input));
    }
    println!("{shown}: {size} of {ALLOWED} {unit}");
}

/// Compiles the upload in the same way as CodinGame; `RUSTC` names another compiler.
fn compile(source: &Path) -> PathBuf {
    let program = source.with_extension(EXE_SUFFIX.trim_start_matches('.'));
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(&rustc);
    command.args(["--edition", "2021", "-C", "opt-level=3", "-D", "warnings"]);
    match command.arg(source).arg("-o").arg(&program).status() {
        Ok(status) if status.success() => program,
        Ok(_) => fail(&format!(
            "{} does not compile; if a method is missing that is std's, add its name to \
             bundle/src/std_names.rs (target/bundle.map has the name)",
            source.display()
        )),
        Err(error) => fail(&format!("{} cannot be run: {error}", rustc.display())),
    }
}

/// The examples, in order.
fn examples() -> Vec<PathBuf> {
    let entries = fs::read_dir(EXAMPLES);
    let entries = entries.unwrap_or_else(|error| fail(&format!("cannot read {EXAMPLES}: {error}")));
    let paths = entries.flatten().map(|entry| entry.path());
    let mut inputs: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "in"))
        .collect();
    inputs.sort();
    if inputs.is_empty() {
        fail(&format!("{EXAMPLES} has no examples"));
    }
    inputs
}

/// The program's answer to an example, after its name.
fn answer(program: &Path, input: &Path) -> String {
    let shown = input.display();
    // Without a folder, the system would search for it in PATH.
    let mut command = Command::new(Path::new(".").join(program));
    command
        .env("HEXBOT_SEED", "1")
        .env("HEXBOT_SIMULATIONS", "1000");
    let opened = File::open(input);
    command.stdin(opened.map_or_else(|_| Stdio::null(), Stdio::from));
    let output = command.output();
    let output = output.unwrap_or_else(|error| fail(&format!("the upload cannot run: {error}")));
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        fail(&format!("the upload ends with an error on {shown}: {said}"));
    }
    let answer = String::from_utf8_lossy(&output.stdout);
    let (answer, legal) = (answer.trim_end(), read(&input.with_extension("legal")));
    let is_legal = legal
        .split_whitespace()
        .any(|one| answer.split(' ').next() == Some(one));
    if !is_legal || answer.contains('\n') {
        fail(&format!("the upload answers {answer:?} to {shown}"));
    }
    let name = input.file_name().unwrap_or_default().display();
    format!("{name}: {answer}")
}

fn read(path: &Path) -> String {
    let text = fs::read_to_string(path);
    text.unwrap_or_else(|error| fail(&format!("cannot read {}: {error}", path.display())))
}
