//! The files of the page, embedded in the binary: HTML, style sheets, JavaScript modules. The
//! server joins the modules into one script ([`super::sent`]). A debug build serves the present
//! files of the source folder, so that a change of the page needs no new build.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use std::borrow::Cow;

/// One file of the page.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// Its address, `/` for the page itself.
    pub path: &'static str,
    /// Its content type.
    pub mime: &'static str,
    /// Its text.
    pub text: &'static str,
    /// Its name in `page/`.
    pub file: &'static str,
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
            file: $file,
        }
    };
}

/// All files of the page.
pub const ASSETS: &[Asset] = &[
    asset!("/", HTML, "index.html"),
    asset!("/page.css", CSS, "page.css"),
    asset!("/study.css", CSS, "study.css"),
    asset!("/icon.svg", SVG, "icon.svg"),
    asset!("/icon-maskable.svg", SVG, "icon-maskable.svg"),
    asset!("/manifest.webmanifest", MANIFEST, "manifest.webmanifest"),
    asset!("/sw.js", JAVASCRIPT, "sw.js"),
    asset!("/board.js", JAVASCRIPT, "board.js"),
    asset!("/branches.js", JAVASCRIPT, "branches.js"),
    asset!("/candidates.js", JAVASCRIPT, "candidates.js"),
    asset!("/cards.js", JAVASCRIPT, "cards.js"),
    asset!("/clock.js", JAVASCRIPT, "clock.js"),
    asset!("/controls.js", JAVASCRIPT, "controls.js"),
    asset!("/director.js", JAVASCRIPT, "director.js"),
    asset!("/files.js", JAVASCRIPT, "files.js"),
    asset!("/folders.js", JAVASCRIPT, "folders.js"),
    asset!("/follow.js", JAVASCRIPT, "follow.js"),
    asset!("/geometry.js", JAVASCRIPT, "geometry.js"),
    asset!("/judgement.js", JAVASCRIPT, "judgement.js"),
    asset!("/keys.js", JAVASCRIPT, "keys.js"),
    asset!("/lessons.js", JAVASCRIPT, "lessons.js"),
    asset!("/levels.js", JAVASCRIPT, "levels.js"),
    asset!("/lines.js", JAVASCRIPT, "lines.js"),
    asset!("/list.js", JAVASCRIPT, "list.js"),
    asset!("/look.js", JAVASCRIPT, "look.js"),
    asset!("/main.js", JAVASCRIPT, "main.js"),
    asset!("/marks.js", JAVASCRIPT, "marks.js"),
    asset!("/match.js", JAVASCRIPT, "match.js"),
    asset!("/notation.js", JAVASCRIPT, "notation.js"),
    asset!("/overlay.js", JAVASCRIPT, "overlay.js"),
    asset!("/panel.js", JAVASCRIPT, "panel.js"),
    asset!("/path.js", JAVASCRIPT, "path.js"),
    asset!("/pieces.js", JAVASCRIPT, "pieces.js"),
    asset!("/power.js", JAVASCRIPT, "power.js"),
    asset!("/prefs.js", JAVASCRIPT, "prefs.js"),
    asset!("/puzzle.js", JAVASCRIPT, "puzzle.js"),
    asset!("/records.js", JAVASCRIPT, "records.js"),
    asset!("/save.js", JAVASCRIPT, "save.js"),
    asset!("/server.js", JAVASCRIPT, "server.js"),
    asset!("/session.js", JAVASCRIPT, "session.js"),
    asset!("/settings.js", JAVASCRIPT, "settings.js"),
    asset!("/setup.js", JAVASCRIPT, "setup.js"),
    asset!("/share.js", JAVASCRIPT, "share.js"),
    asset!("/sound.js", JAVASCRIPT, "sound.js"),
    asset!("/table.js", JAVASCRIPT, "table.js"),
    asset!("/tabs.js", JAVASCRIPT, "tabs.js"),
    asset!("/thinking.js", JAVASCRIPT, "thinking.js"),
    asset!("/transport.js", JAVASCRIPT, "transport.js"),
    asset!("/tree.js", JAVASCRIPT, "tree.js"),
    asset!("/variations.js", JAVASCRIPT, "variations.js"),
    asset!("/zip.js", JAVASCRIPT, "zip.js"),
];

/// A picture for devices that take no SVG as an app's icon, in PNG.
#[derive(Clone, Copy, Debug)]
pub struct Picture {
    /// Its address.
    pub path: &'static str,
    /// The file.
    pub bytes: &'static [u8],
}

/// All pictures of the page.
pub const PICTURES: &[Picture] = &[
    Picture {
        path: "/icon-180.png",
        bytes: include_bytes!("page/icon-180.png"),
    },
    Picture {
        path: "/icon-192.png",
        bytes: include_bytes!("page/icon-192.png"),
    },
];

impl IntoResponse for Picture {
    fn into_response(self) -> Response {
        ([(header::CONTENT_TYPE, "image/png")], self.bytes).into_response()
    }
}

/// The additional files of a page without a server. They replace files with the same address.
pub const LOCAL_ASSETS: &[Asset] = &[
    asset!("/engine.js", JAVASCRIPT, "local/engine.js"),
    asset!("/sw.js", JAVASCRIPT, "local/sw.js"),
    asset!("/transport.js", JAVASCRIPT, "local/transport.js"),
    asset!("/worker.js", JAVASCRIPT, "local/worker.js"),
];

impl Asset {
    /// The embedded text.
    #[cfg(not(debug_assertions))]
    pub fn content(self) -> Cow<'static, str> {
        self.text.into()
    }

    /// The present text of the file; the embedded one if the file is gone.
    #[cfg(debug_assertions)]
    pub fn content(self) -> Cow<'static, str> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/page");
        let file = std::path::Path::new(folder).join(self.file);
        std::fs::read_to_string(file).map_or(self.text.into(), Into::into)
    }
}
