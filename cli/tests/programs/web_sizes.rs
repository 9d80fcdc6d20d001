//! `hex web` and large records: too large ones get an error, the largest allowed ones are opened
//! and saved, and other requests do not wait for them.

#[path = "../../../core/tests/common/long_records.rs"]
mod long_records;

use crate::common::assert_says;
use crate::server::{Answer, Server};
use hex_core::service::problem::{MAX_NODES, MAX_QUESTION, MAX_RECORD, MAX_SAVED};
use long_records::{many_variations, study};
use serde_json::{json, Value};
use std::time::{Duration, Instant};

/// What a request may take (`guard.rs`).
const ANSWER_TIME: Duration = Duration::from_secs(10);

/// The page's question to save what it has opened.
fn saving(opened: &mut Value) -> Value {
    json!({ "game": opened["game"].take(), "nodes": opened["nodes"].take() })
}

#[test]
fn a_study_of_the_largest_size_is_opened_saved_and_opened_again() {
    let server = Server::start(&[]);
    let answer = server.record(&study(MAX_NODES));
    assert_eq!(answer.status, 200, "{:.300}", answer.body);
    let question = saving(&mut answer.json());
    assert_eq!(question["nodes"].as_array().unwrap().len(), MAX_NODES);
    let saved = server.post("/api/save/sgf", &question);
    assert_eq!(saved.status, 200, "{:.300}", saved.body);
    let mut again = server.record(&saved.body).json();
    assert_eq!(saving(&mut again), question);
    // One more is refused by both, in the same words.
    let more = MAX_NODES + 1;
    let words = format!("{more} positions are too many, at most {MAX_NODES}");
    let refused = server.record(&study(MAX_NODES + 1));
    assert_eq!(refused.status, 413);
    assert!(refused.error().starts_with(&words), "{}", refused.error());
    let mut larger = question;
    let nodes = larger["nodes"].as_array_mut().unwrap();
    nodes.push(json!({ "parent": 0, "move": ":p" }));
    let refused = server.post("/api/save/sgf", &larger);
    assert_eq!(refused.status, 413);
    assert!(refused.error().starts_with(&words), "{}", refused.error());
}

#[test]
fn what_is_too_large_is_refused_with_both_sizes() {
    let server = Server::start(&[]);
    let json = ("Content-Type", "application/json");
    for (line, most, words) in [
        ("POST /api/record", MAX_RECORD, "3 MB"),
        ("POST /api/save/sgf", MAX_SAVED, "24 MB"),
        ("POST /api/save/svg", MAX_QUESTION, "64 kB"),
        ("POST /api/look", MAX_QUESTION, "64 kB"),
    ] {
        let body = " ".repeat(most + 1);
        let answer = server.request(line, &[json], &body);
        assert_eq!(answer.status, 413, "{line}: {answer:?}");
        let unit = &words[words.len() - 2..];
        let said = format!(".1 {unit} are too large, at most {words} are accepted");
        assert_says(&answer.error(), &[&said]);
        // As large as it may be, it is refused for what it says.
        let answer = server.request(line, &[json], &body[1..]);
        assert!([400, 422].contains(&answer.status), "{line}: {answer:?}");
    }
    // Without a length in the head, bytes are counted while they arrive.
    let chunk = " ".repeat(MAX_QUESTION + 1);
    let head = format!(
        "POST /api/look HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n",
        server.host
    );
    let kind = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    let request = format!("{head}{kind}{:x}\r\n{chunk}\r\n0\r\n\r\n", chunk.len());
    let answer = server.send(request.as_bytes());
    assert_eq!(answer.status, 413, "{answer:?}");
    assert_says(&answer.error(), &["64.1 kB are too large"]);
}

#[test]
fn orders_that_are_too_long_are_refused_with_both_sizes() {
    let server = Server::start(&[]);
    let mut socket = server.socket();
    socket.send(&json!({ "do": "stop", "why": "x".repeat(10_000) }));
    let problem = socket.hear();
    assert_eq!(problem["kind"], "problem", "{problem}");
    let said = problem["error"].as_str().unwrap();
    let words = "10.1 kB are too large, at most 8.2 kB are accepted";
    assert!(said.ends_with(words), "{said}");
    // It lives on. What is longer still is not read, and ends it with a word.
    assert_eq!(
        socket.ask(&json!({ "do": "analyse", "id": 1, "game": "5,", "ms": 10 }))["kind"],
        "done"
    );
    socket.send(&json!({ "do": "stop", "why": "x".repeat(100_000) }));
    let frame = socket.close_frame();
    assert_eq!(u16::from(frame.code), 1009);
    let words = "more than 64 kB are too large, at most 8.2 kB are accepted";
    assert_eq!(frame.reason.as_str(), words);
}

/// Two of the largest records are read and two are saved while others are answered: those wait for
/// a core at most, never for the records, and all have their answers within their time.
#[test]
fn others_are_answered_while_the_largest_records_are_read() {
    let server = Server::start(&["--threads", "1"]);
    let record = many_variations(300, 1_000_000);
    let question = saving(&mut server.record(&record).json());
    let timed = |work: &dyn Fn() -> Answer| {
        let begun = Instant::now();
        let answer = work();
        assert_eq!(answer.status, 200, "{:.300}", answer.body);
        begun.elapsed()
    };
    let read = || timed(&|| server.record(&record));
    let save = || timed(&|| server.post("/api/save/sgf", &question));
    let (mut records, mut looks) = (Vec::new(), Vec::new());
    std::thread::scope(|scope| {
        let [one, two] = [(); 2].map(|()| scope.spawn(read));
        let all = [one, two, scope.spawn(save), scope.spawn(save)];
        while all.iter().any(|work| !work.is_finished()) {
            let begun = Instant::now();
            server.look("11,a2f6d4e5");
            looks.push(begun.elapsed());
        }
        records.extend(all.into_iter().map(|work| work.join().unwrap()));
    });
    looks.sort();
    let (count, most) = (looks.len(), looks[looks.len() - 1]);
    let median = looks[count / 2];
    println!("records {records:.2?}; {count} others: median {median:?}, most {most:?}");
    let longest = *records.iter().max().unwrap();
    assert!(longest < ANSWER_TIME, "{records:?}");
    // Many are answered in the time of one record.
    assert!(median < longest / 20, "{median:?} of {longest:?}");
}
