//! `hex web` with several threads for one search, and pondering: the limits of orders, and the
//! orders of the page, in a real headless Chromium.

use crate::server::{Server, Socket};
use crate::support::browser::Tab;
use crate::support::page::blank;
use hex_core::engine::network_code;
use serde_json::{json, Value};

/// The last reply to an order, and the number of analyses before it.
fn last(socket: &mut Socket) -> (Value, usize) {
    let mut analyses = 0;
    loop {
        let reply = socket.hear();
        if reply["kind"] != "analysis" {
            return (reply, analyses);
        }
        analyses += 1;
    }
}

#[test]
fn orders_get_at_most_the_threads_of_the_server() {
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
        assert!(reply["analysis"]["simulations"].as_u64().unwrap() > 0);
    }
    socket.send(&json!({"do": "analyse", "id": 1, "game": "6,c3", "ms": 600, "threads": "many"}));
    assert_eq!(last(&mut socket).0["kind"], "problem");
}

/// Two tabs that request all threads get equal shares.
#[test]
fn tabs_share_all_threads() {
    let server = Server::start(&["--threads", "2"]);
    let mut tabs = [server.socket(), server.socket(), server.socket()];
    for (id, tab) in tabs.iter_mut().enumerate() {
        tab.send(&json!({"do": "analyse", "id": id, "game": "11,a2", "ms": 1500, "threads": 2}));
    }
    for (id, tab) in tabs.iter_mut().enumerate() {
        let (reply, _) = last(tab);
        assert_eq!((&reply["kind"], &reply["id"]), (&json!("done"), &json!(id)));
        assert!(reply["analysis"]["simulations"].as_u64().unwrap() > 0);
    }
}

/// The bot's next move uses what it pondered; no result is sent in between.
#[test]
fn pondering_helps_the_next_move_silently() {
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
    // Blue has played f6 and ponders during Red's turn.
    socket.send(&ponder(10, 1000));
    let (reply, analyses) = last(&mut socket);
    let silent = json!({"kind": "done", "id": 2, "analysis": null, "answer": null});
    assert_eq!((reply, analyses), (silent, 0));
    // Red's answer is one that pondering has searched.
    socket.send(&json!({"do": "analyse", "id": 4, "game": "11,a2f6", "ms": 500}));
    let best = last(&mut socket).0["analysis"]["moves"][0]["cell"].clone();
    // Pondering lasts until the order to move.
    socket.send(&ponder(10, 60_000));
    std::thread::sleep(std::time::Duration::from_millis(500));
    let game = format!("11,a2f6{}", best.as_str().unwrap());
    socket.send(&json!({"do": "move", "id": 3, "game": game, "level": 10, "ms": 50}));
    let (reply, _) = last(&mut socket);
    assert_eq!((&reply["kind"], &reply["id"]), (&json!("done"), &json!(3)));
    let analysis = &reply["analysis"];
    let moves = analysis["moves"].as_array().unwrap().iter();
    let visits: u64 = moves.map(|known| known["visits"].as_u64().unwrap()).sum();
    let simulations = analysis["simulations"].as_u64().unwrap();
    assert!(
        visits > simulations,
        "{visits} visits, {simulations} simulations"
    );
}

/// Stores all orders of the page in `window.orders`.
const LISTEN: &str = "window.orders = []; { const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (text) { window.orders.push(JSON.parse(text)); send.call(this, text); }; }";

/// The last order of this kind, as soon as it has this number of threads.
fn wait_for_order(page: &Tab, kind: &str, threads: &str) {
    let last = format!("window.orders.findLast((order) => order.do === {kind:?})");
    page.wait(&format!(
        "{last} !== undefined && String({last}.threads) === {threads:?}"
    ));
}

#[test]
fn the_page_requests_the_chosen_threads() {
    let page = needs!(blank(&["--threads", "3"]));
    page.before_scripts(LISTEN);
    page.goto("#5,a2b3;red=person;blue=person;seconds=0.1;analysis");
    wait_for_order(&page, "analyse", "3");
    // The choice in the dialog applies at once, to hints as well, and survives a reload.
    page.click("#settings-open");
    let choices = "[...$('#threads').options].map(({ text }) => text).join()";
    assert_eq!(page.text(choices), "all 3,1,2");
    let code = format!("The network is computed by {}.", network_code());
    assert_eq!(page.text_of("#code"), code);
    page.eval("$('#settings').close()");
    page.choose("threads", "2");
    wait_for_order(&page, "analyse", "2");
    page.click("#hint");
    wait_for_order(&page, "move", "2");
    page.reload();
    wait_for_order(&page, "analyse", "2");
    page.choose("threads", "1");
    wait_for_order(&page, "analyse", "undefined");
    page.choose("threads", "0");
    wait_for_order(&page, "analyse", "3");
    // A level that is limited by simulations uses one thread.
    page.choose("red", "9");
    wait_for_order(&page, "move", "undefined");
    page.wait_for_status("3. Red:");
    page.choose("blue", "10");
    wait_for_order(&page, "move", "3");
}

#[test]
fn one_thread_offers_no_choice() {
    let page = needs!(blank(&["--threads", "1"]));
    page.before_scripts(LISTEN);
    // The preference from another server is kept.
    page.goto("");
    page.eval("localStorage.setItem('preferences', JSON.stringify({ threads: 4 }))");
    page.goto("#5,a2b3;red=person;blue=person;analysis");
    wait_for_order(&page, "analyse", "undefined");
    page.click("#settings-open");
    assert_eq!(page.eval("$('#threads-box').hidden"), true);
}

#[test]
fn the_bot_ponders_on_request() {
    let page = needs!(blank(&["--threads", "2"]));
    page.before_scripts(LISTEN);
    page.goto("#11,a2b3c4;red=person;blue=10;seconds=0.1");
    page.wait_for_status("4. Blue:");
    let pondered = "window.orders.filter((order) => order.do === 'ponder').length";
    assert_eq!(page.eval(pondered), 0);
    let switch = "$('#ponder').click()";
    page.eval(switch);
    wait_for_order(&page, "ponder", "2");
    // Pondering searches the person's position; an analysis has priority.
    let game = "window.orders.at(-1).game === location.hash.slice(1).split(';')[0]";
    assert_eq!(page.eval(game), true);
    page.click("#analysis");
    page.wait("window.orders.at(-1).do !== 'ponder'");
    page.click("#analysis");
    page.wait("window.orders.at(-1).do === 'ponder'");
    // Weaker levels do not ponder.
    page.choose("blue", "9");
    page.wait("window.orders.at(-1).do === 'stop'");
    page.choose("blue", "10");
    page.wait("window.orders.at(-1).do === 'ponder'");
    page.eval(switch);
    page.wait("window.orders.at(-1).do === 'stop'");
}
