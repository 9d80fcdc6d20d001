//! `hex web --export`: the page as a folder for any web host, with the engine as WebAssembly. Only
//! the page's transport differs (`page/local/transport.js` instead of `page/transport.js`). Modules
//! are joined into scripts.

use super::joined::without_comments;
use super::page;
use anyhow::{ensure, Context};
use hex_common::input;
use hex_core::engine::{shipped_file, SIDES};
use hex_core::record::Side;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::Path;

/// The engine's modules, by the names that `wasm/build` gives them.
const MODULES: [&str; 2] = ["hex.wasm", "kernel.wasm"];

/// The first bytes of a WebAssembly file.
const WASM_MAGIC: &[u8] = b"\0asm";

/// Allows the page only resources of its own host, and lets scripts compile the engine. Only a
/// header, not this policy, could forbid other sites to show the page in a frame.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
    img-src 'self' blob: data:; base-uri 'none'; form-action 'none'";

/// The policy follows this line, before anything is loaded.
const HEAD: &str = "<meta charset=\"utf-8\">\n";

/// Writes the page into `folder`, with the engine's modules from the folder `modules`, and prints
/// how to serve it. Replaces existing files.
///
/// # Errors
/// If the modules are missing, or a file cannot be written.
pub(crate) fn export(folder: &Path, modules: &Path) -> anyhow::Result<()> {
    let files = files(modules)?;
    write(folder, &files)
        .with_context(|| format!("--export {}: cannot be written", folder.display()))?;
    let bytes: usize = files.values().map(Vec::len).sum();
    writeln!(
        std::io::stdout(),
        "{}: {} files, {} kB; any web host serves it, for example `python3 -m http.server \
         --directory {0}`",
        folder.display(),
        files.len(),
        bytes / 1000
    )?;
    Ok(())
}

fn write(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    files
        .iter()
        .try_for_each(|(name, bytes)| std::fs::write(folder.join(name), bytes))
}

/// All files by name.
fn files(modules: &Path) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for name in MODULES {
        files.insert(name.to_owned(), module(&modules.join(name))?);
    }
    let large = Side::try_from(*SIDES.end()).expect("a side that the engine plays");
    files.insert("large.weights".to_owned(), shipped_file(large));
    let mut texts = BTreeMap::new();
    for (name, bytes) in page::files(true)? {
        match String::from_utf8(bytes.into_owned()) {
            Ok(text) => texts.insert(name, without_indentation(&without_comments(&text))),
            Err(picture) => {
                files.insert(name.to_owned(), picture.into_bytes());
                continue;
            }
        };
    }
    let script = texts.get_mut("main.js").context("there is no main.js")?;
    *script = script.replace("{sizes}", &sizes(&files));
    let page = texts
        .get_mut("index.html")
        .context("the page has no index.html")?;
    *page = with_policy(page)?;
    let worker = texts.remove("sw.js").context("there is no sw.js")?;
    for (name, text) in texts {
        files.insert(name.to_owned(), text.into_bytes());
    }
    let worker = naming_all(&worker, &files);
    files.insert("sw.js".to_owned(), worker.into_bytes());
    Ok(files)
}

/// The sizes in bytes of the engine's modules, in the form that the page reads.
fn sizes(files: &BTreeMap<String, Vec<u8>>) -> String {
    let sizes = files
        .iter()
        .filter(|(name, _)| MODULES.contains(&name.as_str()))
        .map(|(name, bytes)| format!("{name}={}", bytes.len()));
    sizes.collect::<Vec<String>>().join(" ")
}

/// A module of the engine.
fn module(path: &Path) -> anyhow::Result<Vec<u8>> {
    let missing = || {
        format!(
            "{}: the engine as WebAssembly is missing; run `wasm/build` in the source tree, or give \
             its folder by --modules FOLDER",
            path.display()
        )
    };
    let bytes = input::read(path).with_context(missing)?;
    ensure!(bytes.starts_with(WASM_MAGIC), missing());
    Ok(bytes)
}

/// Text without indentation, which is a fortieth of the remaining size. No string of the page spans
/// several lines.
fn without_indentation(text: &str) -> String {
    let lines = text.lines().map(str::trim_start);
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The page with its policy.
fn with_policy(page: &str) -> anyhow::Result<String> {
    let halves = page.split_once(HEAD);
    let (before, after) = halves.context("index.html does not name its charset")?;
    let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n");
    Ok(format!("{before}{HEAD}{policy}{after}"))
}

/// The service worker `worker` with the names of all files, its own left out, and a version that
/// changes with any of them.
fn naming_all(worker: &str, files: &BTreeMap<String, Vec<u8>>) -> String {
    let mut hasher = DefaultHasher::new();
    (worker, files).hash(&mut hasher);
    // A browser requests the page by the folder's address.
    let names = files.keys().map(|name| match name.as_str() {
        "index.html" => "./",
        name => name,
    });
    let names: Vec<&str> = names.collect();
    worker
        .replace("{version}", &format!("{:016x}", hasher.finish()))
        .replace("{files}", &names.join(" "))
}
