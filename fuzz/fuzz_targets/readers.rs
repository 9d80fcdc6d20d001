//! The fuzzer's program: gives what libFuzzer makes up to the reader that HEX_FUZZ_READER names.
//! With HEX_FUZZ_SEEDS it first writes the reader's seeds to that folder.

#![no_main]

#[path = "../readers/mod.rs"]
mod readers;

use libfuzzer_sys::fuzz_target;
use readers::{Reader, READERS};
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

static CHOSEN: OnceLock<&Reader> = OnceLock::new();

fn choose() -> &'static Reader {
    let name = std::env::var("HEX_FUZZ_READER").unwrap_or_default();
    READERS
        .iter()
        .find(|reader| reader.name == name)
        .unwrap_or_else(|| {
            let names: Vec<&str> = READERS.iter().map(|reader| reader.name).collect();
            eprintln!(
                "HEX_FUZZ_READER is {name:?}; choose one of {}",
                names.join(" ")
            );
            std::process::exit(2)
        })
}

fn write_seeds(reader: &Reader) {
    let Some(folder) = std::env::var_os("HEX_FUZZ_SEEDS").map(PathBuf::from) else {
        return;
    };
    for (number, seed) in (reader.seeds)().into_iter().enumerate() {
        let path = folder.join(format!("seed-{number:03}"));
        fs::write(&path, seed).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

fuzz_target!(
    init: {
        let reader = CHOSEN.get_or_init(choose);
        write_seeds(reader);
    },
    |data: &[u8]| (CHOSEN.get_or_init(choose).check)(data)
);
