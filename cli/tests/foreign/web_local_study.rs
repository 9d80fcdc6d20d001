//! Studying a game on the page without a server, in a real headless Chromium: mistakes, SGF and
//! links. And its speed: few bytes, the board before the engine, no engine on the main thread.
//! Skipped as `web_local.rs` is.

use crate::support::browser::{launch, Tab, SHOWN};
use crate::support::local::{blank, visit};
use hex_core::service::questions::QuestionKind;
use serde_json::Value;

#[test]
fn mistakes_are_listed_with_better_moves() {
    // The player who takes c5 wins; neither does at once.
    let page = needs!(visit("#5,c1a5c2b5c3d5c4e5a1;red=person;blue=person"));
    page.click_at_once("#review");
    let worst = "$$('#mistakes li')
        .find(({ textContent }) => textContent.startsWith('9. Red a1 ??: −100 %'))";
    let better = format!("{worst}?.textContent.includes('better c5')");
    page.wait(&better);
    page.wait("$('#review').textContent === 'Find mistakes'");
    page.eval(&format!("{worst}.querySelector('button').click()"));
    page.wait("$('#slider').value === '9'");
}

/// What the native engine reads from a record: moves, names, result, variations and remarks.
fn read(record: &str) -> Value {
    let answer = QuestionKind::OpenRecord.answer(record.into());
    serde_json::from_str(&answer.unwrap().1).unwrap()
}

#[test]
fn records_survive_opening_and_saving() {
    let page = needs!(visit(""));
    let sgf = "(;FF[4]GM[11]SZ[5]PB[Ann]PW[Bob]RE[W+R];B[a2]C[opens];W[swap-pieces]\
        (;B[c3]LB[d4:A]C[2 ms];B[resign])(;B[d2];W[b4]C[instead]))";
    let saved_again = |sgf: &str| {
        page.drop_text("game.sgf", sgf);
        page.wait_for_status("Blue (Bob) has won");
        page.wait(SHOWN);
        page.saved_sgf()
    };
    let saved = saved_again(sgf);
    assert_eq!(read(&saved), read(sgf), "{saved}");
    assert_eq!(saved_again(&saved), saved);
}

/// The whole position as screen readers describe it.
fn position(page: &Tab) -> String {
    page.wait(SHOWN);
    page.text(
        "[$('#status').textContent,
        ...$$('.cell').map((cell) => cell.getAttribute('aria-label'))].join('\\n')",
    )
}

#[test]
fn a_link_reopens_the_position() {
    let page = needs!(visit("#6,a2:s;red=person;blue=person"));
    for (cell, status) in [("c4", "3. Red: c4"), ("d3", "4. Blue: d3")] {
        page.play(cell, status);
    }
    page.click_at_once("#back");
    page.wait_for_status("3. Red: c4");
    let (shown, link) = (position(&page), page.text("location.href"));
    // Another tab has only the link.
    let other = page.open(&link);
    assert_eq!(position(&other), shown);
    other.click_at_once("#forward");
    other.wait_for_status("4. Blue: d3");
}

#[test]
fn the_board_appears_before_the_engine_is_loaded() {
    let page = needs!(blank(launch()));
    // The engine is not ready until the test releases it.
    page.before_scripts("const held = new Promise((letGo) => { window.letGo = letGo; });
        const compile = WebAssembly.compileStreaming;
        WebAssembly.compileStreaming = async (code) => { await held; return compile.call(WebAssembly, code); };",
    );
    let is_drawn = "$$('#board .cell').length === 81";
    page.goto_when("#9,;red=person;blue=1", is_drawn);
    assert_eq!(page.eval(SHOWN), false);
    // The page's script was requested once, and each worker's once.
    let loaded = page.loaded();
    let is_script = |name: &&str| name.ends_with(".js");
    let mut scripts: Vec<&str> = loaded.split([' ', '/']).filter(is_script).collect();
    scripts.sort_unstable();
    scripts.dedup();
    scripts.retain(|&name| name != "worker.js");
    assert_eq!(scripts, ["main.js"], "{loaded}");
    page.eval("letGo()");
    page.wait(SHOWN);
    page.click_cell("e5");
    page.wait("/^#9,e5[a-i:]/.test(location.hash)");
}

#[test]
fn the_engine_does_not_run_on_the_main_thread() {
    let page = needs!(blank(launch()));
    page.before_scripts("window.engines = []; window.workers = 0;
        for (const name of ['instantiate', 'instantiateStreaming', 'Instance', 'Module']) {
            WebAssembly[name] = function () { engines.push(name); throw new Error(name); };
        }
        const Real = Worker;
        window.Worker = class extends Real { constructor(...given) { super(...given); workers++; } };",
    );
    // A bot's game with analysis and a search for mistakes.
    page.goto("#3,;red=1;blue=2;seconds=0.1;analysis");
    page.wait_for_status("has won");
    page.wait(
        "$('#review').textContent === 'Find mistakes'
        && $('#curve polyline') !== null",
    );
    page.click_at_once("#back");
    page.wait(SHOWN);
    assert_eq!(page.text("engines"), "");
    // Requests, searches, proofs.
    assert_eq!(page.eval("workers >= 3"), true);
}

/// Memory of old trees is not released and may not fit those of another board size.
#[test]
fn another_board_size_gets_a_new_worker() {
    let page = needs!(blank(launch()));
    page.before_scripts(
        "const Real = Worker; window.ended = 0;
        window.Worker = class extends Real { terminate() { ended++; super.terminate(); } };",
    );
    // Without the prover, which the next request replaces.
    let game = |side: usize| format!("#{side},;red=1;blue=person;seconds=0.1");
    page.goto(&game(5));
    page.wait_for_status("You are Blue");
    assert_eq!(page.eval("ended"), 0);
    page.eval(&format!("location.hash = {:?}", game(6)));
    page.wait("/^#6,[a-f]/.test(location.hash)");
    page.wait_for_status("You are Blue");
    assert_eq!(page.eval("ended"), 1);
}
