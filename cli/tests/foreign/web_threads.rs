//! `hex web` with several threads for one search, and pondering: the limits of orders, and the
//! orders of the page, in a real headless Chromium.

use crate::server::{Server, Socket};
use crate::support::browser::{Browser, Tab};
use crate::support::page::{assert_sound, choose, page, wait_for_status};
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
fn wait_for_order(browser: &mut Browser, tab: &Tab, kind: &str, threads: &str) {
    let last = format!("window.orders.findLast((order) => order.do === {kind:?})");
    browser.wait(
        tab,
        &format!("{last} !== undefined && String({last}.threads) === {threads:?}"),
    );
}

#[test]
fn the_page_requests_the_chosen_threads() {
    let Some((server, mut browser)) = page(&["--threads", "3"]) else {
        return;
    };
    let tab = browser.open_when("about:blank", "true");
    browser.before_scripts(&tab, LISTEN);
    let game = "#5,a2b3;red=person;blue=person;seconds=0.1;analysis";
    browser.goto(&tab, &format!("{}{game}", server.url()));
    wait_for_order(&mut browser, &tab, "analyse", "3");
    // The choice in the dialog applies at once, to hints as well, and survives a reload.
    browser.click(&tab, "#settings-open");
    let choices = "[...document.getElementById('threads').options].map(({ text }) => text).join()";
    assert_eq!(browser.text(&tab, choices), "all 3,1,2");
    let code = format!("The network is computed by {}.", network_code());
    assert_eq!(
        browser.text(&tab, "document.getElementById('code').textContent"),
        code
    );
    browser.eval(&tab, "document.getElementById('settings').close()");
    choose(&mut browser, &tab, "threads", "2");
    wait_for_order(&mut browser, &tab, "analyse", "2");
    browser.click(&tab, "#hint");
    wait_for_order(&mut browser, &tab, "move", "2");
    browser.reload(&tab);
    wait_for_order(&mut browser, &tab, "analyse", "2");
    choose(&mut browser, &tab, "threads", "1");
    wait_for_order(&mut browser, &tab, "analyse", "undefined");
    choose(&mut browser, &tab, "threads", "0");
    wait_for_order(&mut browser, &tab, "analyse", "3");
    // A level that is limited by simulations uses one thread.
    choose(&mut browser, &tab, "red", "9");
    wait_for_order(&mut browser, &tab, "move", "undefined");
    wait_for_status(&mut browser, &tab, "3. Red:");
    choose(&mut browser, &tab, "blue", "10");
    wait_for_order(&mut browser, &tab, "move", "3");
    assert_sound(&mut browser, &server);
}

#[test]
fn one_thread_offers_no_choice() {
    let Some((server, mut browser)) = page(&["--threads", "1"]) else {
        return;
    };
    let tab = browser.open_when("about:blank", "true");
    browser.before_scripts(&tab, LISTEN);
    // The preference from another server is kept.
    browser.goto(&tab, &server.url());
    browser.eval(
        &tab,
        "localStorage.setItem('preferences', JSON.stringify({ threads: 4 }))",
    );
    let game = "#5,a2b3;red=person;blue=person;analysis";
    browser.goto(&tab, &format!("{}{game}", server.url()));
    wait_for_order(&mut browser, &tab, "analyse", "undefined");
    browser.click(&tab, "#settings-open");
    assert_eq!(
        browser.eval(&tab, "document.getElementById('threads-box').hidden"),
        true
    );
    assert_sound(&mut browser, &server);
}

#[test]
fn the_bot_ponders_on_request() {
    let Some((server, mut browser)) = page(&["--threads", "2"]) else {
        return;
    };
    let tab = browser.open_when("about:blank", "true");
    browser.before_scripts(&tab, LISTEN);
    let game = "#11,a2b3c4;red=person;blue=10;seconds=0.1";
    browser.goto(&tab, &format!("{}{game}", server.url()));
    wait_for_status(&mut browser, &tab, "4. Blue:");
    let pondered = "window.orders.filter((order) => order.do === 'ponder').length";
    assert_eq!(browser.eval(&tab, pondered), 0);
    let switch = "document.getElementById('ponder').click()";
    browser.eval(&tab, switch);
    wait_for_order(&mut browser, &tab, "ponder", "2");
    // Pondering searches the person's position; an analysis has priority.
    let game = "window.orders.at(-1).game === location.hash.slice(1).split(';')[0]";
    assert_eq!(browser.eval(&tab, game), true);
    browser.click(&tab, "#analysis");
    browser.wait(&tab, "window.orders.at(-1).do !== 'ponder'");
    browser.click(&tab, "#analysis");
    browser.wait(&tab, "window.orders.at(-1).do === 'ponder'");
    // Weaker levels do not ponder.
    choose(&mut browser, &tab, "blue", "9");
    browser.wait(&tab, "window.orders.at(-1).do === 'stop'");
    choose(&mut browser, &tab, "blue", "10");
    browser.wait(&tab, "window.orders.at(-1).do === 'ponder'");
    browser.eval(&tab, switch);
    browser.wait(&tab, "window.orders.at(-1).do === 'stop'");
    assert_sound(&mut browser, &server);
}
