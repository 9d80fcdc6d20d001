//! What a page without a server gets for its questions: the statuses and types that the server
//! gives.

use hex_core::service::routes::{Asked, ROUTES};
use hex_wasm::requests::respond;
use serde_json::{json, Value};

fn ask(path: &str, body: &str) -> Value {
    serde_json::to_value(respond(path, body)).unwrap()
}

/// Without a server there is no socket: orders are messages to a worker.
#[test]
fn every_address_but_the_socket_is_there() {
    for (path, asked) in ROUTES {
        let is_unknown = ask(&path.replace("{side}", "5"), "")["status"] == 404;
        assert_eq!(is_unknown, matches!(asked, Asked::Socket), "{path}");
    }
}

#[test]
fn answers_have_a_type() {
    let game = json!({ "game": "5,a1" }).to_string();
    let (json, svg) = ("application/json", "image/svg+xml");
    let sgf = "application/x-go-sgf; charset=utf-8";
    for (path, body, mime, begin) in [
        ("api/look", game.as_str(), json, "{\"side\":5"),
        ("api/record", "5,a1", json, "{\"game\":\"5,a1\""),
        ("api/save/sgf", &game, sgf, "(;FF[4]"),
        ("api/save/svg", &game, svg, "<svg"),
        ("api/board/5", "", svg, "<svg"),
        ("api/openings/5", "", json, "{\"a1\":0."),
        ("api/opened?from=0", "", json, "null"),
        ("api/threads", "", json, "1"),
        ("api/code", "", json, "\""),
    ] {
        let answer = ask(path, body);
        assert_eq!(
            (&answer["status"], &answer["mime"]),
            (&json!(200), &json!(mime)),
            "{path}"
        );
        let text = answer["text"].as_str().unwrap();
        assert!(text.starts_with(begin), "{path}: {text:.60}");
    }
}

#[test]
fn what_is_wrong_has_a_status_and_a_reason() {
    let long = "a".repeat(64_001);
    for (path, body, status, word) in [
        ("api/look", "{", 400, "EOF"),
        ("api/look", "{\"game\":\"2,\"}", 422, "side 2"),
        ("api/look", long.as_str(), 413, "64.1 kB are too large"),
        ("api/board/2", "", 422, "side 2"),
        ("api/board/x", "", 404, "nothing"),
        ("api/nothing", "", 404, "nothing"),
    ] {
        let answer = ask(path, body);
        assert_eq!(answer["status"], status, "{path}: {answer}");
        let text: Value = serde_json::from_str(answer["text"].as_str().unwrap()).unwrap();
        let error = text["error"].as_str().unwrap();
        assert!(error.contains(word), "{path}: {error}");
    }
}
