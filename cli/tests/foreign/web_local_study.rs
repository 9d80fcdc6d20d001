//! Studying a game on the page without a server, in a real headless Chromium: mistakes, SGF and
//! links. And its speed: few bytes, the board before the engine, no engine on the main thread.
//! Skipped as `web_local.rs` is.

use crate::support::browser::{launch, Browser, Tab, SHOWN};
use crate::support::local::{assert_sound, loaded, page};
use crate::support::page::wait_for_status;
use hex_core::service::questions::QuestionKind;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Clicks a button even if the page moves it meanwhile.
fn press(browser: &mut Browser, tab: &Tab, selector: &str) {
    browser.eval(
        tab,
        &format!("document.querySelector({selector:?}).click()"),
    );
}

#[test]
fn mistakes_are_listed_with_better_moves() {
    let Some((_root, host, mut browser)) = page(launch()) else {
        return;
    };
    // The player who takes c5 wins; neither does at once.
    let game = "#5,c1a5c2b5c3d5c4e5a1;red=person;blue=person";
    let tab = browser.open(&format!("{}{game}", host.url));
    press(&mut browser, &tab, "#review");
    let worst = "[...document.querySelectorAll('#mistakes li')]
        .find(({ textContent }) => textContent.startsWith('9. Red a1 ??: −100 %'))";
    let better = format!("{worst}?.textContent.includes('better c5')");
    browser.wait(&tab, &better);
    browser.wait(
        &tab,
        "document.getElementById('review').textContent === 'Find mistakes'",
    );
    browser.eval(&tab, &format!("{worst}.querySelector('button').click()"));
    browser.wait(&tab, "document.getElementById('slider').value === '9'");
    assert_sound(&mut browser, &host);
}

/// What the native engine reads from a record: moves, names, result, variations and remarks.
fn read(record: &str) -> Value {
    let answer = QuestionKind::OpenRecord.answer(record.into());
    serde_json::from_str(&answer.unwrap().1).unwrap()
}

/// Drops a record on the page, saves it as SGF, and returns the saved file.
fn saved_again(browser: &mut Browser, tab: &Tab, file: &Path) -> String {
    browser.eval(tab, "window.content = null");
    browser.drop_files(tab, &[file]);
    wait_for_status(browser, tab, "Blue (Bob) has won");
    browser.wait(tab, SHOWN);
    press(browser, tab, "#save-sgf");
    browser.wait(tab, "window.content !== null");
    let saved = browser.eval(tab, "window.content.text()");
    saved.as_str().unwrap().to_owned()
}

#[test]
fn records_survive_opening_and_saving() {
    let Some((root, host, mut browser)) = page(launch()) else {
        return;
    };
    let sgf = "(;FF[4]GM[11]SZ[5]PB[Ann]PW[Bob]RE[W+R];B[a2]C[opens];W[swap-pieces]\
        (;B[c3]LB[d4:A]C[2 ms];B[resign])(;B[d2];W[b4]C[instead]))";
    let file = root.path().join("game.sgf");
    fs::write(&file, sgf).unwrap();
    let tab = browser.open(&host.url);
    // Reads the download in the page.
    browser.eval(
        &tab,
        "HTMLAnchorElement.prototype.click = function () {};
        const address = URL.createObjectURL;
        URL.createObjectURL = (blob) => { window.content = blob; return address(blob); };",
    );
    let saved = saved_again(&mut browser, &tab, &file);
    assert_eq!(read(&saved), read(sgf), "{saved}");
    fs::write(&file, &saved).unwrap();
    assert_eq!(saved_again(&mut browser, &tab, &file), saved);
    assert_sound(&mut browser, &host);
}

/// The whole position as screen readers describe it.
fn position(browser: &mut Browser, tab: &Tab) -> String {
    browser.wait(tab, SHOWN);
    browser.text(
        tab,
        "[document.getElementById('status').textContent,
        ...[...document.querySelectorAll('.cell')].map((cell) => cell.getAttribute('aria-label'))].join('\\n')",
    )
}

#[test]
fn a_link_reopens_the_position() {
    let Some((_root, host, mut browser)) = page(launch()) else {
        return;
    };
    let tab = browser.open(&format!("{}#6,a2:s;red=person;blue=person", host.url));
    for (cell, status) in [("c4", "3. Red: c4"), ("d3", "4. Blue: d3")] {
        browser.click_cell(&tab, cell);
        wait_for_status(&mut browser, &tab, status);
    }
    press(&mut browser, &tab, "#back");
    wait_for_status(&mut browser, &tab, "3. Red: c4");
    let (shown, link) = (
        position(&mut browser, &tab),
        browser.text(&tab, "location.href"),
    );
    // Another tab has only the link.
    let other = browser.open(&link);
    assert_eq!(position(&mut browser, &other), shown);
    press(&mut browser, &other, "#forward");
    wait_for_status(&mut browser, &other, "4. Blue: d3");
    assert_sound(&mut browser, &host);
}

#[test]
fn the_board_appears_before_the_engine_is_loaded() {
    let Some((_root, host, mut browser)) = page(launch()) else {
        return;
    };
    let tab = browser.open_when("about:blank", "true");
    // The engine is not ready until the test releases it.
    browser.before_scripts(
        &tab,
        "const held = new Promise((letGo) => { window.letGo = letGo; });
        const compile = WebAssembly.compileStreaming;
        WebAssembly.compileStreaming = async (code) => { await held; return compile.call(WebAssembly, code); };",
    );
    let is_drawn = "document.querySelectorAll('#board .cell').length === 81";
    let address = format!("{}#9,;red=person;blue=1", host.url);
    browser.goto_when(&tab, &address, is_drawn);
    assert_eq!(browser.eval(&tab, SHOWN), false);
    // The page's script was requested once, and each worker's once.
    let loaded = loaded(&mut browser, &tab);
    let is_script = |name: &&str| name.ends_with(".js");
    let mut scripts: Vec<&str> = loaded.split([' ', '/']).filter(is_script).collect();
    scripts.sort_unstable();
    scripts.dedup();
    scripts.retain(|&name| name != "worker.js");
    assert_eq!(scripts, ["main.js"], "{loaded}");
    browser.eval(&tab, "letGo()");
    browser.wait(&tab, SHOWN);
    browser.click_cell(&tab, "e5");
    browser.wait(&tab, "/^#9,e5[a-i:]/.test(location.hash)");
    assert_sound(&mut browser, &host);
}

#[test]
fn the_engine_does_not_run_on_the_main_thread() {
    let Some((_root, host, mut browser)) = page(launch()) else {
        return;
    };
    let tab = browser.open_when("about:blank", "true");
    browser.before_scripts(
        &tab,
        "window.engines = []; window.workers = 0;
        for (const name of ['instantiate', 'instantiateStreaming', 'Instance', 'Module']) {
            WebAssembly[name] = function () { engines.push(name); throw new Error(name); };
        }
        const Real = Worker;
        window.Worker = class extends Real { constructor(...given) { super(...given); workers++; } };",
    );
    // A bot's game with analysis and a search for mistakes.
    let address = format!("{}#3,;red=1;blue=2;seconds=0.1;analysis", host.url);
    browser.goto(&tab, &address);
    wait_for_status(&mut browser, &tab, "has won");
    browser.wait(
        &tab,
        "document.getElementById('review').textContent === 'Find mistakes'
        && document.querySelector('#curve polyline') !== null",
    );
    press(&mut browser, &tab, "#back");
    browser.wait(&tab, SHOWN);
    assert_eq!(browser.text(&tab, "engines"), "");
    // Requests, searches, proofs.
    assert_eq!(browser.eval(&tab, "workers >= 3"), true);
    assert_sound(&mut browser, &host);
}

/// Memory of old trees is not released and may not fit those of another board size.
#[test]
fn another_board_size_gets_a_new_worker() {
    let Some((_root, host, mut browser)) = page(launch()) else {
        return;
    };
    let tab = browser.open_when("about:blank", "true");
    browser.before_scripts(
        &tab,
        "const Real = Worker; window.ended = 0;
        window.Worker = class extends Real { terminate() { ended++; super.terminate(); } };",
    );
    // Without the prover, which the next request replaces.
    let game = |side: usize| format!("#{side},;red=1;blue=person;seconds=0.1");
    browser.goto(&tab, &format!("{}{}", host.url, game(5)));
    wait_for_status(&mut browser, &tab, "You are Blue");
    assert_eq!(browser.eval(&tab, "ended"), 0);
    browser.eval(&tab, &format!("location.hash = {:?}", game(6)));
    browser.wait(&tab, "/^#6,[a-f]/.test(location.hash)");
    wait_for_status(&mut browser, &tab, "You are Blue");
    assert_eq!(browser.eval(&tab, "ended"), 1);
    assert_sound(&mut browser, &host);
}
