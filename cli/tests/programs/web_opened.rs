//! The file or folder that `hex web` is given: what the page gets of it.

use crate::common::{assert_says, starting, Place};
use crate::server::Server;
use rustix::process::Signal;
use serde_json::{json, Value};

#[test]
fn the_record_of_the_command_line_is_handed_to_the_page() {
    let folder = Place::new();
    let log = folder.at("games.jsonl");
    std::fs::write(&log, "one\n").unwrap();
    let server = Server::start(&[folder.path().to_str().unwrap()]);
    let opened = server.get("/api/opened").json();
    let given = (opened["name"].as_str(), opened["text"].as_str());
    assert_eq!(given, (Some("games.jsonl"), Some("one\n")));
    std::fs::write(&log, "one\ntwo\n").unwrap();
    assert_eq!(server.get("/api/opened").json()["text"], "one\ntwo\n");
    std::fs::remove_file(&log).unwrap();
    assert_eq!(server.get("/api/opened").status, 410);
    assert_eq!(Server::start(&[]).get("/api/opened").json(), Value::Null);
    // SGF that does not say what it is in.
    let record = folder.at("latin-1.sgf");
    std::fs::write(&record, b"(;GM[11]SZ[3]PB[J\xfcrgen];B[a1])").unwrap();
    let server = Server::start(&[record.to_str().unwrap()]);
    let opened = server.get("/api/opened").json();
    assert_eq!(opened["text"], "(;GM[11]SZ[3]PB[Jürgen];B[a1])");
}

#[test]
fn many_games_are_handed_to_the_page() {
    let folder = Place::new();
    let put = |name: &str, text: &str| folder.write(name, text);
    put("moves.txt", "a1b2");
    put("two.sgf", "(;GM[11]SZ[5];B[a1])(;GM[11]SZ[5];B[b2])");
    put("lines.jsonl", "{}\n[]\n");
    put("read.me", "nothing");
    let server = Server::start(&[folder.path().to_str().unwrap()]);
    let opened = server.get("/api/opened").json();
    let files = json!([
        { "name": "lines.jsonl, line 1", "text": "{}" },
        { "name": "lines.jsonl, line 2", "text": "[]" },
        { "name": "moves.txt", "text": "a1b2" },
        { "name": "two.sgf, game 1", "text": "(;GM[11]SZ[5];B[a1])" },
        { "name": "two.sgf, game 2", "text": "(;GM[11]SZ[5];B[b2])" },
    ]);
    assert_eq!(opened["files"], files);
    assert_eq!(opened["text"], "");
    let lines = folder.at("lines.jsonl");
    let server = Server::start(&[lines.to_str().unwrap()]);
    let opened = server.get("/api/opened").json();
    assert_eq!(opened["files"][1]["name"], "lines.jsonl, line 2");
    // A file that has grown too long is reported.
    put("lines.jsonl", &"x".repeat(64_000_001));
    let answer = server.get("/api/opened");
    let fault = answer.json()["files"][0]["fault"].to_string();
    assert_says(&fault, &["64 MB"]);
    let half = format!("{}\n", "x".repeat(40_000_000));
    put("lines.jsonl", &half.repeat(2));
    let answer = server.get("/api/opened");
    assert_eq!(answer.status, 410);
    assert_says(&answer.error(), &["its games are longer than 64 MB"]);
}

/// To open a pipe waits for somebody who writes into it.
#[test]
fn a_log_that_has_become_a_pipe_holds_nobody_up() {
    let folder = Place::new();
    let log = folder.at("games.jsonl");
    std::fs::write(&log, "one\n").unwrap();
    let mut server = Server::start(&[folder.path().to_str().unwrap()]);
    std::fs::remove_file(&log).unwrap();
    let made = starting("mkfifo").arg(&log).status().unwrap();
    assert!(made.success());
    let answer = server.get("/api/opened");
    assert_eq!(answer.status, 410, "{answer:?}");
    assert!(answer.error().contains("not a regular file"), "{answer:?}");
    server.signal(Signal::INT);
    assert!(server.ended().0.success());
}

#[test]
fn of_a_folder_only_its_own_files_are_handed_out() {
    let outside = Place::new();
    let secret = outside.at("secret.txt");
    std::fs::write(&secret, "a1b2").unwrap();
    let folder = Place::new();
    let at = |name: &str| folder.at(name);
    std::fs::write(at("c.txt"), "c3d4").unwrap();
    std::os::unix::fs::symlink(&secret, at("a.txt")).unwrap();
    let made = starting("mkfifo").arg(at("p.sgf")).status().unwrap();
    assert!(made.success());
    let server = Server::start(&[folder.path().to_str().unwrap()]);
    let opened = server.get("/api/opened").json();
    let own = json!([{ "name": "c.txt", "text": "c3d4" }]);
    assert_eq!(opened["files"], own);
    // Nor what was swapped in later.
    std::fs::remove_file(at("c.txt")).unwrap();
    std::os::unix::fs::symlink(&secret, at("c.txt")).unwrap();
    assert_eq!(server.get("/api/opened").json()["files"], json!([]));
}
