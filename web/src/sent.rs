//! The page's files as the server sends them, made once. All files are compressed by gzip to a
//! third, which helps browsers behind a tunnel.

use super::page;
use axum::body::Bytes;
use axum::http::header::{self, HeaderMap};
use axum::response::{IntoResponse, Response};
use flate2::write::GzEncoder;
use flate2::Compression;
use std::collections::BTreeMap;
use std::io::Write;

/// A file, plain and in gzip.
#[derive(Clone, Debug)]
pub(crate) struct SentFile {
    mime: &'static str,
    plain: Bytes,
    gzip: Option<Bytes>,
}

/// All files by their addresses.
///
/// # Errors
/// If the modules cannot be joined.
pub(crate) fn files() -> anyhow::Result<BTreeMap<String, SentFile>> {
    let files = page::files(false)?.into_iter();
    let sent = files.map(|(name, bytes)| {
        let address = if name == "index.html" { "" } else { name };
        let file = SentFile::new(page::mime(name), bytes.into_owned());
        (format!("/{address}"), file)
    });
    Ok(sent.collect())
}

impl SentFile {
    fn new(mime: &'static str, bytes: Vec<u8>) -> SentFile {
        let gzip = smaller(&bytes).map(Bytes::from);
        let plain = Bytes::from(bytes);
        SentFile { mime, plain, gzip }
    }

    /// The file to send now: the one made at the start.
    #[cfg(not(debug_assertions))]
    pub(crate) fn now(&self, _path: &str) -> &SentFile {
        self
    }

    /// The file at `path` to send now: made from the present source files, or the one made at the
    /// start if that fails.
    #[cfg(debug_assertions)]
    pub(crate) fn now(&self, path: &str) -> SentFile {
        let file = files().map(|mut files| files.remove(path));
        if let Err(error) = &file {
            hex_common::aside::tell_line(format_args!("hex web: {error}"));
        }
        file.ok().flatten().unwrap_or_else(|| self.clone())
    }

    /// The answer to a request with these headers: in gzip, if the browser understands that.
    pub(crate) fn answer(&self, request: &HeaderMap) -> Response {
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

/// The bytes in gzip; `None` if they are no fewer.
fn smaller(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).ok()?;
    let gzip = encoder.finish().ok()?;
    (gzip.len() < bytes.len()).then_some(gzip)
}
