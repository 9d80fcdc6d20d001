//! The page without a server, as `hex web --export` writes it, on a plain file server in a real
//! headless Chromium. Without Chromium, Python or the engine's modules the tests are skipped, or
//! fail with HEX_IF_MISSING=fail.

use crate::common::{hex, starting};
use crate::support::browser::{launch, launch_with, Tab, SHOWN};
use crate::support::local::{blank, export, modules, native_reply, visit, Site};
use serde_json::{json, Value};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

#[test]
fn a_whole_game_by_clicks() {
    let page = needs!(visit("#5,;red=person;blue=1"));
    page.play_out();
    assert!(page.loaded().contains("kernel.wasm"));
    let code = page.text_of("#code");
    assert!(code.contains("vector code of WebAssembly"), "{code}");
}

#[test]
fn moves_during_loading_are_played_later() {
    let page = needs!(blank(launch()));
    // Simulates a host that sends compressed files, so their length is unknown.
    page.before_scripts(
        "{ const { fetch } = window; window.fetch = async (...asked) => {
            const { body, status } = await fetch(...asked);
            const headers = { 'Content-Type': 'application/wasm', 'Content-Encoding': 'gzip' };
            return new Response(body, { status, headers }); }; }",
    );
    page.slow_down(300_000);
    page.goto_when("#11,;red=person;blue=person", "$('.cell') !== null");
    let status = "$('#status').textContent";
    page.wait(&format!("/Loading the bot: \\d+ %/.test({status})"));
    page.click_cell("d4");
    assert!(page.text(status).contains("Loading the bot"));
    page.wait_for_address("#11,d4;");
    page.wait_for_status("1. Red: d4");
}

/// Copies the module with the connection to the workers beside the page. The exported page has it
/// only as a part of its script.
fn put_transport(site: &Site) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/page/local");
    for file in ["transport.js", "simd.js"] {
        fs::copy(source.join(file), site.folder().join(file)).unwrap();
    }
}

/// Connects to the workers as the page does, sends orders one after the other, and returns the last
/// reply to each.
fn replies(page: &Tab, orders: &[Value]) -> Vec<Value> {
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
    let answers = page.eval(&script);
    let answers = answers.as_array().unwrap().iter();
    answers
        .map(|text| serde_json::from_str(text.as_str().unwrap()).unwrap())
        .collect()
}

/// Compares the analyses of the page's workers with those of this process.
fn compare_analyses(page: &Tab) {
    let games = ["11,a2:se5", "9,", "8,d4e5c6", "14,g7:sh8", "17,h8:s", "11,"];
    let orders: Vec<Value> = (1..)
        .zip(games)
        .map(|(id, game)| json!({ "do": "move", "id": id, "game": game, "level": 7, "ms": 1000 }))
        .collect();
    for (order, mut reply) in orders.iter().zip(replies(page, &orders)) {
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
    let page = needs!(blank(launch()));
    put_transport(&page.server);
    page.goto("#5,;red=person;blue=person");
    assert!(!page.loaded().contains("large.weights"));
    compare_analyses(&page);
    assert_eq!(page.loaded().matches("large.weights").count(), 1);
}

/// V8 has no SIMD on processors without SSE 4.1; these options simulate one.
#[test]
fn without_simd_the_kernel_is_not_loaded() {
    let options = ["--js-flags=--no-enable-sse4-1 --no-enable-ssse3 --no-enable-avx"];
    let page = needs!(blank(launch_with(&options)));
    put_transport(&page.server);
    page.goto("#5,;red=person;blue=person");
    compare_analyses(&page);
    let loaded = page.loaded();
    assert!(loaded.contains("hex.wasm"), "{loaded}");
    assert!(!loaded.contains("kernel.wasm"), "{loaded}");
}

#[test]
fn analysis_does_not_block_the_page() {
    let page = needs!(visit("#11,a2:sf6;red=person;blue=person;analysis"));
    page.wait_for_words("#evaluation", "simulations");
    // The page's main thread is never blocked for more than 50 ms. Other programs can block it, so
    // there are several attempts.
    let longest = "new Promise((done) => { const found = [];
        const observer = new PerformanceObserver((list) => found.push(...list.getEntries()));
        observer.observe({ type: 'longtask' });
        setTimeout(() => { observer.disconnect(); done(found.length); }, 1000); })";
    let is_free = (0..10).any(|_| page.eval(longest) == 0);
    assert!(is_free, "the main thread is blocked again and again");
    page.play("e5", "Blue: e5");
}

#[test]
fn the_page_opens_offline_after_the_first_visit() {
    let address = "#5,;red=person;blue=1";
    let mut page = needs!(visit(address)).unchecked();
    page.wait("navigator.serviceWorker.controller !== null");
    page.server.host.stop();
    page.goto(address);
    page.click_cell("c3");
    // A move of ours and one of the bot.
    let played = "/^#5,c3[a-e:]/.test(location.hash)";
    page.wait(&format!("{SHOWN} && {played}"));
}

/// A worker whose memory is full or whose engine panics ends with an uncaught error.
#[test]
fn failed_workers_are_replaced() {
    let page = needs!(blank(launch()));
    page.before_scripts("const Real = Worker; window.workers = [];
        window.Worker = class extends Real { constructor(...given) { super(...given); workers.push(this); } };",
    );
    page.goto("#11,a2:sf6;red=person;blue=person;analysis");
    let count = "Number(($('#evaluation').textContent
        .match(/([0-9,]+) simulations/) ?? ['', '0'])[1].replaceAll(',', ''))";
    page.wait(&format!("{count} > 0"));
    let before = page.eval("workers.length").as_u64().unwrap();
    page.eval("workers.forEach((worker) => { worker.terminate(); worker.dispatchEvent(new Event('error')); })");
    page.wait(&format!("workers.length >= {before} + 1 && {count} > 0"));
    page.play("e5", "Blue: e5");
    page.wait(&format!("{count} > 0"));
}

#[test]
fn a_missing_engine_is_reported() {
    let page = needs!(blank(launch())).unchecked();
    fs::remove_file(page.server.folder().join("hex.wasm")).unwrap();
    let problem = "$('#problem')?.textContent";
    let is_told = format!("{problem}?.includes('hex.wasm cannot be loaded: 404')");
    page.goto_when("", &is_told);
    let said = page.text(problem);
    assert!(
        said.contains("Reload the page") && !said.contains("server"),
        "{said}"
    );
}

#[test]
fn two_pages_on_one_host_have_separate_caches() {
    // A shared browser stores nothing.
    let page = needs!(blank(launch_with(&[]))).unchecked();
    // Another version.
    let other = page.server.root.path().join("other");
    export(&other, &modules().unwrap());
    let keeper = fs::read_to_string(other.join("sw.js")).unwrap();
    let keeper = keeper.replacen("VERSION = \"", "VERSION = \"older-", 1);
    fs::write(other.join("sw.js"), keeper).unwrap();
    let other = page.home().replace("deep/in/a/site", "other");
    let is_kept = format!("{SHOWN} && navigator.serviceWorker.controller");
    page.goto_when("", &is_kept);
    page.open_when(&other, &is_kept);
    assert_eq!(page.eval("caches.match('main.js').then(Boolean)"), true);
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

/// The most bytes of all files that the first board needs, compressed as hosts do. The readers of
/// other programs' formats are worth their growth: 10,000 bytes are 0.2 s of slow 3G on the first
/// visit only. In November 2026 they were 420,132; the network for large boards is not among them.
const MOST_BYTES: usize = 421_000;

#[test]
fn the_exported_page_is_small() {
    let modules = needs!(modules());
    let folder = TempDir::new().unwrap();
    export(folder.path(), &modules);
    let mut sum = 0;
    for entry in fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with("large.weights") {
            continue;
        }
        let output = starting("gzip").arg("-9c").arg(path).output().unwrap();
        sum += output.stdout.len();
    }
    println!("{sum} bytes compressed");
    assert!(sum <= MOST_BYTES, "{sum} bytes");
}
