//! The page without a server, as `hex web --export` writes it, and a plain file server for it.

use super::browser::{launch, Tab};
use super::missing::skip;
use super::page::Page;
use crate::common::{hex, starting};
use hex_core::service::engine_cache::CacheLimits;
use hex_core::service::orders::{Accepted, ThreadLimit};
use hex_core::service::turns::ClientId;
use hex_core::service::{Service, ServiceLimits};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;
use tempfile::TempDir;

/// Where wasm/build puts the modules.
pub fn modules() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/page");
    if folder.join("hex.wasm").is_file() && folder.join("kernel.wasm").is_file() {
        return Some(folder);
    }
    skip("the engine as WebAssembly has not been built: run wasm/build");
    None
}

/// Writes the page into `folder`.
pub fn export(folder: &Path, modules: &Path) {
    let output = hex()
        .args(["web", "--export"])
        .arg(folder)
        .arg("--modules")
        .arg(modules)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
}

/// A plain file server; it is killed when the test ends.
pub struct Host {
    child: Child,
    pub url: String,
}

impl Host {
    pub fn start(folder: &Path) -> Option<Host> {
        let mut command = starting("python3");
        command.args([
            "-u",
            "-m",
            "http.server",
            "--bind",
            "127.0.0.1",
            "--directory",
        ]);
        command
            .arg(folder)
            .arg("0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let Ok(mut child) = command.spawn() else {
            skip("no Python on this machine: install the package `python3`");
            return None;
        };
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let port = line
            .split(" port ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        let port = port.unwrap_or_else(|| panic!("{line:?}"));
        let url = format!("http://127.0.0.1:{port}/deep/in/a/site/");
        Some(Host { child, url })
    }

    pub fn stop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A host of the page, in a folder of its own.
pub struct Site {
    pub root: TempDir,
    pub host: Host,
}

impl Site {
    /// The folder with the page's files.
    pub fn folder(&self) -> PathBuf {
        self.root.path().join("deep/in/a/site")
    }
}

/// The page at this place on a host; `None` if something is missing.
pub fn visit(place: &str) -> Option<Page<Site>> {
    let page = blank(launch())?;
    page.goto(place);
    Some(page)
}

/// A host of the page, and a tab that does not yet show it.
pub fn blank(tab: Option<Tab>) -> Option<Page<Site>> {
    let (tab, modules) = (tab?, modules()?);
    let root = TempDir::new().unwrap();
    export(&root.path().join("deep/in/a/site"), &modules);
    let host = Host::start(root.path())?;
    Some(Page::new(tab.at(&host.url), Site { root, host }))
}

impl Tab {
    /// The names of the files that a page has loaded.
    pub fn loaded(&self) -> String {
        self.text("performance.getEntriesByType('resource').map(({ name }) => name).join(' ')")
    }
}

/// The last reply of this process to an order, as the page's worker gives it.
pub fn native_reply(order: &Value) -> Value {
    let limits = ServiceLimits {
        threads: 1,
        tabs: 1,
        tabs_of_a_client: 1,
        cache: CacheLimits {
            engines: 1,
            memory: 32 << 20,
            tree: 32 << 20,
        },
    };
    let mut service = Service::new(limits, 1, hex_core::engine::Networks::Shipped);
    let tab = service.open_tab(ClientId::ONLY).unwrap();
    let (sender, replies) = channel();
    let limit = ThreadLimit {
        most: 1,
        advice: "",
    };
    match Accepted::read(&order.to_string(), limit).unwrap() {
        Accepted::Search(search) => {
            service.begin(tab, search, move |reply| sender.send(reply).unwrap());
        }
        Accepted::Answered(reply) => {
            sender.send(reply).unwrap();
            drop(sender);
        }
        other => panic!("{order} is no order to search but {other:?}"),
    }
    while let Some(mut round) = service.next_round() {
        round.run(Duration::from_millis(100));
        drop(service.put_back(round));
    }
    // Through text, so that numbers have the same digits as in messages.
    let last = serde_json::to_string(&replies.iter().last().unwrap()).unwrap();
    serde_json::from_str(&last).unwrap()
}
