//! The npm package, which `npm/build` assembles from the output of `wasm/build`: its own tests in
//! Node, and its example page in a headless Chromium.

use crate::common::starting;
use crate::support::browser::launch;
use crate::support::local::{modules, Host};
use crate::support::missing::skip;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Assembles the package and returns the project's folder; `None` if something is missing.
fn project() -> Option<PathBuf> {
    static BUILT: OnceLock<()> = OnceLock::new();
    modules()?;
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    BUILT.get_or_init(|| {
        let output = starting(project.join("npm/build")).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
    });
    Some(project)
}

#[test]
fn the_package_passes_its_tests_in_node() {
    let project = needs!(project());
    let mut node = starting("node");
    node.args([
        "--test",
        "npm/tests/client.test.mjs",
        "npm/tests/node.test.mjs",
    ]);
    let Ok(output) = node.current_dir(project).output() else {
        return skip("no node on this machine: install the package `nodejs`");
    };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    // A run without tests would succeed, too.
    let passed = said.lines().find_map(|line| line.strip_prefix("# pass "));
    assert!(passed.is_some_and(|count| count != "0"), "{said}");
}

#[test]
fn the_example_page_analyses_without_other_hosts() {
    let project = needs!(project());
    let host = needs!(Host::start(&project.join("target/npm")));
    let page = needs!(launch());
    let root = host.url.trim_end_matches("deep/in/a/site/");
    let example = format!("{root}examples/page.html");
    page.goto_when(&example, "document.readyState === 'complete'");
    let found = "$('#found').textContent";
    page.eval("document.forms[0].requestSubmit()");
    page.wait(&format!("{found}.includes('red wins with')"));
    page.click("#stop");
    // An illegal move is reported. Two engines work side by side, and one is cancelled.
    let script = "(async () => {
        const { HexEngine } = await import(new URL('../browser.js', location.href));
        const [one, other] = await Promise.all([HexEngine.load(), HexEngine.load()]);
        const position = { side: 7, moves: 'a1 c3' };
        const wrong = await one.bestMove({ side: 7, moves: 'a1 a1' }).catch(({ message }) => message);
        const signal = AbortSignal.timeout(200);
        const [cancelled, move] = await Promise.all([
            one.solve({ side: 10, moves: 'e5', swap: false }, { signal }).catch(({ name }) => name),
            other.bestMove(position, { ms: 500 }),
        ]);
        const { winner } = await one.solve({ side: 3, moves: 'b2', swap: false });
        [one, other].forEach((engine) => engine.close());
        return [wrong.includes('a1'), cancelled, /^[a-g][1-7]$/.test(move), winner].join();
    })()";
    assert_eq!(page.eval(script), "true,TimeoutError,true,red");
    for request in page.requests() {
        let is_own = request.starts_with(root) || request.starts_with("about:");
        assert!(is_own, "{request}");
    }
}
