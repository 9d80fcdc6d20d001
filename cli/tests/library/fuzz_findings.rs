//! The checks of the fuzzer (see fuzz/README.md) with what it begins with and with what it has
//! found: its seeds, and a file each in data/fuzz/READER/.

#[path = "../../../fuzz/readers/mod.rs"]
mod readers;

use readers::READERS;
use std::fs;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::path::Path;

/// Where the findings are.
fn findings() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fuzz")
}

#[test]
fn seeds_and_findings_pass() {
    let mut failures = Vec::new();
    for reader in READERS {
        let mut inputs: Vec<(String, Vec<u8>)> = (reader.seeds)()
            .into_iter()
            .enumerate()
            .map(|(number, seed)| (format!("seed {number}"), seed))
            .collect();
        let files = fs::read_dir(findings().join(reader.name))
            .into_iter()
            .flatten();
        inputs.extend(files.flatten().map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).unwrap())
        }));
        assert!(!inputs.is_empty(), "{} has no seeds", reader.name);
        for (name, input) in inputs {
            let passes = catch_unwind(AssertUnwindSafe(|| (reader.check)(&input))).is_ok();
            failures.extend((!passes).then(|| format!("{}: {name}", reader.name)));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// A folder with a misspelt name would never be looked at.
#[test]
fn every_finding_belongs_to_a_reader() {
    for entry in fs::read_dir(findings()).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        let is_known = READERS.iter().any(|reader| reader.name == name);
        assert!(is_known, "tests/data/fuzz/{name} is no reader's");
    }
}
