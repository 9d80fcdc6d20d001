//! The page's files as the server sends them, made once: the modules joined into one script, since
//! a browser that asks for forty of them, level by level as they import each other, shows its first
//! board later; and all in gzip, so that a browser far away, behind a tunnel, gets the page in a
//! third of its bytes.

use super::joined::{joined, without_comments, ScriptError};
use super::page::{Asset, ASSETS};
use axum::body::Bytes;
use axum::http::header::{self, HeaderMap};
use axum::response::{IntoResponse, Response};
use flate2::write::GzEncoder;
use flate2::Compression;
use std::collections::BTreeMap;
use std::io::Write;

/// The module that the page asks for: all others are joined to it.
const SCRIPT: &str = "main.js";

/// Files below this size, in bytes, would not get smaller.
const LEAST: usize = 200;

/// A file, to be sent as it is or in gzip.
#[derive(Clone, Debug)]
pub struct SentFile {
    mime: &'static str,
    plain: Bytes,
    gzip: Option<Bytes>,
}

/// All files by their addresses. Of the modules only the script is among them.
///
/// # Errors
/// If the modules cannot be joined.
pub fn files() -> Result<BTreeMap<&'static str, SentFile>, ScriptError> {
    let modules = ASSETS.iter().filter(|asset| asset.file.ends_with(".js"));
    let modules = modules.map(|asset| (asset.file.to_owned(), without_comments(&asset.content())));
    let script = joined(&modules.collect(), SCRIPT)?;
    let is_sent = |asset: &&Asset| asset.file == SCRIPT || !script.modules.contains(asset.file);
    let sent = ASSETS.iter().filter(is_sent).map(|asset| {
        let text = match asset.file {
            SCRIPT => script.text.clone(),
            _ => asset.content().into_owned(),
        };
        (asset.path, SentFile::new(asset.mime, text))
    });
    Ok(sent.collect())
}

impl SentFile {
    fn new(mime: &'static str, text: String) -> SentFile {
        let gzip = smaller(text.as_bytes()).map(Bytes::from);
        let plain = Bytes::from(text);
        SentFile { mime, plain, gzip }
    }

    /// The file as it is to be sent now: as it was made.
    #[cfg(not(debug_assertions))]
    pub fn now(&self, _path: &str) -> &SentFile {
        self
    }

    /// The file at `path` as it is to be sent now: made of the source files as they are now, or as
    /// it was made where that fails.
    #[cfg(debug_assertions)]
    pub fn now(&self, path: &str) -> SentFile {
        let file = files().map(|mut files| files.remove(path));
        if let Err(error) = &file {
            hex_common::aside::tell_line(format_args!("hex web: {error}"));
        }
        file.ok().flatten().unwrap_or_else(|| self.clone())
    }

    /// The answer to a request with these headers: in gzip, if the browser understands that.
    pub fn answer(&self, asked: &HeaderMap) -> Response {
        let mime = (header::CONTENT_TYPE, self.mime);
        // Also where it stays as it is: a cache must not give one browser's answer to others.
        let varies = (header::VARY, "accept-encoding");
        match &self.gzip {
            Some(gzip) if understands_gzip(asked) => {
                let encoding = (header::CONTENT_ENCODING, "gzip");
                ([mime, varies, encoding], gzip.clone()).into_response()
            }
            _ => ([mime, varies], self.plain.clone()).into_response(),
        }
    }
}

/// Returns true if the header that says so names gzip. (Nobody forbids it by `gzip;q=0`.)
fn understands_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING);
    let accepted = accepted.and_then(|value| value.to_str().ok());
    accepted.is_some_and(|list| list.split(',').any(|name| name.trim() == "gzip"))
}

/// The bytes in gzip, if they are worth it.
fn smaller(bytes: &[u8]) -> Option<Vec<u8>> {
    if bytes.len() < LEAST {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}
