//! `hex web --export`: the page as a folder for any web host, with the engine as WebAssembly. Only
//! the page's transport differs (`page/local/transport.js` instead of `page/transport.js`). Modules
//! are joined into scripts.

use super::joined::{without_comments, ScriptError};
use super::page;
use hex_common::input;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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

/// Why the page cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A module of the engine is missing, or is not WebAssembly.
    #[error(
        "{}: the engine as WebAssembly is missing; run `wasm/build` in the source tree, or give \
         its folder by --modules FOLDER",
        path.display()
    )]
    NoEngine {
        /// The module.
        path: PathBuf,
        /// Why it cannot be read; `None` if it is not WebAssembly.
        source: Option<io::Error>,
    },
    /// The page's modules cannot be joined.
    #[error(transparent)]
    Script(#[from] ScriptError),
    /// The page lacks a part that every page has.
    #[error(transparent)]
    Damaged(#[from] DamagedPage),
    /// The folder cannot be written.
    #[error("--export {}: cannot be written", folder.display())]
    Unwritable {
        /// The folder.
        folder: PathBuf,
        /// What is wrong.
        source: io::Error,
    },
    /// The result cannot be printed.
    #[error(transparent)]
    Print(io::Error),
}

/// The part that the page lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DamagedPage {
    /// The page itself.
    #[error("the page has no index.html")]
    NoPage,
    /// The script.
    #[error("there is no main.js")]
    NoScript,
    /// The service worker.
    #[error("there is no sw.js")]
    NoServiceWorker,
    /// The line that the policy follows.
    #[error("index.html does not name its charset")]
    NoCharset,
}

/// Writes the page into `folder`, with the engine's modules from the folder `modules`, and prints
/// how to serve it. Replaces existing files.
///
/// # Errors
/// If the modules are missing, or a file cannot be written.
pub fn export(folder: &Path, modules: &Path) -> Result<(), ExportError> {
    let files = files(modules)?;
    write(folder, &files).map_err(|source| ExportError::Unwritable {
        folder: folder.to_owned(),
        source,
    })?;
    let bytes: usize = files.values().map(Vec::len).sum();
    writeln!(
        std::io::stdout(),
        "{}: {} files, {} kB; any web host serves it, for example `python3 -m http.server \
         --directory {0}`",
        folder.display(),
        files.len(),
        bytes / 1000
    )
    .map_err(ExportError::Print)
}

fn write(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    files
        .iter()
        .try_for_each(|(name, bytes)| std::fs::write(folder.join(name), bytes))
}

/// All files by name.
fn files(modules: &Path) -> Result<BTreeMap<String, Vec<u8>>, ExportError> {
    let mut files = BTreeMap::new();
    for name in MODULES {
        files.insert(name.to_owned(), module(&modules.join(name))?);
    }
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
    let script = texts.get_mut("main.js").ok_or(DamagedPage::NoScript)?;
    *script = script.replace("{sizes}", &sizes(&files));
    let page = texts.get_mut("index.html").ok_or(DamagedPage::NoPage)?;
    *page = with_policy(page)?;
    let worker = texts.remove("sw.js").ok_or(DamagedPage::NoServiceWorker)?;
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
fn module(path: &Path) -> Result<Vec<u8>, ExportError> {
    let missing = |source| ExportError::NoEngine {
        path: path.to_owned(),
        source,
    };
    let bytes = input::read(path).map_err(|error| missing(Some(error)))?;
    if bytes.starts_with(WASM_MAGIC) {
        Ok(bytes)
    } else {
        Err(missing(None))
    }
}

/// Text without indentation, which is a fortieth of the remaining size. No string of the page spans
/// several lines.
fn without_indentation(text: &str) -> String {
    let lines = text.lines().map(str::trim_start);
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The page with its policy.
fn with_policy(page: &str) -> Result<String, DamagedPage> {
    let (before, after) = page.split_once(HEAD).ok_or(DamagedPage::NoCharset)?;
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
