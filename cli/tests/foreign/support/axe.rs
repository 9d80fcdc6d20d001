//! axe-core finds barriers for disabled users. npm fetches it into target/axe, and it runs in the
//! page.

use super::browser::Tab;
use super::missing::skip;
use crate::common::starting;
use std::path::Path;
use std::sync::Mutex;

/// The fetched version.
const PACKAGE: &str = "axe-core@4.14.1";

/// Tests that need it at the same time fetch it once.
static FETCHING: Mutex<()> = Mutex::new(());

/// The script; if it cannot be fetched the test is skipped or fails, depending on the setting.
pub fn script() -> Option<String> {
    let _guard = FETCHING.lock().unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/axe");
    let file = folder.join("node_modules/axe-core/axe.min.js");
    if !file.is_file() {
        let _ = starting("npm")
            .args([
                "install",
                "--no-audit",
                "--no-fund",
                "--ignore-scripts",
                "--prefix",
            ])
            .arg(&folder)
            .arg(PACKAGE)
            .output();
    }
    let script = std::fs::read_to_string(file).ok();
    if script.is_none() {
        skip("no axe-core: install the package `npm`, and let it fetch axe-core once");
    }
    script
}

/// The findings on the current page, one per line.
pub fn findings(page: &Tab, script: &str) -> Vec<String> {
    if page.eval("window.axe === undefined") == true {
        page.eval(&format!("{script}; 0"));
    }
    let found = page.eval(
        "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
            violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`)))",
    );
    let lines = found.as_array().expect("a list").iter();
    lines
        .map(|line| {
            line.as_str()
                .map_or_else(|| line.to_string(), str::to_owned)
        })
        .collect()
}

/// A deliberate finding shows that the script works.
pub fn assert_finds_something(page: &Tab, script: &str) {
    let put = "document.querySelector('header').insertAdjacentHTML('beforeend', '<button id=\"nameless\"></button>')";
    page.eval(put);
    let found = findings(page, script);
    assert_eq!(found, ["button-name: #nameless"]);
    page.eval("document.getElementById('nameless').remove()");
    assert_eq!(findings(page, script), Vec::<String>::new());
}
