//! `hex lab book` as a program: it writes a book that the bot reads, and goes on after a stop.

use crate::common::{assert_says, hex, refused, succeed, Place};
use hex_common::weights_file;
use hex_core::record::Side;
use hexbot::board::Board;
use hexbot::book::look_up;
use std::fs;
use std::path::Path;

const GZIPPED: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../lab/tests/data/book/study.tsv.gz"
);

/// The command with few simulations, into `a.book` in the folder.
fn lab_book(study: &Path, folder: &Path, more: &[&str]) -> std::process::Command {
    let few = "lab book --simulations 20 --early-simulations 30 --out";
    let mut command = hex();
    let arguments = command.args(few.split(' ')).arg(folder.join("a.book"));
    arguments.arg(study).args(more);
    command
}

#[test]
fn the_command_writes_a_book_and_goes_on_after_a_stop() {
    let folder = Place::new();
    let folder = folder.path();
    let (book, kept) = (folder.join("a.book"), folder.join("a.book.searches"));
    let printed = succeed(&mut lab_book(GZIPPED.as_ref(), folder, &["--threads", "1"]));
    assert_says(&printed, &["a.book: 10 answers, 20 bytes, "]);
    let alone = fs::read(&book).unwrap();
    assert!(!kept.exists());
    // A book that cannot be written leaves the searches.
    fs::remove_file(&book).unwrap();
    fs::create_dir(&book).unwrap();
    refused(lab_book(GZIPPED.as_ref(), folder, &[]), &[]);
    fs::remove_dir(&book).unwrap();
    let searches = fs::read_to_string(&kept).unwrap();
    let conditions = "30 simulations after up to 2 stones, 20 later";
    let network = weights_file::shipped(Side::CODINGAME).name;
    assert!(
        searches.starts_with(&format!("{conditions}, {network}\n")),
        "{searches}"
    );
    let other = lab_book(GZIPPED.as_ref(), folder, &["--playouts-only"]);
    refused(other, &["a.book.searches, line 1: "]);
    // They are believed, the others searched as before; a kill has cut the last line.
    let line = searches
        .lines()
        .find(|line| line.ends_with(" c2 d8"))
        .unwrap();
    let believed = searches.replace(line, "b8 0.5 c2 d8");
    fs::write(&kept, &believed[..believed.len() - 2]).unwrap();
    succeed(&mut lab_book(GZIPPED.as_ref(), folder, &["--bytes", "4"]));
    let mut board = Board::<11>::new();
    for cell in ["c2", "d8"] {
        board.play(cell.parse().unwrap());
    }
    let answer = look_up(&fs::read(&book).unwrap(), &board);
    assert_eq!(answer, Some("h7".parse().unwrap()), "b8 loses 0.14");
    succeed(&mut lab_book(GZIPPED.as_ref(), folder, &["--threads", "2"]));
    assert_eq!(fs::read(&book).unwrap(), alone);
    let study = folder.join("study.tsv");
    fs::write(&study, "c2 d8 200\n").unwrap();
    refused(lab_book(&study, folder, &[]), &["study.tsv, line 1: "]);
}
