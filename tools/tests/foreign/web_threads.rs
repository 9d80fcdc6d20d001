//! `hex web` with several threads for one position, and pondering: what orders may ask for.

use crate::support::{Server, Socket};
use serde_json::{json, Value};

/// The last reply to an order, with how many thoughts came before it.
fn last(socket: &mut Socket) -> (Value, usize) {
    let mut thoughts = 0;
    loop {
        let reply = socket.hear();
        if reply["kind"] != "thought" {
            return (reply, thoughts);
        }
        thoughts += 1;
    }
}

#[test]
fn an_order_gets_at_most_the_threads_of_the_server() {
    let server = Server::start(&["--threads", "3"]);
    assert_eq!(server.get("/api/threads").json(), json!(3));
    let mut socket = server.socket();
    let order = |threads: Value| json!({"do": "analyse", "id": 1, "game": "6,c3", "ms": 600, "threads": threads});
    for threads in [0, 4, 1000] {
        socket.send(&order(json!(threads)));
        let (reply, _) = last(&mut socket);
        assert_eq!(reply["kind"], "problem");
        let error = reply["error"].as_str().unwrap();
        assert!(
            error.contains("choose 1 to 3") && error.contains("--threads"),
            "{error}"
        );
    }
    for threads in [json!(null), json!(1), json!(3)] {
        socket.send(&order(threads.clone()));
        let (reply, _) = last(&mut socket);
        assert_eq!(reply["kind"], "done", "{threads}: {reply}");
        assert!(reply["thought"]["simulations"].as_u64().unwrap() > 0);
    }
    socket.send(&json!({"do": "analyse", "id": 1, "game": "6,c3", "ms": 600, "threads": "many"}));
    assert_eq!(last(&mut socket).0["kind"], "problem");
}

/// Two tabs that want all threads both get their share.
#[test]
fn tabs_that_want_all_threads_share_them() {
    let server = Server::start(&["--threads", "2"]);
    let mut tabs = [server.socket(), server.socket(), server.socket()];
    for (id, tab) in tabs.iter_mut().enumerate() {
        tab.send(&json!({"do": "analyse", "id": id, "game": "11,a2", "ms": 1500, "threads": 2}));
    }
    for (id, tab) in tabs.iter_mut().enumerate() {
        let (reply, _) = last(tab);
        assert_eq!((&reply["kind"], &reply["id"]), (&json!("done"), &json!(id)));
        assert!(reply["thought"]["simulations"].as_u64().unwrap() > 0);
    }
}

/// What is pondered is found again by the bot's next move; nothing of it is told meanwhile.
#[test]
fn pondering_helps_the_next_move_and_tells_nothing() {
    let server = Server::start(&["--threads", "2"]);
    let mut socket = server.socket();
    let ponder = |level: u8, ms: u64| json!({"do": "ponder", "id": 2, "game": "11,a2f6", "level": level, "ms": ms, "threads": 2});
    socket.send(&ponder(9, 1000));
    let (reply, _) = last(&mut socket);
    assert!(
        reply["error"]
            .as_str()
            .unwrap()
            .contains("level 9 does not ponder"),
        "{reply}"
    );
    // Blue has played f6 and ponders while Red thinks.
    socket.send(&ponder(10, 1000));
    let (reply, thoughts) = last(&mut socket);
    let told = json!({"kind": "done", "id": 2, "thought": null, "answer": null});
    assert_eq!((reply, thoughts), (told, 0));
    // Red's answer is one that pondering reckons with.
    socket.send(&json!({"do": "analyse", "id": 4, "game": "11,a2f6", "ms": 500}));
    let best = last(&mut socket).0["thought"]["moves"][0]["cell"].clone();
    // Ponders on until the order to move ends that.
    socket.send(&ponder(10, 60_000));
    std::thread::sleep(std::time::Duration::from_millis(500));
    let game = format!("11,a2f6{}", best.as_str().unwrap());
    socket.send(&json!({"do": "move", "id": 3, "game": game, "level": 10, "ms": 50}));
    let (reply, _) = last(&mut socket);
    assert_eq!((&reply["kind"], &reply["id"]), (&json!("done"), &json!(3)));
    let thought = &reply["thought"];
    let moves = thought["moves"].as_array().unwrap().iter();
    let visits: u64 = moves.map(|known| known["visits"].as_u64().unwrap()).sum();
    let simulations = thought["simulations"].as_u64().unwrap();
    assert!(
        visits > simulations,
        "{visits} visits, {simulations} simulations"
    );
}
