//! `hex web` by requests: what is answered, what is refused, how thinking begins and ends.

use crate::common::{refused, Place};
use crate::server::{Server, PATIENCE};
use hex_core::service::routes::{Asked, ROUTES};
use rustix::process::Signal;
use serde_json::{json, Value};
use std::net::TcpListener;
use std::time::{Duration, Instant};

#[test]
fn a_position_is_shown_by_the_rules() {
    let server = Server::start(&[]);
    let view = server.look("11,a2");
    assert_eq!(view["toMove"], "blue");
    assert_eq!(view["maySwap"], true);
    let stone = json!([{ "cell": "a2", "color": "red", "number": 1 }]);
    assert_eq!(view["stones"], stone);
    let view = server.look("11,a2:s");
    let stone = json!([{ "cell": "b1", "color": "blue", "number": 2 }]);
    assert_eq!(view["stones"], stone);
    assert_eq!(view["maySwap"], false);
    assert_eq!(view["link"], "https://hexworld.org/board/#11c1,a2:s");
    let view = server.look("3,b1a1b2c1");
    assert_eq!(view["paths"]["red"], json!({ "moves": 1, "cells": ["a3"] }));
    assert_eq!(view["paths"]["blue"]["moves"], 3);
    let view = server.look("3,b1a1b2c1b3");
    let outcome = json!({ "winner": "red", "ending": "connection" });
    assert_eq!(view["outcome"], outcome);
    let chain = view["chain"].as_array().unwrap().iter();
    let mut chain: Vec<&str> = chain.filter_map(Value::as_str).collect();
    chain.sort_unstable();
    assert_eq!(chain, ["b1", "b2", "b3"]);
    assert_eq!(view["paths"]["blue"], Value::Null);
}

#[test]
fn every_address_is_there_with_its_own_method_alone() {
    let server = Server::start(&[]);
    for (path, asked) in ROUTES {
        let path = format!("/{}", path.replace("{side}", "5"));
        let (own, other) = match asked {
            Asked::Question(_) => ("POST", "GET"),
            _ => ("GET", "POST"),
        };
        let status = |method: &str| {
            let line = format!("{method} {path}");
            server.request(&line, &[], "").status
        };
        assert!(![404, 405].contains(&status(own)), "{own} {path}");
        assert_eq!(status(other), 405, "{other} {path}");
    }
}

#[test]
fn boards_of_all_sides_are_drawn() {
    let server = Server::start(&[]);
    for side in [3, 11, 19] {
        let answer = server.get(&format!("/api/board/{side}"));
        assert_eq!(answer.status, 200);
        let cells = answer.body.matches("class=\"cell\"").count();
        assert_eq!(cells, side * side);
    }
}

/// What is refused: the body of a question, the status, a word of the sentence.
#[test]
fn bad_games_are_refused_and_named() {
    let server = Server::start(&[]);
    for (body, word) in [
        (json!({ "game": "2," }), "side 2"),
        (json!({ "game": "20,a1" }), "3 to 19"),
        (json!({ "game": "99999999999,a1" }), "side"),
        (json!({ "game": "5,a1a1" }), "a1 holds a red stone"),
        (json!({ "game": "5,f1" }), "f1"),
        (json!({ "game": "5,a1b1:s" }), "swap"),
        (json!({ "game": "5,é" }), "5,é"),
        (json!({ "game": 5 }), "string"),
        (json!({ "game": "5,", "sides": 3 }), "sides"),
        (json!([]), "Question"),
    ] {
        let answer = server.post("/api/look", &body);
        assert_eq!(answer.status, 422, "{body}: {answer:?}");
        assert!(answer.error().contains(word), "{body}: {}", answer.error());
    }
    assert_eq!(server.look("5,a1")["toMove"], "blue");
}

#[test]
fn bad_requests_are_refused() {
    let server = Server::start(&[]);
    let json = ("Content-Type", "application/json");
    let good = "{\"game\":\"5,a1\"}";
    let ask = |headers: &[(&str, &str)], body: &str| {
        let answer = server.request("POST /api/look", headers, body);
        (answer.status, answer.error())
    };
    assert_eq!(ask(&[json], "{").0, 400);
    assert_eq!(ask(&[], good).0, 415);
    let megabyte = format!("{{\"game\":\"{}\"}}", "a1".repeat(500_000));
    assert_eq!(ask(&[json], &megabyte).0, 413);
    // Whoever asks so gets the refusal as an answer, which no browser complains about.
    let accept = ("Accept", "application/problem+json, */*");
    for (body, status, words) in [
        ("{\"game\":\"2,\"}", 422, "side 2"),
        ("{", 400, "EOF"),
        (&megabyte, 413, "too large"),
    ] {
        let answer = server.request("POST /api/look", &[json, accept], body);
        assert_eq!(answer.status, 200, "{answer:?}");
        let kind = answer.header("content-type");
        assert_eq!(kind, Some("application/problem+json"));
        assert_eq!(answer.json()["status"], status);
        assert!(answer.error().contains(words), "{answer:?}");
    }
    let answer = server.request("POST /api/look", &[json, accept], good);
    assert_eq!(answer.json()["toMove"], "blue");
    for (path, status) in [
        ("GET /nothing", 404),
        ("GET /../Cargo.toml", 404),
        ("GET /%2e%2e/Cargo.toml", 404),
        ("GET /page/../main.js", 404),
        ("GET //etc/passwd", 404),
        ("GET /api/board/..%2f..%2fetc", 404),
        ("GET /api/board/2", 422),
        ("GET /api/board/1000000000000", 404),
        ("GET /api/look", 405),
        ("DELETE /", 405),
        ("GET /api/socket", 400),
    ] {
        let answer = server.request(path, &[], "");
        assert_eq!(answer.status, status, "{path}: {answer:?}");
        assert!(!answer.error().is_empty());
    }
    assert_eq!(server.look("5,a1")["toMove"], "blue");
}

#[test]
fn other_sites_are_refused() {
    let server = Server::start(&[]);
    let own = format!("http://{}", server.host);
    let localhost = format!("localhost:{}", server.port());
    let ask = |headers: &[(&str, &str)]| server.request("GET /", headers, "").status;
    for header in [
        ("Host", &localhost[..]),
        ("Origin", &own),
        ("Sec-Fetch-Site", "same-origin"),
        ("Sec-Fetch-Site", "none"),
    ] {
        assert_eq!(ask(&[header]), 200, "{header:?}");
    }
    for header in [
        ("Host", "hex.example"),
        ("Host", "127.0.0.1.example:80"),
        ("Host", "localhost@example"),
        ("Origin", "http://hex.example"),
        ("Origin", "null"),
        ("Origin", "http://127.0.0.1:1"),
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
    ] {
        assert_eq!(ask(&[header]), 403, "{header:?}");
    }
    let nameless = server.send(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
    assert_eq!(nameless.status, 400);
    let upgrade = [
        ("Upgrade", "websocket"),
        ("Sec-WebSocket-Version", "13"),
        ("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAA=="),
        ("Origin", "http://hex.example"),
    ];
    assert_eq!(server.request("GET /api/socket", &upgrade, "").status, 403);
}

#[test]
fn a_move_is_thought_about_and_answered() {
    let server = Server::start(&[]);
    let mut socket = server.socket();
    let game = "5,a2:sc3";
    let reply = socket.ask(&json!({ "do": "move", "id": 7, "game": game, "level": 8, "ms": 1000 }));
    assert_eq!((&reply["kind"], &reply["id"]), (&json!("done"), &json!(7)));
    let answer = reply["answer"].as_str().unwrap();
    assert_eq!(server.look(&format!("{game}{answer}"))["toMove"], "red");
    let thought = &reply["analysis"];
    assert_eq!(thought["line"][0], reply["answer"]);
    // The probability is Red's, whoever moves: here Red is ahead with Red to move, there Blue with
    // Blue.
    let mut red_wins = |game: &str| {
        let order = json!({ "do": "move", "id": 8, "game": game, "level": 8, "ms": 1000 });
        socket.ask(&order)["analysis"]["redWins"].as_f64().unwrap()
    };
    assert!(red_wins("5,c3a1c2a2") > 0.5);
    assert!(red_wins("5,a1c3e1b3a5") < 0.5);
}

#[test]
fn the_pie_rule_needs_no_thought() {
    let server = Server::start(&[]);
    let mut socket = server.socket();
    let mut answer = |game: &str| {
        let order = json!({ "do": "move", "id": 1, "game": game, "level": 10, "ms": 50 });
        let reply = socket.ask(&order);
        (reply["answer"].clone(), reply["analysis"].is_null())
    };
    assert_eq!(answer("11,"), (json!("c2"), true));
    assert_eq!(answer("11,f6"), (json!(":s"), true));
    let (reply, is_unthought) = answer("11,a1");
    assert!(!is_unthought && reply != ":s", "{reply}");
}

#[test]
fn analysis_streams_thoughts_that_grow() {
    let server = Server::start(&[]);
    let mut socket = server.socket();
    socket.send(&json!({ "do": "analyse", "id": 1, "game": "11,a2f6", "ms": 2000 }));
    let mut simulations = Vec::new();
    loop {
        let reply = socket.hear();
        simulations.push(reply["analysis"]["simulations"].as_u64().unwrap());
        if reply["kind"] == "done" {
            assert_eq!(reply["answer"], Value::Null);
            let moves = reply["analysis"]["moves"].as_array().unwrap();
            assert_eq!(moves.len(), 119);
            // What follows is known of those that were looked at most; none of it is legal twice.
            for known in &moves[..3] {
                let line: Vec<_> = known["line"].as_array().unwrap().iter().collect();
                assert!(line.len() > 1, "{known}");
                assert_eq!(line[0], &known["cell"]);
                let cells: String = line.iter().map(|cell| cell.as_str().unwrap()).collect();
                server.look(&format!("11,a2f6{cells}"));
            }
            break;
        }
    }
    assert!(simulations.len() > 1, "{simulations:?}");
    assert!(simulations.is_sorted(), "{simulations:?}");
}

#[test]
fn an_analysis_without_a_limit_goes_on_until_it_is_stopped() {
    let server = Server::start(&[]);
    let mut socket = server.socket();
    socket.send(&json!({ "do": "analyse", "id": 1, "game": "11,a2f6" }));
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(2) {
        assert_eq!(socket.hear()["kind"], "analysis");
    }
    socket.send(&json!({ "do": "stop" }));
    assert_gets_idle(&server);
}

#[test]
fn bad_orders_are_refused_and_the_socket_lives_on() {
    let server = Server::start(&[]);
    let mut socket = server.thinking("11,a2f6");
    let think = |game: &str, level: u64, ms: u64| json!({ "do": "move", "id": 3, "game": game, "level": level, "ms": ms });
    for (order, word) in [
        (think("5,a1a1", 1, 100), "a1 holds"),
        (think("2,", 1, 100), "side 2"),
        (think("5,", 0, 100), "level"),
        (think("5,", 11, 100), "level"),
        (think("5,", 300, 100), "u8"),
        (think("5,", 1, 5), "10 to 60000"),
        (think("5,", 1, 10_000_000), "10 to 60000"),
        (think("3,b1a1b2c1b3", 1, 100), "over"),
        (json!({ "do": "win" }), "win"),
        (json!("move"), "order"),
    ] {
        let reply = socket.ask(&order);
        assert_eq!(reply["kind"], "problem", "{order}: {reply}");
        let error = reply["error"].as_str().unwrap();
        assert!(error.contains(word), "{order}: {error}");
    }
    let still = socket.hear();
    assert_eq!(
        (&still["kind"], &still["id"]),
        (&json!("analysis"), &json!(1))
    );
    assert_eq!(socket.ask(&think("5,a2:s", 1, 100))["kind"], "done");
}

#[test]
fn a_new_order_takes_the_place_of_the_old_one() {
    let server = Server::start(&["--threads", "1"]);
    let mut socket = server.thinking("11,a2f6");
    socket.send(&json!({ "do": "move", "id": 2, "game": "11,a2f6", "level": 7, "ms": 100 }));
    // With one thread the second order's search begins only after the first one has been stopped.
    let begun = Instant::now();
    let reply = loop {
        let reply = socket.hear();
        if reply["id"] == 2 && reply["kind"] == "done" {
            break reply;
        }
        assert!(begun.elapsed() < PATIENCE, "{reply}");
    };
    assert!(reply["answer"].is_string());
}

/// Waits until the server uses no processor time any more.
fn assert_gets_idle(server: &Server) {
    let deadline = Instant::now() + PATIENCE / 2;
    let window = Duration::from_millis(500);
    loop {
        let before = server.processor_time();
        std::thread::sleep(window);
        if server.processor_time() - before < window / 10 {
            return;
        }
        assert!(Instant::now() < deadline, "the server goes on thinking");
    }
}

#[test]
fn thinking_ends_with_a_stop_and_with_the_tab() {
    let server = Server::start(&["--threads", "2"]);
    let mut stopped = server.thinking("11,a2f6");
    stopped.send(&json!({ "do": "stop" }));
    assert_gets_idle(&server);
    drop(server.thinking("11,a2f6"));
    assert_gets_idle(&server);
}

#[test]
fn ten_tabs_get_their_share_and_requests_their_answers() {
    let server = Server::start(&["--threads", "1"]);
    let mut tabs: Vec<_> = (0..10).map(|_| server.socket()).collect();
    for (id, tab) in tabs.iter_mut().enumerate() {
        tab.send(&json!({ "do": "analyse", "id": id, "game": "11,a2f6", "ms": 60_000 }));
    }
    for (id, tab) in tabs.iter_mut().enumerate() {
        assert_eq!(tab.hear()["id"], id as u64);
    }
    // All ten are still thinking: none will be done within a minute.
    let begun = Instant::now();
    (0..100).for_each(|_| drop(server.look("11,a2f6d4e5")));
    println!("100 answers while ten tabs think: {:?}", begun.elapsed());
    tabs[3].send(&json!({ "do": "move", "id": 99, "game": "11,a2f6", "level": 7, "ms": 100 }));
    while tabs[3].hear_end()["id"] != 99 {}
}

#[test]
fn a_signal_ends_the_server_while_it_thinks() {
    for signal in [Signal::INT, Signal::TERM] {
        let mut server = Server::start(&[]);
        let _thinking = server.thinking("19,a2f6");
        server.signal(signal);
        let (status, printed) = server.ended();
        assert!(status.success(), "{status}");
        assert_eq!(printed, "");
    }
}

#[test]
fn what_cannot_be_served_is_said_at_once() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = format!("--port {}", taken.local_addr().unwrap().port());
    for (words, complaint) in [
        (&port[..], "choose another port, or 0"),
        ("--port 0 .", "neither games.jsonl nor a game"),
        ("--port 0 missing.sgf", "missing.sgf"),
        ("--port 0 /dev/null", "/dev/null: it is not a regular file"),
        ("--threads 0", "--threads"),
    ] {
        refused(Place::new().hex(&format!("web {words}")), &[complaint]);
    }
}
