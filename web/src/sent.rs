//! The page's files as the server sends them, made once. The modules are joined into one script,
//! because forty requests, level by level of imports, would delay the first board. All files are
//! compressed by gzip to a third, which helps browsers behind a tunnel.

use super::joined::{joined, without_comments, ScriptError};
use super::page::{Asset, ASSETS};
use axum::body::Bytes;
use axum::http::header::{self, HeaderMap};
use axum::response::{IntoResponse, Response};
use flate2::write::GzEncoder;
use flate2::Compression;
use std::collections::BTreeMap;
use std::io::Write;

/// The module that the page loads. All others are joined to it.
const SCRIPT: &str = "main.js";

/// Files below this size, in bytes, are not compressed, as they would not get smaller.
const LEAST: usize = 200;

/// A file, plain and in gzip.
#[derive(Clone, Debug)]
pub struct SentFile {
    mime: &'static str,
    plain: Bytes,
    gzip: Option<Bytes>,
}

/// All files by their addresses. The script replaces the modules.
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

    /// The file to send now: the one made at the start.
    #[cfg(not(debug_assertions))]
    pub fn now(&self, _path: &str) -> &SentFile {
        self
    }

    /// The file at `path` to send now: made from the present source files, or the one made at the
    /// start if that fails.
    #[cfg(debug_assertions)]
    pub fn now(&self, path: &str) -> SentFile {
        let file = files().map(|mut files| files.remove(path));
        if let Err(error) = &file {
            hex_common::aside::tell_line(format_args!("hex web: {error}"));
        }
        file.ok().flatten().unwrap_or_else(|| self.clone())
    }

    /// The answer to a request with these headers: in gzip, if the browser understands that.
    pub fn answer(&self, request: &HeaderMap) -> Response {
        let mime = (header::CONTENT_TYPE, self.mime);
        // Also on plain answers: a cache must not give one browser's answer to another.
        let varies = (header::VARY, "accept-encoding");
        match &self.gzip {
            Some(gzip) if understands_gzip(request) => {
                let encoding = (header::CONTENT_ENCODING, "gzip");
                ([mime, varies, encoding], gzip.clone()).into_response()
            }
            _ => ([mime, varies], self.plain.clone()).into_response(),
        }
    }
}

/// Returns true if the Accept-Encoding header contains gzip. Ignores `gzip;q=0`, which no browser
/// sends.
fn understands_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING);
    let accepted = accepted.and_then(|value| value.to_str().ok());
    accepted.is_some_and(|list| list.split(',').any(|name| name.trim() == "gzip"))
}

/// The bytes in gzip; `None` if they are too few.
fn smaller(bytes: &[u8]) -> Option<Vec<u8>> {
    if bytes.len() < LEAST {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}
