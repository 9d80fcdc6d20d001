//! How fast long records are read and saved: `cargo bench --bench records`. The page reads up to 3
//! MB (`core/src/web/sizes.rs`).

#[path = "../../core/tests/common/long_records.rs"]
mod long_records;

use divan::counter::BytesCount;
use divan::Bencher;
use hex_core::record::{parse_tree, Side};
use hex_core::service::questions::{self, SaveQuestion};
use long_records::{many_variations, study};
use serde_json::{json, Value};

/// A megabyte, and what it is of: variations deep in a main line, or answers to every first move.
const RECORDS: [&str; 2] = ["deep", "wide"];
const BYTES: usize = 1_000_000;

fn main() {
    divan::main();
}

fn record(name: &str) -> String {
    match name {
        "deep" => many_variations(300, BYTES),
        _ => study(140_000),
    }
}

#[divan::bench(args = RECORDS, sample_count = 20)]
fn read_variations(bencher: Bencher, name: &str) {
    let record = record(name);
    bencher
        .counter(BytesCount::of_str(&record))
        .bench(|| parse_tree(&record, Side::CODINGAME).expect("it is a record"));
}

/// As the page opens it: with the answer's JSON.
#[divan::bench(args = RECORDS, sample_count = 20)]
fn open_in_the_page(bencher: Bencher, name: &str) {
    let record = record(name);
    bencher.counter(BytesCount::of_str(&record)).bench(|| {
        let opened = questions::read_record(&record).expect("it is a record");
        serde_json::to_string(&opened).expect("plain data")
    });
}

/// As the page saves it: from the question's JSON.
#[divan::bench(args = RECORDS, sample_count = 20)]
fn save_from_the_page(bencher: Bencher, name: &str) {
    let record = record(name);
    let opened = questions::read_record(&record).expect("it is a record");
    let mut opened: Value = serde_json::to_value(opened).expect("plain data");
    let question = json!({ "game": opened["game"].take(), "nodes": opened["nodes"].take() });
    let question = question.to_string();
    bencher.counter(BytesCount::of_str(&record)).bench(|| {
        let question: SaveQuestion = serde_json::from_str(&question).expect("it was written");
        questions::save_sgf(question).expect("it was read")
    });
}
