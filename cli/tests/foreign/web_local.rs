//! The page without a server, as `hex web --export` writes it, on a plain file server in a real
//! headless Chromium. Without Chromium, Python or the engine's modules the tests are skipped, or
//! fail with HEX_IF_MISSING=fail.

use crate::common::{hex, starting};
use crate::support::browser::{launch, launch_with, Browser, Tab, SHOWN};
use crate::support::local::{assert_sound, export, loaded, modules, native_reply, page};
use crate::support::page::{game, wait_for_status};
use hex_core::record::Ending;
use serde_json::{json, Value};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

#[test]
fn a_whole_game_by_clicks() {
    let Some((_root, host, mut browser)) = page(launch()) else {
        return;
    };
    let tab = browser.open(&format!("{}#5,;red=person;blue=1", host.url));
    let over = "document.getElementById('status').textContent.includes(' won: ')";
    let turn = "document.getElementById('status').textContent.includes('Your move')";
    loop {
        browser.wait(&tab, &format!("{SHOWN} && ({over} || {turn})"));
        if browser.eval(&tab, over) == true {
            break;
        }
        let cell = browser.text(&tab, "document.querySelector('.cell.open').dataset.cell");
        browser.click_cell(&tab, &cell);
    }
    let outcome = game(&mut browser, &tab)
        .outcome()
        .expect("the game is over");
    assert_eq!(outcome.ending, Ending::Connection);
    assert!(loaded(&mut browser, &tab).contains("kernel.wasm"));
    let code = browser.text(&tab, "document.getElementById('code').textContent");
    assert!(code.contains("vector code of WebAssembly"), "{code}");
    assert_sound(&mut browser, &host);
}

#[test]
fn moves_during_loading_are_played_later() {
    let Some((_root, host, mut browser)) = page(launch()) else {
        return;
    };
    let tab = browser.open_when("about:blank", "true");
    // Simulates a host that sends compressed files, so their length is unknown.
    browser.before_scripts(
        &tab,
        "{ const { fetch } = window; window.fetch = async (...asked) => {
            const { body, status } = await fetch(...asked);
            const headers = { 'Content-Type': 'application/wasm', 'Content-Encoding': 'gzip' };
            return new Response(body, { status, headers }); }; }",
    );
    browser.slow_down(&tab, 300_000);
    let address = format!("{}#11,;red=person;blue=person", host.url);
    browser.goto_when(&tab, &address, "document.querySelector('.cell') !== null");
    let status = "document.getElementById('status').textContent";
    browser.wait(&tab, &format!("/Loading the bot: \\d+ %/.test({status})"));
    browser.click_cell(&tab, "d4");
    assert!(browser.text(&tab, status).contains("Loading the bot"));
    browser.wait(&tab, "location.hash.startsWith('#11,d4;')");
    wait_for_status(&mut browser, &tab, "1. Red: d4");
    assert_sound(&mut browser, &host);
}

/// Copies the module with the connection to the workers beside the page. The exported page has it
/// only as a part of its script.
fn put_transport(root: &TempDir) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/page/local");
    for file in ["transport.js", "simd.js"] {
        let copy = root.path().join("deep/in/a/site").join(file);
        fs::copy(source.join(file), copy).unwrap();
    }
}

/// Connects to the workers as the page does, sends orders one after the other, and returns the last
/// reply to each.
fn replies(browser: &mut Browser, tab: &Tab, orders: &[Value]) -> Vec<Value> {
    let script = format!(
        "(async () => {{
            const {{ connect }} = await import(new URL('transport.js', location.href));
            const line = connect();
            await new Promise((ready) => line.addEventListener('open', ready));
            const answers = [];
            for (const order of {}) {{
                answers.push(await new Promise((answered) => {{
                    line.addEventListener('message', function hear({{ data }}) {{
                        const reply = JSON.parse(data);
                        if (reply.kind === 'analysis') return;
                        line.removeEventListener('message', hear);
                        answered(data);
                    }});
                    line.send(JSON.stringify(order));
                }}));
            }}
            line.close();
            return answers;
        }})()",
        json!(orders)
    );
    let answers = browser.eval(tab, &script);
    let answers = answers.as_array().unwrap().iter();
    answers
        .map(|text| serde_json::from_str(text.as_str().unwrap()).unwrap())
        .collect()
}

/// Compares the analyses of the page's workers with those of this process.
fn compare_analyses(browser: &mut Browser, tab: &Tab) {
    let games = ["11,a2:se5", "9,", "8,d4e5c6", "14,g7:sh8"];
    let orders: Vec<Value> = (1..)
        .zip(games)
        .map(|(id, game)| json!({ "do": "move", "id": id, "game": game, "level": 7, "ms": 1000 }))
        .collect();
    for (order, mut reply) in orders.iter().zip(replies(browser, tab, &orders)) {
        let mut wanted = native_reply(order);
        for reply in [&mut reply, &mut wanted] {
            if let Some(analysis) = reply["analysis"].as_object_mut() {
                analysis.remove("time");
            }
        }
        assert_eq!(reply, wanted, "{order}");
    }
}

#[test]
fn workers_match_the_native_engine() {
    let Some((root, host, mut browser)) = page(launch()) else {
        return;
    };
    put_transport(&root);
    let tab = browser.open(&format!("{}#5,;red=person;blue=person", host.url));
    compare_analyses(&mut browser, &tab);
    assert_sound(&mut browser, &host);
}

/// V8 has no SIMD on processors without SSE 4.1; these options simulate one.
#[test]
fn without_simd_the_kernel_is_not_loaded() {
    let options = ["--js-flags=--no-enable-sse4-1 --no-enable-ssse3 --no-enable-avx"];
    let Some((root, host, mut browser)) = page(launch_with(&options)) else {
        return;
    };
    put_transport(&root);
    let tab = browser.open(&format!("{}#5,;red=person;blue=person", host.url));
    compare_analyses(&mut browser, &tab);
    let loaded = loaded(&mut browser, &tab);
    assert!(loaded.contains("hex.wasm"), "{loaded}");
    assert!(!loaded.contains("kernel.wasm"), "{loaded}");
    assert_sound(&mut browser, &host);
}

#[test]
fn analysis_does_not_block_the_page() {
    let Some((_root, host, mut browser)) = page(launch()) else {
        return;
    };
    let tab = browser.open(&format!(
        "{}#11,a2:sf6;red=person;blue=person;analysis",
        host.url
    ));
    browser.wait(
        &tab,
        "document.getElementById('evaluation').textContent.includes('simulations')",
    );
    // The page's main thread is never blocked for more than 50 ms. Other programs can block it, so
    // there are several attempts.
    let longest = "new Promise((done) => { const found = [];
        const observer = new PerformanceObserver((list) => found.push(...list.getEntries()));
        observer.observe({ type: 'longtask' });
        setTimeout(() => { observer.disconnect(); done(found.length); }, 1000); })";
    let is_free = (0..10).any(|_| browser.eval(&tab, longest) == 0);
    assert!(is_free, "the main thread is blocked again and again");
    browser.click_cell(&tab, "e5");
    wait_for_status(&mut browser, &tab, "Blue: e5");
    assert_sound(&mut browser, &host);
}

#[test]
fn the_page_opens_offline_after_the_first_visit() {
    let Some((_root, mut host, mut browser)) = page(launch()) else {
        return;
    };
    let address = format!("{}#5,;red=person;blue=1", host.url);
    let tab = browser.open(&address);
    browser.wait(&tab, "navigator.serviceWorker.controller !== null");
    host.stop();
    browser.goto(&tab, &address);
    browser.click_cell(&tab, "c3");
    // A move of ours and one of the bot.
    let played = "/^#5,c3[a-e:]/.test(location.hash)";
    browser.wait(&tab, &format!("{SHOWN} && {played}"));
}

/// A worker whose memory is full or whose engine panics ends with an uncaught error.
#[test]
fn failed_workers_are_replaced() {
    let Some((_root, host, mut browser)) = page(launch()) else {
        return;
    };
    let tab = browser.open_when("about:blank", "true");
    browser.before_scripts(
        &tab,
        "const Real = Worker; window.workers = [];
        window.Worker = class extends Real { constructor(...given) { super(...given); workers.push(this); } };",
    );
    browser.goto(
        &tab,
        &format!("{}#11,a2:sf6;red=person;blue=person;analysis", host.url),
    );
    let count = "Number((document.getElementById('evaluation').textContent
        .match(/([0-9,]+) simulations/) ?? ['', '0'])[1].replaceAll(',', ''))";
    browser.wait(&tab, &format!("{count} > 0"));
    let before = browser.eval(&tab, "workers.length").as_u64().unwrap();
    browser.eval(&tab, "workers.forEach((worker) => { worker.terminate(); worker.dispatchEvent(new Event('error')); })");
    browser.wait(
        &tab,
        &format!("workers.length >= {before} + 1 && {count} > 0"),
    );
    browser.click_cell(&tab, "e5");
    wait_for_status(&mut browser, &tab, "Blue: e5");
    browser.wait(&tab, &format!("{count} > 0"));
    assert_sound(&mut browser, &host);
}

#[test]
fn a_missing_engine_is_reported() {
    let Some((root, host, mut browser)) = page(launch()) else {
        return;
    };
    fs::remove_file(root.path().join("deep/in/a/site/hex.wasm")).unwrap();
    let problem = "document.getElementById('problem')?.textContent";
    let is_told = format!("{problem}?.includes('hex.wasm cannot be loaded: 404')");
    let tab = browser.open_when(&host.url, &is_told);
    let said = browser.text(&tab, problem);
    assert!(
        said.contains("Reload the page") && !said.contains("server"),
        "{said}"
    );
}

#[test]
fn two_pages_on_one_host_have_separate_caches() {
    // A shared browser stores nothing.
    let Some((root, host, mut browser)) = page(launch_with(&[])) else {
        return;
    };
    // Another version.
    let other = root.path().join("other");
    export(&other, &modules().unwrap());
    let keeper = fs::read_to_string(other.join("sw.js")).unwrap();
    let keeper = keeper.replacen("VERSION = \"", "VERSION = \"older-", 1);
    fs::write(other.join("sw.js"), keeper).unwrap();
    let other = host.url.replace("deep/in/a/site", "other");
    let is_kept = format!("{SHOWN} && navigator.serviceWorker.controller");
    let tab = browser.open_when(&host.url, &is_kept);
    browser.open_when(&other, &is_kept);
    let found = browser.eval(&tab, "caches.match('main.js').then(Boolean)");
    assert_eq!(found, true);
}

#[test]
fn missing_modules_are_reported_with_a_fix() {
    let empty = TempDir::new().unwrap();
    fs::write(empty.path().join("hex.wasm"), "no module").unwrap();
    for modules in [empty.path().join("none"), empty.path().to_owned()] {
        let output = hex()
            .args(["web", "--export"])
            .arg(empty.path().join("site"))
            .arg("--modules")
            .arg(&modules)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            said.contains("hex.wasm") && said.contains("wasm/build"),
            "{said}"
        );
        assert!(!empty.path().join("site").exists());
    }
}

/// The most bytes of all files together, compressed as hosts do. The readers of other programs'
/// formats are worth their growth: 10,000 bytes are 0.2 s of slow 3G on the first visit only. In
/// November 2026 they were 403,000.
const MOST_BYTES: usize = 420_000;

#[test]
fn the_exported_page_is_small() {
    let Some(modules) = modules() else {
        return;
    };
    let folder = TempDir::new().unwrap();
    export(folder.path(), &modules);
    let mut sum = 0;
    for entry in fs::read_dir(folder.path()).unwrap() {
        let output = starting("gzip")
            .arg("-9c")
            .arg(entry.unwrap().path())
            .output()
            .unwrap();
        sum += output.stdout.len();
    }
    println!("{sum} bytes compressed");
    assert!(sum <= MOST_BYTES, "{sum} bytes");
}
