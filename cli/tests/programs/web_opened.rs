//! The file or folder that `hex web` is given: what the page gets of it.

use crate::server::Server;
use rustix::process::Signal;
use serde_json::{json, Value};
use std::process::Command;
use tempfile::TempDir;

#[test]
fn the_record_of_the_command_line_is_handed_to_the_page() {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("games.jsonl");
    std::fs::write(&log, "one\n").unwrap();
    let server = Server::start(&[folder.path().to_str().unwrap()]);
    let opened = server.get("/api/opened").json();
    assert_eq!(
        (&opened["name"], &opened["text"]),
        (&json!("games.jsonl"), &json!("one\n"))
    );
    std::fs::write(&log, "one\ntwo\n").unwrap();
    assert_eq!(server.get("/api/opened").json()["text"], "one\ntwo\n");
    std::fs::remove_file(&log).unwrap();
    assert_eq!(server.get("/api/opened").status, 410);
    assert_eq!(Server::start(&[]).get("/api/opened").json(), Value::Null);
    // SGF that does not say what it is in.
    let record = folder.path().join("latin-1.sgf");
    std::fs::write(&record, b"(;GM[11]SZ[3]PB[J\xfcrgen];B[a1])").unwrap();
    let server = Server::start(&[record.to_str().unwrap()]);
    let opened = server.get("/api/opened").json();
    assert_eq!(opened["text"], "(;GM[11]SZ[3]PB[Jürgen];B[a1])");
}

/// To open a pipe waits for somebody who writes into it.
#[test]
fn a_log_that_has_become_a_pipe_holds_nobody_up() {
    let folder = TempDir::new().unwrap();
    let log = folder.path().join("games.jsonl");
    std::fs::write(&log, "one\n").unwrap();
    let mut server = Server::start(&[folder.path().to_str().unwrap()]);
    std::fs::remove_file(&log).unwrap();
    let made = Command::new("mkfifo").arg(&log).status().unwrap();
    assert!(made.success());
    let answer = server.get("/api/opened");
    assert_eq!(answer.status, 410, "{answer:?}");
    assert!(answer.error().contains("no file"), "{answer:?}");
    server.signal(Signal::INT);
    assert!(server.ended().0.success());
}
