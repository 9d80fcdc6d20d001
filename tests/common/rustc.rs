//! A bare rustc, as the site runs it: no cargo, no crates.
#![allow(dead_code)] // every test file uses a part of it

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder for what a test builds.
pub fn scratch(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).expect("cargo's folder for tests can be written");
    folder
}

/// Runs a command that is expected to succeed.
pub fn succeed(command: &mut Command) -> Output {
    let output = command.output().expect("the program exists");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed: {said}");
    output
}

/// The compiler, with its edition.
pub fn rustc() -> Command {
    let mut command = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.args(["--edition", "2021"]);
    command
}

/// Compiles one file to a program.
pub fn compile(source: &Path, program: &Path, options: &[&str]) {
    succeed(rustc().args(options).arg(source).arg("-o").arg(program));
}
