//! What long records cost: the fuzzer's two kilobytes, made long.
//!
//! An input is `BEGINNING*PART`: the part is repeated. In the beginning `@` is the next cell of the
//! board of side 19, row by row; in the part `&` is a cell of a row of its own at the bottom, and
//! all of them together are others in every repetition.

use super::text;
use hex_core::service::questions::{self, SaveQuestion};
use serde_json::json;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How long an input is made, in bytes.
const LENGTH: usize = 64 << 10;

/// How many times as long as a byte of a plain record a byte of any other may take. Variations
/// beside the largest groups of stones take 6 times as long; when every variation replayed its
/// line, it was 1,600 times.
const MOST: f64 = 50.0;

/// How often a time is taken that looks too long: other programs can only make it longer.
const TRIES: usize = 5;

const SIDE: usize = 19;

fn cell(column: usize, row: usize) -> String {
    format!("{}{}", (b'a' + column as u8) as char, row + 1)
}

/// The beginning with its cells.
fn beginning(text: &str) -> String {
    let mut next = (0..).map(|number| cell(number % SIDE, number / SIDE % SIDE));
    let mut with_cells = String::new();
    for c in text.chars() {
        match c {
            '@' => with_cells.extend(next.next()),
            c => with_cells.push(c),
        }
    }
    with_cells
}

/// The part with its cells in a repetition.
fn part(text: &str, repetition: usize) -> String {
    let mut with_cells = String::new();
    let (mut rest, mut row) = (repetition, SIDE);
    for c in text.chars() {
        if c == '&' && row > 0 {
            row -= 1;
            with_cells += &cell(rest % SIDE, row);
            rest /= SIDE;
        } else {
            with_cells.push(c);
        }
    }
    with_cells
}

/// The long record that an input means.
fn lengthened(input: &str) -> Option<String> {
    let (before, repeated) = input.split_once('*')?;
    let mut record = beginning(before);
    let mut repetition = 0;
    while record.len() < LENGTH {
        let next = part(repeated, repetition);
        if next.is_empty() {
            return None;
        }
        record += &next;
        repetition += 1;
    }
    let count = |sign: char| record.matches(sign).count();
    let open = count('(').saturating_sub(count(')'));
    Some(record + &")".repeat(open))
}

/// Opens a record as the page does, and saves it.
fn open_and_save(record: &str) {
    let Ok(opened) = questions::read_record(record) else {
        return;
    };
    let mut opened = serde_json::to_value(opened).expect("plain data");
    let question = json!({ "game": opened["game"].take(), "nodes": opened["nodes"].take() });
    let question: SaveQuestion = serde_json::from_value(question).expect("plain data");
    questions::save_sgf(question).expect("what was opened can be saved");
}

/// The least time for a byte of a record, in seconds.
fn cost(record: &str, tries: usize) -> f64 {
    let times = (0..tries).map(|_| {
        let begin = Instant::now();
        open_and_save(record);
        begin.elapsed()
    });
    let least = times.min().unwrap_or(Duration::ZERO);
    least.as_secs_f64() / record.len() as f64
}

/// What a byte of a plain record costs: answers to answers to a first move.
fn plain_cost(is_new: bool) -> f64 {
    static KNOWN: Mutex<Option<f64>> = Mutex::new(None);
    let mut known = KNOWN.lock().expect("nobody panics with it");
    if is_new {
        *known = None;
    }
    *known.get_or_insert_with(|| {
        let plain = lengthened("(;SZ[19];B[a1]*(;W[&];B[&];W[&])");
        cost(&plain.expect("it is one"), TRIES)
    })
}

/// The time that a long record takes is in proportion to its bytes.
pub fn long(data: &[u8]) {
    let Some(record) = lengthened(&text(data)) else {
        return;
    };
    if cost(&record, 1) <= MOST * plain_cost(false) {
        return;
    }
    let (cost, plain) = (cost(&record, TRIES), plain_cost(true));
    let times = cost / plain;
    assert!(
        times <= MOST,
        "a byte takes {times:.0} times as long as one of a plain record"
    );
}
