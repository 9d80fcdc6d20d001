//! `hex web` by requests about games: records with their variations read and saved, the values of
//! first moves, what is too long.

use crate::common::assert_says;
use crate::server::Server;
use hexbot::cell::Cell;
use hexbot::opening::red_wins;
use serde_json::{json, Value};

#[test]
fn records_are_read_and_saved() {
    let server = Server::start(&[]);
    let sgf = "(;FF[4]GM[11]SZ[5]PB[Ann]PW[Bob]RE[W+R];B[a2]C[1.5 ms];W[swap-pieces];B[c3]C[2 ms])";
    let answer = server.record(sgf);
    assert_eq!(answer.status, 200, "{}", answer.body);
    let record = answer.json();
    assert_eq!(record["game"], "5,a2:sc3:rb");
    assert_eq!(record["players"], json!(["Ann", "Bob"]));
    assert_eq!(remarks(&record), ["", "1.5 ms", "", "2 ms", ""]);
    assert_eq!(record["result"], "Blue won, the other resigned");
    let nodes = json!([{}, { "parent": 0, "move": "a2", "comment": "first" },
        { "parent": 1, "move": ":s" }, { "parent": 2, "move": "c3" },
        { "parent": 1, "move": "b2", "labels": { "c1": "A" }, "arrows": [["a1", "b2"]] }]);
    let question = json!({ "game": "5,a2:sc3", "players": ["Ann", "Bob"], "nodes": nodes });
    let saved = server.post("/api/save/sgf", &question).body;
    let again = server.record(&saved).json();
    assert_eq!(again["game"], "5,a2:sc3");
    assert_eq!(again["players"], json!(["Ann", "Bob"]));
    assert_eq!(again["nodes"], nodes);
    let position = json!({ "game": "5,a2:sc3" });
    let drawing = server.post("/api/save/svg", &position).body;
    assert!(drawing.starts_with("<svg") && drawing.contains("stone blue"));
}

/// What a record says at each node.
fn remarks(record: &Value) -> Vec<&str> {
    let nodes = record["nodes"].as_array().unwrap().iter();
    nodes
        .map(|node| node["comment"].as_str().unwrap_or_default())
        .collect()
}

/// Trees that are refused, with a word of the sentence.
#[test]
fn bad_trees_are_refused_and_named() {
    let server = Server::start(&[]);
    let move_at = |parent: usize, text: &str| json!({ "parent": parent, "move": text });
    let later = "its parent cannot be node 1, which does not stand before";
    let taken = "node 2: a1 holds a red stone";
    for (nodes, word) in [
        (json!([{}, move_at(1, "a1")]), later),
        (json!([{}, { "move": "a1" }]), "node 1: it has no parent"),
        (json!([{}, move_at(0, "a1"), move_at(1, "a1")]), taken),
        (json!([{}, move_at(0, "a1b2")]), "\"b2\" is left over"),
        (json!([{ "labels": { "f1": "A" } }]), "f1"),
        (json!([{ "arrows": [["a1", "a9"]] }]), "a9"),
        (
            json!([{}, { "parent": 0, "move": "a1", "turn": 1 }]),
            "turn",
        ),
    ] {
        let question = json!({ "game": "5,", "nodes": nodes });
        let answer = server.post("/api/save/sgf", &question);
        assert_eq!(answer.status, 422, "{nodes}: {answer:?}");
        assert!(answer.error().contains(word), "{nodes}: {}", answer.error());
    }
    // A tab's order must have room beside its game.
    let long = format!("5,{}", ":p".repeat(4000));
    let answer = server.post("/api/look", &json!({ "game": long }));
    assert_eq!(answer.status, 422);
    assert_says(&answer.error(), &["8002 bytes is too long"]);
    let fits = format!("5,{}", ":p".repeat(3500));
    let mut socket = server.socket();
    assert_eq!(
        socket.ask(&json!({ "do": "analyse", "id": 1, "game": fits, "ms": 10 }))["kind"],
        "done"
    );
}

#[test]
fn first_moves_have_values() {
    let server = Server::start(&[]);
    let map = server.get("/api/openings/11").json();
    assert_eq!(map.as_object().unwrap().len(), 121);
    for cell in Cell::<11>::all() {
        let told = map[cell.to_string()].as_f64().unwrap();
        let table = f64::from(red_wins(cell, 11));
        assert!((told - table).abs() < 1e-6, "{cell}: {told} for {table}");
    }
    assert_eq!(server.get("/api/openings/2").status, 422);
    assert_eq!(server.get("/api/openings/x").status, 404);
}

#[test]
fn stones_set_up_stay_so() {
    let server = Server::start(&[]);
    let sgf = "(;FF[4]GM[11]SZ[5]AB[a1][b2];B[c3]C[here];B[d4])";
    let record = server.record(sgf).json();
    assert_eq!(record["game"], "5+a1b2,c3:pd4");
    assert_eq!(remarks(&record), ["", "here", "", ""]);
    let view = server.look("5+a1b2,c3");
    assert_eq!(view["stones"].as_array().unwrap().len(), 3);
    assert_eq!(view["link"], "https://hexworld.org/board/#5c1,a1:pb2:pc3");
}
