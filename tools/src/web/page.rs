//! The page, embedded in the binary: plain HTML, a style sheet, JavaScript modules.

use axum::http::header;
use axum::response::{IntoResponse, Response};

/// One file of the page.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its address, `/` for the page itself.
    pub path: &'static str,
    /// What it is.
    pub mime: &'static str,
    /// What it says.
    pub text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";
const MANIFEST: &str = "application/manifest+json";

/// A row of [`ASSETS`] for a file in `page/`.
macro_rules! asset {
    ($path:literal, $mime:expr, $file:literal) => {
        Asset {
            path: $path,
            mime: $mime,
            text: include_str!(concat!("page/", $file)),
        }
    };
}

/// All files of the page.
pub const ASSETS: &[Asset] = &[
    asset!("/", HTML, "index.html"),
    asset!("/page.css", CSS, "page.css"),
    asset!("/icon.svg", SVG, "icon.svg"),
    asset!("/icon-maskable.svg", SVG, "icon-maskable.svg"),
    asset!("/manifest.webmanifest", MANIFEST, "manifest.webmanifest"),
    asset!("/sw.js", JAVASCRIPT, "sw.js"),
    asset!("/board.js", JAVASCRIPT, "board.js"),
    asset!("/clock.js", JAVASCRIPT, "clock.js"),
    asset!("/controls.js", JAVASCRIPT, "controls.js"),
    asset!("/director.js", JAVASCRIPT, "director.js"),
    asset!("/follow.js", JAVASCRIPT, "follow.js"),
    asset!("/geometry.js", JAVASCRIPT, "geometry.js"),
    asset!("/keys.js", JAVASCRIPT, "keys.js"),
    asset!("/levels.js", JAVASCRIPT, "levels.js"),
    asset!("/list.js", JAVASCRIPT, "list.js"),
    asset!("/look.js", JAVASCRIPT, "look.js"),
    asset!("/main.js", JAVASCRIPT, "main.js"),
    asset!("/match.js", JAVASCRIPT, "match.js"),
    asset!("/notation.js", JAVASCRIPT, "notation.js"),
    asset!("/overlay.js", JAVASCRIPT, "overlay.js"),
    asset!("/panel.js", JAVASCRIPT, "panel.js"),
    asset!("/prefs.js", JAVASCRIPT, "prefs.js"),
    asset!("/records.js", JAVASCRIPT, "records.js"),
    asset!("/save.js", JAVASCRIPT, "save.js"),
    asset!("/server.js", JAVASCRIPT, "server.js"),
    asset!("/session.js", JAVASCRIPT, "session.js"),
    asset!("/settings.js", JAVASCRIPT, "settings.js"),
    asset!("/sound.js", JAVASCRIPT, "sound.js"),
    asset!("/table.js", JAVASCRIPT, "table.js"),
    asset!("/tabs.js", JAVASCRIPT, "tabs.js"),
    asset!("/thinking.js", JAVASCRIPT, "thinking.js"),
    asset!("/tour.js", JAVASCRIPT, "tour.js"),
];

impl IntoResponse for Asset {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, self.mime)], self.text).into_response()
    }
}
