//! `hex web` under attack and at its ends: who is refused, what is not waited for, how connections
//! close; and proofs, which may disturb nobody.

use crate::common::{assert_says, hex, refused, Place};
use crate::server::Server;
use hex_common::patience;
use hex_core::record::{hexworld, AnyCell};
use hex_core::solver::{Solver, SolverQuestion};
use rustix::process::Signal;
use serde_json::{json, Value};
use std::time::{Duration, Instant};

#[test]
fn a_link_from_another_site_leads_to_the_page() {
    let server = Server::start(&[]);
    let ask = |line: &str, headers: &[(&str, &str)]| {
        let mut all = vec![("Sec-Fetch-Site", "cross-site")];
        all.extend(headers);
        server.request(line, &all, "").status
    };
    let follow = ("Sec-Fetch-Mode", "navigate");
    assert_eq!(ask("GET /", &[follow]), 200);
    assert_eq!(ask("GET /", &[follow, ("Sec-Fetch-Dest", "document")]), 200);
    // Nothing else: no frames, no orders, no parts.
    assert_eq!(ask("GET /", &[follow, ("Sec-Fetch-Dest", "iframe")]), 403);
    assert_eq!(ask("GET /", &[("Sec-Fetch-Mode", "no-cors")]), 403);
    assert_eq!(ask("POST /", &[follow]), 403);
    assert_eq!(ask("GET /api/opened", &[]), 403);
    // Whoever sets a link to something else learns nothing of the answer.
    assert_eq!(ask("GET /api/opened", &[follow]), 200);
    assert_eq!(ask("GET /elsewhere", &[follow]), 404);
    assert_eq!(ask("GET /", &[follow, ("Host", "hex.example")]), 403);
    let origin = ("Origin", "http://hex.example");
    assert_eq!(ask("GET /", &[follow, origin]), 403);
}

#[test]
fn another_host_in_the_first_line_is_refused() {
    let server = Server::start(&[]);
    let own = server.host.clone();
    let ask = |target: &str| server.request(&format!("GET {target}"), &[], "").status;
    assert_eq!(ask(&format!("http://{own}/")), 200);
    assert_eq!(ask("http://hex.example/"), 403);
    assert_eq!(ask("http://127.0.0.1:1/"), 403);
    assert_eq!(ask(&format!("http://{own}@hex.example/")), 403);
}

#[test]
fn every_refusal_is_json() {
    let server = Server::start(&[]);
    let long = format!("GET /{}", "a".repeat(20_000));
    for line in [
        "GET /api/board/%ff",
        "GET /api/board/",
        "PUT /api/record",
        long.as_str(),
    ] {
        let answer = server.request(line, &[], "");
        let is_refused = (400..500).contains(&answer.status);
        assert!(is_refused, "{line:.40}: {answer:?}");
        let kind = answer.header("content-type");
        assert_eq!(kind, Some("application/json"), "{line:.40}");
        assert!(!answer.error().is_empty());
    }
    let text = ("Content-Type", "text/plain");
    let answer = server.request("POST /api/record", &[text], "\u{fffd}(;");
    assert_eq!(answer.status, 422, "{answer:?}");
    let mut bytes = format!("POST /api/record HTTP/1.1\r\nHost: {}\r\n", server.host).into_bytes();
    bytes.extend(b"Connection: close\r\nContent-Length: 2\r\n\r\n\xff\xfe");
    let answer = server.send(&bytes);
    assert_eq!(answer.status, 400, "{answer:?}");
    assert!(!answer.error().is_empty());
}

#[test]
fn requests_that_do_not_end_are_not_waited_for() {
    let mut web = hex();
    web.env(patience::VARIABLE, "500");
    let server = Server::start_by(web.args(["web", "--port", "0"]));
    let body = format!(
        "POST /api/record HTTP/1.1\r\nHost: {}\r\nContent-Length: 100\r\n\r\n11,a1",
        server.host
    );
    // Both connect, say a little, and wait, at the same time. Each would hold a connection for
    // ever.
    let (head, body) = std::thread::scope(|scope| {
        let head = scope.spawn(|| server.send(b"GET / HTTP/1.1\r\nHost: "));
        let body = server.send(body.as_bytes());
        (head.join().unwrap(), body)
    });
    assert_ne!(head.status, 200);
    assert_eq!(body.status, 408, "{body:?}");
    assert!(body.error().ends_with("within 0.5 s"), "{body:?}");
    assert_eq!(server.look("5,a1")["toMove"], "blue");
}

#[test]
fn sockets_end_with_a_word() {
    let mut server = Server::start(&[]);
    let mut socket = server.socket();
    socket.send(&json!({ "do": "analyse", "id": 1, "game": "11,a2f6", "ms": 60_000 }));
    socket.hear();
    let frame = tungstenite::protocol::CloseFrame {
        code: 1000.into(),
        reason: "".into(),
    };
    socket.0.close(Some(frame)).unwrap();
    assert_eq!(socket.close_frame().code, 1000.into());
    let mut waiting = server.socket();
    server.signal(Signal::TERM);
    assert_eq!(waiting.close_frame().code, 1000.into());
    drop(waiting);
    assert!(server.ended().0.success());
}

#[test]
fn endgames_are_proven_beside_the_thinking() {
    let server = Server::start(&["--threads", "1"]);
    let mut socket = server.socket();
    socket.send(&json!({ "do": "analyse", "id": 1, "game": "11,a2c3", "ms": 60_000 }));
    socket.send(&json!({ "do": "prove", "id": 2, "game": "5,a1:se1c3" }));
    let mut replies = std::iter::from_fn(|| Some(socket.hear()));
    let proof = replies.find(|reply| reply["kind"] == "proof").unwrap();
    assert_eq!(proof["id"], 2);
    let game = hexworld::parse("5,a1:se1c3").unwrap();
    let mut solver = Solver::new(game.position(), u64::MAX).unwrap();
    let right = solver.appraise(game.position(), SolverQuestion::AllMoves);
    let names =
        |points: &[AnyCell]| json!(points.iter().map(AnyCell::to_string).collect::<Vec<_>>());
    assert_eq!(proof["winning"], names(&right.winning));
    assert_eq!(proof["losing"], names(&right.losing));
    assert_eq!(right.winning.len() + right.losing.len(), 5 * 5 - 3);
    // The thinking goes on.
    let thought = replies.find(|reply| reply["kind"] == "analysis").unwrap();
    assert_eq!(thought["id"], 1);
    // What is too large or begins with the swap is not tried; what is over is refused.
    socket.send(&json!({ "do": "stop" }));
    for game in ["11,", "5,a1", "11,a2b3c4"] {
        socket.send(&json!({ "do": "prove", "id": 3, "game": game }));
    }
    let reply = socket.ask(&json!({ "do": "prove", "id": 4, "game": "3,b1a1b2c1b3" }));
    assert_eq!(
        (reply["kind"].as_str(), &reply["id"]),
        (Some("problem"), &json!(4))
    );
}

#[test]
fn proofs_delay_neither_thinking_nor_answers() {
    let server = Server::start(&["--threads", "1"]);
    let mut socket = server.socket();
    // 83 cells are empty.
    let stones = "a2f6d4e5h3c8i7b9k4j2g9d7b5e9f3h6i2c6a7k8d2g5j6e7b3h9i4f8c4k10a10g2d9j10e3b7h1c1";
    let game = format!("11,{stones}");
    assert_eq!(server.look(&game)["outcome"], Value::Null);
    let mut slowest = Duration::ZERO;
    for id in 0..5 {
        socket.send(&json!({ "do": "prove", "id": 100 + id, "game": game }));
        socket.send(&json!({ "do": "move", "id": id, "game": game, "level": 10, "ms": 200 }));
        let begun = Instant::now();
        server.look("11,a2f6d4e5");
        slowest = slowest.max(begun.elapsed());
        while socket.hear_end()["id"] != id {}
    }
    println!("answers while a position is proven: at most {slowest:?}");
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
}

#[test]
fn links_out_of_the_folder_are_refused() {
    let place = Place::new();
    place.write("secret", "nobody may read this\n");
    place.write("folder/real.jsonl", "one\n");
    let link = |to: &str| {
        let log = place.at("folder/games.jsonl");
        let _ = std::fs::remove_file(&log);
        std::os::unix::fs::symlink(to, log).unwrap();
    };
    link("real.jsonl");
    let server = Server::start(&[place.at("folder").to_str().unwrap()]);
    assert_eq!(server.get("/api/opened").json()["text"], "one\n");
    link("../secret");
    let answer = server.get("/api/opened");
    assert_eq!(answer.status, 403, "{answer:?}");
    assert_says(&answer.error(), &["out of the folder"]);
    refused(place.hex("web --port 0 folder"), &["out of the folder"]);
}
