//! `hex web --export`: the page as a folder that any web host can serve, with the engine as
//! WebAssembly in it. The page is the same; only how its questions travel is another module
//! (`page/local/transport.js` instead of `page/transport.js`), and modules are joined into scripts.

use super::joined::joined;
use super::page::{Asset, ASSETS, LOCAL_ASSETS, PICTURES};
use anyhow::{ensure, Context};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::Path;

/// The engine's modules, as `wasm/build` calls them.
const MODULES: [&str; 2] = ["hex.wasm", "kernel.wasm"];

/// The modules that are asked for: the page's and its workers'. They are joined with those that
/// they import.
const SCRIPTS: [&str; 2] = ["main.js", "worker.js"];

/// What a file of WebAssembly begins with.
const WASM_MAGIC: &[u8] = b"\0asm";

/// Forbids the page everything that does not come from its own host; scripts may compile the
/// engine. (Who may show the page in a frame only a header could say.)
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
    img-src 'self' blob: data:; base-uri 'none'; form-action 'none'";

/// Where the policy goes: nothing is loaded before it.
const HEAD: &str = "<meta charset=\"utf-8\">\n";

/// Writes the page into `folder` with the engine's modules from the folder `modules`, and prints
/// what to do with it. Files that are there already are replaced.
///
/// # Errors
/// If the modules are missing, or a file cannot be written.
pub fn export(folder: &Path, modules: &Path) -> anyhow::Result<()> {
    let files = files(modules)?;
    let context = || format!("--export {}: cannot be written", folder.display());
    std::fs::create_dir_all(folder).with_context(context)?;
    for (name, bytes) in &files {
        std::fs::write(folder.join(name), bytes).with_context(context)?;
    }
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

/// All files by name.
fn files(modules: &Path) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    for name in MODULES {
        files.insert(name.to_owned(), module(&modules.join(name))?);
    }
    for asset in ASSETS.iter().chain(LOCAL_ASSETS) {
        let text = without_comments(asset.text);
        files.insert(file_name(asset).to_owned(), text.into_bytes());
    }
    join_modules(&mut files)?;
    for (name, bytes) in &mut files {
        if !MODULES.contains(&name.as_str()) {
            *bytes = without_indentation(std::str::from_utf8(bytes)?).into_bytes();
        }
    }
    for picture in PICTURES {
        let name = picture.path.trim_start_matches('/');
        files.insert(name.to_owned(), picture.bytes.to_vec());
    }
    let page = files
        .get_mut("index.html")
        .context("the page has no index.html")?;
    *page = with_policy(std::str::from_utf8(page)?)?.into_bytes();
    let keeper = kept_files(&files)?;
    files.insert("sw.js".to_owned(), keeper.into_bytes());
    Ok(files)
}

/// Puts [`SCRIPTS`] in the place of the modules that are in them.
fn join_modules(files: &mut BTreeMap<String, Vec<u8>>) -> anyhow::Result<()> {
    let scripts = files.iter().filter(|(name, _)| name.ends_with(".js"));
    let modules = scripts.map(|(name, bytes)| {
        let text = std::str::from_utf8(bytes)?.to_owned();
        anyhow::Ok((name.clone(), text))
    });
    let modules = modules.collect::<anyhow::Result<BTreeMap<_, _>>>()?;
    for name in SCRIPTS {
        let script = joined(&modules, name)?;
        files.retain(|file, _| !script.modules.contains(file));
        files.insert(name.to_owned(), script.text.into_bytes());
    }
    Ok(())
}

/// A module of the engine.
fn module(path: &Path) -> anyhow::Result<Vec<u8>> {
    let cure = || {
        format!(
            "{}: the engine as WebAssembly is missing; `wasm/build` in the source tree makes it, and \
             --modules FOLDER names where it lies",
            path.display()
        )
    };
    let bytes = std::fs::read(path).with_context(cure)?;
    ensure!(bytes.starts_with(WASM_MAGIC), cure());
    Ok(bytes)
}

/// What a file of the page is called in a folder.
fn file_name(asset: &Asset) -> &str {
    match asset.path.trim_start_matches('/') {
        "" => "index.html",
        name => name,
    }
}

/// A file of the page without the lines that are nothing but a comment: a quarter of its weight.
fn without_comments(text: &str) -> String {
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Text without what its lines begin with: a fortieth of the weight that is left. No string of the
/// page goes over several lines.
fn without_indentation(text: &str) -> String {
    let lines = text.lines().map(str::trim_start);
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// The page with its policy.
fn with_policy(page: &str) -> anyhow::Result<String> {
    let (before, after) = page
        .split_once(HEAD)
        .context("index.html does not name its charset")?;
    let policy = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n");
    Ok(format!("{before}{HEAD}{policy}{after}"))
}

/// The service worker, with the names of all files and a version that changes with any of them.
fn kept_files(files: &BTreeMap<String, Vec<u8>>) -> anyhow::Result<String> {
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    let names = files
        .keys()
        .filter(|name| *name != "sw.js")
        .map(String::as_str);
    // The page is asked for by the folder's address.
    let names: Vec<&str> = names
        .map(|name| if name == "index.html" { "./" } else { name })
        .collect();
    let text = std::str::from_utf8(files.get("sw.js").context("there is no sw.js")?)?;
    Ok(text
        .replace("{version}", &format!("{:016x}", hasher.finish()))
        .replace("{files}", &names.join(" ")))
}
