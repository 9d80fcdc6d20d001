//! The files of the page, embedded in the binary: HTML, style sheets, JavaScript modules, pictures.
//! A debug build reads the source files instead, so that a change of the page needs no new build.

use super::joined::{joined, without_comments};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// One file of the page.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its path in `page/`.
    pub file: &'static str,
    /// Its embedded content.
    pub bytes: &'static [u8],
}

/// All files in `page/`, then those in `page/local/`. `build.rs` writes the list.
pub const ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The folder of the files of a page without a server. They replace files with the same name.
const LOCAL: &str = "local/";

/// The modules that the browser loads: those of the page and of its workers. Each is joined with
/// the modules that it imports.
const SCRIPTS: [&str; 2] = ["main.js", "worker.js"];

impl Asset {
    /// Its name without the folder.
    pub fn name(&self) -> &'static str {
        self.file.strip_prefix(LOCAL).unwrap_or(self.file)
    }

    /// Whether it belongs to the page without a server only.
    pub fn is_local(&self) -> bool {
        self.file.starts_with(LOCAL)
    }

    #[cfg(not(debug_assertions))]
    fn content(&self) -> Cow<'static, [u8]> {
        self.bytes.into()
    }

    /// The present content of the file; the embedded one if the file is gone.
    #[cfg(debug_assertions)]
    fn content(&self) -> Cow<'static, [u8]> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/page");
        let file = std::path::Path::new(folder).join(self.file);
        std::fs::read(file).map_or(self.bytes.into(), Into::into)
    }
}

/// The content type of a file with this name.
pub fn mime(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

/// The files that browsers load, by name, of the page with a server or without (`is_local`). The
/// `SCRIPTS` replace the modules that they contain; they have no comments.
///
/// # Errors
/// If the modules cannot be joined.
pub fn files(is_local: bool) -> anyhow::Result<BTreeMap<&'static str, Cow<'static, [u8]>>> {
    let assets = ASSETS.iter().filter(|asset| is_local || !asset.is_local());
    let mut files: BTreeMap<_, _> = assets
        .map(|asset| (asset.name(), asset.content()))
        .collect();
    let is_module = |name: &str| name.ends_with(".js");
    let text = |bytes: &[u8]| without_comments(&String::from_utf8_lossy(bytes));
    let modules = files.iter().filter(|(name, _)| is_module(name));
    let modules: BTreeMap<String, String> = modules
        .map(|(&name, bytes)| (name.to_owned(), text(bytes)))
        .collect();
    let mut contained = BTreeSet::new();
    for name in SCRIPTS
        .into_iter()
        .filter(|&name| modules.contains_key(name))
    {
        let script = joined(&modules, name)?;
        contained.extend(script.modules);
        files.insert(name, script.text.into_bytes().into());
    }
    files.retain(|name, _| SCRIPTS.contains(name) || !contained.contains(*name));
    Ok(files)
}
